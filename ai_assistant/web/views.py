"""The pages as views. They run in threads of their own: what the game knows, they ask of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from twisted.internet.defer import Deferred

from ai_assistant.api import card_exchange
from ai_assistant.api.desk.jobs import JOBS
from ai_assistant.api.desk.money import prices_today
from ai_assistant.api.desk.ordering import SORTS, sorted_glances
from ai_assistant.api.desk.timetable import doing
from ai_assistant.api.overview import Glance, faults, glances, outages, trouble
from ai_assistant.api.portraits import portrait_file
from ai_assistant.api.slices import in_slices
from ai_assistant.api.turns.latest import lately
from ai_assistant.api.turns.turn_list import (
    KINDS,
    LOOKED_AT,
    MARKS,
    ORDERS,
    READ,
    SHOWN,
    WantedTurns,
    named_assistants,
    turn_rows,
)
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.game.quiet import QUIET
from ai_assistant.roleplay.cards.card_files import card_to_bytes, json_to_bytes
from ai_assistant.runtime.assembly import limit
from ai_assistant.web.access import (
    Context,
    PageContext,
    UrlQuery,
    Visitor,
    asked,
    character_of,
    guarded_view,
    number_asked,
)
from ai_assistant.web.desk.file_pages import COMING

PageMaker = Callable[[Visitor, Any, UrlQuery], PageContext]
TURN_FILTERS = ("kind", "tool", "who", "word", "mark", "since", "until", "order")
TURNS = 50
"""Turns on one page of their list."""
SECONDS = 20.0
"""The longest that a page waits for a search, or for a prompt."""


def page_of_all(template: str, look: Callable[[Visitor, UrlQuery], PageContext]) -> Any:
    """Return the view of a page that shows what `look` finds."""

    @require_safe
    @guarded_view
    def view(request: HttpRequest) -> HttpResponse:
        query = request.GET.dict()
        seen = asked(request, lambda visitor: look(visitor, query))
        return render(request, f"ai_assistant/{template}.html", {"here": template, **seen})

    return view


def page_of_one(template: str, look: PageMaker, *, editors: bool = False) -> Any:
    """Return the view of a page about one assistant, for all who may see pages or `editors`."""

    @require_safe
    @guarded_view
    def view(request: HttpRequest, number: int, **named: str) -> HttpResponse:
        query = {**request.GET.dict(), **named}
        seen = asked(
            request, lambda visitor: about_one(visitor, number, look, query, editors=editors)
        )
        return render(request, f"ai_assistant/{template}.html", {"here": template, **seen})

    return view


@require_safe
@guarded_view
def card(request: HttpRequest, number: int) -> HttpResponse:
    """Hand out the card of an assistant as a file, as JSON or with ``as=png`` in its picture."""
    seen = asked(request, lambda visitor: about_one(visitor, number, _card, {}, editors=True))
    if request.GET.get("as") == "png":
        shown = seen["picture"].read_bytes() if seen["picture"].is_file() else b""
        data, suffix, kind = card_to_bytes(seen["card"], shown), "png", "image/png"
    else:
        data, suffix, kind = json_to_bytes(seen["card"].raw), "json", "application/json"
    response = HttpResponse(data, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{seen["file"]}.{suffix}"'
    return response


def _card(visitor: Visitor, character: Any, query: UrlQuery) -> Context:
    named = {"file": card_exchange.file_name(name_of(character))}
    return named | {"card": card_exchange.exported(character), "picture": portrait_file(character)}


@require_safe
@guarded_view
def picture(request: HttpRequest, number: int) -> HttpResponse:
    """Show the picture of an assistant, which came with its card."""
    path = asked(request, lambda visitor: portrait_file(character_of(number)))
    if not path.is_file():
        raise Http404("It has no picture.")
    response = HttpResponse(path.read_bytes(), content_type="image/png")
    response["X-Content-Type-Options"] = "nosniff"
    return response


def everybody(visitor: Visitor, query: UrlQuery) -> Deferred[Callable[[], Context]]:
    """Return all assistants as they are now, in the order that was asked; looked at by slices."""
    sort = found if (found := query.get("sort", "")) in SORTS else "room"

    async def gathered() -> Callable[[], Context]:
        seen = list[Glance]()
        await in_slices(map(seen.extend, glances()))
        at_work = {glance.key: doing(glance.key) for glance in seen}
        told = {"trouble": trouble(), "outages": [*outages(), *faults()], "quiet": QUIET.everywhere}
        told["is_editor"] = visitor.is_editor
        told["coming"] = JOBS.jobs_about(visitor.account, COMING)
        rooms = [body.location.dbref for body in visitor.characters if body.location]
        told["room"] = rooms[0] if rooms else ""

        def priced() -> Context:
            prices = {} if told["trouble"] else prices_today()
            rows = [
                (one, at_work[one.key], prices.get(one.key, 0.0), one.row.place * (sort == "room"))
                for one in sorted_glances(seen, sort, prices)
            ]
            sorts = {"sort": sort, "sorts": [*SORTS]}
            return {"glances": rows, "today": _today(seen, prices), **sorts, **told}

        return priced

    return Deferred.fromCoroutine(gathered())


def _today(seen: list[Glance], prices: dict[str, float | None]) -> Context:
    """Return what those in the list took today, and how many sleep or are in trouble."""
    rows, known = [glance.row for glance in seen], [prices.get(one.key, 0.0) for one in seen]
    return {
        "asleep": sum(row.state.startswith("asleep") for row in rows),
        "waiting": sum(row.queue for row in rows),
        "calls": sum(row.calls for row in rows),
        "free": sum(row.free for row in rows),
        "tokens": sum(row.tokens for row in rows),
        "free_tokens": sum(row.free_tokens for row in rows),
        "price": None if None in known else sum(filter(None, known)),
    }


def turns(visitor: Visitor, query: UrlQuery) -> PageContext:
    """Return a page of the list of turns, as it was asked for."""
    number = number_asked(query, "assistant")
    one = character_of(number) if number else None
    wanted = {name: query.get(name, "") for name in TURN_FILTERS}
    same = {name: value for name, value in query.items() if value and name != "page"}
    unheard = lately(one, 0) if one and wanted["kind"] == "unanswered" else None
    page = min(number_asked(query, "page") or 1, SHOWN // TURNS)
    bodies, key = named_assistants(), entity_id(one) if one else ""
    seen = {
        "assistants": [*bodies.values()],
        "assistant": one.pk if one else 0,
        "unanswered": unheard.unanswered[::-1] if unheard else [],
        "passed_over": unheard.passed_over if unheard else [],
        "kinds": list(KINDS),
        "marks": MARKS,
        "orders": list(ORDERS),
        "looked_at": LOOKED_AT,
        "read": READ,
        "shown": SHOWN,
        "same": urlencode(same),
        "newer": page - 1,
        **wanted,
    }

    def listed() -> Context:
        found = turn_rows(bodies, WantedTurns(key, most=page * TURNS + 1, **wanted))
        rows = found[(page - 1) * TURNS :]
        has_older = len(rows) > TURNS and page * TURNS < SHOWN
        return seen | {"rows": rows[:TURNS], "older": page + 1 if has_older else 0}

    return listed


def about_one(
    visitor: Visitor, number: int, look: PageMaker, query: UrlQuery, *, editors: bool
) -> PageContext:
    """Return what a page about one assistant shows, and the head that all of them have.

    Raises `PermissionDenied` where it is for `editors` and the visitor is none.
    """
    character = character_of(number)
    if editors:
        visitor.must_be_editor()
    head = {"name": name_of(character), "number": number, "may_edit": visitor.may_edit(character)}
    head["is_editor"] = visitor.is_editor
    found = look(visitor, character, query)
    if isinstance(found, Deferred):
        return limit(found.addCallback(lambda seen: head | seen), SECONDS)
    return (lambda: head | found()) if callable(found) else head | found
