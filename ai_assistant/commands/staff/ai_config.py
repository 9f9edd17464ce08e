"""What `ai` does about configuration: showing options, and setting them."""

from __future__ import annotations

from typing import Any

from ai_assistant.agent.config import OPTIONS, find_option
from ai_assistant.api import lifecycle
from ai_assistant.commands.command_base import AICommand, switch
from ai_assistant.commands.tables import as_it_stands, cut_off
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import name_of

VALUE = 16
"""Characters of a value in the list of options; one alone is shown whole."""


class ConfigVerbs(AICommand):
    """
    The switch config of the command `ai`.

    """

    @switch("config")
    def _config(self) -> None:
        name, words = self._config_words()
        character = self.wanted(name)
        config = lifecycle.script_of(character).config
        if len(words) == 2:
            if not self.may("Admin"):
                raise AssistantError("Only Admins may set configuration.")
            value = as_it_stands(in_words(lifecycle.configure(character, *words)))
            self.msg(f"{name_of(character)}: {words[0]} is now {value}.")
            return
        word = words[0] if words else ""
        if word in OPTIONS:
            value, option = as_it_stands(in_words(config[word])), OPTIONS[word]
            self.msg(f"|w{word}|n = {value}\n  {option.about}\n  takes {option.takes()}")
            return
        word = word.lower()
        rows = [
            (
                f"{key}*" if key in config.values else key,
                cut_off(in_words(config[key]), VALUE),
                option.about,
            )
            for key, option in OPTIONS.items()
            if word in key or word in option.about.lower()
        ]
        if not rows:
            find_option(word)
        table = self.table(("Key", "Value", "Meaning"), rows)
        self.show((table, f"* set for {name_of(character)}; the rest are defaults."))

    def _config_words(self) -> tuple[str, list[str]]:
        """Read `<name> = <key> <value>`, and `<name> set|show <key> <value>` as well."""
        for verb in (" set ", " show "):
            name, _, rest = self.args.rpartition(verb)
            words = rest.split(None, 1)
            if words and words[0] in OPTIONS:
                return name.strip(), words
        return self.lhs, (self.rhs or "").split(None, 1)


def in_words(value: Any) -> str:
    """Return a value of a configuration or a persona as people write it."""
    if isinstance(value, dict):
        value = [f"{key}={part}" for key, part in value.items()]
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if value != "" else "none"
