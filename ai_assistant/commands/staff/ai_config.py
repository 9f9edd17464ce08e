"""What `ai` does about configuration and guidelines: showing them, setting, and deciding."""

from __future__ import annotations

import time
from typing import Any

from ai_assistant.agent.config import OPTIONS, find_option
from ai_assistant.api import lifecycle
from ai_assistant.api.handlers import save, store_of
from ai_assistant.api.spilled_keys import refuse_keys
from ai_assistant.commands.command_base import AICommand, must_edit, switch
from ai_assistant.commands.shown import private
from ai_assistant.commands.tables import as_it_stands, cut_off
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.game.identity import name_of
from ai_assistant.memory.inner.guidelines import MAX_ACCEPTED, MAX_CONTENT

_USAGE = "ai/guidelines <name> = accept <number>, reject <number>, or add <text>"
VALUE = 16
"""Characters of a value in the list of options; one alone is shown whole."""


class ConfigVerbs(AICommand):
    """
    The switches config and guidelines of the command `ai`.

    """

    @switch("config")
    def _config(self) -> None:
        refuse_keys(self.args)
        name, words = self._config_words()
        character = self.wanted(name)
        config = lifecycle.script_of(character).config
        if len(words) == 2:
            if not self.may("Admin"):
                raise AssistantError("Only Admins may set configuration.")
            must_edit(self.caller, character)
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

    @switch("guidelines", "Admin", named=True, writes="text")
    def _guidelines(self, character: Any) -> None:
        verb, _, rest = (self.rhs or "").partition(" ")
        kept = store_of(character).read("guidelines")
        if verb in ("accept", "add") and len(kept["accepted"]) >= MAX_ACCEPTED:
            raise AssistantError(f"There are {MAX_ACCEPTED} guidelines; reject one of them first.")
        if not verb:
            self.show(_listed(name_of(character), kept))
        elif verb == "add":
            words = clean(rest, MAX_CONTENT + 1)
            if not words or len(words) > MAX_CONTENT:
                raise AssistantError(f"Give a sentence of at most {MAX_CONTENT} characters.")
            self._decide(character, "add", {"content": words, "readers": OPEN})
            self.msg(f"{name_of(character)} means to: {words}")
        elif verb in ("accept", "reject"):
            found = _find(kept, verb, rest.strip().lstrip("#"))
            self._decide(character, verb, {"id": found["id"]})
            outcome = "is a guideline now" if verb == "accept" else "is none"
            self.msg(f"'{found['content']}' {outcome}.{private(found['readers'])}")
        else:
            raise AssistantError(f"Usage: {_USAGE}")

    def _decide(self, character: Any, step: str, args: Json) -> None:
        at, by = time.time(), self.caller.key
        change = Change("guidelines", "", step, args | {"at": at, "by": by})
        note = AuditRecord("GuidelineDecided", {"step": step, "by": by, **args}, at=at)
        save(character, Commit(at=at, changes=[change], audit=[note]))


def in_words(value: Any) -> str:
    """Return a value of a configuration or a persona as people write it."""
    if isinstance(value, dict):
        value = [f"{key}={part}" for key, part in value.items()]
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if value != "" else "none"


def _find(kept: Json, verb: str, number: str) -> Json:
    lists = ("proposed",) if verb == "accept" else ("proposed", "accepted")
    for guideline in (guideline for name in lists for guideline in kept[name]):
        if str(guideline["id"]) == number:
            return dict(guideline)
    raise AssistantError(f"There is no such guideline to {verb}. Usage: {_USAGE}")


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
