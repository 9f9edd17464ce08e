"""Files that are made off the reactor, to be downloaded; and a whole assistant that is uploaded."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_POST, require_safe

from ai_assistant.api.card_exchange import inside
from ai_assistant.api.desk.jobs import DONE, JOBS
from ai_assistant.api.portraits import folder
from ai_assistant.core.contracts import Json
from ai_assistant.core.text import clean
from ai_assistant.web.access import Visitor, asked, guarded_view, uploaded
from ai_assistant.web.rest import api_shelf
from ai_assistant.web.rest.api_endpoint import ApiCall

COMING = "whole assistants that come in"
"""What jobs that bring them are about."""
PIECE = 64_000
"""Bytes, or characters of base64, that are sent at once; a multiple of four."""


@require_safe
@guarded_view
def made_file(request: HttpRequest, job: str) -> HttpResponse:
    """Hand out what a job of the visitor's own made: a whole assistant, or an audit log."""

    def look(visitor: Visitor) -> Json:
        visitor.must_be_editor()
        found = JOBS.job_of(visitor.account, job)
        if found is None or found.state != DONE or not {"file", "records"} & {*found.outcome}:
            raise Http404("There is no such file, or not any more.")
        made: Json = found.outcome
        return made

    made = asked(request, look)
    if "file" not in made and not inside(folder(), made["name"]).is_file():
        raise Http404("That file is gone.")
    response = StreamingHttpResponse(_pieces(made), content_type="application/octet-stream")
    response["Content-Disposition"] = f'attachment; filename="{made["name"]}"'
    return response


def _pieces(made: Json) -> Iterator[bytes]:
    if text := made.get("file"):
        yield from (b64decode(text[at : at + PIECE]) for at in range(0, len(text), PIECE))
        return
    with inside(folder(), made["name"]).open("rb") as file:
        yield from iter(partial(file.read, PIECE), b"")


@require_POST
@csrf_protect
@guarded_view
def upload_whole(request: HttpRequest) -> HttpResponse:
    """Let a whole assistant come in from a file; the first page shows how far it is."""
    asked(request, lambda visitor: visitor.must_be_editor())  # before it is read
    most, missing = api_shelf.WHOLE_FILE.most, "Choose the file of a whole assistant."
    file, _ = uploaded(request, most, missing)
    room = clean(request.POST.get("room", ""), 100)

    def begin(visitor: Visitor) -> None:
        visitor.must_be_editor()
        JOBS.check_room(visitor.account)
        call = ApiCall(visitor, {}, {"room": room}, file=file)
        JOBS.begin(visitor.account, api_shelf.import_all(call), COMING, call.how_far)

    asked(request, begin)
    return redirect("ai_assistant:overview")
