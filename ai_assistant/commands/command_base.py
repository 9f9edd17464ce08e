"""What all commands share: switches, errors as one line, pages, tables and questions."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any, Literal

from django.conf import settings
from evennia.utils.evmore import EvMore
from evennia.utils.utils import class_from_module

from ai_assistant.commands.choosing import find_character, known_assistants
from ai_assistant.commands.help_topics import Misused, alike, entries_of, ways_told, with_topics
from ai_assistant.commands.tables import WIDTH, columns, rows_read_out, wrapped
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.game.identity import name_of
from ai_assistant.game.log import report
from ai_assistant.storage.statements import refusals

COMMAND_CLASS: type = class_from_module(settings.COMMAND_DEFAULT_CLASS)
Verb = Callable[..., Any]


Writes = Literal["", "text", "always"]
"""When a switch changes the assistant that it names: never, with a text after the equal sign."""


def switch(
    name: str,
    permission: str = "Builder",
    *,
    named: bool = False,
    takes: int = 2,
    writes: Writes | None = None,
) -> Callable[[Verb], Verb]:
    """Mark a method as what a switch does; ``""`` is the command alone, or for everybody.

    `named`: it takes what is named before the equal sign, an assistant mostly. `takes` is 2 where
    the method reads both sides of that sign, 1 without what follows it, 0 where nothing is read.
    `writes`: the caller needs the `edit` lock of each assistant that is named; if nothing is said,
    what is for Admins always does.
    """

    def mark(verb: Verb) -> Verb:
        @wraps(verb)
        def guarded(self: AICommand, *args: Any, **options: Any) -> Any:
            must_hold(self.caller, permission)  # whoever calls it, and whatever they asked
            return verb(self, *args, **options)

        when = writes if writes is not None else "always" if permission == "Admin" else ""
        vars(guarded).update(
            switch=name, permission=permission, named=named, takes=takes, writes=when
        )
        return guarded

    return mark


class AICommand(COMMAND_CLASS):  # type: ignore[misc]
    """
    A command: each switch is a method, and an error is one clear line.

    """

    help_category = "AI assistants"
    locks = "cmd:perm(Builder)"
    verbs: Mapping[str, Any] = {}
    """The method of each switch."""
    typed = ""
    """The switch that was typed, in full."""
    writes: Writes = ""
    """When it changes what it names."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Collect the methods that are marked as switches."""
        super().__init_subclass__(**options)
        methods = (getattr(cls, name) for name in dir(cls))
        cls.verbs = {verb.switch: verb for verb in methods if hasattr(verb, "switch")}

    def parse(self) -> None:
        """Take the line apart, and keep every switch: Evennia drops the unknown, and goes on."""
        self.switch_options = None
        super().parse()

    def get_help(self, caller: Any, cmdset: Any) -> str:
        """Return the help text, with a topic of Evennia's for each switch: `help ai/why`."""
        return with_topics(self.key, self.__doc__ or "", self.verbs)

    def func(self) -> Any:
        """Run the verb; what it refuses is told to the caller.

        A verb that asks something is a generator, and goes on once it is answered.
        """
        with self._told():
            verb = self._verb()
            must_hold(self.caller, verb.permission)
            if verb.takes < 2:
                self._refuse((self.rhs if verb.takes else self.args) or "")
            self.typed, self.writes = verb.switch, verb.writes
            going_on = verb(self, self.wanted(self.lhs)) if verb.named else verb(self)
            if isinstance(going_on, Generator):
                return self._asking(going_on)
        return None

    def _verb(self) -> Any:
        """Return the method of the switch that was typed, in full or in part."""
        if len(self.switches) > 1:
            raise AssistantError(f"One thing at a time, please. See |whelp {self.key}|n.")
        joined = self.cmdstring.removeprefix(self.key)  # aisetup
        typed = (
            self.switches[0].lower() if self.switches else joined if joined in self.verbs else ""
        )
        begun = self._meant_by(typed)
        if typed in self.verbs or len(begun) == 1:
            return self.verbs[typed if typed in self.verbs else begun[0]]
        raise AssistantError(
            f"There is no {self.key}/{clean(typed, 40)}. "
            f"{self._ways(begun or alike(typed, self.verbs))}"
        )

    def _meant_by(self, typed: str) -> list[str]:
        return [verb for verb in self.verbs if verb.startswith(typed)]

    def _ways(self, meant: Iterable[str]) -> str:
        allowed = (name for name, verb in self.verbs.items() if holds(self.caller, verb.permission))
        return ways_told(self.key, meant, allowed)

    def _refuse(self, words: str) -> None:
        """Raise `AssistantError` where words were typed that this switch would not look at."""
        words = clean(words, 40)
        if not words:
            return
        if self.switches:
            told = f"{self.key}/{self.switches[0]} does not take '{words}'."
            raise AssistantError(f"{told} See |whelp {self.key}|n.")
        ways = self._ways(self._without_slash(self.args))
        raise AssistantError(f"{self.key} does not take '{words}'. {ways}")

    def _without_slash(self, words: str) -> list[str]:
        """Return the switches that the first of some words may be."""
        first = words.split()[0].lower()
        return self._meant_by(first) or alike(first, self.verbs)

    def _asking(self, verb: Generator[str, str, None]) -> Generator[str, str | None, None]:
        answer = None
        while (question := self._next(verb, answer)) is not None:
            answer = yield question

    def _next(self, verb: Generator[str, str | None, None], answer: str | None) -> str | None:
        """Go on to the next question; None where there is none."""
        with self._told(), suppress(StopIteration):
            return verb.send(answer)
        return None

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Show the caller any `AssistantError` raised in this block, and what the database refuses.

        Whatever it writes, through Evennia too, does not keep the game waiting. Nothing is awaited
        or asked within.
        """
        try:
            with refusals():
                yield
        except Misused as error:
            usage = entries_of(self.key, self.__doc__ or "", self.typed)
            self.msg(f"|r{braced(f'{error} {usage}')}|n")
        except AssistantError as error:
            self.msg(f"|r{braced(str(error))}|n")

    def failed(self, failure: Any) -> None:
        """Errback: tell the caller that something failed after it had begun."""
        with self._told():
            if failure.check(AssistantError):
                raise failure.value
            report(f"command {self.key}", failure.value)
            raise AssistantError("That failed; the server's log says why.")

    def msg(self, text: str = "", **options: Any) -> None:
        """Tell the caller a text in lines that fit the screen."""
        super().msg(self._fitted(text), **options)

    def show(self, lines: str | Iterable[str]) -> None:
        """Show a long text, or its lines, page by page."""
        text = lines if isinstance(lines, str) else "\n".join(lines)
        EvMore(self.caller, self._fitted(text), session=self.session)

    def client_width(self) -> int:
        """Return the width of the caller's screen; a client that does not know its own says 0."""
        width: int = super().client_width()
        return width if width > 0 else WIDTH

    def _fitted(self, text: str) -> str:
        return text if self.is_read_aloud else wrapped(text, self.client_width())

    def table(self, titles: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
        """Return a table as wide as the caller's screen, or as lines to be read aloud."""
        if self.is_read_aloud:
            return rows_read_out(titles, rows)
        return columns(titles, rows, width=self.client_width())

    def show_table(
        self, titles: Sequence[str], rows: Iterable[Sequence[object]], nothing: str = ""
    ) -> None:
        """Show a table, or say `nothing` where it has no rows."""
        listed = list(rows)
        self.show(self.table(titles, listed) if listed else nothing)

    def overview(self, titles: Sequence[str], row: Callable[[Any], Sequence[object]]) -> None:
        """Show a table with a row for each assistant. Raises `AssistantError` without any."""
        self.show_table(titles, map(row, known_assistants()))

    @property
    def is_read_aloud(self) -> bool:
        """Does the caller's client read the screen aloud?"""
        return bool(self.session and self.session.protocol_flags.get("SCREENREADER"))

    def confirmed(self, question: str, *, word: str = "yes") -> Generator[str, str, bool]:
        """Ask whether something is to go for good; return whether the caller typed the word.

        Any other line means no, and unless it says so it is a command, which is done.
        """
        answer = ((yield self._fitted(f"{question}, for good? Type {word}.")) or "").strip()
        if answer.casefold() == word.casefold():
            return True
        self.msg("Nothing was changed.")
        if answer and answer.casefold() not in f"yes no {word.casefold()}":
            self.execute_cmd(answer)
        return False

    def wanted(self, name: str) -> Any:
        """Return the one assistant that is meant.

        Raises `AssistantError` naming the choices, or where the switch that was typed changes it
        and the caller may not.
        """
        try:
            found = find_character(known_assistants(), name)
        except AssistantError as error:
            if self.switches or not name.strip() or not (ways := self._without_slash(name)):
                raise
            raise AssistantError(f"{error} {self._ways(ways)}") from error
        if self.writes == "always" or (self.writes and self.rhs):
            must_edit(self.caller, found)
        return found


def must_edit(caller: Any, target: Any) -> None:
    """Raise `AssistantError` where the target's `edit` lock keeps somebody out."""
    if not target.access(caller, "edit"):
        raise AssistantError(f"You may not change {name_of(target)}.")


def let_edit(made: Any, *makers: Any) -> None:
    """Let those who made something change it, as Admins may anyway."""
    owners = [f"id({body.id})" for body in makers]
    made.locks.add(f"edit:{' or '.join([*owners, 'perm(Admin)'])}")


def halves(typed: str | None) -> tuple[str, str]:
    """Return what was typed before the first colon, and after it."""
    before, _, after = (typed or "").partition(":")
    return before.strip(), after.strip()


def holds(caller: Any, permission: str) -> bool:
    """Does somebody hold a permission of the game, if any? Of a character the account's counts."""
    return not permission or caller.locks.check_lockstring(caller, f"may:perm({permission})")


def must_hold(caller: Any, permission: str) -> None:
    """Raise `AssistantError` where somebody lacks a permission of the game."""
    if not holds(caller, permission):
        raise AssistantError(f"Only {permission}s may do that.")


def braced(text: str) -> str:
    """Return a text whose double braces Evennia shows as such: in its markup they mean one."""
    return text.replace("{{", "{{{{")


def number_in(text: str | None, default: int) -> int:
    """Return how many of something were typed. Raises `AssistantError` for what is none."""
    typed = (text or str(default)).strip()
    if not (typed.isdecimal() and len(typed) < 5 and int(typed)):
        raise AssistantError("How many? Give a number from 1 on.")
    return int(typed)
