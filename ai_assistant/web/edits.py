"""What may be changed on the pages: each edit is asked about first, then done as a command does."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods, require_POST
from twisted.internet.defer import Deferred

from ai_assistant.agent.config import find_option
from ai_assistant.api import card_exchange, forgetting, lifecycle, staging
from ai_assistant.api.blocks import change_persona
from ai_assistant.api.desk.jobs import JOBS
from ai_assistant.api.editing import edit_item, find_item
from ai_assistant.api.execution import (
    clear_emergency_stop,
    execution_of,
    trigger_emergency_stop,
)
from ai_assistant.api.following import follow_edit
from ai_assistant.api.model_setup import refuse_keys
from ai_assistant.commands.blocks.block_edits import PERSONA_FIELDS, persona_value
from ai_assistant.commands.staff.ai_config import in_words
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.roleplay.cards.png import MAX_PICTURE
from ai_assistant.runtime.assembly import limit
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import Container
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
from ai_assistant.web.desk.desk_edits import DESK_EDITS, Edit, Fields, Planned
from ai_assistant.web.desk.edit_forms import EditForm
from ai_assistant.web.desk.lore_forms import ENTRY_EDIT
from ai_assistant.web.desk.mind_forms import MIND_EDITS
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
    if chosen.form is None and not is_sent:
        return HttpResponseNotAllowed(["POST"])
    fields = (request.POST if is_sent else request.GET).dict()
    fields.pop("csrfmiddlewaretoken", None)
    back = fields.pop("back", "")
    if not is_own_address(back):
        back = reverse("ai_assistant:talk", args=[number]) if number else ""
    is_sure = fields.pop("sure", "") == "yes" and is_sent

    def look(visitor: Visitor) -> Any:
        character = _editable(visitor, number)
        seen = {"name": name_of(character) if character else "", "back": back}
        if is_sent:
            return _sent(chosen, character, fields, seen, visitor.account if is_sure else None)
        form = chosen.form(character, fields)
        seen |= _about_form(form, character)
        is_asking = bool(form.visible_fields())
        return seen | ({"form": form} if is_asking else {"plan": chosen.plan(character, fields)})

    seen = asked(request, look)
    if "told" in seen:
        messages.success(request, seen["told"])
        return redirect(seen["back"])
    template = "form" if "form" in seen else "confirm"
    seen |= {"title": chosen.title, "fields": fields, "what": what}
    status = 400 if "problem" in seen else 200
    return render(request, f"ai_assistant/{template}.html", seen, status=status)


def _sent(chosen: Edit, character: Any, fields: Fields, seen: Context, account: Any) -> Any:
    """Return what an edit would change; for an account do it, and return what to tell.

    A form that asks for more than was sent, or for something else, comes again.
    """
    form = chosen.form(character, fields, is_sent=True) if chosen.form else None
    seen |= _about_form(form, character) if form else {}
    try:
        seen |= {"plan": chosen.plan(character, fields)}
        told = chosen.do(character, fields, account) if account else None
    except AssistantError as error:
        if form is None or not form.visible_fields():
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


def _about_form(form: EditForm, character: Any) -> Context:
    """Return what is shown around a form: where it leads back to, and what it is about."""
    about = {"back": form.where(), "is_grave": form.is_grave}
    return about if character else about | {"name": form.of_all}


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
    if not visitor.passes_lock(character):
        raise PermissionDenied(f"You may not change {name_of(character)}.")
    return character


# -- the edits


def _plan_persona(character: Any, fields: Fields) -> Planned:
    before = lifecycle.read_persona(character)
    if fields.get("version") != str(before.version):
        raise AssistantError("Somebody changed the persona meanwhile. Load the page again.")
    planned = []
    for name in PERSONA_FIELDS:
        old, new = before.value.get(name, ""), _value(name, fields.get(name, ""))
        if name in fields and (new or old) and new != old:
            planned.append((name, _words(old), _words(new)))
    if not planned:
        raise AssistantError("Nothing was changed in it.")
    return planned


def _change_persona(character: Any, fields: Fields, account: Any) -> str:
    changed = {
        name: _value(name, fields[name]) or None for name, _, _ in _plan_persona(character, fields)
    }
    change_persona(character, changed, by=account.key)
    return f"{name_of(character)}: {', '.join(changed)} changed."


def _value(name: str, text: str) -> str | list[str]:
    return persona_value(name, text) if text.strip() else ""


def _words(value: Any) -> str:
    return in_words(value) if value else ""


def _plan_setting(character: Any, fields: Fields) -> Planned:
    key, text = fields.get("key", ""), fields.get("text", "")
    refuse_keys(text)
    option, now = find_option(key), lifecycle.script_of(character).config[key]
    is_default = text.strip().lower() == "default"
    new = option.default if is_default else option.parse(key, text)
    return [(key, in_words(now), in_words(new))]


def _set(character: Any, fields: Fields, account: Any) -> str:
    key = fields.get("key", "")
    value = lifecycle.configure(character, key, fields.get("text", ""), by=account.key)
    return f"{name_of(character)}: {key} is now {in_words(value)}."


def _plan_correction(character: Any, fields: Fields) -> Planned:
    words = clean(fields.get("text", ""))
    if not words:
        raise AssistantError("With which words?")
    return [("memory", _remembered(character, fields), words)]


def _correct(character: Any, fields: Fields, account: Any) -> Deferred[str]:
    _remembered(character, fields)
    edited = edit_item(character, fields["ref"], fields.get("text", ""), by=account.key)

    def told(places: int) -> str:
        besides = f" It was put right in {places} further places." if places else ""
        return f"{name_of(character)} remembers now: {edited.words}{besides}"

    return follow_edit(character, edited).addCallback(told)


def _plan_forgetting(character: Any, fields: Fields) -> Planned:
    return [("memory", _remembered(character, fields), "gone for good, wherever it was kept")]


def _forget(character: Any, fields: Fields, account: Any) -> Deferred[str]:
    def told(report: forgetting.ForgetReport) -> str:
        done = f"Forgotten: {report}." if report.total else "There was nothing to forget."
        return " ".join([done, *report.remains])

    _remembered(character, fields)
    return forgetting.forget_item(character, fields["ref"], by=account).addCallback(told)


def _remembered(character: Any, fields: Fields) -> str:
    return find_item(character, fields.get("ref", ""), was=fields.get("was")).words


def _plan_emergency(character: Any, fields: Fields) -> Planned:
    now = dict(execution_of(character).state)["emergency stop"]
    return [("emergency stop", now, fields.get("reason") or "yes" if "stop" in fields else "no")]


def _stop_or_clear(character: Any, fields: Fields, account: Any) -> str:
    if "stop" in fields:
        trigger_emergency_stop(character, fields.get("reason", ""), account.key)
        return f"{name_of(character)} is stopped; what it was about is dropped."
    clear_emergency_stop(character, account.key)
    return f"{name_of(character)} may go on."


def _plan_scene_memory(character: Any, fields: Fields) -> Planned:
    words, number = clean(fields.get("text", "")), fields.get("row", "")
    container = Container(fields.get("scene", ""), entity_id(character))
    found = container.rows([int(number)]) if number.isdecimal() and len(number) < 19 else []
    if not found:
        raise AssistantError(f"{name_of(character)} does not remember that any more.")
    if not words:
        raise AssistantError("With which words?")
    return [("memory of the scene", found[0].content, words)]


def _correct_scene_memory(character: Any, fields: Fields, account: Any) -> str:
    _plan_scene_memory(character, fields)
    scene, row_id = SCENES.get(fields["scene"]), int(fields["row"])
    row = staging.correct_by_staff(scene, character, row_id, fields["text"], by=account.key)
    return f"{name_of(character)} remembers from now on: {row.content}"


EDITS = {
    "persona": Edit("Change the persona", _plan_persona, _change_persona),
    "setting": Edit("Change a setting", _plan_setting, _set),
    "scene_memory": Edit("Correct a memory", _plan_scene_memory, _correct_scene_memory),
    "emergency": Edit("Emergency stop", _plan_emergency, _stop_or_clear),
    "correct": Edit("Correct a memory", _plan_correction, _correct),
    "forget": Edit("Forget a memory", _plan_forgetting, _forget),
    **DESK_EDITS,
    **PLAN_EDITS,
    **BLOCK_EDITS,
    **MIND_EDITS,
    **PROMPT_EDITS,
    **ENTRY_EDIT,
}
"""What may be changed of an assistant, by the last part of the address."""
