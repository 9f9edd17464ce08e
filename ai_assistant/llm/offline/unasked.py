"""Unasked: what the offline model says or does of its own accord, by the occasion."""

from __future__ import annotations

from ai_assistant.llm.offline.plans import Wish
from ai_assistant.llm.offline.view import View
from ai_assistant.llm.offline.voice import Voice

_KEYS = {"arrival": "arrived", "small talk": "unasked"}


def own_accord(view: View) -> Wish:
    """Return one line or gesture for the occasion, or nothing."""
    if view.done:
        return ("wait", {})
    voice = Voice(view.persona, f"{view.place} {view.time}", view.own, calm=True)
    voice.slots.update(
        who=f", {view.partner.name}" if view.partner.name else "",
        name=view.partner.name,
        me=view.persona.name,
        place=view.place,
    )
    return _for_occasion(view, voice) or _gesture(view, voice)


def _for_occasion(view: View, voice: Voice) -> Wish | None:
    if view.occasion == "nod" and "emote" in view.tools:
        return ("emote", {"text": voice.say("nod")})
    if "say" not in view.tools:
        return None
    key = _KEYS.get(view.occasion, "")
    if view.occasion == "greeting":
        key = f"greet_{view.partner.state}"
    line = voice.say(key) if key else ""
    return ("say", {"text": line}) if line else None


def _gesture(view: View, voice: Voice) -> Wish:
    """A small gesture now and then, where somebody sees it; and never a word."""
    gesture = voice.say("idle") if not voice.roll("idle", 3) else ""
    if gesture and view.people() and "emote" in view.tools:
        return ("emote", {"text": gesture})
    return ("wait", {})
