"""Unasked: what the offline model says or does of its own accord, by the occasion."""

from __future__ import annotations

from ai_assistant.llm.offline.plans import SILENCE, Answer
from ai_assistant.llm.offline.view import View
from ai_assistant.llm.offline.voice import Voice

_KEYS = {"arrival": "arrived", "small talk": "unasked"}


def own_accord(view: View) -> Answer:
    """Return one line or gesture for the occasion, or silence, as always where nobody is there."""
    if view.done or view.spoke or not view.of_kind():
        return SILENCE
    voice = Voice(view.persona, f"{view.place} {view.time}", view.own, calm=True)
    voice.slots.update(
        who=f", {view.partner.name}" if view.partner.name else "",
        name=view.partner.name,
        me=view.persona.name,
        place=view.place,
    )
    if line := _line(view, voice):
        return Answer(line)
    gesture = _gesture(view, voice) if view.may("emote") else ""
    return Answer(calls=(("emote", {"text": gesture}),)) if gesture else SILENCE


def _line(view: View, voice: Voice) -> str:
    key = _KEYS.get(view.occasion, "")
    if view.occasion == "greeting":
        key = f"greet_{view.partner.state}"
    return voice.say(key) if key else ""


def _gesture(view: View, voice: Voice) -> str:
    """Return a nod where one is due, else a small gesture now and then."""
    if view.occasion == "nod":
        return voice.say("nod")
    return "" if voice.roll("idle", 3) else voice.say("idle")
