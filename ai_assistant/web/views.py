"""The owner's pages. Views run in a thread of their own: what the game knows, they ask of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib.admin.views.decorators import staff_member_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from twisted.internet import reactor
from twisted.internet.threads import blockingCallFromThread

from ai_assistant.api import overview as status

Ask = Callable[[Callable[[], Any]], Any]
ask_game: Ask = partial(blockingCallFromThread, reactor)
"""Call a function on the game's own thread, and wait for what it returns."""


@staff_member_required
def overview(request: HttpRequest, ask: Ask = ask_game) -> HttpResponse:
    """Show all assistants and how they are."""
    seen = ask(status.overview)
    return render(request, "ai_assistant/overview.html", {"overview": seen})
