"""States as they were: the moments of an assistant, a part at one of them, two moments compared.

With the heartbeats of assistants, what is too old is folded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import unified_diff
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
from ai_assistant.core.state_outline import readable_lines
from ai_assistant.core.times import DAY, HOUR
from ai_assistant.game.identity import SOMEBODY_GONE, entity_id, find, name_of, person
from ai_assistant.game.log import report
from ai_assistant.memory.people.profiles import PROFILE
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import npc_id
from ai_assistant.storage.history import past
from ai_assistant.storage.history.old_traces import prune_moments, prune_traces, prune_usage
from ai_assistant.storage.history.past_folding import PAST_WEIGHT, fold_page
from ai_assistant.storage.history.row_evidence import fill_evidence

StatesByPart = dict[str, Json]
"""Part, and its key where it has keys, → the state."""


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


def whose_past(character: Any) -> PastOf:
    """Return whose past is to be read, on the game's thread."""
    people = store_of(character).read_all(PROFILE.name)
    names = {who: profile["name"] for who, profile in people.items()}
    names |= {entity_id(body): name_of(body) for body in all_assistants()}
    return PastOf(entity_id(character), name_of(character), npc_id(character), names)


PAGE = 500
"""Records of the log that one query reads."""
_STATES = "STATE_DAYS"
PASSES = (
    (prune_traces, "TRACE_DAYS"),
    (prune_usage, "TRACE_DAYS"),
    (PAST_WEIGHT.weigh, _STATES),
    (prune_moments, _STATES),
    (fold_page, _STATES),
    (fill_evidence, ""),
)
"""What goes through the past, slice by slice, and the setting that says how old what goes must be;
none where nothing goes."""
SLICE_EVERY = 5.0
"""Seconds between two slices of a pass; an hour lies between two passes."""


def next_slice(number: int, after: int, now: float) -> int:
    """Do one slice of a pass, by its place in `PASSES`; returns how far it is, 0 where it is over.

    Raises `StoreError`.
    """
    work, setting = PASSES[number]
    days = getattr(conf.settings, setting) if setting else 0
    before = max(now - days * DAY, PAST_WEIGHT.too_old if setting == _STATES else 0)
    return work(after, before) if days or not setting else 0


class PastUpkeep:
    """Rounds of passes over the past, slice by slice; what is over waits for the next round."""

    def __init__(self) -> None:
        self._due = 0.0
        self._after: dict[int, int] = {}
        """How far each pass is that is not over yet, by its place in `PASSES`."""

    def tend(self) -> None:
        """Do the next slice if it is due. Never raises: the heartbeat calls it."""
        try:
            if not (SERVICE.residents and SERVICE.watch.may_begin):
                return
            now = SERVICE.shared.clock.now()
            if now >= self._due:
                after = self._after or dict.fromkeys(range(len(PASSES)), 0)
                slices = ((number, next_slice(number, at, now)) for number, at in after.items())
                self._after = {number: at for number, at in slices if at}
                self._due = now + (SLICE_EVERY if self._after else HOUR)
        except Exception as error:
            self._due += HOUR
            report("upkeep of the past", error)


PAST_UPKEEP = PastUpkeep()


def last_moments(whose: PastOf, count: int, turn: str = "") -> list[past.Moment]:
    """Return the last commits that changed any state of an assistant, newest first.

    With the id of a turn those that it ended with.
    """
    return past.moments(whose.id, count, turn=turn)


def part_names(whose: PastOf) -> list[str]:
    """Return the parts of an assistant of which any moment is known."""
    return sorted({name for name, _ in past.known_parts(whose.id)})


def moment_of(whose: PastOf, typed: str) -> int:
    """Return the number of the moment that somebody typed: its number, or a time (UTC).

    A time such as ``2026-11-21 18:04`` means the last commit by then. Raises `AssistantError` where
    there is none, or none any more.
    """
    asked = typed.strip()
    try:
        by = None if asked.isdecimal() else datetime.fromisoformat(asked).replace(tzinfo=UTC)
    except ValueError:
        raise AssistantError(
            "Which moment? Give its number, or a time such as 2026-11-21 18:04 (UTC)."
        ) from None
    number = int(asked[:18]) if by is None else past.moment_by(whose.id, by.timestamp())
    kept = conf.settings.STATE_DAYS
    if number is None or number < past.first_moment(whose.id):
        raise AssistantError(
            f"Nothing is known of {whose.name} as early as that: states are kept for "
            f"{kept} days (AI_ASSISTANT_STATE_DAYS)."
        )
    return number


def states_at(whose: PastOf, moment: int, part: str = "") -> StatesByPart:
    """Return what an assistant's states were right after a commit, all or those of one part.

    Raises `AssistantError` where there is no such part.
    """
    if part and part not in (names := part_names(whose)):
        raise AssistantError(f"There is no part {part!r}; there are: {', '.join(names)}.")
    found = past.rebuilt_states(whose.id, moment, part)
    return {f"{name} {key}".strip(): state for (name, key), state in found.items() if state}


def names_by_id(character: Any, who: Iterable[str]) -> dict[str, str]:
    """Return names by id: of who is gone the last one under which an assistant knew them."""
    wanted = {*who}
    gone = {who for who in wanted if find(who) is None}
    told = past.names_told(entity_id(character), PROFILE.name, gone) if gone else {}
    return {who: told.get(who) or person(who) for who in wanted}


def named_as_told(whose: PastOf, addresses: Iterable[str]) -> dict[str, str]:
    """Return these parts with the names of whom they are about: of who is gone, as it was told."""
    about = {address: address.partition(" ")[2].partition(".") for address in addresses}
    unknown = {who for who, _, _ in about.values() if who and who not in whose.names}
    told = past.names_told(whose.id, PROFILE.name, unknown) if unknown else {}
    names = {**dict.fromkeys(unknown, SOMEBODY_GONE), **whose.names, **told}
    return {
        address: f"{address.partition(' ')[0]} {names[who]}{' (private)' if rest else ''}"
        if who
        else address
        for address, (who, _, rest) in about.items()
    }


def changed_between(whose: PastOf, first: int, then: int, part: str = "") -> Iterator[str]:
    """Yield how states differ between two moments, as lines of a unified diff."""
    before, after = (states_at(whose, moment, part) for moment in (first, then))
    named = named_as_told(whose, {*before, *after})
    for name in sorted(named):
        one, other = (
            readable_lines(states[name], whose.names) if name in states else []
            for states in (before, after)
        )
        if one != other:
            yield named[name]
            lines = list(unified_diff(one, other, lineterm="", n=1))[2:]
            yield from ("…" if line.startswith("@@") else line for line in lines)


def log_pages(character: Any, *, with_states: bool = False) -> Iterator[list[str]]:
    """Yield the records of an assistant's audit log as lines of JSON, some at a time, oldest first.

    What only tells which states changed is left out, unless it is asked for: `with_states` each
    such record bears what became of them. Raises `StoreError`.
    """
    sequence, after = entity_id(character), 0
    while page := past.logged(sequence, after, PAGE, with_states=with_states):
        yield [json.dumps(record, ensure_ascii=False, default=str) for record in page]
        after = page[-1]["seq"]


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
