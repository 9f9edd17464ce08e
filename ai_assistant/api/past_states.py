"""States as they were: the moments of an assistant, a part at one of them, two moments compared."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import unified_diff
from itertools import chain
from typing import Any
from uuid import uuid4

from ai_assistant import conf
from ai_assistant.api.card_exchange import file_name
from ai_assistant.api.handlers import record_audit, store_of
from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.api.portraits import folder
from ai_assistant.api.slices import in_slices
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.state_outline import LONG_ID, readable_lines
from ai_assistant.core.times import iso
from ai_assistant.game.identity import SOMEBODY_GONE, entity_id, find, name_of, person
from ai_assistant.memory.people.profiles import PROFILE
from ai_assistant.storage import npc_id
from ai_assistant.storage.block_rows import BLOCKS
from ai_assistant.storage.history import past
from ai_assistant.storage.history.state_log import ROWS

StatesByPart = dict[str, Json]
"""Part, and its key where it has keys, → the state."""
MOST_ROWS = 50
"""So many memories of a moment are shown, and of those that were written or amended between two."""
_ROW = (
    *("id", "kind", "content", "subject", "author_name", "readers"),
    *("learned_at", "archived_at", "meta"),
)
_OF_BLOCKS = "b"
_MOMENT = re.compile(rf"(before )?({_OF_BLOCKS}?)(\d{{1,18}})")
"""How a moment is called: by its number, or that of its blocks; or right before it."""


@dataclass(frozen=True, slots=True)
class PastOf:
    """Whose past is read: what of that the game alone knows. The rest may be read on any thread."""

    id: str
    """The assistant's lasting id, which is that of its sequence."""
    name: str
    """Its name."""
    npc: str
    """The id under which its blocks are kept."""
    names: Mapping[str, str]
    """The names of whom it knows, and of all assistants, by id."""

    @property
    def sequences(self) -> dict[str, str]:
        """What tells of it: its own sequence and that of its blocks, by how moments begin."""
        return {"": self.id, _OF_BLOCKS: f"{BLOCKS}{self.npc}"}


@dataclass(frozen=True, slots=True)
class ToldMoment:
    """A commit that changed anything of an assistant, or of its blocks."""

    name: str
    """As it is asked for: its number, that of a moment of blocks after a ``b``."""
    record: int
    """The number of its record; `last_moments` takes it as `before`."""
    seq: int
    """Its number in its sequence."""
    at: float
    """When it happened."""
    turn_id: str
    """The turn that it ended; empty outside of turns."""
    parts: list[str]
    """What it changed: parts with their keys."""
    has_before: bool
    """Is anything known of what was before it?"""


@dataclass(frozen=True, slots=True)
class Reached:
    """How far the sequences of an assistant went at a moment."""

    name: str
    """As the moment was asked for."""
    own: int
    """The last commit that changed its own states and memories."""
    blocks: int
    """The last one that changed its blocks."""


def whose_past(character: Any) -> PastOf:
    """Return whose past is to be read, on the game's thread."""
    people = store_of(character).read_all(PROFILE.name)
    names = {who: profile["name"] for who, profile in people.items()}
    names |= {entity_id(body): name_of(body) for body in all_assistants()}
    return PastOf(entity_id(character), name_of(character), npc_id(character), names)


PAGE = 500
"""Records of the log that one query reads."""


def last_moments(whose: PastOf, count: int, turn: str = "", before: int = 0) -> list[ToldMoment]:
    """Return the last commits that changed anything of an assistant or its blocks, newest first.

    With the id of a turn those that it ended with; `before` a record, what came until then. What
    only a status became is none of them.
    """
    own, blocks = whose.sequences.values()
    told = [("", moment) for moment in past.moments(own, count, before, turn)]
    if not turn:
        told += [(_OF_BLOCKS, moment) for moment in past.block_moments(blocks, count, before)]
    told.sort(key=lambda one: one[1].record, reverse=True)
    first = {sign: past.first_moment(sequence) for sign, sequence in whose.sequences.items()}
    return [
        ToldMoment(
            f"{sign}{one.seq}",
            *(one.record, one.seq, one.at, one.turn_id),
            [_address(*part) for part in one.parts],
            one.seq > first[sign],
        )
        for sign, one in told[:count]
    ]


def _address(part: str, key: str) -> str:
    return f"{part} {key.removeprefix(BLOCKS)}".strip()


def part_names(whose: PastOf) -> list[str]:
    """Return the parts of an assistant of which any moment is known."""
    return sorted({*chain(*map(past.known_parts, whose.sequences.values()))})


def moment_of(whose: PastOf, typed: str, part: str = "") -> Reached:
    """Return the moment that somebody typed: its name, right ``before`` it, or a time (UTC).

    A time such as ``2026-11-21 18:04`` means the last commit by then. Raises `AssistantError` where
    there is none, or what was then, of all or of one `part`, is not kept any more.
    """
    fits = _MOMENT.fullmatch(asked := typed.strip().lower())
    before, sign, number = fits.groups() if fits else ("", *_last_by(whose, asked))
    sequence, seq = whose.sequences[sign], int(number)
    if fits and seq > (last := past.last_number(sequence)):
        raise AssistantError(f"There is no moment {sign}{number} yet; the last is {sign}{last}.")
    reach = past.written_with(sequence, seq, is_before=bool(before))
    reached = {
        one: seq - bool(before) if one == sequence else past.moment_within(one, reach)
        for one in whose.sequences.values()
    }
    is_whole = all(at >= past.folded_until(one, part) for one, at in reached.items())
    if not is_whole or reached[sequence] < past.first_moment(sequence):
        raise AssistantError(
            f"Nothing is known of {whose.name} as early as that: states are kept for at most "
            f"{conf.settings.STATE_DAYS} days (AI_ASSISTANT_STATE_DAYS and _MEGABYTES)."
        )
    return Reached(f"{before or ''}{sign}{number}", *reached.values())


def _last_by(whose: PastOf, typed: str) -> tuple[str, int]:
    """Return the last moment by a time that somebody typed, as how it begins and its number."""
    last = {
        past.written_with(sequence, seq): (sign, seq)
        for sign, sequence in whose.sequences.items()
        if (seq := past.moment_by(sequence, time_in(typed)))
    }
    return last[max(last)] if last else ("", 0)


def time_in(typed: str) -> float:
    """Return the time (UTC) that somebody typed. Raises `AssistantError` where it is none."""
    try:
        return datetime.fromisoformat(typed.strip()).replace(tzinfo=UTC).timestamp()
    except ValueError:
        raise AssistantError(
            "Which moment? Give its number, or a time such as 2026-11-21 18:04 (UTC)."
        ) from None


def states_at(whose: PastOf, moment: Reached, part: str = "") -> StatesByPart:
    """Return what an assistant's states were right after a commit, all or those of one part.

    Its blocks are among them, and the newest of its memories. Raises `AssistantError` where there
    is no such part.
    """
    found = _states(whose, moment, part)
    if part in ("", ROWS) and (count := past.count_rows_at(whose.id, moment.own)):
        found[ROWS] = {"all": count, "shown": min(count, MOST_ROWS)}
        found |= _memories(past.rows_at(whose.id, moment.own, _ROW, most=MOST_ROWS))
    return found


def _states(whose: PastOf, moment: Reached, part: str) -> StatesByPart:
    """Return what is rebuilt from what became of it, which memories are not."""
    if part and part not in (names := part_names(whose)):
        raise AssistantError(f"There is no part {part!r}; there are: {', '.join(names)}.")
    found = [
        *past.rebuilt_states(whose.id, moment.own, part).items(),
        *past.rebuilt_states(whose.sequences[_OF_BLOCKS], moment.blocks, part).items(),
    ]
    return {_address(*address): state for address, state in found if state}


def _memories(rows: Iterable[Json]) -> StatesByPart:
    """Return memories as states, the newest first."""
    return {
        f"{ROWS} #{row.pop('id')}": {
            name: iso(value) if value and name.endswith("_at") else value
            for name, value in row.items()
        }
        for row in reversed([*rows])
    }


def names_by_id(character: Any, who: Iterable[str]) -> dict[str, str]:
    """Return names by id: of who is gone the last one under which an assistant knew them."""
    wanted = {*who}
    gone = {who for who in wanted if find(who) is None}
    told = past.names_told(entity_id(character), PROFILE.name, gone) if gone else {}
    return {who: told.get(who) or person(who) for who in wanted}


def named_as_told(whose: PastOf, addresses: Iterable[str]) -> dict[str, str]:
    """Return these parts with the names of whom they are about: of who is gone, as it was told."""
    keys = {address: address.partition(" ")[2] for address in addresses}
    about = {address: key.partition(".") for address, key in keys.items() if LONG_ID.match(key)}
    unknown = {who for who, _, _ in about.values() if who not in whose.names}
    told = past.names_told(whose.id, PROFILE.name, unknown) if unknown else {}
    names = {**dict.fromkeys(unknown, SOMEBODY_GONE), **whose.names, **told}
    return {address: address for address in keys} | {
        address: f"{address.partition(' ')[0]} {names[who]}{' (private)' if rest else ''}"
        for address, (who, _, rest) in about.items()
    }


def changed_between(whose: PastOf, first: Reached, then: Reached, part: str = "") -> Iterator[str]:
    """Yield how states differ between two moments, as lines of a unified diff."""
    before, after = (_states(whose, moment, part) for moment in (first, then))
    rows, count = list[int](), 0
    if part in ("", ROWS):
        rows, count = past.rows_changed(whose.id, first.own, then.own, MOST_ROWS)
        before |= _memories(past.rows_at(whose.id, first.own, _ROW, among=rows))
        after |= _memories(past.rows_at(whose.id, then.own, _ROW, among=rows))
    named = named_as_told(whose, {**before, **after})
    for address, name in named.items():
        if before.get(address) == after.get(address):
            continue
        one, other = (
            readable_lines(states[address], whose.names) if address in states else []
            for states in (before, after)
        )
        yield name
        lines = list(unified_diff(one, other, lineterm="", n=1))[2:]
        yield from ("…" if line.startswith("@@") else line for line in lines)
    if count > len(rows):
        yield f"{ROWS}: {count - len(rows)} more were written or amended"


def log_pages(character: Any, *, with_states: bool = False) -> Iterator[list[str]]:
    """Yield the records of an assistant's audit log as lines of JSON, some at a time, oldest first.

    Those of its blocks follow, each numbered as a moment of blocks is: ``b7``. What only tells
    which states changed is left out, unless it is asked for: `with_states` each such record bears
    what became of them. Raises `StoreError`.
    """
    for sign, sequence in whose_past(character).sequences.items():
        after = 0
        while page := past.logged(sequence, after, PAGE, with_states=with_states):
            after = page[-1]["seq"]
            for record in page if sign else ():
                record["seq"] = f"{sign}{record['seq']}"
            yield [json.dumps(record, ensure_ascii=False, default=str) for record in page]


async def write_export(character: Any, *, by: str, with_states: bool = False) -> tuple[str, int]:
    """Write those lines into a new file where cards go; returns its name, and how many they are.

    The game goes on meanwhile. Raises `AssistantError` where it cannot be written.
    """
    name, counts = f"{file_name(name_of(character))}.{uuid4().hex[:8]}.jsonl", list[int]()

    def written() -> Iterator[None]:
        with (folder() / name).open("x", encoding="utf-8") as file:
            for page in log_pages(character, with_states=with_states):
                file.writelines(f"{line}\n" for line in page)
                counts.append(len(page))
                yield None

    try:
        folder().mkdir(parents=True, exist_ok=True)
        await in_slices(written())
    except OSError as error:
        raise AssistantError(f"It cannot be written ({type(error).__name__}).") from error
    record_audit(character, "AssistantExported", {"by": by, "what": "audit"})
    return name, sum(counts)
