/*
 * A plugin of Evennia's web client: shows that a character thinks, speaks or sleeps. Without it the
 * client would write each of these events out as one that nobody handles.
 */
plugin_handler.add("ai_state", (function () {
  const line = document.createElement("div");
  line.id = "ai-state";
  line.setAttribute("aria-hidden", "true");
  line.style.cssText = "position: fixed; right: 1em; top: 0.5em; z-index: 9; opacity: 0.7;" +
    " pointer-events: none; color: #ccc; font-size: 0.85em";

  const show = function (args, kwargs) {
    line.textContent = kwargs.state === "thinking" ? kwargs.who + " is thinking …" : "";
  };

  const init = function () {
    document.body.appendChild(line);
    Evennia.emitter.on("ai_state", show);
  };

  return {init: init};
})());
