"""Component 5000: the stream as chat messages, and how it is thinned when it must be shorter."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice

from ai_assistant.agent.prompt.draft import Line
from ai_assistant.agent.turn import Turn
from ai_assistant.contracts import Json
from ai_assistant.memory.hearsay import shown_as
from ai_assistant.memory.stream import entry_of, row_of

WINDOW = 30
"""Entries of the stream in one prompt."""
LONGEST_SHOWN = 600
_SPOKEN = frozenset({"say", "whisper", "page", "channel"})


def window(turn: Turn, folded: Collection[str]) -> list[Json]:
    """Return the newest usable entries of the stream, oldest first; each is admitted.

    Left out are the events that are answered now, and what is `folded` into a summary.
    """
    if not turn.mind.role.chat_history:
        return []
    hidden = {event.id for event in turn.events} | set(folded)
    overheard = map(entry_of, turn.mind.heard)  # on its way to the stream, with this turn
    newest_first = reversed([*turn.store.read("stream")["entries"], *overheard])
    usable = (
        entry
        for entry in newest_first
        if entry["id"] not in hidden
        and entry.get("session", "") in turn.play.sessions
        and turn.admit(entry["readers"], entry["who_id"])
    )
    entries = list(islice(usable, WINDOW))[::-1]
    turn.drawn += [row_of(entry) for entry in entries if entry["event_type"] == "external"]
    return entries


def lines_of(entries: Sequence[Json]) -> list[Line]:
    """Return the entries as lines, each reply in one exchange with what it replies to."""
    lines: list[Line] = []
    last_heard: dict[str, Line] = {}
    for entry in entries:
        own = entry["event_type"] != "external"
        turn_id = entry["turn_id"]
        line = Line(
            row=_row(entry, own=own),
            own=own,
            importance=entry["importance"],
            narrative=entry["kind"] not in _SPOKEN,
        )
        if own and turn_id:
            line.exchange = turn_id
            if turn_id in last_heard:
                last_heard[turn_id].exchange = turn_id
        elif turn_id:
            last_heard[turn_id] = line
        lines.append(line)
    return lines


def _row(entry: Json, *, own: bool) -> Json:
    text = entry["content"][:LONGEST_SHOWN]
    if own:
        return {"you": entry["kind"], **shown_as(entry), "says": text}
    return {"who": entry["who"], **shown_as(entry)} | says(entry["kind"], text, entry["place_name"])


def says(kind: str, text: str, place_name: str) -> Json:
    """Return how something was said, and what."""
    channel = {"channel": place_name} if kind == "channel" else {}
    return {"kind": kind, **channel, "says": text}


# -- shorter


def shorten(lines: list[Line], length: int, kept: int, *, narrative: bool) -> None:
    """Cut the texts of all but the newest `kept` lines; those of narrative only, or of all."""
    for line in lines[: max(0, len(lines) - kept)]:
        if line.narrative or not narrative:
            line.shorten(length)


def drop_least(lines: list[Line], excess: int, kept: int) -> list[Line]:
    """Return the lines without the least important exchanges older than the newest `kept` lines.

    So many of them go that `excess` characters are freed, or all; of equals the older one first.
    """
    first_kept = max(0, len(lines) - kept)
    safe = {line.exchange for line in lines[first_kept:]} - {""}
    groups: dict[str, list[int]] = {}
    for at, line in enumerate(lines[:first_kept]):
        if line.exchange not in safe:
            groups.setdefault(line.exchange or f"#{at}", []).append(at)
    order = sorted(groups.values(), key=lambda ats: (max(lines[a].importance for a in ats), ats))
    gone: set[int] = set()
    for group in order:
        if excess <= 0:
            break
        gone.update(group)
        excess -= sum(len(lines[at].message().content) for at in group)
    return [line for at, line in enumerate(lines) if at not in gone]


def newest(lines: list[Line], kept: int) -> list[Line]:
    """Return the newest lines, without a reply whose question is no more among them."""
    first = max(0, len(lines) - kept)
    torn = {line.exchange for line in lines[:first]} - {""}
    rest = lines[first:]
    while rest and rest[0].exchange in torn:
        rest = rest[1:]
    return rest
