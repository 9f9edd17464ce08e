"""The command `aitry`: staff try a character out, and nothing comes of it in the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ai_assistant.api.desk.jobs import TRIES
from ai_assistant.api.desk.run_again import RunAgain, run_again
from ai_assistant.api.desk.sandbox import SANDBOXES, SandboxRound, SandboxTerms
from ai_assistant.api.desk.staff_calls import TriedAnswer
from ai_assistant.commands.choosing import said_by
from ai_assistant.commands.command_base import AICommand, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.records.ai_calls import call_number, dollars
from ai_assistant.commands.staff.block_edits import persona_fields
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.game.identity import entity_id, name_of

TODAY = "today"


class CmdAITry(AICommand):
    """
    try a character out, without touching game or memory

    Usage:
      aitry <name>                               the talk in the sandbox so far
      aitry <name> = <words>                     say something to it, as yourself
      aitry <name> = [whisper] <person>: <words> the same as somebody
      aitry/beside <name> = profile <profile>    try another model beside it
      aitry/beside <name> = <field>: <text>; <field>: <text>
                                                 or another persona
      aitry/beside <name>                        neither any more
      aitry/again <name> = <call> [today] [<profile>]
                                                 make a model call once more

    In the sandbox a character answers as it would, from all that it may tell
    that person, but nobody hears it: no tool runs, nothing is remembered. What
    its model would do is shown. Its own answer stands first, then that of
    another profile or persona, if you set one |wbeside|n it.

    A call, by its number in |wai/call|n, is made once more as it was sent; with
    |wtoday|n by the prompt that the same line would bring about today. It may
    go to another profile.

    It is all paid from the staff's own daily budget. What not everybody may
    know goes to another profile only where the game's settings allow that.

    Examples:
      aitry marrek = Mira: What do you think of the miller?
      aitry/beside marrek = personality: cheerful, in love with the sea
      aitry/again marrek = 412 today cheap

    """

    key = "aitry"
    locks = "cmd:perm(Admin)"

    @switch("", "Admin", named=True, writes="")
    def _talk(self, character: Any) -> None:
        talk = SANDBOXES.sandbox_of(self.caller.account, character)
        if not self.rhs:
            lines = [line for one in talk.rounds for line in _round(one)] if talk else []
            self.show(lines or f"Nothing was said to {name_of(character)} in the sandbox.")
            return
        kind, speaker, words = said_by(self.caller, self.rhs)
        tried = talk.terms if talk else SandboxTerms("", "")
        terms = SandboxTerms(
            entity_id(speaker), name_of(speaker), kind, tried.profile, tried.persona
        )
        said = SANDBOXES.say(self.caller.account, character, speaker, words, terms)
        said.addCallback(lambda made: self.show(list(_round(made)))).addErrback(self.failed)

    @switch("beside", "Admin", named=True, writes="")
    def _beside(self, character: Any) -> None:
        typed = (self.rhs or "").strip()
        word, _, rest = typed.partition(" ")
        profile, fields = "", {}
        if word.lower() == "profile":
            profile = rest.strip()
        elif typed:
            fields = persona_fields(typed)
        SANDBOXES.set_beside(self.caller.account, character, profile, fields)
        told = f"the profile {profile}" if profile else ", ".join(fields) or "nothing"
        self.msg(f"Beside {name_of(character)} you try {told}; the talk begins anew.")

    @switch("again", "Admin", named=True, writes="")
    def _again(self, character: Any) -> None:
        number, *words = (self.rhs or "").split() or [""]
        if not number:
            raise Misused
        is_today = TODAY in words
        profile = " ".join(word for word in words if word != TODAY)
        call = call_number(number.removeprefix("#"))
        TRIES.check_room(self.caller.account)
        made = run_again(character, call, profile=profile, today=is_today)
        made.addCallback(lambda run: self.show(list(_compared(run)))).addErrback(self.failed)


def _round(one: SandboxRound) -> Iterator[str]:
    yield f"|w>|n {as_it_stands(one.words)}"
    if one.job.is_running:
        yield "  It thinks."
    elif one.job.problem:
        yield f"  |r{as_it_stands(one.job.problem)}|n"
    else:
        for told in one.job.outcome:
            yield f"  |w[{told.side}]|n {_cost(told.answer)}"
            yield from _answer(told.answer.text, told.answer.calls)


def _compared(run: RunAgain) -> Iterator[str]:
    yield f"|wcall {run.number}|n, then"
    yield from _answer(run.before, run.calls_before)
    yield f"|wnow|n, {run.prompt}: {_cost(run.after)}"
    yield from _answer(run.after.text, run.after.calls)


def _answer(text: str, calls: tuple[str, ...]) -> Iterator[str]:
    yield f"  {as_it_stands(text) or 'no words'}"
    for call in calls:
        yield f"  would do: {as_it_stands(call)}"


def _cost(answer: TriedAnswer) -> str:
    took = f"{answer.prompt_tokens}+{answer.completion_tokens} tokens, {answer.milliseconds} ms"
    stood_in = f"; the offline model stood in: {answer.instead}" if answer.instead else ""
    model = f"{answer.model} ({answer.profile})"
    return f"|x{as_it_stands(model)}, {took}, {dollars(answer.price)}{as_it_stands(stood_in)}|n"
