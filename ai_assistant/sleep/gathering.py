"""Gathering: of a day's rows, notes and profiles, what one pass of the night shows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count

from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import TO_ONE, Entity, Json, MemoryRow
from ai_assistant.core.quotes import tokens
from ai_assistant.core.readers import OPEN, members, usable
from ai_assistant.core.text import NAME_LIMIT
from ai_assistant.core.times import epoch
from ai_assistant.language.address import addresses
from ai_assistant.language.words import clipped
from ai_assistant.memory.people.profiles import SECRET
from ai_assistant.memory.people.traits import SEEN, THOUGHT, TOLD
from ai_assistant.roleplay.distribution import ANSWERED
from ai_assistant.roleplay.play import is_fiction
from ai_assistant.sleep.reading_pass import (
    LINES_A_CALL,
    LONGEST_LINE,
    NOTE,
    SHOWN,
    SLACK,
    Held,
    Line,
    Pass,
    answering,
    by_time,
    end_of_pass,
    named_in,
    within_a_pass,
)

MOST_NOTES = 20
"""Notes of the character's own that one pass shows beside a full number of lines."""
MOST_KNOWN = 100
"""Things held that one pass shows: where there are more, those most like its lines, and newest."""
_WORDS = ("utterance", "deed", "own_words")
_READ = (*_WORDS, "fact")
_KINDS = {"emote": "pose", "gift": SHOWN, "move": SHOWN, "system": SHOWN}
_SOURCES = {"direct": SEEN, "inferred": THOUGHT, "told": TOLD}


def is_line(row: MemoryRow) -> bool:
    """Does the night read this row? What was only played makes no facts."""
    return row.kind in _READ and not is_fiction(row)


def is_talk(names: Sequence[str], row: MemoryRow) -> bool:
    """Does this belong to a talk of the one of these names: its own words, or said to it?"""
    return row.kind == "own_words" or _is_to(names, row)


def _is_to(names: Sequence[str], row: MemoryRow) -> bool:
    if row.meta.get(ANSWERED):
        return True
    if row.kind != "utterance":
        return False
    return row.meta.get("type") in TO_ONE or addresses(row.content[: 2 * LONGEST_LINE], names)


def unread_notes(profiles: Mapping[str, Json]) -> dict[str, int]:
    """Return how many notes wait to be read, by label."""
    notes = (note for profile in profiles.values() for note in profile["observations"])
    return Counter(note["readers"] for note in notes if _is_note(note) and not note.get("read"))


def gather(
    mind: Mind,
    profiles: Mapping[str, Json],
    label: str,
    entry: Json,
    *,
    until: int,
    only_mine: bool = False,
) -> Pass:
    """Return the next pass of a label: its oldest lines that nobody read, up to the row `until`.

    With `only_mine`, of these only the character's own talk: what was said to it, and its answers.
    """
    rows, ends = _rows(mind, label, entry, until, only_mine=only_mine)
    again = [
        row
        for row in mind.store.rows.by_ids(entry["again"])
        if row.readers == label or usable(row.readers, members(label))
    ]
    seen = within_a_pass(again, LINES_A_CALL)
    names = (mind.world.me().name, mind.key)
    lines = [_line(mind, row, names, label) for row in rows]
    lines += [_line(mind, row, names, label, fresh=False) for row in seen if row not in rows]
    lines += _notes(profiles, label, {line.author for line in lines}, len(rows), ends)
    lines = answering(by_time(lines))
    people = _people(mind, profiles, lines)
    known = _known(profiles, people, label, lines)
    return Pass(
        label=label,
        me=mind.world.me(),
        lines={f"l{n}": line for n, line in enumerate(lines, start=1)},
        people=_handles(people.values(), {"", "me", mind.world.me().name}),
        known={f"k{n}": held for n, held in enumerate(known, start=1)},
        names=_names(mind, profiles, people.values()),
        last=rows[-1].id if rows else entry["after"],
        count=len(rows),
        only_mine=only_mine,
        again=tuple(row.id for row in again[len(seen) :]),
    )


def calls_for(lines: int) -> int:
    """Return how many calls it takes to read so many lines."""
    return max(1, math.ceil(lines / LINES_A_CALL))


def _rows(
    mind: Mind, label: str, entry: Json, until: int, *, only_mine: bool
) -> tuple[list[MemoryRow], float]:
    """Return the next rows, and the time of the one after them; infinite where that is none.

    All calls that a label takes read equally many, but for the room that they need.
    """
    names = (mind.world.me().name, mind.key)
    waits = entry["mine"] if only_mine else entry["lines"]
    most = math.ceil(waits / calls_for(waits))
    ahead = entry["ahead"]
    found: list[MemoryRow] = []
    after = max(ahead, entry["after"]) if only_mine else entry["after"]
    while len(found) <= most + SLACK:
        page = mind.store.rows.after(after, 2 * LINES_A_CALL, readers=label)
        lines = (row for row in page if row.id <= until and is_line(row))
        if only_mine:
            found += [row for row in lines if is_talk(names, row)]
        else:
            found += [row for row in lines if row.id > ahead or not is_talk(names, row)]
        if not page or page[-1].id >= until:
            break
        after = page[-1].id
    rows = found[: end_of_pass(found, most)]
    return rows, found[len(rows)].learned_at if len(found) > len(rows) else math.inf


def _line(
    mind: Mind, row: MemoryRow, names: Sequence[str], label: str, *, fresh: bool = True
) -> Line:
    is_own = row.kind == "own_words" or row.author in (mind.key, mind.world.me().id)
    is_words = row.kind in _WORDS
    type = str(row.meta.get("type", "")) or ("pose" if row.kind == "deed" else "say")
    (alone,) = members(label) if len(members(label) - {OPEN}) == 1 else ("",)
    return Line(
        says=clipped(row.content, LONGEST_LINE),
        kind=_KINDS.get(type, type) if is_words else NOTE,
        author=row.author,
        name=row.author_name,
        at=row.learned_at,
        row=row.id,
        event=str(row.meta.get("event", "")),
        turn=str(row.meta.get("turn", "")),
        about=row.subject if not is_words else "",
        basis="" if is_words else _SOURCES.get(str(row.meta.get("source", "")), ""),
        to_me=not is_own and _is_to(names, row),
        to=alone if is_own else "",
        is_own=is_own,
        fresh=fresh,
    )


# -- notes


def _is_note(item: Json) -> bool:
    return not item.get("consolidated") and item.get("kind") != SECRET


def _notes(
    profiles: Mapping[str, Json], label: str, authors: Iterable[str], rows: int, ends: float
) -> list[Line]:
    """Return the notes to read beside so many rows: new ones of before the time when the next pass
    begins, and older ones on the same.
    """
    most = max(MOST_NOTES, LINES_A_CALL - rows)
    found = [
        (key, profile["name"], observation)
        for key, profile in profiles.items()
        for observation in profile["observations"]
        if _is_note(observation) and observation["readers"] == label
    ]
    unread = (entry for entry in found if not entry[2].get("read"))
    new = [entry for entry in unread if epoch(entry[2]["timestamp"]) < ends][:most]
    about = {key for key, _, _ in new}.union(authors)
    old = [entry for entry in found if entry[2].get("read") and entry[0] in about]
    room = max(0, MOST_NOTES - len(new))
    return [_noted(*entry) for entry in (*new, *(old[-room:] if room else ()))]


def _noted(key: str, name: str, item: Json) -> Line:
    return Line(
        says=item["content"],
        kind=NOTE,
        author=item.get("author", ""),
        name=item.get("told_by") or name,
        at=epoch(item["timestamp"]),
        about=key,
        basis=_SOURCES[item["source"]],
        fresh=not item.get("read"),
        note=item,
    )


# -- who it is about, and what is held on them


def _people(mind: Mind, profiles: Mapping[str, Json], lines: Sequence[Line]) -> dict[str, Entity]:
    met = _called(profiles)
    named = [met[name] for name in named_in((line.says for line in lines), met)]
    spoke = {line.author: line.name for line in lines if "," not in line.author}
    ids = [*spoke, *(line.to for line in lines), *(line.about for line in lines), *named]
    own = {"", mind.key, mind.world.me().id}
    found = (_entity(mind, id, profiles, spoke) for id in dict.fromkeys(ids) if id not in own)
    return {person.id: person for person in found if person is not None}


def _handles(people: Iterable[Entity], taken: Collection[str]) -> dict[str, Entity]:
    """Return people by what the request calls them: by their names, with a number for namesakes."""
    found: dict[str, Entity] = {}
    for who in people:
        names = (f"{who.name} ({n})" if n > 1 else who.name for n in count(1))
        found[next(name for name in names if name not in taken and name not in found)] = who
    return found


def _entity(
    mind: Mind, id: str, profiles: Mapping[str, Json], spoke: Mapping[str, str]
) -> Entity | None:
    """Return who that is, by its profile, or else as the lines name it."""
    profile = profiles.get(id)
    if profile and profile["created"]:
        return Entity(id, profile["name"], profile["entity_type"] or "player")
    if name := spoke.get(id, ""):
        found = mind.world.who_is(id)
        return Entity(id, name, found.kind if found else "player")
    return None


def _called(profiles: Mapping[str, Json]) -> dict[str, str]:
    """Return whom a name means: full names, and given names that one person alone bears."""
    full = {profile["name"]: key for key, profile in profiles.items() if profile["name"]}
    given: dict[str, list[str]] = {}
    for name, key in full.items():
        if profiles[key]["entity_type"] == "object":
            continue
        given.setdefault(name.split(" ")[0], []).append(key)
    return {**{name: some[0] for name, some in given.items() if len(some) == 1}, **full}


def _known(
    profiles: Mapping[str, Json], people: Mapping[str, Entity], label: str, lines: Iterable[Line]
) -> list[Held]:
    held = [
        Held(key, trait)
        for key in people
        for trait in profiles.get(key, {}).get("attributes", ())
        if trait.get("readers") == label or usable(trait.get("readers", ""), members(label))
    ]
    held.sort(key=lambda item: item.at)
    if len(held) > MOST_KNOWN:
        said = {word for line in lines for word in tokens(line.says)}
        likest = sorted(
            range(len(held)),
            key=lambda place: (len(said & {*tokens(held[place].trait["value"])}), place),
        )
        held = [held[place] for place in sorted(likest[-MOST_KNOWN:])]
    return held


def _names(mind: Mind, profiles: Mapping[str, Json], people: Iterable[Entity]) -> frozenset[str]:
    found = {*_called(profiles), *mind.recall.index.places(), *(person.name for person in people)}
    return frozenset(name for name in found if 1 < len(name) <= NAME_LIMIT) - {mind.world.me().name}
