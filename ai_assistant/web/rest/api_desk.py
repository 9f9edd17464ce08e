"""What the API does at the owner's desk: money, health, settings, notes, drafts, and tries."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from django.http import Http404
from rest_framework import serializers
from twisted.internet.defer import Deferred

from ai_assistant.api import game_state
from ai_assistant.api.desk import drafting, noting, regression, run_again
from ai_assistant.api.desk.jobs import Job
from ai_assistant.api.desk.money import DAYS, MOST_DAYS, Money, money
from ai_assistant.api.desk.sandbox import SANDBOXES, SandboxAnswer, SandboxRound, SandboxTerms
from ai_assistant.api.desk.timetable import agenda_of
from ai_assistant.commands import choosing
from ai_assistant.commands.blocks.block_edits import persona_fields
from ai_assistant.core.contracts import TO_ONE, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import typed_number
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.memory.inner import staff_notes
from ai_assistant.web.rest.api_endpoint import (
    ApiCall,
    Takes,
    may_be_empty,
    or_not_found,
    string,
    takes,
    whole,
)

NAME = 60
"""Characters of the name of a profile or a person."""


class TriedWith(Takes):
    """Another profile, another persona as `ai/persona` takes it, and another template."""

    profile = may_be_empty(NAME)
    persona = may_be_empty(2000)
    template = may_be_empty(NAME)


# -- the game


@takes(days=whole(1, MOST_DAYS, default=DAYS), page=whole(1, 9999, default=1))
def show_money(call: ApiCall) -> Deferred[Money]:
    """Return what was spent by day, character, player, job and profile; caps, and prices."""
    return money(**call.given)


def show_health(call: ApiCall) -> Callable[[], game_state.Health]:
    """Return outages, queue, waiting times, the database, and what the doctor found."""
    return game_state.health_reader()


@takes(q=may_be_empty(NAME))
def show_settings(call: ApiCall) -> list[Json]:
    """Return the settings of the game, and where each comes from; no key is among them."""
    rows = game_state.game_settings(call.given["q"])
    return [dataclasses.asdict(row) | {"value": str(row.value)} for row in rows]


# -- director's notes, and drafts


def show_notes(call: ApiCall) -> list[Json]:
    """Return the director's notes that stand with an assistant."""
    return noting.notes_of(call.character)


@takes(
    text=string(staff_notes.MAX_CONTENT),
    term=may_be_empty(20, help_text="Such as 5 turns, 30 minutes, 2 hours, 3 days."),
)
def add_note(call: ApiCall) -> Json:
    """Give an assistant a director's note, for its next five turns if no term is given."""
    term = noting.term_of(call.given["term"])
    return noting.give_note(call.character, call.given["text"], term, by=call.by)


def drop_note(call: ApiCall) -> Json:
    """Take a director's note back."""
    with or_not_found():
        note = noting.find_note(call.character, typed_number(call.named["note"]))
    return noting.take_note_back(call.character, note["id"], by=call.by)


@takes(sentence=string(drafting.MOST_SENTENCE), profile=may_be_empty(NAME))
def write_draft(call: ApiCall) -> Deferred[drafting.PersonaDraft]:
    """Let a model draft a persona from one sentence; nothing of it is written."""
    return drafting.draft_persona(
        call.character, call.given["sentence"], profile=call.given["profile"]
    )


def show_agenda(call: ApiCall) -> list[Json]:
    """Return what an assistant does when: its hours, its rounds, what is due or waited for."""
    return [{"when": when, "what": what} for when, what in agenda_of(call.character)]


# -- trying out


def show_sandbox(call: ApiCall) -> list[Json]:
    """Return the talk of this account in the sandbox."""
    talk = SANDBOXES.sandbox_of(call.visitor.account, call.character)
    return (
        [{"words": exchange.words, **_told(exchange.job)} for exchange in talk.rounds]
        if talk
        else []
    )


def _told(job: Job) -> Json:
    return {name: value for name, value in job.told().items() if name != "job"}


@takes(
    TriedWith,
    who=string(NAME),
    words=string(1000),
    kind=serializers.ChoiceField(choices=["", *sorted(TO_ONE)], default="", allow_blank=True),
)
def speak_in_sandbox(call: ApiCall) -> Deferred[list[SandboxAnswer]]:
    """Say something in the sandbox; neither game nor memory hears of it."""
    given, character = call.given, call.character
    bodies = call.visitor.characters
    own = {entity_id(body)[: choosing.SHORT_ID]: body for body in bodies}
    own |= {name_of(body): body for body in bodies}
    speaker = choosing.find_speaker(character, given["who"], own)
    terms = SandboxTerms(
        entity_id(speaker),
        name_of(speaker),
        given["kind"],
        given["profile"],
        tuple(sorted(_persona(given).items())),
        given["template"],
    )

    def answered(made: SandboxRound) -> list[SandboxAnswer]:
        if made.job.problem:
            raise AssistantError(made.job.problem)
        answers: list[SandboxAnswer] = made.job.outcome
        return answers

    said = SANDBOXES.say(call.visitor.account, character, speaker, given["words"], terms)
    return said.addCallback(answered)


def _persona(given: Json) -> Json:
    return dict(persona_fields(given["persona"])) if given["persona"].strip() else {}


@takes(call=whole(1), profile=may_be_empty(NAME), today=serializers.BooleanField(default=False))
def call_again(call: ApiCall) -> Deferred[run_again.RunAgain]:
    """Make a model call once more; no tool runs, and nothing is kept of it."""
    given = call.given
    return run_again.run_again(
        call.character, given["call"], profile=given["profile"], today=given["today"]
    )


def show_marks(call: ApiCall) -> list[Json]:
    """Return the marked turns of an assistant, the newest mark first."""
    return regression.verdicts_of(call.character)


@takes(
    turn=string(NAME),
    good=serializers.BooleanField(),
    wanted=may_be_empty(regression.MAX_WANTED),
)
def set_mark(call: ApiCall) -> Json:
    """Mark a turn as good or bad."""
    given = call.given
    return regression.mark_turn(
        call.character, given["turn"], good=given["good"], wanted=given["wanted"], by=call.by
    )


def drop_mark(call: ApiCall) -> list[Json]:
    """Take the mark off a turn."""
    if regression.verdict_on_turn(call.character, call.named["turn"]) is None:
        raise Http404("That turn has no mark.")
    regression.unmark_turn(call.character, call.named["turn"], by=call.by)
    return show_marks(call)


@takes(TriedWith)
def check_marks(call: ApiCall) -> Deferred[list[regression.RegressionRow]]:
    """Ask the lines of all marked turns again, by the prompt of today."""
    given = call.given
    return regression.check_marked(
        call.character,
        profile=given["profile"],
        persona=_persona(given),
        template=given["template"],
    )
