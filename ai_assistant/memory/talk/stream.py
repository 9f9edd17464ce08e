"""The stream: all that was perceived and done, in order of time (component 5000 of the prompt)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ai_assistant.core.contracts import Entity, Event, Json, MemoryRow, Speech
from ai_assistant.core.times import epoch, iso
from ai_assistant.language.words import LETTERS_A_TOKEN, extent
from ai_assistant.memory import importance
from ai_assistant.memory.parts import Part
from ai_assistant.memory.talk.hearsay import FICTION, TOLD

MAX_ENTRIES = 160
"""Entries of the stream: what a prompt's window and its summary have room for."""
OVERHEAD = 6
"""Tokens of an entry beside its words: who, how, and the frame of a chat message."""
_KINDS = {"emote": "pose"}
_KEPT = (TOLD, FICTION)
"""What an entry keeps of an event's metadata: where it is from, and whether it was only played."""


def tokens_of(entry: Json) -> int:
    """Return how many tokens an entry counts for; the figure depends on no model."""
    return extent(entry["content"] + entry["who"]) // LETTERS_A_TOKEN + OVERHEAD


def entry_of(event: Event, turn_id: str = "") -> Json:
    """Return the stream entry of an event that was perceived."""
    return {
        "id": event.id,
        "timestamp": iso(event.timestamp),
        "event_type": event.event_type,
        "kind": event.source_type,
        "who_id": event.source.id,
        "who": event.source.name,
        "content": event.content,
        "importance": event.importance,
        "rule": event.addressing,
        "readers": event.readers,
        "place": event.place,
        "place_name": event.place_name,
        "turn_id": turn_id,
        "session": event.session,
        "game_day": event.game_day,
        **({"cause": event.cause} if event.cause else {}),
        **{key: event.metadata[key] for key in _KEPT if key in event.metadata},
    }


def perceived_row(entry: Json) -> MemoryRow:
    """Return a memory row with what a stream entry tells of something perceived."""
    return MemoryRow(
        content=entry["content"],
        session=entry.get("session", ""),
        author=entry["who_id"],
        author_name=entry["who"],
        readers=entry["readers"],
        learned_at=epoch(entry["timestamp"]),
        meta={"event": entry["id"], **{key: entry[key] for key in _KEPT if key in entry}},
    )


def own_entry(
    me: Entity, speech: Speech, *, at: float, turn_id: str, session: str = "", day: int = 0
) -> Json:
    """Return the stream entry of something the character says, to one person or to all."""
    when: Json = {"at": at, "turn_id": turn_id, "session": session, "day": day}
    said = deed_entry(me, speech.text, readers=speech.readers, played=speech.played, **when)
    said |= {"id": speech.event, "event_type": "self_speech", "place": speech.place}
    said |= {"kind": _KINDS.get(speech.kind, speech.kind)}
    return said | ({"to": speech.target.name} if speech.target else {})


def deed_entry(  # noqa: PLR0913 - what the entry says besides
    me: Entity,
    content: str,
    *,
    at: float,
    turn_id: str,
    readers: str,
    session: str = "",
    day: int = 0,
    played: bool = False,
    call: Json | None = None,
    n: int = 1,
) -> Json:
    """Return the stream entry of something the character did; `n` counts its deeds in a turn.

    `call` is the tool call that did it, with names in place of handles.
    """
    return {
        "id": f"{turn_id}.did.{n}",
        "timestamp": iso(at),
        "event_type": "self_action",
        "kind": "deed",
        "who_id": me.id,
        "who": me.name,
        "content": content,
        "importance": importance.OWN,
        "readers": readers,
        "place": "",
        "place_name": "",
        "turn_id": turn_id,
        "session": session,
        "game_day": day,
        **({"call": call} if call else {}),
        **({FICTION: True} if played else {}),
    }


def talk_entry(said: Json, who: Entity, readers: str) -> Json:
    """Return the stream entry that a message of a conversation once was; `who` said it."""
    return {
        "id": said["id"],
        "timestamp": said["timestamp"],
        "event_type": "self_speech" if said["role"] == "assistant" else "external",
        "kind": "say",
        "who_id": who.id,
        "who": who.name,
        "content": said["content"],
        "readers": readers,
        "place_name": "",
        "turn_id": "",
    }


def take_entries_back(stream: Json, *, ids: Collection[str]) -> None:
    """Remove the entries with these ids."""
    stream["entries"] = [entry for entry in stream["entries"] if entry["id"] not in ids]


def add_entries(stream: Json, *, added: Sequence[Json]) -> None:
    """Add the entries that are not there yet; when the stream is full, the oldest leave.

    What was heard while it waited for its turn, and what was done, goes before what was overheard
    later.
    """
    kept = stream["entries"]
    there = {entry["id"] for entry in kept}
    for entry in added:
        if entry["id"] not in there:
            there.add(entry["id"])
            kept.insert(_place_of(entry, kept), entry)
    while len(kept) > MAX_ENTRIES:
        _let_go(stream, kept.pop(0))


def _place_of(entry: Json, kept: Sequence[Json]) -> int:
    """Return the index for an entry: by its time, but after the character's own entries."""
    at = len(kept)
    if entry["event_type"] in ("external", "self_action"):
        while (
            at
            and kept[at - 1]["event_type"] == "external"
            and kept[at - 1]["timestamp"] > entry["timestamp"]
        ):
            at -= 1
    return at


def _let_go(stream: Json, entry: Json) -> None:
    """Add the tokens of an entry that leaves to the count of its scene and label.

    The count is kept while the stream has other entries of that scene and label: so the place of an
    entry among all that was said to an audience stays known.
    """
    session, readers = entry.get("session", ""), entry["readers"]
    left = stream.setdefault("left", {}).setdefault(session, {})
    left[readers] = left.get(readers, 0) + tokens_of(entry)
    if not any(
        (other.get("session", ""), other["readers"]) == (session, readers)
        for other in stream["entries"]
    ):
        del left[readers]
    if not left:
        del stream["left"][session]


STREAM = Part(
    name="stream",
    attribute="perception_stream",
    shape={"entries": [], "left": {}},
    steps={"append": add_entries, "take_back": take_entries_back},
)
