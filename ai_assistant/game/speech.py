"""The one place where an assistant's words reach the game: constant templates, cleaned values.

A speech was allowed for the audience of its turn. Who hears it is asked again here: what not all
of them may know is told privately to those who may, or not at all.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ai_assistant.agent.turn import speech_rules
from ai_assistant.core.contracts import Delivery, Event, SourceType, Speech
from ai_assistant.core.errors import StoreError
from ai_assistant.core.ports import World
from ai_assistant.core.readers import OPEN, Audience
from ai_assistant.core.text import SPEECH_LIMIT, clean
from ai_assistant.game.earshot import RECEIPTS
from ai_assistant.game.identity import entity_id, find, is_assistant, name_of, reference
from ai_assistant.game.line_ids import speaking, telling
from ai_assistant.game.log import report

TEMPLATES = {
    "say": '{speaker} says, "{speech}"',
    "emote": "{speaker} {speech}",
    "whisper": '{speaker} whispers: "{speech}"',
    "page": "{speaker} pages: {speech}",
}
_TYPES: dict[str, SourceType] = {
    "say": "say",
    "emote": "pose",
    "whisper": "whisper",
    "page": "page",
}
_LINES = {"whisper": 3, "page": 3}


class Named:
    """Stands for an object in a template: its name as each looker sees it, cleaned."""

    def __init__(self, obj: Any) -> None:
        self._obj = obj

    def get_display_name(self, looker: Any = None, **kwargs: Any) -> str:
        """Return the cleaned name for this looker."""
        return name_of(self._obj, looker)


def is_puppeted(character: Any) -> bool:
    """Is an account in this body? Then it has the account's rights, and is not ours to move."""
    return bool(character.sessions.count() or character.account)


def route(world: World, speaker: Any, speech: Speech) -> Delivery:
    """Return how `deliver` would end now. `speaker` is an Evennia object, None when it is gone."""
    obstacle = _obstacle(speaker, speech)
    if obstacle:
        return Delivery("dropped", reason=obstacle)
    target = speech.target.id if speech.target else ""
    hearers = world.hearers(speech.kind, speech.place, target)
    bodies = {who: find(who) for who in speech.audience}
    players = {who for who, body in bodies.items() if body is None or not is_assistant(body)}
    if players and not players & hearers and speech.kind != "channel":
        return Delivery("dropped", reason="nobody is there to hear it")
    return speech_rules.route(speech, hearers, world.belongs)


Missed = Callable[[str, str, Audience], None]
"""Takes those out of what was saved of a line (speaker, event) who did not receive it."""


def deliver(world: World, speaker: Any, speech: Speech, missed: Missed) -> Delivery:
    """Speak in the name of `speaker`, and return how it ended, with those who received it."""
    end = route(world, speaker, speech)
    if end.outcome == "dropped":
        return end
    text, own_id = _words(speech), entity_id(speaker)
    pinned = "" if speech.kind == "channel" else speech.event
    if pinned:
        RECEIPTS.expect(_line(speaker, speech, end), sorted(end.hearers))
    with speaking(speech.root, speech.readers, pinned, own_id), telling(speech):
        if end.outcome == "privately":
            kind = "emote" if speech.kind == "emote" else "whisper"
            _tell(speaker, end.hearers, kind, text, as_type="whisper")
        elif speech.kind == "channel":
            find(speech.place).msg(text, senders=[speaker])
        elif speech.kind in ("say", "emote") and speech.readers == OPEN:
            _announce(speaker, speech.kind, text)
        else:
            _tell(speaker, end.hearers, speech.kind, text)
    return _received(speaker, speech, end, missed) if pinned and speech.kind != "page" else end


def _line(speaker: Any, speech: Speech, end: Delivery) -> Event:
    """Return a speech as the line that its hearers get."""
    room = speaker.location
    return Event(
        id=speech.event,
        timestamp=time.time(),
        event_type="self_speech",
        source=reference(speaker),
        source_type="whisper" if end.outcome == "privately" else _TYPES[speech.kind],
        content=_words(speech),
        place=entity_id(room) if room else "",
    )


def _received(speaker: Any, speech: Speech, end: Delivery, missed: Missed) -> Delivery:
    """Return the end of a speech with those who received it; what was saved follows that."""
    left_out = RECEIPTS.missed(speech.event) & end.hearers
    if not left_out:
        return end
    try:
        missed(entity_id(speaker), speech.event, left_out)
    except StoreError as error:  # it was said, and that cannot be taken back
        report("missed", error)
    return replace(end, hearers=end.hearers - left_out)


def _words(speech: Speech) -> str:
    return clean(speech.text, SPEECH_LIMIT, _LINES.get(speech.kind, 1))


def _obstacle(speaker: Any, speech: Speech) -> str:
    if speaker is None:
        return "the speaker is gone"
    if is_puppeted(speaker):
        return "somebody else has the speaker's body"
    if not _words(speech):
        return "there are no words in it"
    return _channel_obstacle(speaker, find(speech.place)) if speech.kind == "channel" else ""


def _channel_obstacle(speaker: Any, channel: Any) -> str:
    if channel is None:
        return "the channel is gone"
    if not channel.access(speaker, "send") or speaker in channel.banlist:
        return "the channel does not let it speak"
    others = (who for who in channel.subscriptions.online() if who != speaker)
    listening = any(who not in channel.mutelist for who in others)
    return "" if listening else "nobody is there to hear it"


def _announce(speaker: Any, kind: str, text: str) -> None:
    """Let the room carry it, and whatever the game has joined to the room."""
    speaker.location.msg_contents(
        (_template(kind, text), {"type": _TYPES[kind]}),
        exclude=[speaker],
        from_obj=speaker,
        mapping={"speaker": Named(speaker), "speech": text},
    )


def _template(kind: str, text: str) -> str:
    """Return the constant template of a line; a gesture of one's eyes follows the name at once."""
    return "{speaker}{speech}" if kind == "emote" and text[:1] in "'’" else TEMPLATES[kind]


def _tell(speaker: Any, hearers: Audience, kind: str, text: str, as_type: str = "") -> None:
    """Send the line to each hearer alone. Its further lines are indented: they can fake none."""
    options = {"type": as_type or _TYPES[kind]}
    spoken = text.replace("\n", "\n  ")
    for hearer in filter(None, map(find, sorted(hearers))):
        line = _template(kind, text).format(speaker=name_of(speaker, hearer), speech=spoken)
        hearer.msg(text=(line, options), from_obj=speaker)
