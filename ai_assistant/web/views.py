"""The owner's pages. Views run in a thread of their own: what the game knows, they ask of it."""

from __future__ import annotations

from django.contrib.admin.views.decorators import staff_member_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from twisted.internet import reactor
from twisted.internet.threads import blockingCallFromThread

from ai_assistant import status


@staff_member_required
def overview(request: HttpRequest) -> HttpResponse:
    """Show all assistants and how they are."""
    rows = blockingCallFromThread(reactor, status.overview)
    return render(request, "ai_assistant/overview.html", {"rows": rows})
