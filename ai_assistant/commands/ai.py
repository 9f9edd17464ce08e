"""The command `ai`: the life cycle and configuration of assistants."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import astuple, fields
from typing import Any

from ai_assistant import disclosure, lifecycle
from ai_assistant.agent.config import CARD_FIELDS, OPTIONS, find_option
from ai_assistant.agent.prompt.texts import clean_owned
from ai_assistant.commands.ai_cards import CardVerbs
from ai_assistant.commands.ai_guidelines import GuidelineVerbs
from ai_assistant.commands.ai_prompt import PromptVerbs
from ai_assistant.commands.base import AICommand, braced, columns
from ai_assistant.errors import AssistantError
from ai_assistant.identity import name_of
from ai_assistant.status import Row, overview, status_lines
from ai_assistant.text import clean

PERSONA_FIELDS = (
    *("role", "personality", "interests", "home_location"),
    *("greeting", "sayings", "lore"),
    *CARD_FIELDS,
)
_LISTS = ("interests", "lore", "sayings")
MAX_PERSONA_TEXT = 2000


class CmdAI(PromptVerbs, GuidelineVerbs, CardVerbs, AICommand):
    """
    look after the assistants of this game

    Usage:
      ai                                 all assistants, and how they are
      ai/create <name> [= <role>]        make one here
      ai/adopt <object>                  give a character that exists a mind
      ai/persona <name> [= <field>: <text>]   who it is: show it, or set a field
      ai/start <name>                    let it live
      ai/stop <name>                     silence it
      ai/delete <name>                   delete it with all it remembers
      ai/status <name>                   state, queue, last turn and error, tokens
      ai/history <name> [= <number>]     what it perceived and did lately
      ai/config <name>                   show its configuration
      ai/config <name> = <key>           show one value and what it means
      ai/config <name> = <key> <value>   set it; the value 'default' takes that back

      ai/prompt <name> [= <person>: <text>]    the prompt of its next turn, with tokens
      ai/component <name> [= add <id> <key>: <text>]   texts of yours in its prompt
      ai/component <name> = edit <key>: <text>   also: enable, disable, delete <key>;
                                         role <key> <role>; depth, order <key> <number>
      ai/template <name> [= create <template>: <text>]   its instructions
      ai/template <name> = native <template>: <text>   also: show, apply, delete <template>

      ai/guidelines <name>               how it means to behave, and what it proposes
      ai/guidelines <name> = accept <number>   also: reject <number>, add <text>

      ai/import                          the character cards and lorebooks in the folder
      ai/import <file> [= <name>]        make the card's character here, or <name> that one
      ai/export <name> [= <file>]        write its card: a .json or .png; also: v1, v2, v3 <file>
      ai/prototype <file>                let builders spawn the card's character
      ai/lore [<name>]                   the lorebooks of the world, or what <name> knows of
      ai/lore <name> = <words>           what would come to its mind, and why
      ai/lore = delete <lorebook>

      ai/announce <name> = <fact>        tell it something that everybody may know
      ai/publish <name> = <words>        find private memories, with their numbers
      ai/publish <name> = #<number>      let everybody know of one of them

    The fields of a persona are role, personality, interests, home_location, greeting, sayings and
    lore; interests, sayings and lore are lists with semicolons between. Those of a character card
    are scenario, char_description and more. Builders create and look; Admins start, stop,
    configure, delete, announce, publish, and see and change prompts; what they publish and change
    is put on record. A part of a name is enough where it is clear.

    Examples:
      ai/create Old Marrek = ferryman
      ai/persona marrek = personality: gruff, fond of riddles
      ai/config marrek = channels Public=mention

    """

    key = "ai"
    aliases = ["aisetup"]
    verbs = {
        "": ("do_overview", "Builder"),
        "create": ("do_create", "Builder"),
        "init": ("do_create", "Builder"),
        "adopt": ("do_adopt", "Builder"),
        "persona": ("do_persona", "Builder"),
        "start": ("do_start", "Admin"),
        "stop": ("do_stop", "Admin"),
        "delete": ("do_delete", "Admin"),
        "status": ("do_status", "Builder"),
        "history": ("do_history", "Builder"),
        "config": ("do_config", "Builder"),
        "prompt": ("do_prompt", "Admin"),
        "component": ("do_component", "Admin"),
        "template": ("do_template", "Admin"),
        "guidelines": ("do_guidelines", "Admin"),
        "import": ("do_import", "Builder"),
        "export": ("do_export", "Admin"),
        "prototype": ("do_prototype", "Builder"),
        "lore": ("do_lore", "Builder"),
        "announce": ("do_announce", "Admin"),
        "publish": ("do_publish", "Admin"),
    }
    switch_options = tuple(verb for verb in verbs if verb)

    def do_overview(self) -> None:
        """Show all assistants in one table."""
        seen = overview()
        if seen.trouble:
            self.msg(f"|rNone of them can think: {seen.trouble}|n")
        if not seen.rows:
            self.msg("There are no assistants yet. Make one: |wai/create <name> = <role>|n.")
            return
        titles = [field.name.capitalize() for field in fields(Row)]
        self.show(columns(titles, map(astuple, seen.rows)))

    def do_create(self) -> None:
        """Make an assistant in the caller's room."""
        name = clean(self.lhs, 60)
        if not name:
            raise AssistantError("Usage: ai/create <name> [= <role>]")
        if not self.caller.location:
            raise AssistantError("You are nowhere; an assistant needs a room to live in.")
        if any(one.key.casefold() == name.casefold() for one in lifecycle.all_assistants()):
            raise AssistantError(f"There is an assistant named {name} already.")
        role = clean(self.rhs or "villager", 200)
        character = lifecycle.create_assistant(
            name,
            location=self.caller.location,
            persona={"name": name, "role": role},
            desc=f"{name}, {role}.",
        )
        self._welcome(
            character,
            f"{name} is here and listens. Say |whello {name}|n, or give it more of a character: "
            f"|wai/persona {name} = personality: …|n",
        )

    def _welcome(self, character: Any, text: str) -> None:
        """Tell how it went: an assistant is made even where the game's settings are wrong."""
        problem = character.assistant_script.db.last_problem
        self.msg(f"|r{name_of(character)} cannot think yet: {problem}|n" if problem else text)

    def do_adopt(self) -> None:
        """Give an object in reach a mind."""
        if not self.args.strip():
            raise AssistantError("Usage: ai/adopt <object>")
        target = self.caller.search(self.args.strip(), global_search=False)
        if target is None:
            return
        if not target.access(self.caller, "edit"):
            raise AssistantError(f"You may not change {name_of(target)}.")
        adopted = lifecycle.adopt(target)
        self._welcome(adopted, f"{name_of(adopted)} has a mind of its own now.")

    def do_persona(self) -> None:
        """Show the persona, or set one field of it."""
        character = self.wanted(self.lhs)
        persona = lifecycle.read_persona(character)
        if not self.rhs:
            lines = [f"|w{key}|n: {_shown(value)}" for key, value in persona.items()]
            self.msg(f"|c{name_of(character)}|n\n" + "\n".join(lines))
            return
        field, _, text = self.rhs.partition(":")
        field = field.strip().lower()
        if field not in PERSONA_FIELDS or not text.strip():
            raise AssistantError(f"Set one of {', '.join(PERSONA_FIELDS)}: <field>: <text>.")
        value: Any = clean_owned(text, MAX_PERSONA_TEXT)
        if field in _LISTS:
            value = [one.strip() for one in value.split(";") if one.strip()]
        lifecycle.write_persona(character, {**persona, field: value})
        self.msg(f"The {field} of {name_of(character)} is now: {_shown(value)}")

    def do_start(self) -> None:
        """Let a stopped assistant live."""
        character = self.wanted(self.args)
        lifecycle.start(character)
        self.msg(f"{name_of(character)} is awake.")

    def do_stop(self) -> None:
        """Silence an assistant."""
        character = self.wanted(self.args)
        lifecycle.stop(character)
        self.msg(f"{name_of(character)} is silent until you start it again.")

    def do_delete(self) -> Generator[str, str, None]:
        """Delete an assistant, after asking."""
        character = self.wanted(self.args)
        name = name_of(character)
        answer = yield f"Delete {name} with everything it remembers? Type its whole name to do so."
        if answer.strip().casefold() != name.casefold():
            self.msg("Nothing was deleted.")
            return
        if character.pk is None:
            raise AssistantError(f"{name} is gone already.")
        lifecycle.delete(character)
        self.msg(f"{name} is gone. Its audit log is kept.")

    def do_status(self) -> None:
        """Show all about the state of one assistant."""
        self.msg("\n".join(status_lines(self.wanted(self.args))))

    def do_history(self) -> None:
        """Show what an assistant perceived and did, oldest first."""
        character = self.wanted(self.lhs)
        number = (self.rhs or "20").strip()
        if not (number.isdecimal() and len(number) < 5 and int(number)):
            raise AssistantError("How many lines? Give a number from 1 on.")
        entries = character.stream.entries[-int(number) :]
        if not entries:
            self.msg(f"{name_of(character)} has perceived nothing yet.")
            return
        self.show("\n".join(map(_history_line, entries)))

    def do_announce(self) -> None:
        """Tell an assistant something open."""
        character = self.wanted(self.lhs)
        fact = disclosure.announce(character, self.rhs or "", by=self.caller.key)
        self.msg(f"{name_of(character)} knows, and may tell anybody: {fact.content}")

    def do_publish(self) -> None:
        """Find private memories, or make one of them open."""
        character = self.wanted(self.lhs)
        text = (self.rhs or "").strip()
        if text.startswith("#") and text[1:].isdigit():
            row = disclosure.publish(character, int(text[1:]), by=self.caller.key)
            self.msg(f"{name_of(character)} may tell anybody now: {row.content}")
            return
        found = disclosure.private_memories(character, text)
        lines = [f"|w#{row.id}|n {row.author_name}: {row.content}" for row in found]
        self.msg("\n".join(lines) or f"{name_of(character)} has no private memory of that.")

    def do_config(self) -> None:
        """Show or set configuration."""
        name, words = self._config_words()
        character = self.wanted(name)
        if not words:
            self._show_config(character)
        elif len(words) == 1:
            option = find_option(words[0])
            value = lifecycle.script_of(character).config[words[0]]
            self.msg(
                f"|w{words[0]}|n = {_shown(value)}\n  {option.about}\n  takes {option.takes()}"
            )
        else:
            self._set_config(character, words[0], words[1])

    def _config_words(self) -> tuple[str, list[str]]:
        """Read `<name> = <key> <value>`, and `<name> set|show <key> <value>` as well."""
        for verb in (" set ", " show "):
            name, _, rest = self.args.rpartition(verb)
            words = rest.split(None, 1)
            if words and words[0] in OPTIONS:
                return name.strip(), words
        return self.lhs, (self.rhs or "").split(None, 1)

    def _show_config(self, character: Any) -> None:
        config = lifecycle.script_of(character).config
        rows = [
            (f"{key}*" if key in config.values else key, _shown(config[key]), option.about)
            for key, option in OPTIONS.items()
        ]
        table = columns(("Key", "Value", "Meaning"), rows)
        self.msg(f"{table}\n* set for {name_of(character)}; the rest are defaults.")

    def _set_config(self, character: Any, key: str, text: str) -> None:
        if not self.may("Admin"):
            raise AssistantError("Only Admins may set configuration.")
        value = lifecycle.configure(character, key, text)
        self.msg(f"{name_of(character)}: {key} is now {_shown(value)}.")


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        value = [f"{key}={one}" for key, one in value.items()]
    if isinstance(value, list | tuple):
        return braced("; ".join(map(str, value))) or "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return braced(str(value)) if value != "" else "none"


def _history_line(entry: dict[str, Any]) -> str:
    label = "" if entry["readers"] == "*" else " |y(private)|n"
    at = entry["timestamp"][:16].replace("T", " ")
    return f"|x{at}|n |c{entry['who']}|n [{entry['kind']}]{label} {entry['content']}"
