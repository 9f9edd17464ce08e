"""The command `aitry`: staff try a character out, and nothing comes of it in the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.api.desk.jobs import JOBS
from ai_assistant.api.desk.regression import (
    RegressionRow,
    check_marked,
    mark_turn,
    unmark_turn,
    verdicts_of,
)
from ai_assistant.api.desk.run_again import RunAgain, run_again
from ai_assistant.api.desk.sandbox import SANDBOXES, SandboxRound, SandboxTerms
from ai_assistant.api.desk.staff_calls import TriedAnswer
from ai_assistant.commands.blocks.block_edits import persona_fields
from ai_assistant.commands.choosing import Choice, choose, said_by
from ai_assistant.commands.command_base import AICommand, braced, halves, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.records.ai_calls import call_number, dollars
from ai_assistant.commands.records.ai_why import turn_named
from ai_assistant.commands.shown import private
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.contracts import Json
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
      aitry/beside <name> = template <template>  or another of its templates
      aitry/beside <name>                        neither any more
      aitry/again <name> = <call> [today] [<profile>]
                                                 make a model call once more
      aitry/good <name> = <number>               its last turn but so many
      aitry/bad <name> = <number> [: <answer>]   was wrong; what was wanted
      aitry/unmark <name> = <number or words>    neither any more
      aitry/check <name> [= all]                 what was marked; ask it all again

    In the sandbox a character answers as it would, from all that it may tell
    that person, but nobody hears it: no tool runs, nothing is remembered. What
    its model would do is shown. Its own answer stands first, then that of
    another profile, persona or template, if you set one |wbeside|n it.

    A call, by its number in |wai/call|n, is made once more as it was sent; with
    |wtoday|n by the prompt that the same line would bring about today: persona,
    prompt, profile and settings as they are now, with what the character knew
    when the line was said. It may go to another profile. A turn on its own has
    no line: there it is what it knew when that began.

    Turns are counted as |wai/why|n lists them: 1 is the last; or named as there and
    in |wai/turns|n, such as #4f0c2a91; what is marked, by words of its line as well.
    Those that are marked make a set on which a change is tried: |waitry/check
    <name> = all|n asks every line of it again, by the prompt of today, with what
    stands beside.

    It is all paid from the staff's own daily budget. What not everybody may
    know goes to another profile only where the game's settings allow that.

    Examples:
      aitry marrek = What do you think of the miller?
      aitry marrek = whisper alice: Where is the gold?
      aitry/beside marrek = personality: cheerful, in love with the sea
      aitry/again marrek = 12 today
      aitry/bad marrek = 1: The ferry leaves at dawn.
      aitry/good marrek = 2               aitry/unmark marrek = 2
      aitry/check marrek = all

    """

    key = "aitry"
    locks = "cmd:perm(Admin)"

    @switch("", "Admin", named=True, writes="")
    def _talk(self, character: Any) -> None:
        talk = SANDBOXES.sandbox_of(self.caller.account, character)
        if not self.rhs:
            lines = [line for exchange in talk.rounds for line in _round(exchange)] if talk else []
            self.show(lines or f"Nothing was said to {name_of(character)} in the sandbox.")
            return
        kind, speaker, words = said_by(self.caller, self.rhs)
        tried = talk.terms if talk else SandboxTerms("", "")
        terms = replace(tried, speaker=entity_id(speaker), name=name_of(speaker), kind=kind)
        said = SANDBOXES.say(self.caller.account, character, speaker, words, terms)
        said.addCallback(lambda made: self.show(list(_round(made)))).addErrback(self.failed)

    @switch("beside", "Admin", named=True, writes="")
    def _beside(self, character: Any) -> None:
        typed = (self.rhs or "").strip()
        word, _, rest = typed.partition(" ")
        profile, fields, template = "", {}, ""
        if word.lower() == "profile":
            profile = rest.strip()
        elif word.lower() == "template":
            template = rest.strip()
        elif typed:
            fields = persona_fields(typed)
        SANDBOXES.set_beside(self.caller.account, character, profile, fields, template)
        told = f"the template {template}" if template else ", ".join(fields) or "nothing"
        told = f"the profile {profile}" if profile else told
        self.msg(f"Beside {name_of(character)} you try {told}; the talk begins anew.")

    @switch("again", "Admin", named=True, writes="")
    def _again(self, character: Any) -> None:
        number, *words = (self.rhs or "").split() or [""]
        if not number:
            raise Misused
        is_today = TODAY in words
        profile = " ".join(word for word in words if word != TODAY)
        call = call_number(number.removeprefix("#"))
        JOBS.check_room(self.caller.account)
        self._begin(run_again(character, call, profile=profile, today=is_today), _compared)

    @switch("good", "Admin", named=True)
    def _good(self, character: Any) -> None:
        self._mark(character, good=True)

    @switch("bad", "Admin", named=True)
    def _bad(self, character: Any) -> None:
        self._mark(character, good=False)

    @switch("unmark", "Admin", named=True)
    def _unmark(self, character: Any) -> None:
        words = (self.rhs or "1").strip()
        if words.isdecimal() or words.startswith("#"):
            turn = turn_named(character, words)
        else:  # also one that is not on record any more
            marked = (
                Choice(v["turn_id"], f"{v['who']}: {v['content'] or 'on its own'}")
                for v in verdicts_of(character)
            )
            turn = choose(words, "marked turn", [*marked])
        unmark_turn(character, turn, by=self.caller.key)
        self.msg(f"{name_of(character)}: that turn has no mark any more.")

    def _mark(self, character: Any, *, good: bool) -> None:
        number, wanted = halves(self.rhs)
        turn = turn_named(character, number)
        made = mark_turn(character, turn, good=good, wanted=wanted, by=self.caller.key)
        word = "good" if good else "bad"
        what = f"said to '{braced(made['content'])}'" if made["said"] else "did on its own"
        self.msg(f"{name_of(character)}: what it {what} was {word}.")

    @switch("check", "Admin", named=True, writes="")
    def _check(self, character: Any) -> None:
        if (self.rhs or "").strip() != "all":
            marked = [_verdict(verdict) for verdict in verdicts_of(character)]
            self.show(marked or f"No turn of {name_of(character)} is marked.")
            return
        talk = SANDBOXES.sandbox_of(self.caller.account, character)
        tried = talk.terms if talk else SandboxTerms("", "")
        JOBS.check_room(self.caller.account)
        work = check_marked(
            character,
            profile=tried.profile,
            persona=dict(tried.persona),
            template=tried.template,
        )
        self._begin(work, lambda rows: chain.from_iterable(map(_checked, rows)))

    def _begin(self, work: Deferred[Any], lines: Callable[[Any], Iterable[str]]) -> None:
        """Count work among what the account has under way, and show what comes of it."""
        job = JOBS.begin(self.caller.account, work)

        def told(_: object) -> None:
            self.show([f"|r{as_it_stands(job.problem)}|n"] if job.problem else lines(job.outcome))

        work.addCallback(told).addErrback(self.failed)


def _verdict(one: Json) -> str:
    mark = "|ggood|n" if one["good"] else "|rbad|n"
    wanted = f"\n  wanted: {as_it_stands(one['wanted'])}" if one["wanted"] else ""
    said = f"|w{one['who']}|n {as_it_stands(one['content'] or 'on its own')}"
    return f"{mark} {said}{private(one['readers'])}\n  then: {as_it_stands(one['answer'])}{wanted}"


def _checked(row: RegressionRow) -> Iterator[str]:
    yield _verdict(row.verdict)
    if row.answer:
        yield f"  now: {_cost(row.answer)}"
        yield from _answer(row.answer.text, row.answer.calls)
    else:
        yield f"  |r{as_it_stands(row.problem)}|n"


def _round(one: SandboxRound) -> Iterator[str]:
    yield f"|w>|n {as_it_stands(one.words)}"
    if one.job.is_running:
        yield "  It thinks."
    elif one.job.problem:
        yield f"  |r{as_it_stands(one.job.problem)}|n"
    else:
        for told in one.job.outcome:
            if told.problem:
                yield f"  |w[{told.side}]|n |r{as_it_stands(told.problem)}|n"
                continue
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
