"""Perception: the arguments of Evennia's hooks become events, with a label of who may know them."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evennia.accounts.models import AccountDB
from evennia.objects.models import ObjectDB

from ai_assistant.core.contracts import DIRECT, TO_ONE, Event, SourceType
from ai_assistant.core.readers import OPEN, canonical, meet, members
from ai_assistant.core.text import HEARD_LIMIT, clean
from ai_assistant.game.earshot import is_private, room_hearers, sees
from ai_assistant.game.identity import (
    CATEGORY,
    body_of,
    entity_id,
    is_assistant,
    name_of,
    reference,
    unstyled,
)
from ai_assistant.game.line_ids import UTTERANCES, VOICE, OneLine, Utterances, speaking
from ai_assistant.memory.importance import BY_ASSISTANT, MENTIONED, PERCEIVED

GIFT_TAG = "received_from_player"
_HEARD: dict[str, SourceType] = {
    "say": "say",
    "whisper": "whisper",
    "pose": "pose",
    "move": "move",
    "traverse": "move",
    "teleport": "move",
}
_QUOTES = re.compile('["“”„«»「」]')
_AFTER_QUOTE = 2
"""Characters that may follow the closing quote of a rendered line, such as a full stop."""


def from_msg(
    hearer: Any,
    text: Any,
    from_obj: Any,
    kwargs: Mapping[str, Any] | None = None,
    utterances: Utterances = UTTERANCES,
) -> Event | None:
    """Return what a call of `at_msg_receive` lets the hearer perceive, or None.

    Heard are say, whisper, pose, arrival and departure by another object. Evennia passes the type
    beside the text, as in ``("Al waves.", {"type": "pose"})``; `kwargs` may name it as well. Games
    translate and reword a spoken line: its words stand between the outermost quotes after the name.
    """
    line, options = text if isinstance(text, tuple) and len(text) == 2 else (text, None)
    options = options if isinstance(options, Mapping) else kwargs or {}
    source_type = _HEARD.get(str(options.get("type")))
    speaker = _sender(hearer, from_obj)
    if source_type is None or speaker is None:
        return None
    content = unstyled(line)
    if source_type in ("say", "whisper"):
        name = unstyled(speaker.get_display_name(hearer))
        start = len(name) if content.startswith(name) else 0
        quotes = [found.start() for found in _QUOTES.finditer(content, start)]
        if len(quotes) > 1 and len(content) - quotes[-1] - 1 <= _AFTER_QUOTE:
            content = content[quotes[0] + 1 : quotes[-1]]
    return _perceived(hearer, speaker, source_type, content, hearer.location, utterances)


def show_login(player: Any, room: Any, does: str) -> None:
    """Let the minds of a room know of whom they see come into the game there, or go out of it.

    Evennia tells the room, but not of which kind that is. Open is what nobody there could miss.
    """
    if room is None or is_assistant(player):
        return
    there = room_hearers(room, player, "move")
    saw = [other for other in there if sees(other, (player,), room)]
    readers = OPEN if len(saw) == len(there) else canonical(map(entity_id, (player, *saw)))
    with speaking(readers=readers):
        for mind in filter(is_assistant, saw):
            if not mind.sessions.count():
                line = f"{player.get_display_name(mind)} {does}."
                mind.msg(text=(line, {"type": "move"}), from_obj=player)


def from_gift(hearer: Any, item: Any, giver: Any) -> Event | None:
    """Return the event of having been given something; a player's gift is marked as one.

    Only marked gifts, and what is tagged as givable, may later be given away again.
    """
    giver = _sender(hearer, giver)
    if giver is None:
        return None
    if reference(giver).kind == "player":
        item.tags.add(GIFT_TAG, category=CATEGORY)
    thing = reference(item, hearer)
    content = f"{name_of(giver, hearer)} gives you {thing.name}."
    event = _perceived(hearer, giver, "gift", content, hearer.location)
    room, readers = hearer.location, event.readers
    others = (
        [other for other in room_hearers(room, giver, "gift") if other != hearer] if room else []
    )
    saw = [other for other in others if sees(other, (hearer, giver, item), room)]
    if len(saw) < len(others):  # open only where nobody who is there could have missed it
        readers = meet(readers, canonical(map(entity_id, (hearer, giver, *saw))))
    return replace(event, readers=readers, metadata={"item": thing.id, "item_name": thing.name})


def from_page(
    hearer: Any, sender: Any, text: str, utterances: Utterances = UTTERANCES
) -> Event | None:
    """Return the event of a page by an account, or by the character that it wears."""
    sender = _sender(hearer, sender)
    if sender is None:
        return None
    return _perceived(hearer, sender, "page", unstyled(text), None, utterances)


def from_channel(hearer: Any, channel: Any, message: str, senders: Any) -> Event | None:
    """Return the event of a line on a channel; broadcasts without a sender say nothing to us."""
    sender = _sender(hearer, senders)
    if sender is None:
        return None
    content = unstyled(message).lstrip()
    if content.startswith((":", ";")):  # a pose
        content = f"{name_of(sender, hearer)} {content[1:].lstrip()}"
    return _perceived(hearer, sender, "channel", content, channel)


def _sender(hearer: Any, who: Any) -> Any | None:
    """Return the one object behind a hook's sender argument; None for no object, or the hearer."""
    if isinstance(who, list | tuple):
        who = who[0] if who else None
    if getattr(who, "__dbclass__", None) not in (ObjectDB, AccountDB) or who.pk is None:
        return None
    body = body_of(who)
    return None if body == hearer else body


def _perceived(
    hearer: Any,
    speaker: Any,
    source_type: SourceType,
    content: str,
    place: Any,
    utterances: Utterances = UTTERANCES,
) -> Event:
    content, known = clean(content, HEARD_LIMIT), VOICE.get()
    line = _line_for(hearer, speaker, source_type, content, utterances)
    where, where_name = (entity_id(place), name_of(place, hearer)) if place else ("", "")
    name, mentioned = name_of(speaker, hearer), "@" in content and _mentions(content, hearer)
    as_heard = (content, name, where, where_name, mentioned, known.readers, known.root)
    event = line.events.get(as_heard)
    if event is not None:
        return event
    under = (where, known.readers)
    if under not in line.labels:
        line.labels[under] = _readers(place, speaker, source_type)
    importance = MENTIONED if mentioned else PERCEIVED[source_type]
    direct = source_type in DIRECT
    event = line.events[as_heard] = Event(
        id=line.id,
        timestamp=time.time(),
        event_type="external",
        source=line.source if line.source.name == name else replace(line.source, name=name),
        source_type=source_type,
        content=content,
        importance=BY_ASSISTANT if line.by_assistant else importance,
        readers=line.labels[under],
        place=where,
        place_name=where_name,
        root=known.root or line.id,
        addressing="direct" if direct else "mention" if mentioned else "",
        requires_response=source_type in TO_ONE,
        by_assistant=line.by_assistant,
    )
    return event


def _line_for(
    hearer: Any, speaker: Any, source_type: str, content: str, utterances: Utterances
) -> OneLine:
    """Return the line that this is to all who hear it; its first hearer learns who speaks."""
    who, known = entity_id(speaker), VOICE.get()
    pinned = known.event if known.speaker in ("", who) else ""
    words = (who, source_type, known.line or content)
    line = utterances.line_for(entity_id(hearer), *words, event=pinned)
    if not line.source.id:
        line.source = reference(speaker, hearer)
        line.by_assistant = is_assistant(speaker) and not speaker.sessions.count()
    return line


def _mentions(content: str, hearer: Any) -> bool:
    """Does a line name its hearer with an @?"""
    line = content.casefold()
    names = [hearer.key, hearer.key.split(" ", 1)[0], *hearer.aliases.all()]
    return any(f"@{name.casefold()}" in line for name in names)


def _readers(place: Any, speaker: Any, source_type: str) -> str:
    """Label an event by how it was sent, and never wider than the label it was spoken under."""
    who, ceiling = entity_id(speaker), VOICE.get().readers
    if source_type in TO_ONE:
        label = who
    elif source_type == "channel":
        label = entity_id(place)
    elif place and is_private(place):
        label = canonical({who, *map(entity_id, room_hearers(place, speaker, source_type))})
    else:
        label = OPEN
    if ceiling == OPEN:
        return label
    return meet(label, canonical({*members(ceiling), who}))  # whoever speaks is always implied
