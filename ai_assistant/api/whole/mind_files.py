"""The file of a whole assistant: its bytes to checked JSON, and back.

The file is gzip'd JSON, in which the mind's own id is `renumbering.ITSELF` and its rows have their
places in the file for numbers. What is done to all of a large file is done piece by piece: a
thread that is busy within one call of C keeps the game's own thread waiting.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import zlib
from collections.abc import Sequence
from typing import Any

from ai_assistant.agent.config import check_all
from ai_assistant.agent.state_parts import OF_WORDS
from ai_assistant.api.blocks.persona_block import checked_persona
from ai_assistant.api.portraits import bare_picture
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError, CardError
from ai_assistant.memory.renumbering import with_id_changed
from ai_assistant.memory.talk.working import key_of
from ai_assistant.runtime.assembly import PERSONA
from ai_assistant.storage import whole_minds

FORMAT, VERSION = "ai-assistant-mind", 1
MAGIC = b"\x1f\x8b"
"""With which a file of gzip begins."""
SUFFIX = ".gz"
MAX_PACKED, MAX_UNPACKED = 32_000_000, 256_000_000
"""Bytes of a file, and of the JSON in it."""
MOST_STATES = 20_000
"""States in a file: each becomes an Attribute. One for each person known, one for each talk."""
MOST_VALUES, MOST_IN_ONE = 10_000_000, 100_000
"""Values in a file, and in one row, block or state: each takes more room in memory than there."""
LISTS = ("rows", "blocks", "states")
_PIECE = 100_000
"""Characters that are searched at once."""
_UNKEEPABLE = re.compile(r"(?<!\\)\\u(?:0000|[dD][89a-fA-F])")
"""What JSON can write, but no database can hold."""
_LONGEST_MATCH = 7
_LINKS = {"parents": list, "supersedes": int | None, "archived_at": float | None}
_NUMBERS = {"game_day": int, "learned_at": float, "importance": int, "trust": float, "meta": dict}
_ROW = dict.fromkeys(whole_minds.ROW, str) | _NUMBERS | _LINKS
_BLOCK = {"label": str, "type": str, "value": dict, "limit": int}
_STATE = {"part": str, "key": str, "state": dict}
_WHOLE = {"name": str, "desc": str, "config": dict, "states": list, "blocks": list, "rows": list}


def packed(whole: Json) -> bytes:
    """Return an exported assistant as the bytes of a file."""
    plain = {name: value for name, value in whole.items() if name not in LISTS}
    pieces = [json.dumps(plain, ensure_ascii=False)[:-1]]
    for name in LISTS:
        held = ", ".join(json.dumps(item, ensure_ascii=False) for item in whole[name])
        pieces.append(f', "{name}": [{held}]')
    return gzip.compress(("".join(pieces) + "}").encode(), mtime=0)


def with_ids_changed(held: Json, old: Sequence[str], new: str) -> Json:
    """Return a part of an assistant's JSON in which one id stands for some others."""
    text = json.dumps(held, ensure_ascii=False, sort_keys=True)
    for id in old:
        text = with_id_changed(text, id, new)
    changed: Json = json.loads(text)
    if changed.get("part") == "working":  # its key follows from the ids in its label
        changed["key"] = key_of(changed["state"]["entity_id"], changed["state"]["readers"])
    return changed


def unpacked(data: bytes) -> Json:
    """Return the assistant in the bytes of a file. Raises `CardError` saying what is wrong."""
    opened = zlib.decompressobj(wbits=31)
    try:
        text = opened.decompress(data[: MAX_PACKED + 1], MAX_UNPACKED + 1)
        if len(data) > MAX_PACKED or len(text) > MAX_UNPACKED:
            raise CardError(f"The file has more than {MAX_UNPACKED} bytes of JSON.")
        if not opened.eof:
            raise CardError("The file is cut off.")
        if (count := _most_values_of(text)) > MOST_VALUES:
            raise CardError(
                f"The file holds {count:,} values, and at most {MOST_VALUES:,} are taken."
            )
        words = text.decode()
        whole = json.loads(words, parse_constant=_no_number, object_hook=_in_pieces)
    except (zlib.error, ValueError, RecursionError) as error:
        raise CardError("The file is damaged: it is no gzip'd JSON.") from error
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise CardError("The file holds no exported assistant.")
    if whole.get("version") != VERSION:
        raise CardError(f"The file is of another version; this one reads version {VERSION}.")
    if _is_unkeepable(words):
        raise CardError("The file is damaged: it holds characters that no database keeps.")
    return _checked(whole)


def _most_values_of(text: bytes) -> int:
    """Return how many values there are in JSON at most, without reading it."""
    starts = range(0, len(text), _PIECE)
    return sum(text.count(mark, at, at + _PIECE) for mark in (b",", b"[", b"{") for at in starts)


def _no_number(name: str) -> None:
    raise ValueError(name)


def _in_pieces(read: Json) -> Json:
    """Return the same: to call this, the parser lets go of the other threads between objects."""
    return read


def _is_unkeepable(words: str) -> bool:
    starts = range(0, len(words), _PIECE)
    return any(
        _UNKEEPABLE.search(words, start, start + _PIECE + _LONGEST_MATCH) for start in starts
    )


def _checked(whole: Json) -> Json:
    """Return what was read where all of it has the right types; raises `CardError`."""
    _check_types(whole, _WHOLE, "the assistant")
    if len(whole["states"]) > MOST_STATES:
        count = len(whole["states"])
        raise CardError(f"The file holds {count:,} states, and at most {MOST_STATES:,} are taken.")
    for name, types in zip(LISTS, (_ROW, _BLOCK, _STATE), strict=True):
        for place, held in enumerate(whole[name], start=1):
            _check_types(held, types, f"{name} {place}")
            _check_room(held, f"{name} {place}")
    for held in whole["states"]:
        _check_state(held)
    try:
        check_all(whole["config"])
        personas = [block["value"] for block in whole["blocks"] if block["label"] == PERSONA]
        for persona in personas:
            checked_persona(persona)
    except AssistantError as error:
        raise CardError(f"The file cannot be used here: {error}") from error
    picture_in(whole)
    if not 0 < len(whole["name"]) <= 80:
        raise CardError("The file is damaged: the assistant has no name.")
    return whole


def picture_in(whole: Json) -> bytes:
    """Return its picture, empty for none; raises `CardError` where it is damaged."""
    try:
        return bare_picture(base64.b64decode(whole.get("picture", ""), validate=True))
    except (TypeError, ValueError) as error:
        raise CardError("The file is damaged: its picture is none.") from error


def _check_types(held: Any, types: Json, what: str) -> None:
    if not isinstance(held, dict) or not types.keys() <= held.keys():
        raise CardError(f"The file is damaged: of {what} something is missing.")
    for name, kind in types.items():
        fits = isinstance(held[name], kind | int if kind is float else kind)
        if not fits or isinstance(held[name], bool):
            raise CardError(f"The file is damaged: {name} of {what} is of the wrong type.")


def _check_room(held: Json, what: str) -> None:
    """Raise `CardError` where one of its parts would be too much to be read again and again."""
    waiting: list[Any] = [held]
    count = 0
    while waiting:
        inner = waiting.pop()
        count += len(inner)
        if count > MOST_IN_ONE:
            told = f"at most {MOST_IN_ONE:,} are taken"
            raise CardError(f"The file is damaged: {what} holds too many values, and {told}.")
        parts = inner.values() if isinstance(inner, dict) else inner
        waiting += [part for part in parts if isinstance(part, dict | list)]


def _check_state(held: Json) -> None:
    """Raise `CardError` for the state of a part that is not there, or has another shape."""
    part, state = OF_WORDS.get(held["part"]), held["state"]
    if part is None or part.is_block or bool(held["key"]) != part.keyed:
        raise CardError(f"The file is damaged: there is no {held['part']} '{held['key']}'.")
    for name, empty in part.empty().items():
        kind = int | float if isinstance(empty, int | float) else type(empty)
        if empty is not None and not isinstance(state.get(name, empty), kind):
            raise CardError(f"The file is damaged: {name} of {part.name} is of the wrong type.")
