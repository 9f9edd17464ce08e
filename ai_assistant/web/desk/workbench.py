"""What pages show of what staff try out, as `aitry` does; and the forms that begin it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_POST

from ai_assistant.api import lifecycle
from ai_assistant.api.desk.jobs import DONE, JOBS, Job
from ai_assistant.api.desk.regression import verdicts_of
from ai_assistant.api.desk.run_again import has_prompt_of_today
from ai_assistant.api.desk.sandbox import SANDBOXES
from ai_assistant.api.desk.staff_calls import calls_in_words, profile_names
from ai_assistant.api.desk.tried_minds import other_templates
from ai_assistant.api.turns.opened_calls import open_call
from ai_assistant.commands import choosing
from ai_assistant.commands.records.ai_calls import call_number
from ai_assistant.commands.staff.ai_config import in_words
from ai_assistant.core.contracts import TO_ONE
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.web.access import Context, UrlQuery, Visitor, asked, character_of, guarded_view
from ai_assistant.web.looks import speakers_of
from ai_assistant.web.rest.api_endpoint import ApiCall
from ai_assistant.web.rest.api_gate import given_as


def begins(page: str, does: Any, about: str) -> Any:
    """Return the view of a form that begins for an editor what an endpoint does, and goes back to
    a page. That asks how far the job is which is `about` something; where that is empty the
    endpoint keeps one of its own. The view waits for no model.
    """

    @require_POST
    @csrf_protect
    @guarded_view
    def view(request: HttpRequest, number: int, **named: str) -> HttpResponse:
        fields = {**request.POST.dict(), **named}

        def look(visitor: Visitor) -> None:
            visitor.must_be_editor()
            character, account = character_of(number), visitor.account
            sent = {name: fields[name] for name in does.takes().fields if name in fields}
            JOBS.check_room(account)
            work = does(ApiCall(visitor, named, given_as(does.takes, sent), character))
            if about:
                JOBS.begin(account, work, f"{entity_id(character)} {about.format_map(named)}")
            else:
                work.addErrback(lambda failure: failure.trap(AssistantError) and None)

        asked(request, look)
        return redirect(f"ai_assistant:{page}", number=number, **named)

    return view


# -- the sandbox


def sandbox_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return the talk of this visitor's, and with what it goes on."""
    talk = SANDBOXES.sandbox_of(visitor.account, character)
    persona = dict(talk.terms.persona) if talk else {}
    return {
        "talk": talk,
        "terms": talk.terms if talk else None,
        "speakers": _speakers(visitor, character),
        "kinds": ["", *sorted(TO_ONE)],
        "profiles": profile_names(),
        "templates": other_templates(character),
        "persona": "; ".join(f"{name}: {in_words(value)}" for name, value in persona.items()),
    }


def _speakers(visitor: Visitor, character: Any) -> list[tuple[str, str]]:
    """Return those as whom a visitor may speak: whom it knows, and the visitor's own characters."""
    known = dict(speakers_of(character))
    own = {entity_id(body)[: choosing.SHORT_ID]: name_of(body) for body in visitor.characters}
    return [*(own | known).items()]


# -- running a call again


def again_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return what a call came to, each time that this visitor made it once more."""
    call = open_call(character, call_number(query["call"]))
    return {
        "call": call,
        "calls_then": calls_in_words(call.reply) if call.reply else (),
        "has_prompt_of_today": has_prompt_of_today(character, call),
        "jobs": JOBS.jobs_about(visitor.account, f"{entity_id(character)} call {query['call']}"),
        "profiles": profile_names(),
    }


# -- drafts of a persona


def draft_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return the drafts that this visitor asked for, each field beside what is there now."""
    block = lifecycle.read_persona(character)
    jobs = JOBS.jobs_about(visitor.account, f"{entity_id(character)} draft")
    return {
        "jobs": [(job, _drafted(job, block.value)) for job in jobs],
        "version": block.version,
        "profiles": profile_names(),
    }


def _drafted(job: Job, now: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    if job.state != DONE:
        return []
    fields = job.outcome.fields.items()
    return [(name, in_words(now.get(name, "")), text) for name, text in fields]


# -- marked turns


def marked_page(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    """Return the turns that are marked, and what they came to each time they were tried again."""
    return {
        "marked": verdicts_of(character),
        "jobs": JOBS.jobs_about(visitor.account, f"{entity_id(character)} marked"),
        "profiles": profile_names(),
        "templates": other_templates(character),
    }
