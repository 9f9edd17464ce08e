"""Marked turns: staff say which answer they wanted, and a change is tried on all such lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.agent.mind import Mind
from ai_assistant.api.desk.run_again import line_of_turn, request_of_today
from ai_assistant.api.desk.staff_calls import TriedAnswer, ask_for_staff, check_profile
from ai_assistant.api.desk.tried_minds import tried_mind
from ai_assistant.api.handlers import store_of
from ai_assistant.api.handlers.handler_base import change
from ai_assistant.api.overview import running
from ai_assistant.api.turns.traces import Trace, trace_of
from ai_assistant.core.contracts import Change, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.core.times import epoch
from ai_assistant.game.identity import entity_id
from ai_assistant.game.log import report
from ai_assistant.memory.inner.verdicts import MOST_VERDICTS, verdict_on
from ai_assistant.storage.calls.spending_rows import TurnSums, turns_since

MAX_WANTED = 1000
"""Characters of the answer that was wanted."""


@dataclass(frozen=True, slots=True)
class RegressionRow:
    """One marked turn, and what its line comes to now."""

    verdict: Json
    """As `memory.inner.verdicts` keeps it."""
    answer: TriedAnswer | None
    """The answer of now; None where there is none."""
    problem: str
    """Why there is none."""


def verdicts_of(character: Any) -> list[Json]:
    """Return what staff marked of an assistant, the newest first."""
    kept: list[Json] = store_of(character).read("verdicts")["verdicts"]
    return kept[::-1]


def verdict_on_turn(character: Any, turn_id: str) -> Json | None:
    """Return what staff said of one turn; None where nobody said anything."""
    return next(
        (verdict for verdict in verdicts_of(character) if verdict["turn_id"] == turn_id), None
    )


def mark_turn(character: Any, turn_id: str, *, good: bool, wanted: str = "", by: str) -> Json:
    """Mark a turn as good or bad, with the answer that was wanted; returns the verdict.

    Raises `AssistantError` where there is no such turn, what it answered is not kept, or too many
    are marked.
    """
    marked = {verdict["turn_id"] for verdict in verdicts_of(character)}
    if len(marked - {turn_id}) >= MOST_VERDICTS:
        raise AssistantError(f"{MOST_VERDICTS} turns are marked already: take a mark off first.")
    trace, words = trace_of(character, turn_id), clean(wanted, MAX_WANTED)
    line, said = line_of_turn(character, trace), trace.record["speech"]
    if line is None:
        raise AssistantError(not_to_mark(character, trace))
    verdict = verdict_on(line, trace.id, said, good=good, wanted=words, by=by)
    told = ("TurnMarked", {"turn": trace.id, "good": good, "by": by})
    change(character, [Change("verdicts", "", "keep_verdict", {"verdict": verdict})], told)
    return verdict


def not_to_mark(character: Any, trace: Trace) -> str:
    """Say why a turn cannot be marked; empty where it can."""
    if line_of_turn(character, trace):
        return ""
    why = "is not kept any more" if trace.lines else "was nobody's words"
    told = "what is marked is asked again whenever a change is tried, and here is no line."
    return f"What it answered {why}: {told}"


def unmark_turn(character: Any, turn_id: str, *, by: str) -> None:
    """Take the mark off a turn. Raises `AssistantError` where it has none."""
    if verdict_on_turn(character, turn_id) is None:
        raise AssistantError("That turn has no mark.")
    told = ("TurnUnmarked", {"turn": turn_id, "by": by})
    change(character, [Change("verdicts", "", "take_back", {"turn_id": turn_id})], told)


def check_marked(
    character: Any,
    *,
    profile: str = "",
    persona: Mapping[str, Any] | None = None,
    template: str = "",
) -> Deferred[list[RegressionRow]]:
    """Return what the line of each marked turn comes to now, one call of a model for each.

    Each is answered by the prompt of today, from what was known before that line, with another
    profile, other fields of the persona or another template if they are given. No tool runs,
    nothing is kept. Raises `AssistantError` where the assistant does not run, nothing is marked, or
    there is no such template.
    """
    check_profile(profile)
    mind, marked = running(character).mind, verdicts_of(character)
    if not marked:
        raise AssistantError("No turn of it is marked.")
    mind = tried_mind(mind, persona or {}, template)

    async def check() -> list[RegressionRow]:
        return [await _row(mind, character, verdict, profile) for verdict in marked]

    return Deferred.fromCoroutine(check())


async def _row(mind: Mind, character: Any, verdict: Json, profile: str) -> RegressionRow:
    line = {"kind": verdict["said"], **verdict}
    try:
        request = await request_of_today(mind, character, line, verdict["turn_id"])
        return RegressionRow(verdict, await ask_for_staff(mind, request, profile), "")
    except AssistantError as error:
        return RegressionRow(verdict, None, str(error))
    except Exception as error:  # whatever it is, the others are tried all the same
        report("a marked turn, asked again", error)
        return RegressionRow(verdict, None, "That failed; the server's log says why.")


# -- what turns came to while a version of the persona, or of what the owner wrote, was in force


@dataclass(frozen=True, slots=True)
class VersionFigures:
    """What turns came to while one version was in force."""

    took: TurnSums
    """Their number, and what their model calls took, as far as those are on record."""
    good: int
    """Marked as such by staff."""
    bad: int
    """Marked as such by staff."""


def figures_since(character: Any, began: Sequence[float]) -> list[VersionFigures]:
    """Return what turns came to under each version, from when each `began`, the latest first."""
    starts = sorted(began)
    sums = turns_since(entity_id(character), starts)
    marks = [[0, 0] for _ in starts]
    for verdict in verdicts_of(character):
        if place := bisect_right(starts, epoch(verdict["timestamp"])):
            marks[place - 1][not verdict["good"]] += 1
    together = zip(sums, marks, strict=True)
    return [VersionFigures(took, good, bad) for took, (good, bad) in together][::-1]
