"""What all staff commands share: the game's own command class, and finding an assistant by name."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from django.conf import settings
from evennia.utils.evmore import EvMore
from evennia.utils.utils import class_from_module

from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.commands.tables import columns, spoken, wrapped
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.game.identity import name_of
from ai_assistant.game.log import report

SHOWN = 20
"""So many names are listed where one has to choose."""
COMMAND_CLASS: type = class_from_module(settings.COMMAND_DEFAULT_CLASS)


class AICommand(COMMAND_CLASS):  # type: ignore[misc]
    """
    A staff command: each switch is a method, and an error is one clear line.

    """

    help_category = "AI assistants"
    locks = "cmd:perm(Builder)"
    verbs: dict[str, tuple[str, str]] = {}
    """Switch → (method, permission); the empty switch is the command alone."""

    def parse(self) -> None:
        """Take the line apart, and keep every switch: Evennia drops the unknown, and goes on."""
        self.switch_options = None
        super().parse()

    def func(self) -> Any:
        """Run the verb; what it refuses is told to the caller.

        A verb that asks something is a generator, and goes on once it is answered.
        """
        with self._told():
            method, permission = self.verbs[self._verb()]
            if not self.may(permission):
                raise AssistantError(f"Only {permission}s may do that.")
            going_on = getattr(self, method)()
            if isinstance(going_on, Generator):
                return self._asking(going_on)
        return None

    def _verb(self) -> str:
        """Return the switch that was typed, in full or in part. May raise `AssistantError`."""
        if len(self.switches) > 1:
            raise AssistantError(f"One thing at a time, please. See |whelp {self.key}|n.")
        typed = self.switches[0].lower() if self.switches else ""
        begun = [verb for verb in self.verbs if verb.startswith(typed)]
        if typed in self.verbs or len(begun) == 1:
            return typed if typed in self.verbs else begun[0]
        meant = begun or get_close_matches(typed, self.verbs)
        ways = f"Did you mean {', '.join(f'{self.key}/{one}' for one in meant)}? " if meant else ""
        raise AssistantError(
            f"There is no {self.key}/{clean(typed, 40)}. {ways}See |whelp {self.key}|n."
        )

    def may(self, permission: str) -> bool:
        """Does the caller hold this permission? Asked as locks ask: the account's counts."""
        return bool(self.caller.locks.check_lockstring(self.caller, f"may:perm({permission})"))

    def _asking(self, verb: Generator[str, str, None]) -> Generator[str, str, None]:
        with self._told():
            yield from verb

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Show the caller any `AssistantError` raised in this block."""
        try:
            yield
        except AssistantError as error:
            self.msg(f"|r{braced(str(error))}|n")

    def show(self, text: str) -> None:
        """Show a long text page by page."""
        EvMore(self.caller, text, session=self.session)

    def table(self, titles: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
        """Return a table as wide as the caller's screen, or as lines to be read aloud."""
        if self.is_read_aloud:
            return spoken(titles, rows)
        return columns(titles, rows, width=self.client_width())

    def fitted(self, line: str, indent: str = "") -> str:
        """Return a line as wide as the caller's screen at most; whole, where it is read aloud."""
        if self.is_read_aloud:
            return line
        return wrapped(line, width=self.client_width(), indent=indent)

    @property
    def is_read_aloud(self) -> bool:
        """Does the caller's client read the screen aloud?"""
        return bool(self.session and self.session.protocol_flags.get("SCREENREADER"))

    def number(self, text: str | None, default: int) -> int:
        """Return a number of lines that was typed. Raises `AssistantError` for what is none."""
        typed = (text or str(default)).strip()
        if not (typed.isdecimal() and len(typed) < 5 and int(typed)):
            raise AssistantError("How many lines? Give a number from 1 on.")
        return int(typed)

    def halves(self) -> tuple[str, str]:
        """Return what was typed after the equal sign: before the first colon, and after it."""
        before, _, after = (self.rhs or "").partition(":")
        return before.strip(), after.strip()

    def overview(self, titles: Sequence[str], row: Callable[[Any], Sequence[object]]) -> None:
        """Show a table with a row for each assistant. Raises `AssistantError` without any."""
        self.show(self.table(titles, map(row, known_assistants())))

    def confirmed(self, question: str) -> Generator[str, str, bool]:
        """Ask whether something is to be forgotten; return whether the caller typed yes."""
        answer = yield f"{question}, for good? Type yes."
        if answer.strip().casefold() in ("y", "yes"):
            return True
        self.msg("Nothing was forgotten.")
        return False

    def failed(self, failure: Any) -> None:
        """Errback: tell the caller that something failed after it had begun."""
        if failure.check(AssistantError):
            self.msg(f"|r{braced(str(failure.value))}|n")
            return
        report(f"command {self.key}", failure.value)
        self.msg("|rThat failed; the server's log says why.|n")

    def wanted(self, name: str) -> Any:
        """Return the one assistant that is meant. Raises `AssistantError` naming the choices."""
        if not name:
            raise AssistantError(f"Which assistant? {there_are()}. See |whelp {self.key}|n.")
        return find_assistant(name)


def braced(text: str) -> str:
    """Return a text whose double braces Evennia shows as such: in its markup they mean one."""
    return text.replace("{{", "{{{{")


def find_assistant(name: str) -> Any:
    """Return the one assistant of that name, alias, number (``#12``) or part of its name.

    Raises `AssistantError` where there is none, or more than one.
    """
    return find_among(known_assistants(), name)


def there_are() -> str:
    """Name the assistants of this game. Raises `AssistantError` where there are none."""
    return f"There are: {_listed(known_assistants())}"


def known_assistants() -> list[Any]:
    """Return the assistants of this game. Raises `AssistantError` where there are none."""
    known = all_assistants()
    if not known:
        raise AssistantError("There are no assistants yet. Make one: ai/create <name> = <role>")
    return known


def find_among(known: list[Any], name: str) -> Any:
    """Return the one of these characters whom `name`, or a part of it, means.

    Raises `AssistantError` where there is none, or more than one.
    """
    wanted = name.strip().casefold()
    exact = [one for one in known if wanted in _names(one)]
    found = exact or [one for one in known if wanted in one.key.casefold()]
    if len(found) == 1:
        return found[0]
    if found:
        raise AssistantError(f"Which of them: {_listed(found)}?")
    raise AssistantError(
        f"There is nobody called '{clean(name, 60)}'. There are: {_listed(known)}."
    )


def _listed(characters: list[Any]) -> str:
    """Name some assistants, those of one name with their numbers."""
    keys = [one.key.casefold() for one in characters]
    shown = [
        name_of(one) + (f" ({one.dbref})" if keys.count(one.key.casefold()) > 1 else "")
        for one in characters[:SHOWN]
    ]
    return ", ".join(shown) + (", …" if len(characters) > SHOWN else "")


def _names(character: Any) -> set[str]:
    names = (character.key, character.dbref, *character.aliases.all())
    return {name.casefold() for name in names}
