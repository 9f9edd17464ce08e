"""The sandbox: staff talk to a character as somebody, and neither game nor memory hears of it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from twisted.internet.defer import Deferred

from ai_assistant.agent.mind import Mind
from ai_assistant.agent.prompt.draft import merged
from ai_assistant.agent.turn.steps import request_of
from ai_assistant.api.desk.jobs import JOBS, Job
from ai_assistant.api.desk.staff_calls import TriedAnswer, ask_for_staff, check_profile
from ai_assistant.api.desk.tried_minds import tried_mind
from ai_assistant.api.overview import running
from ai_assistant.api.turns.rehearsal import prepared
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.model_records import Message
from ai_assistant.core.text import clean
from ai_assistant.game.identity import entity_id, name_of

MOST_OPEN = 50
"""Sandboxes that are kept in the server's memory; the one that rested longest goes."""
MOST_ROUNDS = 20
"""Exchanges after which one begins anew."""
AS_IT_IS, BESIDE = "as it is", "beside it"


@dataclass(frozen=True, slots=True)
class SandboxTerms:
    """Who talks to whom, and what is tried beside the character as it is."""

    speaker: str
    """The lasting id of whoever is spoken as."""
    name: str
    """That one's name."""
    kind: str = ""
    """How it is said: one of `contracts.TO_ONE`, or aloud."""
    profile: str = ""
    """Another model profile; empty for the usual one."""
    persona: tuple[tuple[str, Any], ...] = ()
    """Fields of another persona."""
    template: str = ""
    """Another of its templates; empty for the one in use."""

    @property
    def has_other(self) -> bool:
        """Is there something to try beside it?"""
        return bool(self.profile or self.persona or self.template)


@dataclass(frozen=True, slots=True)
class SandboxAnswer:
    """What one side answered."""

    side: str
    """`AS_IT_IS` or `BESIDE`."""
    question: Message
    """The words as the model read them."""
    answer: TriedAnswer | None
    """What came of it; None where nothing did."""
    problem: str = ""
    """Why nothing did, of the other side: what the first one answered is paid for."""


@dataclass(slots=True)
class SandboxRound:
    """Words, and the answers to them."""

    words: str
    """What was said."""
    job: Job
    """Comes to a list of `SandboxAnswer`."""


@dataclass(slots=True)
class Sandbox:
    """One talk."""

    terms: SandboxTerms
    """They stay the same for all of it."""
    rounds: list[SandboxRound] = field(default_factory=list)
    """The exchanges, in order."""

    @property
    def is_running(self) -> bool:
        """Is an answer still to come?"""
        return any(exchange.job.is_running for exchange in self.rounds)


class SandboxBook:
    """The sandboxes of all staff, in the server's memory alone: a reload ends them."""

    def __init__(self) -> None:
        self._open: OrderedDict[tuple[int, str], Sandbox] = OrderedDict()

    def sandbox_of(self, account: Any, character: Any) -> Sandbox | None:
        """Return the talk that an account has with a character, if it has one."""
        return self._open.get((account.pk, entity_id(character)))

    def say(
        self, account: Any, character: Any, speaker: Any, words: str, terms: SandboxTerms
    ) -> Deferred[SandboxRound]:
        """Say something; other terms than before begin a new talk. Fires when it is answered.

        The round stands in the talk at once. Raises `AssistantError` where the assistant does not
        run, there are no words, an answer is still to come, or enough is under way.
        """
        mind, said = running(character).mind, clean(words, 1000)
        if not said:
            raise AssistantError("What do you say to it?")
        check_profile(terms.profile)
        tried_mind(mind, {}, terms.template)
        JOBS.check_room(account)
        talk = self.sandbox_of(account, character)
        if talk is None or talk.terms != terms or len(talk.rounds) >= MOST_ROUNDS:
            talk = Sandbox(terms)
        elif talk.is_running:
            raise AssistantError(f"{name_of(character)} has not answered yet.")
        work = Deferred.fromCoroutine(_answered(mind, character, speaker, said, talk))
        made = SandboxRound(said, JOBS.begin(account, work))
        talk.rounds.append(made)
        self._keep(account, character, talk)
        return work.addCallback(lambda _: made)

    def set_beside(
        self,
        account: Any,
        character: Any,
        profile: str,
        persona: Mapping[str, Any],
        template: str = "",
    ) -> None:
        """Set what is tried beside a character from now on; the talk begins anew.

        Raises `AssistantError` where there is no such profile, no such template, or, of a template,
        where the assistant does not run.
        """
        check_profile(profile)
        if template:
            tried_mind(running(character).mind, {}, template)
        talk = self.sandbox_of(account, character)
        terms = talk.terms if talk else SandboxTerms("", "")
        fields = tuple(sorted(persona.items()))
        beside = replace(terms, profile=profile, persona=fields, template=template)
        self._keep(account, character, Sandbox(beside))

    def _keep(self, account: Any, character: Any, talk: Sandbox) -> None:
        key = (account.pk, entity_id(character))
        self._open[key] = talk
        self._open.move_to_end(key)
        while len(self._open) > MOST_OPEN:
            self._open.popitem(last=False)

    def let_go(self) -> None:
        """Let all talks go: something of them is to be forgotten."""
        self._open.clear()


async def _answered(
    mind: Mind, character: Any, speaker: Any, words: str, talk: Sandbox
) -> list[SandboxAnswer]:
    terms, answers = talk.terms, list[SandboxAnswer]()
    for side in (AS_IT_IS, BESIDE)[: 1 + terms.has_other]:
        is_other = side == BESIDE
        one = tried_mind(mind, dict(terms.persona), terms.template) if is_other else mind
        turn = await prepared(one, character, speaker, words, terms.kind)
        request = request_of(turn)
        *before, last = request.messages
        messages = merged([*before, *_history(talk, side), last])
        profile = terms.profile if is_other else ""
        answer, problem = None, ""
        try:
            answer = await ask_for_staff(one, replace(request, messages=messages), profile)
        except AssistantError as error:
            if not answers:
                raise
            problem = str(error)
        answers.append(SandboxAnswer(side, dict(turn.prompt.parts)["event"], answer, problem))
    return answers


def _history(talk: Sandbox, side: str) -> Iterator[Message]:
    """Yield what was said in the talk before, as the side knows it."""
    for exchange in talk.rounds:
        answers = [] if exchange.job.is_running or exchange.job.problem else exchange.job.outcome
        for told in answers:
            if told.side == side and told.answer:
                yield told.question
                yield Message("assistant", told.answer.text or " ".join(told.answer.calls))


SANDBOXES = SandboxBook()
