"""The description of the API as OpenAPI 3.1, made of the endpoints; it ships as `openapi.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rest_framework import serializers

from ai_assistant import __version__
from ai_assistant.core.contracts import Json
from ai_assistant.web.rest.api_endpoint import Endpoint
from ai_assistant.web.rest.api_routes import by_address

FILE = Path(__file__).with_name("openapi.json")
PART = re.compile(r"<str:(\w+)>")
"""A part of an address that stands for something."""
_KINDS = {
    serializers.BooleanField: "boolean",
    serializers.IntegerField: "integer",
    serializers.FloatField: "number",
    serializers.ListField: "array",
    serializers.DictField: "object",
}
_BOUNDS = {
    "max_length": "maxLength",
    "min_value": "minimum",
    "max_value": "maximum",
}
_REFUSALS = {
    "400": "What was sent cannot be used; the message says why.",
    "401": "No token, or one that is not good.",
    "403": "That account may not do this.",
    "404": "There is no such thing, or the API is switched off.",
    "413": "More was sent than is read.",
    "429": "Too many requests; wait for as long as Retry-After says.",
    "503": "The database takes nothing just now, or it took too long.",
}
_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["message"],
            "properties": {
                "message": {"type": "string"},
                "fields": {"type": "object", "additionalProperties": {"type": "string"}},
            },
        }
    },
}


def document() -> Json:
    """Return the whole description."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "AI assistants",
            "version": __version__,
            "description": "What the commands of the assistants do, for programs.",
        },
        "servers": [{"url": "/ai/api"}],
        "security": [{"token": []}, {"session": []}],
        "paths": {
            "/" + PART.sub(r"{\1}", address): {
                endpoint.method.lower(): _operation(endpoint) for endpoint in endpoints
            }
            for address, endpoints in by_address().items()
        },
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": "sessionid"},
            },
            "schemas": {"Error": _ERROR},
            "responses": {code: _told(why) for code, why in _REFUSALS.items()},
        },
    }


def as_text() -> str:
    """Return it as the file that ships has it."""
    return json.dumps(document(), indent=1) + "\n"


def _operation(endpoint: Endpoint) -> Json:
    command = f"{endpoint.command.key}/{endpoint.switch}".rstrip("/")
    found: Json = {
        "operationId": f"{endpoint.does.__name__}",
        "summary": endpoint.about,
        "description": f"As the command {command}. Needs the permission {endpoint.needs}.",
        "tags": [endpoint.address.removeprefix("assistants/<str:key>/").split("/")[0] or "life"],
        "parameters": [*_named(endpoint), *_asked(endpoint)],
        "responses": {str(endpoint.status): _answer(endpoint)} | _refused(),
    }
    if endpoint.takes_json:
        content = {"application/json": {"schema": schema_of(endpoint)}}
        found["requestBody"] = {"content": content}
    elif file := endpoint.file:
        content = {file.media_type: {"schema": {"type": "string", "format": "binary"}}}
        found["requestBody"] = {"required": True, "content": content}
    return found


def _named(endpoint: Endpoint) -> Iterator[Json]:
    for name in PART.findall(endpoint.address):
        yield {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _asked(endpoint: Endpoint) -> Iterator[Json]:
    if endpoint.takes_json:
        return
    for name, field in endpoint.takes().fields.items():
        yield {"name": name, "in": "query", "required": field.required, "schema": _schema(field)}


def schema_of(endpoint: Endpoint) -> Json:
    """Return the JSON Schema of what an endpoint takes, the parts of its address aside."""
    fields = endpoint.takes().fields
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: _schema(field) for name, field in fields.items()},
        "required": [name for name, field in fields.items() if field.required],
    }


def _schema(field: Any) -> Json:
    found: Json = {"type": _KINDS.get(type(field), "string")}
    for name, told in _BOUNDS.items():
        if (bound := getattr(field, name, None)) is not None:
            found[told] = bound
    if field.help_text:
        found["description"] = field.help_text
    if isinstance(field, serializers.ChoiceField):
        found["enum"] = list(field.choices)
    if isinstance(field, serializers.ListField):
        found["items"] = _schema(field.child)
        found["maxItems"] = found.pop("maxLength", None)
    if field.default is not serializers.empty:
        found["default"] = field.default
    return found


def _answer(endpoint: Endpoint) -> Json:
    told = "A job: ask for it again at /jobs/{job}/." if endpoint.status == 202 else "Done."
    schema = {"type": "object", "required": ["data"], "properties": {"data": {}}}
    return {"description": told, "content": {"application/json": {"schema": schema}}}


def _told(why: str) -> Json:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {"description": why, "content": content}


def _refused() -> Json:
    return {code: {"$ref": f"#/components/responses/{code}"} for code in _REFUSALS}
