"""What `ai` says of why: what decided the last turns, and which lines nobody answered."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any

from ai_assistant.api.desk.regression import verdict_on_turn
from ai_assistant.api.turns.latest import Lately, Unanswered, lately
from ai_assistant.api.turns.opened_calls import CallFigures, calls_in_turn, sums_of
from ai_assistant.api.turns.traces import (
    ToolLists,
    Trace,
    TracedCall,
    TracedMemory,
    TracedParty,
    differing,
    trace_of,
)
from ai_assistant.api.turns.turn_list import (
    KINDS,
    MARKS,
    ORDERS,
    SHORT,
    SHOWN,
    TurnRow,
    WantedTurns,
    named_assistants,
    turn_back,
    turn_beginning,
    turn_rows,
)
from ai_assistant.commands import choosing
from ai_assistant.commands.command_base import AICommand, braced, number_in, switch
from ai_assistant.commands.records.ai_calls import dollars
from ai_assistant.commands.shown import MODES, minute, private
from ai_assistant.commands.tables import cut_off
from ai_assistant.core.contracts import Json
from ai_assistant.core.text import counted
from ai_assistant.game.identity import entity_id, name_of

TURNS, LINES, LISTED = 3, 5, 20
"""Last turns, and last lines without an answer, that are told of; turns in a list."""
LONGEST = 100
_PIECE = re.compile(r'"[^"]*"|[^,"]+')
"""What narrows the list of turns, piece by piece; words in quotes may have commas."""
_DAYS = {"from": "since", "to": "until"}
_WORDS = {"kind": KINDS, "order": ORDERS, "mark": MARKS}


class WhyVerbs(AICommand):
    """
    The switches why and turns of the command `ai`.

    """

    @switch("why", named=True)
    def _why(self, character: Any) -> None:
        typed, number = (self.rhs or "").strip(), 0
        if typed.startswith("#"):
            seen = Lately([trace_of(character, turn_named(character, typed))], [], [])
        else:
            number = number_in(typed, TURNS)
            seen = lately(character, number + 1)
        turns = [*zip_longest(seen.turns[: number or 1], seen.turns[1:])]
        found = calls_in_turn(character, *(trace.id for trace, _ in turns))

        def tell(calls: list[CallFigures]) -> None:
            names = choosing.told_apart(choosing.people_of(character))
            lines = [f"|c{name_of(character)}|n: what was decided, and why"]
            for trace, before in turns:
                made = [call for call in calls if call.turn == trace.id]
                lines += [*_turn(character, trace, made, names), *_tools(trace, before)]
            self.show([*lines, *(_silence(seen) if number else ())])

        found.addCallback(tell).addErrback(self.failed)

    @switch("turns")
    def _turns(self) -> None:
        character = self.wanted(self.lhs) if self.lhs else None
        wanted = WantedTurns(entity_id(character) if character else "", most=LISTED)
        wanted, somebody = _narrowed(wanted, self.rhs or "")
        look = partial(turn_rows, named_assistants())
        found = look(replace(wanted, who=somebody))
        if somebody and not found:
            found = look(replace(wanted, tool=somebody))
        self.show(list(map(_row, found)) or "No such turns are on record.")


def _narrowed(wanted: WantedTurns, typed: str) -> tuple[WantedTurns, str]:
    """Return which turns are wanted, narrowed as typed, and a person or tool that was named."""
    told, somebody = dict[str, Any](), ""
    for piece in filter(None, map(str.strip, _PIECE.findall(typed))):
        before, _, day = piece.partition(" ")
        if piece.startswith('"'):
            told["word"] = piece.strip('"')
        elif day and before in _DAYS:
            told[_DAYS[before]] = day
        elif piece.isdecimal():
            told["most"] = min(number_in(piece, LISTED), SHOWN)
        elif name := next((name for name, words in _WORDS.items() if piece in words), ""):
            told[name] = piece
        else:
            somebody = piece
    return replace(wanted, **told), somebody


def _row(row: TurnRow) -> str:
    """Return a turn in the list, with the beginnings of what was asked and answered."""
    whom = " and ".join(row.people) or ("somebody" if row.events else "")
    by = f"to {whom}" if whom else "on its own"
    took = "" if row.seconds is None else f"{row.seconds:.1f} s"
    cost = dollars(row.price) if row.price != 0 else ""
    facts = ", ".join(filter(None, [*row.tools, counted(row.tokens, "token"), cost, took]))
    title = f"|x{minute(row.at)} #{row.id[:SHORT]}|n |c{row.name}|n {by}: {braced(row.outcome)}"
    title += f" (excused itself: {cut_off(_flat(row.excuse), LONGEST)})" if row.excuse else ""
    title += f" (marked {row.mark})" if row.mark else ""
    said = [f'"{cut_off(_flat(words), LONGEST)}"' for words in (row.asked, row.words) if words]
    return "\n    ".join(filter(None, [title, " -> ".join(said), f"|x{facts}|n"]))


def turn_named(character: Any, typed: str) -> str:
    """Return the id of a turn: ``#4f0c2a91`` as lists have it, or how many it is from the last.

    Raises `AssistantError` where there is no such turn on record.
    """
    if typed.startswith("#"):
        return turn_beginning(character, typed[1:])
    return turn_back(character, number_in(typed, 1))


def _silence(seen: Lately) -> Iterator[str]:
    """Yield which lines were not answered, and why."""
    yield "|wNot answered|n"
    if not seen.unanswered and not seen.passed_over:
        yield "  nothing lately"
    for line in seen.unanswered[-LINES:]:
        words = cut_off(_flat(line.words), LONGEST)
        yield f"  |x{minute(line.at)}|n {line.who} [{line.kind}] {words}: {_rule(line)}"
    for line in seen.passed_over:
        yield f"  |x{minute(line.at)}|n {braced(line.who)} ({line.kind}), not kept: {line.rule}"


def _turn(
    character: Any, trace: Trace, calls: list[CallFigures], names: dict[str, str]
) -> Iterator[str]:
    """Yield what the page of a turn shows, but for the tools that it had."""
    told, (price, seconds) = trace.record, sums_of(calls)
    made = counted(len(calls or told["model_calls"]), "model call")
    took = [made, counted(told["steps"], "step")]
    took += [dollars(price), f"{seconds:.1f} s"] if calls else []
    what = ", ".join([*took, counted(told["tokens"], "token")])
    outcome = f"{braced(told['outcome'])} ({what}){private(trace.readers)}"
    yield f"|w{minute(trace.at)}|n #{trace.id[:SHORT]} {outcome}"
    if mode := told["why"].get("mode"):
        yield f"  {MODES.get(mode, mode)}, at most {counted(told['why']['most_steps'], 'step')}"
    if verdict := verdict_on_turn(character, trace.id):
        wanted = verdict["wanted"] and f"; wanted: {_flat(verdict['wanted'])}"
        yield f"  marked as {'good' if verdict['good'] else 'bad'} by {verdict['by']}{wanted}"
    if not trace.lines:
        yield "  on its own"
    for line in trace.lines:
        yield f"  {_line(line.entry)}: |g{line.rule}|n"
        yield from map(_party, line.parties)
    yield from _said(trace)
    yield from _memories("came to mind", trace.recalled, names)
    for call in trace.calls:
        yield from _called(call, names)
    stood_in = {call.get("instead") for call in told["model_calls"]}
    yield from (_model_call(made, stood_in) for made in calls)
    if (problem := told["problem"]) and problem not in told["outcome"]:
        yield f"  |r{braced(problem)}|n"


def _said(trace: Trace) -> Iterator[str]:
    if words := trace.record["speech"]:
        yield f"  said: {_flat(words)}"
        yield from map(_party, trace.heard)
    elif excuse := trace.record.get("excuse"):
        yield f"  an excuse, which it does not remember: {_flat(excuse)}"


def _party(party: TracedParty) -> str:
    told = f" ({party.told})" if party.told else ""
    overheard = f"; overheard by {', '.join(party.overheard)}" if party.overheard else ""
    return f"    took part{told}: {', '.join(party.names)}{overheard}"


def _model_call(call: CallFigures, stood_in: Container[str]) -> str:
    tokens = f"{call.prompt_tokens}+{call.completion_tokens} tokens"
    what = f"{call.job} by {braced(call.model)}, {call.milliseconds} ms, {tokens}"
    lead = "the offline model stood in: " if call.problem in stood_in else ""
    problem = f"; |y{lead}{braced(call.problem)}|n" if call.problem else ""
    return f"  |wcall {call.number}|n {what}, {dollars(call.price)}{problem}"


def _tools(trace: Trace, before: Trace | None) -> Iterator[str]:
    """Yield what could be done and what took tools away, where it differs from the turn before."""
    changed = differing(trace.tools, before.tools if before else {})
    yield from _tool_lists(changed, "")
    if len(changed) < len(trace.tools):
        yield f"  {'all else' if changed else 'could do'}: as before"
    for step, lists in trace.later.items():
        yield from _tool_lists(lists, f"from step {step} on, ")


def _tool_lists(lists: ToolLists, since: str) -> Iterator[str]:
    for name, tools in lists.items():
        yield f"  {since}{name}: |x{', '.join(tools) or 'nothing'}|n"


def _called(call: TracedCall, names: dict[str, str]) -> Iterator[str]:
    """Yield what one of its tools did, and why; of a search, what it found."""
    told = call.record
    given = ", ".join(f"{name}: {_flat(str(value))}" for name, value in told["parameters"].items())
    nothing = "found nothing" if "found" in told and not call.found else ""
    what = f"all of {', '.join(call.people)}" if call.people else nothing
    yield f"  |w{told['tool_name']}|n ({given}){what and f': {what}'}"
    if told["reasoning"]:
        yield f"    because: {_flat(told['reasoning'])}"
    if not told["success"]:
        yield f"    |rrefused: {_flat(told['error'])}|n"
    yield from _memories("  found", call.found, names)


def _memories(how: str, found: Iterable[TracedMemory], names: dict[str, str]) -> Iterator[str]:
    for memory in found:
        numbers = ", ".join(f"{name} {value}" for name, value in memory.figures.items())
        ref, words = choosing.short_ref(memory.ref, names), _flat(memory.words)
        yield f"  {how} |w{ref}|n {words} |x({numbers})|n"


def _rule(line: Unanswered) -> str:
    return f"{line.rule}; |rclosed: {braced(line.closed)}|n" if line.closed else line.rule


def _line(entry: Json | None) -> str:
    if entry is None:
        return "a line that is long gone"
    return f"{entry['who']} [{entry['kind']}] {_flat(entry['content'])}"


def _flat(text: str) -> str:
    return braced(" ".join(text.split()))
