"""The running game, which alone writes: what is to be changed is asked of its REST API."""

from __future__ import annotations

import json
import time
from http import HTTPStatus
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

from django.conf import settings
from django.urls import NoReverseMatch, reverse

from ai_assistant import conf
from ai_assistant.api.desk.jobs import RUNNING
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.web.rest.api_endpoint import Endpoint
from ai_assistant.web.rest.openapi import PART

SECONDS = 30.0
"""The longest that an answer of the game is waited for, and a job."""
LOOKED_AGAIN = 0.5
"""Seconds between two looks at a job."""
TOKEN = "AI_ASSISTANT_TOKEN"
"""The environment variable that has a token of `ai/token`."""
_EVERYWHERE = ("", "0.0.0.0", "::")
_NOBODY = (HTTPStatus.NOT_IMPLEMENTED, HTTPStatus.BAD_GATEWAY)
"""What Evennia's Portal, or a proxy, answers while there is no server behind it."""
_DOWN = "Read only: the game is not running here."
_UNKNOWN = "The game broke off: whether it was done is not known. Look before you ask it again."


class RunningGame:
    """The game beside this process, as its REST API answers on this machine."""

    def __init__(self, token: str) -> None:
        self._token = token

    @property
    def hindrance(self) -> str:
        """Why nothing can be written while this process lives, in a sentence; empty where it can.

        The game may come and go meanwhile, which each answer of `write` tells.
        """
        if not self._token:
            return f"Read only: {TOKEN} is not set; `ai/token` in the game makes one."
        return "" if conf.settings.API else "Read only: AI_ASSISTANT_API is off."

    def write(self, endpoint: Endpoint, named: Json, given: Json) -> Any:
        """Have an endpoint called in the game; returns what it answers, of a job what came of it.

        Raises `AssistantError` where nothing can be written, where the game refuses, and where
        it is not known whether it was done.
        """
        if self.hindrance:
            raise AssistantError(self.hindrance)
        address = PART.sub(lambda part: quote(str(named[part[1]]), safe=""), endpoint.address)
        answer = self._asked(endpoint.method, address, given)
        end = time.monotonic() + SECONDS
        while endpoint.status == HTTPStatus.ACCEPTED and answer["state"] == RUNNING:
            if time.monotonic() > end:
                return answer  # which `job` asks for again
            time.sleep(LOOKED_AGAIN)
            try:
                answer = self._asked("GET", f"jobs/{answer['job']}/")
            except AssistantError as error:
                raise AssistantError(_UNKNOWN) from error
        return answer

    def _asked(self, method: str, address: str, sent: Json | None = None) -> Any:
        data = json.dumps(sent).encode() if sent and method != "GET" else None
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        request = Request(_root() + address, data, headers, method=method)
        try:
            with urlopen(request, timeout=SECONDS) as answer:
                return json.load(answer)["data"]
        except HTTPError as refused:
            raise AssistantError(_refusal(refused)) from refused
        except URLError as error:  # before all of it was sent
            raise AssistantError(_DOWN) from error
        except (OSError, HTTPException, ValueError) as error:
            raise AssistantError(_UNKNOWN) from error


def _root() -> str:
    """Return the address of the REST API on this machine. Raises `AssistantError`."""
    host = settings.WEBSERVER_INTERFACES[0]
    host = "127.0.0.1" if host in _EVERYWHERE else host
    try:
        path = reverse("ai_assistant:overview")
    except NoReverseMatch as error:
        raise AssistantError("Read only: the pages are not in web/urls.py.") from error
    return f"http://{host}:{settings.WEBSERVER_PORTS[0][0]}{path}api/"


def _refusal(refused: HTTPError) -> str:
    """Return why the game refused, in its own words where there are any."""
    if refused.code in _NOBODY:
        return _DOWN
    try:
        told = str(json.load(refused)["error"]["message"])
    except (ValueError, KeyError, TypeError):
        told = f"status {refused.code}"
    if refused.code == HTTPStatus.SERVICE_UNAVAILABLE:
        return f"Read only just now: {told}"
    return f"The game refused: {told}"
