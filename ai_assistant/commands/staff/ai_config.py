"""What `ai` does about configuration: showing options, and setting them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ai_assistant.agent.config import OPTIONS, find_option
from ai_assistant.api import lifecycle
from ai_assistant.commands.command_base import AICommand
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import name_of

VALUE = 16
"""Characters of a value in the list of options."""


class ConfigVerbs(AICommand):
    """The switch config of the command `ai`."""

    def do_config(self) -> None:
        """Show or set configuration."""
        name, words = self._config_words()
        character = self.wanted(name)
        if not words:
            self._show_config(character, OPTIONS)
        elif len(words) == 2:
            self._set_config(character, words[0], words[1])
        elif words[0] in OPTIONS:
            value, option = lifecycle.script_of(character).config[words[0]], OPTIONS[words[0]]
            self.msg(
                f"|w{words[0]}|n = {as_it_stands(in_words(value))}\n  {option.about}\n"
                f"  takes {option.takes()}"
            )
        else:
            self._show_config(character, _options_about(words[0].lower()))

    def _config_words(self) -> tuple[str, list[str]]:
        """Read `<name> = <key> <value>`, and `<name> set|show <key> <value>` as well."""
        for verb in (" set ", " show "):
            name, _, rest = self.args.rpartition(verb)
            words = rest.split(None, 1)
            if words and words[0] in OPTIONS:
                return name.strip(), words
        return self.lhs, (self.rhs or "").split(None, 1)

    def _show_config(self, character: Any, keys: Iterable[str]) -> None:
        config = lifecycle.script_of(character).config
        rows = [
            (f"{key}*" if key in config.values else key, _begun(config[key]), OPTIONS[key].about)
            for key in keys
        ]
        table = self.table(("Key", "Value", "Meaning"), rows)
        self.show(f"{table}\n* set for {name_of(character)}; the rest are defaults.")

    def _set_config(self, character: Any, key: str, text: str) -> None:
        if not self.may("Admin"):
            raise AssistantError("Only Admins may set configuration.")
        value = lifecycle.configure(character, key, text)
        self.msg(f"{name_of(character)}: {key} is now {as_it_stands(in_words(value))}.")


def in_words(value: Any) -> str:
    """Return a value of a configuration or a persona as people write it."""
    if isinstance(value, dict):
        value = [f"{key}={one}" for key, one in value.items()]
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if value != "" else "none"


def _begun(value: Any) -> str:
    """Return the beginning of a value: `ai/config <name> = <key>` shows all of it."""
    text = in_words(value)
    return text if len(text) <= VALUE else f"{text[: VALUE - 1]}…"


def _options_about(word: str) -> list[str]:
    """Return the options of whose name or meaning this is a part; raises for none of them."""
    found = [key for key, one in OPTIONS.items() if word in key or word in one.about.lower()]
    if not found:
        find_option(word)
    return found
