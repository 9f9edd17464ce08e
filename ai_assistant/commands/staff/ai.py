"""The command `ai`: the life cycle and configuration of assistants."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import astuple, fields
from typing import Any

from ai_assistant.agent.config import CARD_FIELDS
from ai_assistant.api import disclosure, lifecycle
from ai_assistant.api.blocks import change_persona
from ai_assistant.api.overview import OverviewRow, overview, status_lines, trouble
from ai_assistant.commands.staff.ai_cards import CardVerbs
from ai_assistant.commands.staff.ai_config import ConfigVerbs, in_words
from ai_assistant.commands.staff.ai_guidelines import GuidelineVerbs
from ai_assistant.commands.staff.ai_prompt import PromptVerbs
from ai_assistant.commands.staff.ai_why import WhyVerbs
from ai_assistant.commands.staff.block_edits import persona_value
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import NAME_LIMIT, clean
from ai_assistant.game.identity import name_of

PERSONA_FIELDS = (
    *("role", "personality", "interests", "home_location"),
    *("greeting", "sayings", "lore"),
    *CARD_FIELDS,
)
HISTORY = 20


class CmdAI(ConfigVerbs, PromptVerbs, GuidelineVerbs, CardVerbs, WhyVerbs):
    """
    look after the assistants of this game

    Usage:
      ai                                all assistants, and how they are
      ai/create <name> [= <role>]       make one here
      ai/adopt <object>                 give a character that exists a mind
      ai/persona <name>                 who it is
      ai/persona <name> = <field>: <text>
      ai/start, ai/stop <name>          let it live, or silence it
      ai/delete <name>                  delete it with all it remembers
      ai/status <name>                  state, queue, last turn, errors, tokens
      ai/history <name> [= <number>]    what it perceived and did lately
      ai/why <name> [= <number>]        what decided its last turns, and silences
      ai/config <name>                  its configuration
      ai/config <name> = <word>         an option, or those about that word
      ai/config <name> = <key> <value>  set one; 'default' takes that back

      ai/announce <name> = <fact>       tell it what everybody may know
      ai/publish <name> = <words>       find private memories, with numbers
      ai/publish <name> = #<number>     let everybody know of one of them

      ai/import                         the cards and lorebooks in the folder
      ai/import <file> [= <name>]       make the card's character, or <name> it
      ai/export <name> [= <file>]       write its card, a .json or .png
      ai/export <name> = v2 [<file>]    as version 1, 2 or 3
      ai/prototype <file>               let builders spawn the card's character
      ai/lore [<name>]                  lorebooks of the world, or what it knows
      ai/lore <name> = <words>          what would come to its mind, and why
      ai/lore = delete <lorebook>

      ai/prompt <name> [= <person>: <text>]   its next prompt, with tokens
      ai/template <name> [= create <template>: <text>]   its instructions
      ai/template <name> = native <template>: <text>
        also: show, apply, delete <template>
      ai/component <name> [= add <id> <key>: <text>]   your texts in its prompt
      ai/component <name> = edit <key>: <text>
        also: enable, disable, delete <key>; role <key> <role>;
        depth, order <key> <number>
      ai/guidelines <name> [= add <text>]   how it means to behave
      ai/guidelines <name> = accept <number>, or reject <number>

    The fields of a persona are role, personality, interests, home_location,
    greeting, sayings and lore; interests, sayings and lore are lists with
    semicolons between. Those of a character card are scenario, char_description
    and more. A part of a name is enough where it is clear.

    Builders create and look; Admins start, stop, configure, delete, announce,
    publish, and see and change prompts; what they publish and change is put on
    record.

    Examples:
      ai/create Old Marrek = ferryman
      ai/persona marrek = personality: gruff, fond of riddles
      ai/config marrek = sleep
      ai/config marrek = channels Public=mention
      ai/prompt marrek = alice: Have you seen my cat?

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
        "why": ("do_why", "Builder"),
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

    def do_overview(self) -> None:
        """Show all assistants in one table."""
        seen = overview()
        if seen.trouble:
            self.msg(f"|rNone of them can think: {seen.trouble}|n")
        if not seen.rows:
            self.msg("There are no assistants yet. Make one: |wai/create <name> = <role>|n.")
            return
        titles = [field.name.capitalize() for field in fields(OverviewRow)]
        table = self.table(titles, map(astuple, seen.rows))
        self.show(f"{table}\nCalls and tokens are today's.")

    def do_create(self) -> None:
        """Make an assistant in the caller's room."""
        name = clean(self.lhs)
        if not name:
            raise AssistantError("Usage: ai/create <name> [= <role>]")
        if len(name) > NAME_LIMIT:
            raise AssistantError(f"A name has at most {NAME_LIMIT} characters.")
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
        persona = lifecycle.read_persona(character).value
        if not self.rhs:
            lines = [f"  {key}: {as_it_stands(in_words(value))}" for key, value in persona.items()]
            self.show("\n".join([f"|c{name_of(character)}|n", *lines]))
            return
        field, _, text = self.rhs.partition(":")
        field = field.strip().lower()
        if field not in PERSONA_FIELDS or not text.strip():
            raise AssistantError(
                f"Usage: ai/persona <name> = <field>: <text>. Fields: {', '.join(PERSONA_FIELDS)}."
            )
        value = persona_value(field, text)
        change_persona(character, {field: value}, by=self.caller.key)
        self.msg(f"The {field} of {name_of(character)} is now: {as_it_stands(in_words(value))}")

    def do_start(self) -> None:
        """Let a stopped assistant live."""
        character = self.wanted(self.args)
        lifecycle.start(character)
        if problem := trouble():
            raise AssistantError(f"{name_of(character)} cannot think yet: {problem}")
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
        entries = character.stream.entries[-self.number(self.rhs, HISTORY) :]
        if not entries:
            self.msg(f"{name_of(character)} has perceived nothing yet.")
            return
        self.show("\n".join(map(_history_line, entries)))

    def do_announce(self) -> None:
        """Tell an assistant something open."""
        character = self.wanted(self.lhs)
        if not self.rhs:
            raise AssistantError("Usage: ai/announce <name> = <fact>")
        fact = disclosure.inform(character, self.rhs, by=self.caller.key)
        self.msg(f"{name_of(character)} knows, and may tell anybody: {fact.content}")

    def do_publish(self) -> None:
        """Find private memories, or make one of them open."""
        character = self.wanted(self.lhs)
        text = (self.rhs or "").strip()
        if not text:
            raise AssistantError("Usage: ai/publish <name> = <words>, then = #<number>")
        if text.startswith("#") and text[1:].isdigit():
            row = disclosure.publish(character, int(text[1:]), by=self.caller.key)
            self.msg(f"{name_of(character)} may tell anybody now: {row.content}")
            return
        found = disclosure.private_memories(character, text)
        lines = [f"|w#{row.id}|n {row.author_name}: {row.content}" for row in found]
        self.msg("\n".join(lines) or f"{name_of(character)} has no private memory of that.")


def _history_line(entry: dict[str, Any]) -> str:
    label = "" if entry["readers"] == "*" else " |y(private)|n"
    at = entry["timestamp"][:16].replace("T", " ")
    return f"|x{at}|n |c{entry['who']}|n [{entry['kind']}]{label} {entry['content']}"
