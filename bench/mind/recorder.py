"""An endpoint between the game and a model: passes everything on, and keeps it in a box."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.testing.box import Box
from ai_assistant.testing.faults import HttpAnswer
from ai_assistant.testing.loopback import Loopback

PATIENCE = 600.0
_PASSED_ON = ("authorization", "content-type")


class Recorder(Loopback):
    """Asks the model at `target` (its base URL) whatever it is asked."""

    name = "The recorder"

    def __init__(self, box: Path, target: str) -> None:
        super().__init__()
        self.box = Box(box)
        self._target = target.rstrip("/")

    async def answer(self, route: str, headers: dict[str, str], body: Any) -> HttpAnswer:
        """Pass a request on, and its answer back."""
        method, _, path = route.partition(" ")
        chat = path.endswith("/chat/completions")
        number, begun = self.box.lay(body) if chat else "", time.monotonic()
        kept = {name: headers[name] for name in _PASSED_ON if name in headers}
        url = self._target + path.removeprefix("/v1")
        data = json.dumps(body).encode() if method == "POST" else None
        asked = urllib.request.Request(url, data, kept, method=method)
        try:
            status, raw = await asyncio.to_thread(_fetch, asked)
        except asyncio.CancelledError:
            self._close(number, {"closed": "gone"})
            raise
        seconds = round(time.monotonic() - begun, 1)
        self._close(number, {**_record(status, raw), "seconds": seconds})
        return HttpAnswer(raw, status)

    def _close(self, number: str, record: Json) -> None:
        if number:
            self.box.close(number, record)


def _record(status: int, raw: bytes) -> Json:
    try:
        return {"body": json.loads(raw)} if status == 200 else {"error": status}
    except ValueError:
        return {"error": "malformed"}


def _fetch(asked: urllib.request.Request) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()
    except OSError:
        return 502, b"{}"
