"""The page of lorebooks, and the form that brings one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_POST

from ai_assistant.api.card_exchange import import_book, read_bytes
from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.api.lore_books import book_changes, card_book, entry_rows, would_fire
from ai_assistant.game.identity import name_of
from ai_assistant.roleplay.cards import limited_json
from ai_assistant.storage.lorebooks import world_book, world_books
from ai_assistant.web.access import (
    Context,
    UrlQuery,
    Visitor,
    asked,
    character_of,
    guarded_view,
    number_asked,
    uploaded,
)


@require_POST
@csrf_protect
@guarded_view
def upload_book(request: HttpRequest) -> HttpResponse:
    """Keep a lorebook for all assistants, in place of one of its name; the form confirms that."""
    asked(request, lambda visitor: visitor.must_be_editor())  # before it is read
    missing = "Choose a lorebook, and tick that it takes the place of its like."
    is_sure = request.POST.get("sure") == "yes"
    read = read_bytes(*uploaded(request, limited_json.MAX_BYTES, missing, is_sure=is_sure))

    def keep(visitor: Visitor) -> str:
        visitor.must_be_editor()
        return f"All assistants know the lorebook {import_book(read, by=visitor.account.key)} now."

    messages.success(request, asked(request, keep))
    return redirect("ai_assistant:lore")


def lore_page(visitor: Visitor, query: UrlQuery) -> Context:
    """Return the world's lorebooks, and what one assistant reads of its own and words bring up.

    Of each book its title, whether it is of the card of that one, and its entries.
    """
    number, words = number_asked(query, "assistant"), query.get("words", "")
    body: Any = character_of(number) if number else None
    books = [(name, False, [*entry_rows([world_book(name)])]) for name in world_books()]
    if body is not None:
        books.insert(0, (f"Of {name_of(body)}’s card", True, [*entry_rows([card_book(body)])]))
    return {
        "may_edit": visitor.is_editor,
        "may_edit_card": body is not None and visitor.may_edit(body),
        "books": books,
        "changes": book_changes() if visitor.is_editor and body is None else [],
        "assistants": [(body.pk, name_of(body)) for body in all_assistants()],
        "assistant": body.pk if body is not None else 0,
        "words": words,
        "fired": would_fire(body, words) if body is not None and words else None,
    }
