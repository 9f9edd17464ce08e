"""What may be changed on the pages: each edit is asked about first, then done as a command does."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods, require_POST
from twisted.internet.defer import Deferred

from ai_assistant.api import card_exchange
from ai_assistant.api.desk.jobs import JOBS
from ai_assistant.core.errors import AssistantError
from ai_assistant.game.identity import name_of
from ai_assistant.roleplay.cards.png import MAX_PICTURE
from ai_assistant.runtime.assembly import limit
from ai_assistant.web.access import (
    Context,
    Visitor,
    asked,
    character_of,
    guarded_view,
    is_own_address,
    uploaded,
)
from ai_assistant.web.desk.block_forms import BLOCK_EDITS
from ai_assistant.web.desk.desk_edits import DESK_EDITS
from ai_assistant.web.desk.edit_forms import EditForm
from ai_assistant.web.desk.lore_forms import ENTRY_EDIT
from ai_assistant.web.desk.mind_forms import MIND_EDITS
from ai_assistant.web.desk.page_acts import LIFE_ACTS
from ai_assistant.web.desk.plan_forms import PLAN_EDITS
from ai_assistant.web.desk.prompt_forms import PROMPT_EDITS
from ai_assistant.web.desk.world_forms import WORLD_EDITS
from ai_assistant.web.views import SECONDS


@require_http_methods(["GET", "HEAD", "POST"])
@csrf_protect
@guarded_view
def confirm_edit(request: HttpRequest, what: str, number: int = 0) -> HttpResponse:
    """Show the form of an edit, then what it would change; with ``sure=yes`` do it, and go back.

    A form that cannot be done comes again, as it was filled in, with what is wrong. Without a
    number it is about what everybody shares.
    """
    chosen, is_sent = (EDITS if number else WORLD_EDITS).get(what), request.method == "POST"
    if chosen is None:
        raise Http404("Nothing of that name can be changed here.")
    fields = (request.POST if is_sent else request.GET).dict()
    fields.pop("csrfmiddlewaretoken", None)
    back = fields.pop("back", "")
    is_sure = fields.pop("sure", "") == "yes" and is_sent

    def look(visitor: Visitor) -> Any:
        character = _editable(visitor, number)
        form = chosen(character, fields, is_sent=is_sent)
        seen = {
            "name": name_of(character) if character else form.of_all,
            "back": back if is_own_address(back) else form.where(),
            "is_grave": form.is_grave,
        }
        if is_sent:
            return _sent(form, seen, visitor.account if is_sure else None)
        if form.visible_fields():
            return seen | {"form": form}
        return _sent(chosen(character, fields, is_sent=True), seen, None)

    seen = asked(request, look)
    if "told" in seen:
        messages.success(request, seen["told"])
        return redirect(seen["back"])
    template = "form" if "form" in seen else "confirm"
    seen |= {"title": chosen.title, "fields": fields}
    status = 400 if "problem" in seen else 200
    return render(request, f"ai_assistant/{template}.html", seen, status=status)


def _sent(form: EditForm, seen: Context, account: Any) -> Any:
    """Return what an edit would change; for an account do it, and return what to tell.

    A form that asks for more than was sent, or for something else, comes again.
    """
    try:
        changed = form.changed()
        seen |= {"plan": form.plan(changed)}
        told = form.do(changed, account) if account else None
    except AssistantError as error:
        if not form.visible_fields():
            raise
        return seen | {"form": form, "problem": str(error)}
    if isinstance(told, Deferred):
        return _in_time(told, account).addCallback(lambda words: seen | {"told": words})
    return seen | ({"told": told} if account else {})


def _in_time(work: Deferred[str], account: Any) -> Deferred[str]:
    """Return what some work tells; after `SECONDS` that it goes on, which it does as a job."""
    shown: Deferred[str] = Deferred()

    def pass_on(outcome: Any) -> Any:
        shown.callback(outcome)
        return outcome

    JOBS.begin(account, work.addBoth(pass_on))
    goes_on = "That takes long, and goes on without this page. The audit log tells of it."
    return limit(shown, SECONDS).addErrback(lambda late: late.trap(TimeoutError) and goes_on)


@require_POST
@csrf_protect
@guarded_view
def upload(request: HttpRequest, number: int) -> HttpResponse:
    """Give an assistant persona and lorebook of a card; the form holds the confirmation."""
    asked(request, lambda visitor: name_of(_editable(visitor, number)))  # before it is read
    missing = "Choose a card, and tick that its persona is to replace this one."
    is_sure = request.POST.get("sure") == "yes"
    read = card_exchange.read_bytes(*uploaded(request, MAX_PICTURE, missing, is_sure=is_sure))

    def put(visitor: Visitor) -> str:
        character = _editable(visitor, number)
        card_exchange.put_card(read, character, by=visitor.account.key)
        return f"{name_of(character)} has the persona of the card {read.name} now."

    messages.success(request, asked(request, put))
    return redirect("ai_assistant:persona", number=number)


def _editable(visitor: Visitor, number: int) -> Any:
    """Return whom somebody may change; None for what everybody shares, which has no lock."""
    visitor.must_be_editor()
    if not number:
        return None
    character = character_of(number)
    visitor.must_change(character)
    return character


EDITS = {
    **DESK_EDITS,
    **LIFE_ACTS,
    **PLAN_EDITS,
    **BLOCK_EDITS,
    **MIND_EDITS,
    **PROMPT_EDITS,
    **ENTRY_EDIT,
}
"""What may be changed of an assistant, by the last part of the address."""
