"""What `ai` does about configuration and guidelines: showing them, setting, and deciding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ai_assistant.agent.config import DEFAULT, OPTIONS, Config, find_option, groups
from ai_assistant.api import lifecycle
from ai_assistant.api.desk import owner_writings
from ai_assistant.api.model_setup import refuse_keys
from ai_assistant.commands.blocks.block_edits import PERSONA_FIELDS
from ai_assistant.commands.choosing import named_first
from ai_assistant.commands.command_base import AICommand, must_edit, must_hold, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.shown import in_words, private
from ai_assistant.commands.tables import as_it_stands, cut_off
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import name_of

_GAMES_CHOICE = ' So the game chooses. The profile of that name is |w"default"|n, in quotes.'
_TAKEN_BACK = dict.fromkeys(("llm_profile", "compact_model"), _GAMES_CHOICE)
"""What is said of `default` where a profile may be called so."""
VALUE = 16
"""Characters of a value in the list of options; one alone is shown whole."""


class ConfigVerbs(AICommand):
    """
    The switches config and guidelines of the command `ai`.

    """

    @switch("config")
    def _config(self) -> None:
        refuse_keys(self.args)
        character, words = self._config_words()
        config = lifecycle.script_of(character).config
        if len(words) == 2:
            must_hold(self.caller, "Admin")
            must_edit(self.caller, character)
            if words[0] not in OPTIONS and words[0] in PERSONA_FIELDS:
                raise AssistantError(
                    f"{words[0]} is of its persona: ai/persona {name_of(character)} = {words[0]}: …"
                )
            value = lifecycle.configure(character, *words, by=name_of(self.caller))
            value = as_it_stands(in_words(value))
            back = _TAKEN_BACK.get(words[0], "") if words[1].lower() == "default" else ""
            self.msg(f"{name_of(character)}: {words[0]} is now {value}.{back}")
            return
        word = " ".join(words).lower()
        if word in OPTIONS:
            value, option = as_it_stands(in_words(config[word])), OPTIONS[word]
            about = f"{option.about}\n  takes {option.takes()}\n  from: {config.source(word)}"
            self.msg(f"|w{word}|n = {value}\n  {about}")
            return
        rows = [*_rows(config, word)]
        if not rows:
            find_option(word)
        self.show(self.table(("Key", "Value", "Meaning"), rows))

    def _config_words(self) -> tuple[Any, list[str]]:
        """Read `<name> = <key> <value>`, and the same without the equal sign, or with a verb.

        Returns the assistant, and a key with its value, or words to look for.
        """
        character, rest = named_first(self.lhs.split())
        if rest:  # what follows an equal sign is part of the value, if there is one
            character, rest = named_first(self.args.split())
        rest = rest or self.rhs or ""
        verb, _, after = rest.partition(" ")
        rest = after if verb in ("set", "show") else rest
        key, _, value = rest.partition(" ")
        is_set = value.strip() and (key in OPTIONS or not any(_rows(Config({}), rest.lower())))
        return character, [key, value.strip()] if is_set else [rest]

    @switch("guidelines", "Admin", named=True, writes="text")
    def _guidelines(self, character: Any) -> None:
        verb, _, rest = (self.rhs or "").partition(" ")
        if not verb:
            self.show(_listed(name_of(character), owner_writings.guidelines_of(character)))
        elif verb == "add":
            made = owner_writings.guideline_of(character, rest)
            owner_writings.write_down(character, made, by=self.caller.key)
            self.msg(f"{name_of(character)} means to: {made.given['content']}")
        elif verb in ("accept", "reject"):
            accepts = verb == "accept"
            found = owner_writings.find_guideline(character, rest, accepts=accepts)
            made = owner_writings.guideline_decided(character, rest, accepts=accepts)
            owner_writings.write_down(character, made, by=self.caller.key)
            outcome = "is a guideline now" if accepts else "is none"
            self.msg(f"'{found['content']}' {outcome}.{private(found['readers'])}")
        else:
            raise Misused


def _rows(config: Config, word: str) -> Iterator[tuple[str, str, str]]:
    """Yield the options about a word, by what they are about; all of them where it is empty."""
    for title, keys in groups().items():
        about = {key: OPTIONS[key].about for key in keys}
        found = [key for key in keys if word in f"{title} {key} {about[key].lower()}"]
        if found:
            yield f"[{title}]", "", ""
        for key in found:
            source = config.source(key)
            told = f"{about[key]} (from {source})" if source != DEFAULT else about[key]
            yield key, cut_off(in_words(config[key]), VALUE), told


def _listed(name: str, kept: Json) -> list[str]:
    def line(guideline: Json, aside: str) -> str:
        words = f"|c{guideline['id']}|n {guideline['content']}"
        return f"  {words}{private(guideline['readers'])}{aside}"

    accepted = [line(made, f" |x({made['by']})|n") for made in kept["accepted"]]
    proposed = [line(made, f"\n      |xbecause: {made['reason']}|n") for made in kept["proposed"]]
    return [
        f"|wGuidelines of {name}|n",
        *(accepted or ["  none yet"]),
        *(["|wProposed|n"] if proposed else []),
        *proposed,
    ]
