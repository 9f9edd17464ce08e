"""Who reads in `bench.nights`: the offline model, a box of answers, or a model at an endpoint."""

from __future__ import annotations

import json
from pathlib import Path

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import ModelError
from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.core.ports import Model
from ai_assistant.llm.client import Client
from ai_assistant.llm.model_profiles import Profile
from ai_assistant.llm.offline import OfflineModel
from ai_assistant.llm.wire import parse_reply, request_body
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.testing.box import Box
from ai_assistant.testing.by_hand_text import tokens_about
from ai_assistant.testing.faults import Asked

TRIES = 3
NOTHING = json.dumps({"facts": [], "people": []})


class Unanswered(Exception):
    """Nobody answers any more: the run ends, and goes on from its box another time."""


class Voice(Model):
    """Implements `ports.Model`: asks whoever reads, and counts.

    `calls`, `sent` and `got` (tokens, a quarter of the characters) are of all requests so far.
    """

    def __init__(self) -> None:
        self.calls = self.sent = self.got = 0

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Answer a request."""
        reply = await self._answer(request)
        self.calls += 1
        self.sent += sum(tokens_about(message.content) for message in request.messages)
        self.got += tokens_about(reply.text)
        return reply

    async def _answer(self, request: ModelRequest) -> ModelReply:
        raise NotImplementedError

    async def close(self) -> None:
        """Let go of every connection."""


class Offline(Voice):
    """The offline model."""

    def __init__(self) -> None:
        super().__init__()
        self._model = OfflineModel()

    async def _answer(self, request: ModelRequest) -> ModelReply:
        return await self._model.complete(request)


class Kept(Voice):
    """What the box holds is not asked again; what it lacks is asked at the endpoint, and kept."""

    def __init__(self, box: Box, profile: Profile) -> None:
        super().__init__()
        self._box, self._profile = box, profile
        self._client = Client()

    async def _answer(self, request: ModelRequest) -> ModelReply:
        body = body_of(request, self._profile)
        if (kept := answered(self._box, body)) is not None:
            return parse_reply(json.dumps(kept).encode(), request, native=True)
        reply = await self._asked(request)
        if answered(self._box, body) is None:  # a hand that serves from this box kept it already
            answer = Asked(body).text(reply.text)
            self._box.close(self._box.lay(body), {"body": json.loads(answer.body)})
        return reply

    async def _asked(self, request: ModelRequest) -> ModelReply:
        problem = ModelError("the box does not hold this answer, and there is no endpoint")
        for _ in range(TRIES if self._profile.base_url else 0):
            try:
                return await self._client.complete(self._profile, request)
            except ModelError as error:
                problem = error
        raise Unanswered(str(problem))

    async def close(self) -> None:
        """Let go of every connection."""
        await self._client.close()


class Drafts(Voice):
    """Lays every request into a box, and answers as if there was nothing to tell."""

    def __init__(self, box: Box, profile: Profile) -> None:
        super().__init__()
        self._box, self._profile = box, profile

    async def _answer(self, request: ModelRequest) -> ModelReply:
        self._box.lay(body_of(request, self._profile))
        return ModelReply(text=NOTHING)


def body_of(request: ModelRequest, profile: Profile) -> Json:
    """Return the body of a request as the client sends it."""
    asked = request_body(request, native=profile.native_tools, with_schema=profile.json_schema)
    return {"model": profile.model, **asked, **profile.parameters(request.max_tokens)}


def answered(box: Box, body: Json) -> Json | None:
    """Return the last answer that a box holds to exactly this request."""
    wanted, found = fingerprint(body), None
    for number in box.numbers():
        record = box.record(number) or {}
        if "body" in record and fingerprint(box.request(number)) == wanted:
            found = record["body"]
    return found


def voice_of(box: Path | None, profile: Profile, *, drafts: bool = False) -> Voice:
    """Return who reads: `profile` is whom to ask, nobody where it has no address."""
    if box is None:
        return Offline()
    return Drafts(Box(box), profile) if drafts else Kept(Box(box), profile)
