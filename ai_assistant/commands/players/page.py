"""The `page` command: the game's own, which takes the names of assistants as well."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from django.conf import settings
from evennia.utils.utils import class_from_module

from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import HEARD_LIMIT, clean
from ai_assistant.game.identity import name_of
from ai_assistant.language.words import without_articles
from ai_assistant.runtime.means import LOOK, pay, purses_of
from ai_assistant.runtime.service import SERVICE

HELP = """
Characters who think can be paged as well, by name, wherever they are:

  page <character> <message>
  page <character>,<account>,... = <message>    (twenty at most)

They answer with a page of their own while you are online. Without the equal
sign, the full name or its first word will do; with it, any words of the name.
An account of the same name goes before the character.
"""
MOST_PAGED = 20
"""Names of one page, each of which may cost queries; longer lists are the game's own command's."""
_being_read: set[str] = set()


class PagesAssistants:
    """What `page_command` adds to a page command: everything not for assistants is the parent's."""

    def func(self) -> None:
        """Page the assistants that are named; leave the rest, or everything, to the parent."""
        args = (self.args or "").strip()
        if not self.caller or getattr(self, "switches", None) or not args:
            super().func()
        elif not self.rhs:
            self._page_line(args)
        elif len(self.lhslist) > MOST_PAGED:
            super().func()
        else:
            self._page_list(self.lhslist, self.rhs)

    def _page_list(self, names: list[str], message: str) -> None:
        everybody = all_assistants()
        called = {name: found for name in names if (found := bodies_called(name, everybody))}
        if not self._has_paid(len(called)):
            return
        meant = {name: found for name, found in called.items() if not self._is_account(name)}
        others = [name for name in names if name not in meant]
        if not meant:
            super().func()
        elif self._are_clear(meant):
            if others:
                self.lhs, self.lhslist = ",".join(others), others
                self.args = f"{self.lhs} = {message}"
                super().func()
            if all(map(self._is_account, others)):
                self._send([found[0] for found in meant.values()], message)

    def _page_line(self, args: str) -> None:
        first = args.split(None, 1)[0]
        found, message = ([], "") if first.isnumeric() else addressed(args, all_assistants())
        if not found or not message or self._is_account(first):
            super().func()
        elif self._has_paid() and self._are_clear({first: found}):
            self._send(found, message)

    def _has_paid(self, names: int = 1) -> bool:
        try:
            pay(SERVICE.shared.purses, purses_of(self.caller), LOOK * names)
        except AssistantError as error:
            self.msg(f"|r{error}|n")
            return False
        return True

    def _is_account(self, name: str) -> bool:
        account = getattr(self.caller, "account", self.caller)  # a game's page may call otherwise
        return bool(account and account.search(name, quiet=True))

    def _are_clear(self, meant: dict[str, list[Any]]) -> bool:
        for name, found in meant.items():
            if len(found) > 1:
                choice = ", ".join(name_of(body) for body in found)
                self.msg(f"Who do you mean by '{clean(name)}': {choice}? Use the full name.")
                return False
        return True

    def _send(self, targets: list[Any], message: str) -> None:
        sender = getattr(self, "character", None) or self.caller
        text = clean(message, HEARD_LIMIT)
        if text.startswith(":"):
            text = f"{name_of(self.caller)} {text.strip(':').strip()}"
        received = []
        for target in dict.fromkeys(targets):
            if target.access(self.caller, "msg", default=True):
                target.at_page_receive(sender, text)
                received.append(f"|c{name_of(target)}|n")
            else:
                self.msg(f"You are not allowed to page {name_of(target)}.")
        if received:
            self.msg(f"You paged {', '.join(received)} with: '{text}'.")


@cache
def page_command(parent: type) -> type:
    """Return a page command like `parent`, which also pages assistants; the same each time."""
    if issubclass(parent, PagesAssistants):
        return parent
    help_text = f"{inspect.cleandoc(parent.__doc__ or '')}\n{HELP}"
    return type(parent)(parent.__name__, (PagesAssistants, parent), {"__doc__": help_text})


def game_page_command() -> type | None:
    """Return the class of the game's own page command, from its account or character commands.

    None where the game has no page, and while it is asked for the second time from within a
    command set of the game that holds ours: then the outer call will find the game's own.
    """
    for path in (settings.CMDSET_ACCOUNT, settings.CMDSET_CHARACTER):
        if path in _being_read:
            return None
        if found := _page_in(path):
            return found
    return None


@cache
def _page_in(path: str) -> type | None:
    _being_read.add(path)
    try:
        commands = class_from_module(path)().commands
    finally:
        _being_read.discard(path)
    return next((type(command) for command in commands if command.key == "page"), None)


def bodies_called(name: str, among: list[Any]) -> list[Any]:
    """Return those of this name or alias, else those whose name has all of its words."""
    wanted = name.strip().casefold()
    whole = [body for body in among if wanted in map(str.casefold, _names(body))]
    words = set(without_articles(wanted).split())
    if whole or not words:
        return whole
    return [body for body in among if words <= set(without_articles(body.key).split())]


def addressed(line: str, among: list[Any]) -> tuple[list[Any], str]:
    """Return whom a line without an equal sign begins with, and the rest: the message, if any."""
    starts = {
        len(name)
        for other in among
        for name in _names(other)
        if f"{line} "[: len(name) + 1].casefold() == f"{name} ".casefold()
    }
    end = max(starts, default=len(line.split(None, 1)[0]))
    return bodies_called(line[:end], among), line[end:].strip()


def _names(assistant: Any) -> list[str]:
    return [assistant.key, *assistant.aliases.all()]
