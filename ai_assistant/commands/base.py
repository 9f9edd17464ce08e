"""What all staff commands share: the game's own command class, and finding an assistant by name."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from evennia.utils.utils import class_from_module

from ai_assistant.errors import AssistantError
from ai_assistant.identity import name_of
from ai_assistant.lifecycle import all_assistants

COMMAND_CLASS: type = class_from_module(settings.COMMAND_DEFAULT_CLASS)


class AICommand(COMMAND_CLASS):  # type: ignore[misc]
    """
    A staff command: each switch is a method, and an error is one clear line.

    """

    help_category = "AI assistants"
    locks = "cmd:perm(Builder)"
    verbs: dict[str, tuple[str, str]] = {}
    """Switch → (method, permission); the empty switch is the command alone."""

    def func(self) -> Any:
        """Run the verb; what it refuses is told to the caller."""
        verb = self.switches[0] if self.switches else ""
        method, permission = self.verbs.get(verb, ("", ""))
        if not method:
            return self.msg(f"There is no '{verb}'. See |whelp {self.key}|n.")
        if not self.caller.check_permstring(permission):
            return self.msg(f"Only {permission}s may do that.")
        try:
            return getattr(self, method)()
        except AssistantError as error:
            return self.msg(f"|r{error}|n")

    def wanted(self, name: str) -> Any:
        """Return the one assistant that is meant. Raises `AssistantError` naming the choices."""
        if not name:
            raise AssistantError(f"Which one? See |whelp {self.key}|n.")
        return find_assistant(name)


def find_assistant(name: str) -> Any:
    """Return the one assistant of that name, alias, or part of its name.

    Raises `AssistantError` where there is none, or more than one.
    """
    known = all_assistants()
    wanted = name.strip().casefold()
    exact = [one for one in known if wanted in _names(one)]
    found = exact or [one for one in known if wanted in one.key.casefold()]
    if len(found) == 1:
        return found[0]
    names = ", ".join(name_of(one) for one in (found or known))
    if not known:
        raise AssistantError("There are no assistants yet. Make one: ai/create <name> = <role>.")
    if found:
        raise AssistantError(f"Which of them: {names}?")
    raise AssistantError(f"There is no assistant '{name}'. There are: {names}.")


def _names(character: Any) -> set[str]:
    return {character.key.casefold(), *(one.casefold() for one in character.aliases.all())}
