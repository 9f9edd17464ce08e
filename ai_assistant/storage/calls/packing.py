"""Packing: what a model was sent and answered as few bytes, and back. Meant for a thread.

The unchanging beginning of the prompt and the list of tools are texts of their own, told apart by
their digests: a thousand calls share one of each.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass, field, replace
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.model_records import (
    CallOrigin,
    Message,
    ModelReply,
    ModelRequest,
    PromptSection,
)
from ai_assistant.language import keeps_texts

_ASKED = ("job", "profile", "context_type", "assistant", "max_tokens", "schema", "may_be_empty")
"""Fields of a request that are kept as they are."""


@dataclass(slots=True)
class PackedCall:
    """What was sent and answered, as it is stored."""

    body: bytes
    """What this call alone has, compressed."""
    texts: dict[str, bytes] = field(default_factory=dict)
    """What many calls share, by its digest."""
    lead: str = ""
    """The digest of the beginning; empty where nothing of it never changes."""
    tools: str = ""
    """The digest of the list of tools; empty for none."""


def pack(request: ModelRequest, reply: ModelReply | None) -> PackedCall:
    """Return a call as it is stored; no `reply` where none came."""
    packed = PackedCall(b"")
    messages = [*request.messages]
    if letters := request.origin.lead:
        first = messages[0].content
        packed.lead = _share(packed, first[:letters])
        messages[0] = replace(messages[0], content=first[letters:])
    if request.tools:
        packed.tools = _share(packed, request.tools)
    held = {
        "asked": {name: getattr(request, name) for name in _ASKED},
        "messages": messages,
        "sections": request.sections,
        "reply": reply,
    }
    packed.body = zlib.compress(_encode(held).encode())
    return packed


def unpack(body: bytes, lead: bytes = b"", tools: bytes = b"") -> tuple[ModelRequest, Any]:
    """Return the request and the reply (None for none) of a call; the first message is whole."""
    held = _loosened(body)
    messages = [Message.from_json(message) for message in held["messages"]]
    begins = _loosened(lead) if lead else ""
    if begins:
        messages[0] = replace(messages[0], content=begins + messages[0].content)
    shown = tuple(_loosened(tools)) if tools else ()
    request = ModelRequest(
        messages=tuple(messages),
        tools=shown,
        registered=shown,
        sections=tuple(map(PromptSection.from_json, held["sections"])),
        origin=CallOrigin(lead=len(begins)),
        **held["asked"],
    )
    return request, ModelReply.from_json(held["reply"]) if held["reply"] else None


def searchable_words(body: bytes) -> Json:
    """Return what a body holds, as JSON: for whoever looks for words in it."""
    held: Json = _loosened(body)
    return held


def _share(packed: PackedCall, value: Any) -> str:
    digest, squeezed = _shared(_encode(value))
    packed.texts[digest] = squeezed
    return digest


@keeps_texts(64)
def _shared(text: str) -> tuple[str, bytes]:
    """Return a text's digest, and the text as it is stored."""
    return hashlib.sha256(text.encode()).hexdigest(), zlib.compress(text.encode())


def _fields(record: Any) -> Json:
    """Return what a record holds, by name; `asdict` would copy all of it on the way."""
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


_encode = json.JSONEncoder(default=_fields).encode


def _loosened(packed: bytes) -> Any:
    return json.loads(zlib.decompress(bytes(packed)))
