"""The way in: who is let through, how often, with how much; and how refusals are told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from django.core.cache.backends.locmem import LocMemCache
from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions, status
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView, exception_handler
from twisted.internet.defer import Deferred

from ai_assistant import conf
from ai_assistant.api.desk.jobs import JOBS
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError, StoreError
from ai_assistant.game.log import report
from ai_assistant.roleplay.cards.limited_json import MAX_BYTES, parse
from ai_assistant.runtime.assembly import limit
from ai_assistant.storage.statements import refusals
from ai_assistant.web import access
from ai_assistant.web.rest.api_endpoint import ApiCall, Endpoint, GivenFile, Takes, json_ready
from ai_assistant.web.rest.api_tokens import bearer_of, is_in_use

SECONDS = 20.0
"""The longest that an answer is waited for; what takes longer is a job."""
SCHEME = "Bearer"
_MEMORY = LocMemCache("ai_assistant.api", {"max_entries": 10_000})


class Guesses(SimpleRateThrottle):  # type: ignore[misc]
    """Counts the tokens from one address that were not good."""

    rate = "20/min"
    cache = _MEMORY

    def get_cache_key(self, request: Request, view: Any) -> str:
        """Return under what they are counted: Evennia sees to the address behind a proxy."""
        return f"guesses.{request.META.get('REMOTE_ADDR')}"

    def throttle_success(self) -> bool:
        """Let one more be tried: whether it counts is known after it."""
        return True

    def count(self) -> None:
        """Count one that was not good."""
        super().throttle_success()


class Requests(SimpleRateThrottle):  # type: ignore[misc]
    """Counts the requests of one account."""

    cache = _MEMORY

    def get_rate(self) -> str:
        """Return how many are answered, as the game has set it."""
        return f"{conf.settings.API_REQUESTS_PER_MINUTE}/min"

    def get_cache_key(self, request: Request, view: Any) -> str:
        """Return under what they are counted."""
        return f"requests.{request.user.pk}"


class ByToken(BaseAuthentication):  # type: ignore[misc]
    """Lets an account in that shows one of our tokens."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return account and token; None where none was shown."""
        scheme, _, secret = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        guesses, secret = Guesses(), secret.strip()
        if not (guesses.allow_request(request, None) or is_in_use(secret)):
            raise exceptions.Throttled(guesses.wait())
        with refusals():
            found = access.GAME.ask(lambda: bearer_of(secret))
        if found is None:
            guesses.count()
            raise exceptions.AuthenticationFailed("That token is not good, or not any more.")
        account, token = found
        return account, token

    def authenticate_header(self, request: Request) -> str:
        """Return what a refusal asks for."""
        return SCHEME


class SmallJson(BaseParser):  # type: ignore[misc]
    """Reads a JSON object of bounded size and depth."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Json:
        """Return what was sent; an empty object for nothing. Raises `CardError`."""
        data = stream.read(MAX_BYTES + 1)
        return parse(data) if data.strip() else {}


class WholeFile(BaseParser):  # type: ignore[misc]
    """Takes a file of bounded size as it is."""

    def __init__(self, file: GivenFile) -> None:
        """Take this one."""
        self._file, self.media_type = file, file.media_type

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> bytes:
        """Return the bytes that were sent. Raises `TooLarge`."""
        data: bytes = stream.read(self._file.most + 1)
        if len(data) > self._file.most:
            raise TooLarge(self._file)
        return data


class TooLarge(exceptions.APIException):  # type: ignore[misc]
    """More was sent than is read."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE

    def __init__(self, file: GivenFile | None) -> None:
        """Say how much is read, as JSON or as the `file` that was to come."""
        most = file.most if file else MAX_BYTES
        told = f"That is too much: {most:,} bytes are read."
        super().__init__(f"{told} {file.instead}" if file else told)


class ApiView(APIView):  # type: ignore[misc]
    """One address. Everything that guards it is set here: no default of the game's decides."""

    schema = None  # or Evennia's own description of its API would want to tell of ours
    authentication_classes = (ByToken, SessionAuthentication)
    permission_classes = (IsAuthenticated,)  # and the command's, see `Endpoint.called`
    throttle_classes = (Requests,)
    renderer_classes = (JSONRenderer,)
    parser_classes = (SmallJson,)
    content_negotiation_class = DefaultContentNegotiation
    versioning_class = None
    metadata_class = None
    endpoints: ClassVar[dict[str, Endpoint]] = {}
    """By method."""

    def dispatch(self, request: Any, *args: Any, **named: Any) -> Any:
        """Answer once no other view computes, as the pages do."""
        with access.TURNSTILE.inside():
            return super().dispatch(request, *args, **named)

    @property
    def file(self) -> GivenFile | None:
        """The file that is to come; None for JSON."""
        endpoint = self.endpoints.get(self.request.method)
        return endpoint.file if endpoint else None

    def get_parsers(self) -> list[BaseParser]:
        """Return what reads the body."""
        return [WholeFile(self.file)] if self.file else super().get_parsers()

    def initial(self, request: Request, *args: Any, **named: Any) -> None:
        """Let nobody in where the API is off, and nothing that is too large."""
        if not conf.settings.API:
            raise Http404("There is nothing here.")
        most = self.file.most if self.file else MAX_BYTES
        if int(request.META.get("CONTENT_LENGTH") or 0) > most:
            raise TooLarge(self.file)
        super().initial(request, *args, **named)
        if request.method != "GET" and request.auth is not None and not request.auth.may_write:
            raise exceptions.PermissionDenied("That token may only read.")

    def answer(self, request: Request, **named: str) -> Response:
        """Answer a request, on the game's thread."""
        endpoint = self.endpoints[request.method]
        sent = request.data if endpoint.takes_json else request.query_params.dict()
        file = (request.data or b"") if endpoint.file else b""
        visitor = access.Visitor(request.user)

        def on_the_games_thread() -> Any:
            with refusals():
                call = endpoint.called(visitor, named)
                taken = endpoint.takes(data=sent)
                taken.is_valid(raise_exception=True)
                given = dict(taken.validated_data)
                return _found(endpoint, ApiCall(visitor, named, given, call.character, file))

        found = json_ready(access.GAME.ask(on_the_games_thread))
        return Response({"data": found}, status=endpoint.status)

    def get_exception_handler(self) -> Any:
        """Return what tells of refusals, whatever the game has set for its own API."""
        return refusal_response

    def finalize_response(self, *args: Any, **named: Any) -> Any:
        """Let nobody keep a copy on the way."""
        response = super().finalize_response(*args, **named)
        response["Cache-Control"] = "no-store"
        return response


def _found(endpoint: Endpoint, call: ApiCall) -> Any:
    """Return what an endpoint found or a job, or a Deferred that fires before long."""
    if endpoint.status != status.HTTP_202_ACCEPTED:
        found = endpoint.does(call)
        return limit(found, SECONDS) if isinstance(found, Deferred) else found
    account = call.visitor.account
    JOBS.check_room(account)
    return JOBS.begin(account, endpoint.does(call), how_far=call.how_far).told()


def address_view(endpoints: Iterable[Endpoint]) -> Any:
    """Return the view of the endpoints of one address."""
    methods = {endpoint.method: endpoint for endpoint in endpoints}
    names = [name.lower() for name in methods]
    answers = dict.fromkeys(names, ApiView.answer)
    parts = {"endpoints": methods, "http_method_names": names, **answers}
    return type("AddressView", (ApiView,), parts).as_view()


class Nowhere(ApiView):
    """Every other address below the API's."""

    def initial(self, request: Request, *args: Any, **named: Any) -> None:
        """Say that there is nothing."""
        raise Http404("There is nothing here.")


def refusal_response(error: Exception, context: Any) -> Response:
    """Return the answer for what was refused or went wrong: a status, and a sentence."""
    if isinstance(error, AssistantError):
        code = 503 if isinstance(error, StoreError) else 400
        return Response({"error": {"message": str(error)}}, status=code)
    if isinstance(error, TimeoutError):
        told = "That took too long, and was given up."
        return Response({"error": {"message": told}}, status=503)
    response = exception_handler(error, context)
    if response is None:
        report("REST API", error)
        told = "That failed; the server's log says why."
        return Response({"error": {"message": told}}, status=500)
    if isinstance(error, exceptions.ValidationError):
        response.data = {"error": wrong_fields(response.data)}
    elif isinstance(error, Http404 | PermissionDenied):
        response.data = {"error": {"message": str(error) or "There is nothing here."}}
    else:
        response.data = {"error": {"message": str(response.data["detail"])}}
    return response


def given_as(takes: type[Takes], sent: Mapping[str, Any]) -> Json:
    """Return what was sent as it is taken. Raises `AssistantError` saying what is wrong in it."""
    taken = takes(data=sent)
    if not taken.is_valid():
        raise AssistantError(wrong_fields(taken.errors)["message"])
    return dict(taken.validated_data)


def wrong_fields(found: Any) -> Json:
    """Return what is wrong with which field, and all of it in a sentence."""
    fields = {name: " ".join(_sentences(told)) for name, told in dict(found).items()}
    return {
        "message": " ".join(f"{name}: {told}" for name, told in fields.items()),
        "fields": fields,
    }


def _sentences(told: Any) -> Iterator[str]:
    """Yield what is wrong with a field, of a list with each item that is."""
    if not isinstance(told, Mapping | list):
        yield str(told)
        return
    for part in told.values() if isinstance(told, Mapping) else told:
        yield from _sentences(part)
