/*
 * Font and size of the web client's text, kept in the browser. In place of Evennia's plugin of this
 * name, which asks Google for seven fonts at each visit: here are those that a machine has, and the
 * one that Evennia brings.
 */
let font_plugin = (function () {
    const fonts = ["DejaVu Sans Mono", "Consolas", "Menlo", "Monospace"];
    const brought = "/static/webclient/fonts/DejaVuSansMono.css";
    const family = {kept: "evenniaFontFamily", usual: fonts[0], style: "font-family", unit: ""};
    const size = {kept: "evenniaFontSize", usual: "0.9", style: "font-size", unit: "em"};

    const current = (option) => localStorage.getItem(option.kept) || option.usual;
    const show = (option) => $(document.body).css(option.style, current(option) + option.unit);

    const chooser = function (option, choices) {
        const select = $("<select>");
        choices.forEach(([value, label]) => select.append($("<option>").val(value).text(label)));
        return select.val(current(option)).on("change", function () {
            localStorage.setItem(option.kept, select.val());
            show(option);
        });
    };

    const onOptionsUI = function (parent) {
        const sizes = Array.from({length: 17}, (_, step) => [String((step + 4) / 10), step + 4]);
        parent.append("<div style='font-weight: bold'>Font Selection:</div>");
        parent.append(chooser(family, fonts.map((name) => [name, name])));
        parent.append(chooser(size, sizes));
    };

    const init = function () {
        $(document.head).append($("<link rel='stylesheet'>").attr("href", brought));
        [family, size].filter((option) => localStorage.getItem(option.kept)).forEach(show);
    };

    return {init: init, onOptionsUI: onOptionsUI};
})();
window.plugin_handler.add("font", font_plugin);
