"""The command `ai`: the life cycle and configuration of assistants."""

from __future__ import annotations

from typing import Any

from ai_assistant.api import disclosure, lifecycle
from ai_assistant.api.blocks import change_persona
from ai_assistant.api.turns.confirming import confirm
from ai_assistant.commands.blocks.block_edits import persona_fields
from ai_assistant.commands.command_base import switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.outside.ai_token import TokenVerbs
from ai_assistant.commands.records.ai_calls import CallVerbs
from ai_assistant.commands.records.ai_interact import InteractVerbs
from ai_assistant.commands.records.ai_money import MoneyVerbs
from ai_assistant.commands.records.ai_why import WhyVerbs
from ai_assistant.commands.shown import persona_lines
from ai_assistant.commands.staff.ai_cards import CardVerbs
from ai_assistant.commands.staff.ai_config import ConfigVerbs
from ai_assistant.commands.staff.ai_game import GameVerbs
from ai_assistant.commands.staff.ai_life import LifeVerbs
from ai_assistant.commands.staff.ai_look import LookVerbs
from ai_assistant.commands.staff.ai_prompt import PromptVerbs
from ai_assistant.core.text import typed_number
from ai_assistant.game.identity import name_of


class CmdAI(
    LookVerbs,
    LifeVerbs,
    ConfigVerbs,
    PromptVerbs,
    CardVerbs,
    WhyVerbs,
    GameVerbs,
    TokenVerbs,
    CallVerbs,
    InteractVerbs,
    MoneyVerbs,
):
    """
    look after the assistants of this game

    Usage:
      ai                                all assistants, and how they are
      ai = <order>                      the same by room, name, errors (who is
                                        quiet next), last (line), tokens, cost
      ai <name>                         one of them, as ai/status does
      ai/setup                          connect a model, make a first character
      ai/test [<profile>]               does its model answer, and how well?
      ai/create <name> [= <role>]       make one here
      ai/adopt <object>                 give a character that exists a mind
      ai/release <name> = keep          take the mind away, which rests
      ai/release <name> = forget        the same, and delete the mind
      ai/persona <name>                 who it is
      ai/persona <name> = <field>: <text>; <field>: <text>
      ai/start, ai/stop <name>          let it live, or stop it altogether
      ai/quiet <name>, here, or all     it hears, but neither speaks nor acts
      ai/quiet <name>, here, or all = end
      ai/reset <name> = talk | memory | all
                                        let it begin anew as who it is
      ai/delete <name>                  delete it with all it remembers
      ai/status <name>                  state, queue, last turn, errors, tokens
      ai/history <name> [= <number>] [before <time>]
                                        what it perceived and did, or by then
      ai/interact <name> = <words>      talk to it from anywhere; only you read it
      ai/why <name> [= <number>]        what decided its last turns, and silences
      ai/why <name> = #<turn>           one of them, as ai/turns names it
      ai/turns [<name>] [= <which>]     a list: failed, unanswered, unasked, cost,
                                        latency, good, bad, marked, from <day>,
                                        to <day>, "<words>", a number of them, a
                                        person, a tool, refused (tools that were);
                                        several with commas
      ai/call <name>                    its last model calls, and their cost
      ai/call <name> = before <number>  those before that one
      ai/call <name> = <number>         one of them: what was sent and answered
      ai/money [<days> [<page>]]        what was spent, by whom, for what; caps
      ai/health                         outages, queue, database, the set-up
      ai/settings [<word>]              the game's, and where each comes from
      ai/config <name>                  its configuration
      ai/config <name> <words>          an option, or those about these words
      ai/config <name> = <key> <value>  set one; default takes that back, and in
                                        quotes it is the profile of that name

      ai/confirm <word>                 let one do what you asked it to

      ai/announce <name> = <fact>       tell it what everybody may know
      ai/publish <name> = <words>       find private memories, with numbers
      ai/publish <name> = #<number>     let everybody know of one of them

      ai/import                         the cards and lorebooks in the folder
      ai/import <file> [= <name>]       make the card's character, or <name> it
      ai/export <name> [= <file>]       write its card, a .json or .png
      ai/export <name> = v2 [<file>]    as version 1, 2 or 3
      ai/export <name> = whole [<file>] all of it, memory too, for ai/import
      ai/prototype <file>               let builders spawn the card's character
      ai/lore [<name>]                  lorebooks of the world, or what it knows
      ai/lore <name> = <words>          what would come to its mind, and why
      ai/lore = show <lorebook>: <entry>        all fields of an entry
      ai/lore = edit <lorebook>: <entry>: <field>: <text>
      ai/lore <name> = show: <entry>           the same of its card's own lorebook
      ai/lore <name> = edit: <entry>: <field>: <text>
      ai/lore = delete <lorebook>
      ai/lore = log                     what was done to them, and by whom
      ai/lore = undo <lorebook>         take back the latest change of one

      ai/prompt <name> [= <person>: <text>]   its next prompt, with tokens;
                                        by itself: what it does unasked
      ai/template <name> [= create <template>: <text>]   its instructions
      ai/template <name> = native <template>: <text>
        also: show, apply, delete <template>; history; back <version>
      ai/component <name> [= add <id> <key>: <text>]   your texts in its prompt
      ai/component <name> = edit <key>: <text>
        also: enable, disable, delete <key>; role <key> <role>;
        depth, order <key> <number>
      ai/guidelines <name> [= add <text>]   how it means to behave
      ai/guidelines <name> = accept <number>, or reject <number>

      ai/token                          your tokens of the REST API
      ai/token <name> [= <days>] [read] make one: for reading only, or for all
      ai/token <name> = revoke
        Admins list those of everybody: ai/token = all

    A released character is what it was before it was adopted; ai/adopt wakes
    a mind that rests as it was.

    The fields of a persona are role, personality, interests, home_location,
    greeting, sayings and lore; sayings and lore are lists with semicolons
    between, interests one with commas. Those of a character card are scenario,
    char_description and more. A field without a text is emptied. A part of a
    name is enough where it is clear.

    Builders create and look; Admins start, stop, quiet, configure, delete,
    announce, publish, test models, open model calls, and see and change
    prompts; what they publish and change is put on record. The set-up is for
    superusers. Whoever changes one needs its |wedit|n lock, which its maker has.

    Examples:
      ai/create Hilda = miller            ai/adopt the old parrot
      ai/persona marrek = role: ferryman; personality: gruff, fond of riddles
      ai/persona marrek = greeting:
      ai/persona marrek = interests: fish, weather
      ai/config marrek budget             ai/config marrek = llm_profile "default"
      ai/config marrek = channels Public=mention
      ai/status marrek                    ai/history marrek = 50
      ai = errors                         ai = cost
      ai/why marrek = 5                   ai/turns marrek = cost
      ai/turns = bad, from 2026-11-20, to 2026-11-22, "ferry"
      ai/call marrek                      ai/money 7
      ai/health                           ai/settings speech
      ai/test default                     ai/setup
      ai/interact marrek = Is the ferry mended?
      ai/confirm 7KQ2MX
      ai/announce marrek = The bridge is mended.
      ai/publish marrek = gold
      ai/prompt marrek = alice: Have you seen my cat?
      ai/prompt marrek = marrek:
      ai/guidelines marrek = add Say no more than is asked.
      ai/component marrek = add 1200 sky: The moon is full.
      ai/template marrek = create brief: Answer as {name} would, in one sentence.
      ai/import isle.json                 ai/lore marrek = who mends the ferry?
      ai/export marrek = ferryman.json    ai/prototype ferryman.json
      ai/import ferryman.json = hilda     ai/token website = 30 read
      ai/quiet here                       ai/quiet here = end
      ai/stop marrek                      ai/start marrek
      ai/reset hilda = talk               ai/delete hilda
      ai/release parrot = keep

    """

    key = "ai"
    aliases = ["aisetup", "aihistory", "aiinteract"]

    @switch("persona", named=True, writes="text")
    def _persona(self, character: Any) -> None:
        if not self.rhs:
            persona = lifecycle.read_persona(character).value
            self.show([f"|c{name_of(character)}|n", *persona_lines(persona)])
            return
        fields = persona_fields(self.rhs)
        change_persona(character, fields, by=self.caller.key)
        self.show([f"|c{name_of(character)}|n, from now on", *persona_lines(fields)])

    @switch("confirm", takes=1)
    def _confirm(self) -> None:
        if not self.lhs:
            raise Misused
        done = confirm(self.lhs, self.caller, self.session)
        done.addCallbacks(self.msg, self.failed)

    @switch("announce", "Admin", named=True)
    def _announce(self, character: Any) -> None:
        if not self.rhs:
            raise Misused
        fact = disclosure.inform(character, self.rhs, by=self.caller.key)
        self.msg(f"{name_of(character)} knows, and may tell anybody: {fact.content}")

    @switch("publish", "Admin", named=True)
    def _publish(self, character: Any) -> None:
        text = self.rhs or ""
        if not text:
            raise Misused
        if text.startswith("#") and (number := typed_number(text)):
            row = disclosure.publish(character, number, by=self.caller.key)
            self.msg(f"{name_of(character)} may tell anybody now: {row.content}")
            return
        found = disclosure.private_memories(character, text)
        lines = [f"|w#{row.id}|n {row.author_name}: {row.content}" for row in found]
        self.show(lines or f"{name_of(character)} has no private memory of that.")
