"""The one place where an assistant's words reach the game: constant templates, cleaned values.

A speech was allowed for the audience of its turn. Here it is asked again who hears it: what not all
of them may know is told privately to those who may, or dropped.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from ai_assistant import conf
from ai_assistant.agent.turn import speech_rules
from ai_assistant.core.contracts import Delivery, Event, SourceType, Speech, SpeechKind
from ai_assistant.core.errors import StoreError
from ai_assistant.core.readers import OPEN, Audience
from ai_assistant.core.text import SPEECH_LIMIT, clean
from ai_assistant.game.consent import has_opted_out, ignores, moderate, takes_pages
from ai_assistant.game.earshot import RECEIPTS, keeps_own, listens, room_hearers
from ai_assistant.game.identity import (
    Body,
    belongs,
    entity_id,
    find,
    is_assistant,
    is_puppeted,
    name_of,
    reference,
)
from ai_assistant.game.line_ids import SAID, VOICE, LineContext, holding
from ai_assistant.game.log import report
from ai_assistant.game.quiet import QUIET

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


Missed = Callable[[str, str, Audience], None]
"""Takes those out of what was saved of a line (speaker, event) who did not receive it."""


class EvenniaTalk(Body):
    """Implements `ports.Talk`."""

    missed: Missed

    def hearers(self, kind: SpeechKind, place: str, target: str = "") -> Audience:
        """Everybody who would hear a speech of that kind now; empty if nobody would.

        Say and emote reach the room `place`, as long as the character is there; a whisper reaches
        `target` in the same room, a page `target` if online, a channel its subscribers.
        """
        me = find(self._id)
        if me is None:
            return frozenset()
        if kind == "channel":
            return frozenset({place} if belongs(self._id, place) else ())
        if kind == "page":
            return frozenset({target} if _is_reached(find(target), me) else ())
        room = me.location
        if room is None or (kind != "whisper" and entity_id(room) != place):
            return frozenset()
        if kind == "whisper":
            whom = find(target)
            is_near = getattr(whom, "location", None) == room and listens(whom)
            return frozenset({target} if is_near and not ignores(whom, me) else ()) - {self._id}
        return frozenset(map(entity_id, room_hearers(room, me, kind)))

    def belongs(self, principal: str, channel: str) -> bool:
        """Is somebody, or the account behind them, subscribed to a channel and let in to listen?"""
        return belongs(principal, channel)

    def company(self) -> Audience:
        """The players who would hear the character speak where it is, hidden ones included."""
        me = find(self._id)
        heard = room_hearers(me.location, me, "say") if me and me.location else ()
        return frozenset(entity_id(hearer) for hearer in heard if hearer.sessions.count())

    def in_reach(self, event: Event) -> bool:
        """Could whoever caused an event still hear an answer where it was caused?"""
        if event.event_type != "external":
            return True
        me, speaker = find(self._id), find(event.source.id)
        if me is None or speaker is None or has_opted_out(speaker) or ignores(speaker, me):
            return False
        if event.source_type == "channel":
            return belongs(event.source.id, event.place) and _is_online(speaker)
        if event.source_type == "page":
            return _is_reached(speaker, me)
        here = me.location
        is_near = here and entity_id(here) == event.place
        return bool(is_near and getattr(speaker, "location", None) == here and listens(speaker))

    def keeps_own(self, who: str) -> bool:
        """Does a hearer keep what it receives by itself, so that nobody need keep it for it?"""
        body = find(who)
        return body is not None and keeps_own(body)

    def moderated(self, speech: Speech) -> Speech:
        """Return a speech as the game's moderation allows it, or `refused` for its reason."""
        if not conf.settings.MODERATION:
            return speech
        hearers = self.hearers(speech.kind, speech.place, speech.target.id if speech.target else "")
        bodies = list(filter(None, map(find, sorted(hearers))))
        lines = _LINES.get(speech.kind, 1)
        said, refused = moderate(speech.text, find(self._id), bodies, lines)
        return replace(speech, refused=refused) if refused else replace(speech, text=said)

    def route(self, speech: Speech) -> Delivery:
        """Return how `deliver` would end now."""
        obstacle = _obstacle(find(self._id), speech)
        if obstacle:
            return Delivery("dropped", reason=obstacle)
        target = speech.target.id if speech.target else ""
        hearers = self.hearers(speech.kind, speech.place, target)
        if speech.kind != "channel" and not (  # asked of one after the other: mostly the first is
            any(map(_is_player, speech.audience & hearers))
            or not any(map(_is_player, speech.audience))
        ):
            return Delivery("dropped", reason="nobody is there to hear it")
        return speech_rules.route(speech, hearers, belongs)

    def deliver(self, speech: Speech) -> Delivery:
        """Speak, and return how it ended, with those who received it."""
        end = self.route(speech)
        if end.outcome == "dropped":
            return end
        speaker, text = find(self._id), _words(speech)
        pinned = "" if speech.kind == "channel" else speech.event
        if pinned:
            RECEIPTS.expect(_line(speaker, speech, end), sorted(end.hearers))
        line = LineContext(speech.root, speech.readers, pinned, self._id)
        with holding(VOICE, line), holding(SAID, speech):
            if end.outcome == "privately":
                kind = "emote" if speech.kind == "emote" else "whisper"
                _tell(speaker, end.hearers, kind, text, as_type="whisper")
            elif speech.kind == "channel":
                _send(find(speech.place), text, speaker)
            elif speech.kind in ("say", "emote") and speech.readers == OPEN:
                _say_aloud(speaker, speech.kind, text)
            else:
                _tell(speaker, end.hearers, speech.kind, text)
        left_out = RECEIPTS.missed(pinned) & end.hearers if speech.kind != "page" else ()
        if not left_out:
            return end
        try:
            self.missed(self._id, speech.event, left_out)
        except StoreError as error:  # it was said, and that cannot be taken back
            report("missed", error)
        return replace(end, hearers=end.hearers - left_out)


def _say_aloud(speaker: Any, kind: str, text: str) -> None:
    """Say a line in the room, and wherever the game carries it from there."""
    # To each looker it is a name of its own, cleaned.
    named = SimpleNamespace(get_display_name=lambda looker=None, **_: name_of(speaker, looker))
    room = speaker.location
    room.msg_contents(
        (_template(kind, text), {"type": _TYPES[kind]}),
        exclude=[speaker, *room_hearers(room, speaker, kind, deaf=True)],
        from_obj=speaker,
        mapping={"speaker": named, "speech": text},
    )


def _is_player(who: str) -> bool:
    """Is this id anybody's but an assistant's? Somebody who is gone may have been a player."""
    body = find(who)
    return body is None or not is_assistant(body)


def _is_online(someone: Any) -> bool:
    sessions = getattr(someone, "sessions", None)
    return bool(sessions and sessions.count())


def _is_reached(someone: Any, sender: Any) -> bool:
    """Would a page reach somebody?"""
    return _is_online(someone) and takes_pages(someone, sender)


def _send(channel: Any, text: str, speaker: Any) -> None:
    """Send a line to a channel, but not to subscribers who ignore the speaker."""
    online = channel.subscriptions.online()
    if not any(ignores(who, speaker) for who in online):
        channel.msg(text, senders=[speaker])
        return
    # Evennia leaves nobody out of one line: what its `msg` does, for the others alone.
    options = {"senders": [speaker], "bypass_mute": False}
    if (text := channel.at_pre_msg(text, **options)) in (None, False):
        return
    deaf = {*channel.mutelist, *(who for who in online if ignores(who, speaker))}
    for who in (who for who in online if who not in deaf):
        if (line := who.at_pre_channel_msg(text, channel, **options)) not in (None, False):
            who.channel_msg(line, channel, **options)
            who.at_post_channel_msg(line, channel, **options)
    channel.at_post_msg(text, **options)


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


def _words(speech: Speech) -> str:
    return clean(speech.text, SPEECH_LIMIT, _LINES.get(speech.kind, 1))


def _obstacle(speaker: Any, speech: Speech) -> str:
    """Return why nothing can be said; empty if nothing is in the way."""
    if speaker is None:
        return "the speaker is gone"
    if is_puppeted(speaker):
        return "somebody else has the speaker's body"
    if QUIET.reason(speaker):
        return "staff silenced the speaker"
    if speech.refused or not _words(speech):
        return speech.refused or "there are no words in it"
    return _closed(find(speech.place), speaker) if speech.kind == "channel" else ""


def _closed(channel: Any, speaker: Any) -> str:
    """Return why nothing can be said on a channel; empty if it is open."""
    if channel is None:
        return "the channel is gone"
    if not channel.access(speaker, "send") or speaker in channel.banlist:
        return "the channel does not let it speak"
    others = (who for who in channel.subscriptions.online() if who != speaker)
    listening = any(who not in channel.mutelist and not ignores(who, speaker) for who in others)
    return "" if listening else "nobody is there to hear it"


def _template(kind: str, text: str) -> str:
    """Return the constant template of a line; an apostrophe follows the name at once."""
    return "{speaker}{speech}" if kind == "emote" and text[:1] in "'’" else TEMPLATES[kind]


def _tell(speaker: Any, hearers: Audience, kind: str, text: str, as_type: str = "") -> None:
    """Send a line to each hearer alone, further lines indented so that they can fake none."""
    options = {"type": as_type or _TYPES[kind]}
    spoken = text.replace("\n", "\n  ")
    for hearer in filter(None, map(find, sorted(hearers))):
        line = _template(kind, text).format(speaker=name_of(speaker, hearer), speech=spoken)
        hearer.msg(text=(line, options), from_obj=speaker)
