"""The command `aiaudit`: what was changed of an assistant, and what was at any moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant import conf
from ai_assistant.api.past_states import (
    changed_between,
    last_moments,
    moment_of,
    named_as_told,
    states_at,
    whose_past,
    write_export,
)
from ai_assistant.api.turns.happenings import last_happenings
from ai_assistant.commands.command_base import AICommand, number_in, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.shown import minute
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.state_outline import readable_lines
from ai_assistant.core.text import counted
from ai_assistant.core.times import iso
from ai_assistant.game.identity import name_of
from ai_assistant.runtime.assembly import beside

LISTED = 20


class CmdAIAudit(AICommand):
    """
    see what was changed of an assistant, and what was at any moment

    Usage:
      aiaudit <assistant> [= <number>]      its last changes, newest first
      aiaudit/events <assistant> [= <word>] [<number>]
                                            what happened, and by whom
      aiaudit/at <assistant> = <moment>     all of its states right after that
      aiaudit/at <assistant> = <moment>: <part>
      aiaudit/compare <assistant> = <moment> to <moment>
      aiaudit/compare <assistant> = <moment> to <moment>: <part>
      aiaudit/export <assistant> [= states] the whole log as a file of JSON lines

    Each commit that changes anything of an assistant is a moment: a turn, a
    night, an edit, a command. A moment is its number, that of its blocks after
    a b, or a time such as 2026-11-21 18:04 (UTC), which means the last one by
    then; "before 12" is right before one. Of its memories the newest 50 are
    shown, or those that came or were amended in between. What is older than
    AI_ASSISTANT_STATE_DAYS is not known any more, and what was forgotten stands
    in no moment. What several bodies share is told of the first of them. What
    happened leaves out turns, tools and nights, unless a word asks for them: it
    is a part of a type's name, as docs/audit.md lists them. A file goes where
    cards go; what became of states is in it where you ask for that.

    Examples:
      aiaudit marrek                      aiaudit/export marrek
      aiaudit/at marrek = 12              aiaudit/at marrek = 12: journal
      aiaudit/compare marrek = 12 to 15   aiaudit/events marrek = goal

    """

    key = "aiaudit"
    locks = "cmd:perm(Admin)"

    @switch("", "Admin", named=True, writes="")
    def _list(self, character: Any) -> None:
        whose = whose_past(character)
        moments = last_moments(whose, number_in(self.rhs, LISTED))
        named = named_as_told(whose, chain.from_iterable(one.parts for one in moments))
        rows = [
            (one.name, minute(iso(one.at)), ", ".join(named[part] for part in one.parts))
            for one in moments
        ]
        nothing = f"Nothing was changed of {name_of(character)} that is on record."
        self.show_table(("Moment", "When", "What was changed"), rows, nothing)

    @switch("events", "Admin", named=True, writes="")
    def _events(self, character: Any) -> None:
        word, _, last = (self.rhs or "").rpartition(" ")
        word, count = (word, last) if last.isdecimal() else (self.rhs or "", None)
        found = last_happenings(whose_past(character), number_in(count, LISTED), word=word)
        rows = [(minute(event.at), event.what, event.facts) for event in found]
        nothing = f"Nothing of that happened to {name_of(character)} that is on record."
        self.show_table(("When", "What", "More"), rows, nothing)

    @switch("at", "Admin", named=True, writes="")
    def _at(self, character: Any) -> None:
        typed, part = self._asked()
        whose = whose_past(character)

        def read() -> Iterator[str]:
            states = states_at(whose, moment_of(whose, typed, part), part)
            named = named_as_told(whose, states)
            for name, state in states.items():
                yield f"|c{as_it_stands(named[name])}|n"
                yield from map(as_it_stands, readable_lines(state, whose.names))

        self._show_when_read(read, "Nothing of that was there yet.")

    @switch("compare", "Admin", named=True, writes="")
    def _compare(self, character: Any) -> None:
        typed, part = self._asked()
        first, to, then = typed.partition(" to ")
        if not to:
            raise Misused("Which two moments?")
        whose = whose_past(character)

        def read() -> Iterator[str]:
            moments = (moment_of(whose, each, part) for each in (first, then))
            return map(as_it_stands, changed_between(whose, *moments, part=part))

        self._show_when_read(read, "Nothing differs.")

    def _show_when_read(self, read: Callable[[], Iterator[str]], nothing: str) -> None:
        """Show lines that are read beside the game, which 100,000 memories would hold up."""
        work = beside(lambda: [*read()])
        work.addCallback(lambda lines: self.show(lines or nothing)).addErrback(self.failed)

    @switch("export", "Admin", named=True, writes="")
    def _export(self, character: Any) -> None:
        wanted = (self.rhs or "").strip().lower()
        if wanted not in ("", "states"):
            raise Misused("As in: aiaudit/export marrek = states.")
        by = name_of(self.caller)
        work = Deferred.fromCoroutine(write_export(character, by=by, with_states=bool(wanted)))

        def told(found: tuple[str, int]) -> None:
            name, count = found
            self.msg(f"{counted(count, 'record')} are in {conf.settings.CARDS}/{name}.")

        work.addCallback(told).addErrback(self.failed)

    def _asked(self) -> tuple[str, str]:
        """Return the moments that were typed, and the part; a time has colons of its own."""
        typed, colon, part = (self.rhs or "").rpartition(": ")
        if not (typed or part):
            raise Misused("Which moment?")
        return (typed, part.strip()) if colon else (part, "")
