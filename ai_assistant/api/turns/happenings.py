"""What happened to an assistant, and by whom: its audit log in words, newest first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from django.db.models import Q

from ai_assistant.api.past_states import PastOf
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import OPEN
from ai_assistant.core.state_outline import named_for_ids
from ai_assistant.core.text import clean
from ai_assistant.core.times import iso
from ai_assistant.memory.blocks.rules import STATUS
from ai_assistant.storage.block_rows import BLOCKS
from ai_assistant.storage.history.past import audit_log
from ai_assistant.storage.statements import refusals

HAPPENED = {
    "AssistantCreated": "it was created or adopted, and by whom",
    "AssistantArchived": "it was deleted or lost its mind: why, by whom, what there was in the end",
    "AssistantReleased": "it became a character without a mind",
    "AssistantStarted": "it was started, and by whom",
    "AssistantStopped": "it was stopped, and by whom",
    "AssistantReset": "staff let it begin anew: its talk, its memory or all, and by whom",
    "AssistantExported": "staff exported all of it",
    "AssistantImported": "it was made of an exported one",
    "BlocksImported": "blocks of an old layout were taken over",
    "CardImported": "a card became its persona",
    "ConfigurationChanged": "an option was set",
    "GuidelineDecided": "staff decided on a guideline that it proposed",
    "StaffNoteGiven": "staff gave it a director's note, and for how long",
    "StaffNoteTakenBack": "staff took a director's note back",
    "StaffAct": "staff confirmed that it does something; again with an error where it did not",
    "TurnCompleted": "a turn: tick, milliseconds, models, tokens, outcome, and why",
    "TickCompleted": "a heartbeat that began a turn on its own, or a night",
    "Assessed": "a model weighed a line before the turn began",
    "Planned": "a turn was planned, step by step",
    "Directed": "a scene's director chose who speaks",
    "Delegated": "a task was given, and what came of it",
    "TurnMarked": "staff marked a turn as good or bad",
    "TurnUnmarked": "staff took the mark off a turn",
    "ToolExecuted": "a tool was called: parameters, reasoning, success or error",
    "SpeechHeld": "words that were not said, and why",
    "CallsDropped": "a model wanted more calls than an answer may have",
    "AsideFailed": "a model failed at a question beside the turn",
    "BudgetExhausted": "a turn ended because a cap of spending was met",
    "ErrorOccurred": "a turn broke",
    "EventClosed": "a line that waited was closed unanswered, and why",
    "EmergencyStopTriggered": "it was stopped in an emergency: why, and after how many errors",
    "EmergencyStopCleared": "staff let it go on",
    "SilenceBegun": "it was told to be quiet, and by whom",
    "SilenceEnded": "it may speak and act again, and by whom",
    "GoalCreated": "a goal was added",
    "GoalUpdated": "a goal changed",
    "GoalCompleted": "a goal was reached, and what came of it",
    "ProjectCreated": "a project was begun",
    "ProjectUpdated": "a project was written on",
    "ProjectSwapped": "another project became the active one",
    "ProjectCompleted": "a project was finished, and what came of it",
    "ProjectArchived": "a project was put away",
    "RelationshipChanged": "somebody became dearer, a stranger or what else, and by whom",
    "MemoryArchived": "memories were taken out of use",
    "MemoryRevived": "memories were brought back into use",
    "MemoryAnnotated": "something was noted on older memories",
    "Compacted": "older talk was summarised",
    "Upkeep": "what found no room was put away by rule, awake",
    "Published": "staff made a private memory known to everybody",
    "Announced": "staff or game code told a fact",
    "Edited": "staff corrected what it remembers",
    "Forgotten": "something was forgotten: by whom, of whom, how much",
    "Refined": "a model looked again at who took part in a line",
    "GameChange": "game code or a command changed a part",
    "BlockChanged": "a block or a lorebook was written: by whom, and what was done",
    "SceneCreated": "a scene was made, and by whom",
    "SceneStarted": "a scene began, and by whom",
    "SceneJoined": "somebody joined a scene, and who let them in",
    "SceneLeft": "somebody left a scene, and who saw to that",
    "SceneEnded": "a scene was over, and who ended it",
    "SceneChanged": "values of a scene changed: what each was and is, and by whom",
    "LinesTakenBack": "staff or a player took lines of a scene back",
    "ParticipantsCorrected": "staff put right who took part in a line of a scene",
    "NightBegun": "it fell asleep: why, and by whom",
    "Woken": "it woke, or was called in its first phase of sleep: why, and by whom",
    "SleepStep": "a piece of a night, and how to take it back",
    "ReflectionRecorded": "it looked back and understood something",
    "NightUndone": "staff took a night back",
    "StateChanged": "which states a commit changed; the moments of the past",
}
"""What a record tells, by its type, as the docs have it."""
ELSEWHERE = frozenset(
    {"TurnCompleted", "ToolExecuted", "TickCompleted", "SleepStep", "StateChanged"}
)
"""Types that are listed only where they are asked for: turns, nights and moments have lists."""
FACTS = {
    "act": "what",
    "action_taken": "what it did",
    "cleared_by": "by",
    "claims": "what was under way",
    "consecutive_errors": "errors in a row",
    "context_type": "kind of turn",
    "delta": "by how much",
    "did": "done",
    "duration_ms": "milliseconds",
    "entity": "who",
    "entity_id": "who",
    "event": "line",
    "events": "lines",
    "goal_id": "goal",
    "key": "of",
    "label": "block",
    "most_steps": "steps at most",
    "new_project": "project now",
    "new_value": "now",
    "npc": "mind",
    "old_project": "project before",
    "old_value": "before",
    "project_key": "project",
    "readers": "known to",
    "row": "memory",
    "rows": "memories",
    "sub_agents_enabled": "may hand out tasks",
    "tick_number": "heartbeat",
    "tool_name": "tool",
    "typeclass": "class",
    "writer": "written as",
}
"""What records say, by the keys that are no words."""
WRITERS = {"designer": "staff", "game": "the game", "npc": "itself", "sub_process": "a night"}
"""Who wrote a block, by the kind of writer that is stored."""
UNTOLD = ("errand", "night", "turn")
"""Keys of ids that say nothing to people."""
LONGEST = 160
"""Characters of one fact."""
MOST_FACTS = 8
_MORE = re.compile("[:;]|, and ")
"""Where the words of a type go on about what the facts tell."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One record of the log."""

    record: int
    """Its number; `last_happenings` takes it as `before`."""
    type: str
    """As the log has it."""
    what: str
    """What it tells, in words."""
    facts: str
    """By whom, of what and why, as far as it is said."""
    at: str
    """When, as times are stored."""
    turn: str
    """The id of its turn; empty for none."""


def last_happenings(
    whose: PastOf, count: int, *, word: str = "", turn: str = "", before: int = 0
) -> list[Happening]:
    """Return the last records of an assistant's audit log and of its blocks', newest first.

    Args:
        whose: The assistant.
        count: At most so many.
        word: A part of the name of a type, as in ``goal``; without it, what has no list elsewhere.
        turn: The id of a turn, to which they belong.
        before: The number of a record: only those written before it.

    Raises:
        AssistantError: No type has such a name.
    """
    which = Q(turn_id=turn) if turn else Q()
    if word:
        which &= Q(type__in=types_named(word))
    elif not turn:
        which &= ~Q(type__in=ELSEWHERE)
    return [
        Happening(
            row["pk"],
            row["type"],
            what_happened(row["type"]),
            _facts(row["data"], whose.names),
            iso(row["at"]),
            row["turn_id"] or row["data"].get("turn", ""),
        )
        for row in newest_records(whose, count, which, before=before, with_states=bool(word))
    ]


def newest_records(
    whose: PastOf, count: int, which: Q, *, before: int = 0, with_states: bool = False
) -> list[Json]:
    """Return the last records of an assistant's log and of its blocks', newest first, as they are.

    The `seq` of one of blocks is such as ``b7``. `before` is the `pk` of a record. Those that only
    tell which states changed are its own alone, and left out unless `with_states`; what its status
    became, in every fight, is left out. Raises `StoreError`.
    """
    rows = list[Json]()
    for sign, sequence in whose.sequences.items():
        log = audit_log(sequence, with_states=with_states and not sign).filter(which)
        log = log.exclude(data__label=STATUS) if sign else log
        log = (log.filter(pk__lt=before) if before else log).order_by("-seq")
        with refusals():
            found = log.values("pk", "seq", "type", "at", "turn_id", "readers", "data")[:count]
            rows += [row | ({"seq": f"{sign}{row['seq']}"} if sign else {}) for row in found]
    return sorted(rows, key=itemgetter("pk"), reverse=True)[:count]


def what_happened(type: str) -> str:
    """Return what a record of a type tells, in words, without what its facts tell themselves."""
    return _MORE.split(HAPPENED.get(type, type))[0]


def types_named(word: str) -> list[str]:
    """Return the types in whose names a word stands. Raises `AssistantError` for none."""
    wanted = word.strip().replace(" ", "").casefold()
    if found := [type for type in HAPPENED if wanted in type.casefold()]:
        return found
    raise AssistantError(
        f"Nothing on record is called '{clean(word, 40)}'; there is: goal, block …"
    )


def _facts(data: Json, names: Mapping[str, str]) -> str:
    meant = data.get("meant", {})
    said = _said({name: value for name, value in data.items() if name != "meant"})
    told = [named_for_ids(f"{name}: {meant.get(value, value)}", names) for name, value in said]
    return "; ".join(told[:MOST_FACTS])


def _said(data: Json) -> Iterator[tuple[str, str]]:
    """Yield what a record says, name by name; of what is nested, the next level."""
    for name, value in data.items():
        label = FACTS.get(name, name.replace("_", " "))
        if isinstance(value, dict):
            yield from _said({key: part for key, part in value.items() if _is_plain(part)})
        elif isinstance(value, list) and value:
            whole = all(map(_is_plain, value))
            told = _in_words(name, ", ".join(map(str, value)))
            yield label, clean(told, LONGEST) if whole else str(len(value))
        elif isinstance(value, bool):
            yield label, "yes" if value else "no"
        elif name == "until" and isinstance(value, float):
            yield label, iso(value)
        elif name not in UNTOLD and value not in (None, "", []):
            yield label, clean(_in_words(name, str(value)), LONGEST)


def _in_words(name: str, told: str) -> str:
    """Return what a record says under a key, where that is a word of the code as one of people."""
    if name in ("did", "label", "part", "step", "steps"):
        return told.removeprefix(BLOCKS).replace("_", " ")
    return {"readers": {OPEN: "everybody"}, "writer": WRITERS}.get(name, {}).get(told, told)


def _is_plain(value: Any) -> bool:
    return not isinstance(value, dict | list)
