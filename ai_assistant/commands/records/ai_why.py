"""What `ai` says of why: what decided the last turns, and which lines nobody answered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any

from ai_assistant.api.turns.traces import (
    ToolLists,
    Trace,
    TracedCall,
    TracedMemory,
    TracedParty,
    Unanswered,
    differing,
    lately,
)
from ai_assistant.api.turns.turn_list import (
    KINDS,
    MARKS,
    ORDERS,
    SHOWN,
    TurnRow,
    WantedTurns,
    named_assistants,
    turn_rows,
)
from ai_assistant.commands import choosing
from ai_assistant.commands.command_base import AICommand, braced, number_in, switch
from ai_assistant.commands.records.ai_calls import dollars
from ai_assistant.commands.shown import minute, private
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
        number = number_in(self.rhs, TURNS)
        seen = lately(character, number + 1)
        names = choosing.told_apart(choosing.people_of(character))
        lines: list[str] = []
        for trace, before in zip_longest(seen.turns[:number], seen.turns[1:]):
            lines += [*_turn(trace, names), *_tools(trace, before)]
            if problem := trace.record["problem"]:
                lines.append(f"  |r{braced(problem)}|n")
        silent = [
            f"  |x{minute(line.at)}|n {line.who} [{line.kind}] {_short(line.words)}: {_rule(line)}"
            for line in seen.unanswered[-LINES:]
        ]
        silent += [
            f"  |x{minute(line.at)}|n {braced(line.who)} ({line.kind}), not kept: {line.rule}"
            for line in seen.passed_over
        ]
        title = f"|c{name_of(character)}|n: the last turns, and why"
        self.show([title, *lines, "|wNot answered|n", *(silent or ["  nothing lately"])])

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
    """Return a turn in the list, of which the screen makes two lines."""
    whom = " and ".join(row.people) or ("somebody" if row.events else "")
    by = f"to {whom}" if whom else "on its own"
    took = "" if row.seconds is None else f"{row.seconds:.1f} s"
    cost = dollars(row.price) if row.price != 0 else ""
    facts = ", ".join(filter(None, [*row.tools, counted(row.tokens, "token"), cost, took]))
    title = f"|x{minute(row.at)}|n |c{row.name}|n {by}: {braced(row.outcome)}"
    title += f" (marked {row.mark})" if row.mark else ""
    return f"{title}\n    |x{facts}|n"


def _turn(trace: Trace, names: dict[str, str]) -> Iterator[str]:
    told, calls = trace.record, len(trace.record["model_calls"])
    what = f"{counted(calls, 'model call')}, {counted(told['tokens'], 'token')}"
    yield f"|w{minute(trace.at)}|n {told['outcome']} ({what}){private(trace.readers)}"
    for instead in dict.fromkeys(call.get("instead") for call in told["model_calls"]):
        if instead:
            yield f"  |ythe offline model stood in: {braced(instead)}|n"
    if not trace.lines:
        yield "  on its own"
    for line in trace.lines:
        yield f"  {_line(line.entry)}: |g{line.rule}|n"
        for party in line.parties:
            yield from _party(party)
    yield from _memories("came to mind", trace.recalled, names)
    for call in trace.calls:
        if "found" in call.record:
            yield from _looked_up(call, names)


def _party(party: TracedParty) -> Iterator[str]:
    unsure = "" if party.sure else ", unsure"
    yield f"  took part, by {party.by}{unsure}: {', '.join(party.names)}"
    if party.overheard:
        yield f"  overheard by {', '.join(party.overheard)}"


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


def _looked_up(call: TracedCall, names: dict[str, str]) -> Iterator[str]:
    """Yield what one of its tools searched for, and what it found."""
    given = call.record["parameters"].values()
    asked = _short(" ".join(value for value in given if isinstance(value, str)))
    nothing = "" if call.found else "found nothing"
    what = f"all of {', '.join(call.people)}" if call.people else nothing
    yield f"  {call.record['tool_name']} '{asked}'{what and f': {what}'}"
    yield from _memories("  found", call.found, names)


def _memories(how: str, found: Iterable[TracedMemory], names: dict[str, str]) -> Iterator[str]:
    for memory in found:
        numbers = ", ".join(f"{name} {value}" for name, value in memory.figures.items())
        ref, words = choosing.short_ref(memory.ref, names), _short(memory.words)
        yield f"  {how} |w{ref}|n {words} |x({numbers})|n"


def _rule(line: Unanswered) -> str:
    return f"{line.rule}; |rclosed: {braced(line.closed)}|n" if line.closed else line.rule


def _line(entry: Json | None) -> str:
    if entry is None:
        return "a line that is long gone"
    return f"{entry['who']} [{entry['kind']}] {_short(entry['content'])}"


def _short(text: str) -> str:
    return cut_off(braced(" ".join(text.split())), LONGEST)
