"""A whole assistant as a file: who it is and all it knows, out of one game and into another.

The file is gzip'd JSON, in which the mind's own id is `renumbering.ITSELF` and its rows have their
places in the file for numbers. It holds what the database holds now, so nothing that was forgotten.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import time
import zlib
from collections.abc import Sequence
from typing import Any

from ai_assistant.agent.config import check_all
from ai_assistant.agent.state_parts import PARTS
from ai_assistant.api import lifecycle
from ai_assistant.api.blocks.persona_block import checked_persona
from ai_assistant.api.desk.portraits import bare_picture, keep_portrait, portrait_of
from ai_assistant.api.handlers import record_audit
from ai_assistant.api.handlers.handler_base import store_of
from ai_assistant.core.contracts import Change, Commit, Json
from ai_assistant.core.errors import AssistantError, CardError
from ai_assistant.game.identity import entity_id, find
from ai_assistant.memory.inner.sleep_state import rested
from ai_assistant.memory.renumbering import ITSELF, Numbers, into_file, with_id_changed
from ai_assistant.memory.talk.working import key_of
from ai_assistant.runtime.assembly import PERSONA
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import npc_id, whole_minds
from ai_assistant.storage.server_lease import writing
from ai_assistant.storage.whole_minds import Progress

FORMAT, VERSION = "ai-assistant-mind", 1
MAGIC = b"\x1f\x8b"
"""With which a file of gzip begins."""
SUFFIX = ".gz"
MAX_PACKED, MAX_UNPACKED = 32_000_000, 256_000_000
"""Bytes of a file, and of the JSON in it."""
MOST_LIVE = 5_000
"""Rows that are read or written while the game runs; more take longer than it may wait."""
_UNKEEPABLE = re.compile(r"(?<!\\)\\u(?:0000|[dD][89a-fA-F])")
"""What JSON can write, but no database can hold."""
_LINKS = {"parents": list, "supersedes": int | None, "archived_at": float | None}
_NUMBERS = {"game_day": int, "learned_at": float, "importance": int, "trust": float, "meta": dict}
_ROW = dict.fromkeys(whole_minds.ROW, str) | _NUMBERS | _LINKS
_BLOCK = {"label": str, "type": str, "value": dict, "limit": int}
_STATE = {"part": str, "key": str, "state": dict}
_WHOLE = {"name": str, "desc": str, "config": dict, "states": list, "blocks": list, "rows": list}


def _quietly(done: int, of: int) -> None:
    """Tell nobody how far it is."""


# -- out of the game


def exported_whole(character: Any, progress: Progress = _quietly) -> Json:
    """Return an assistant as JSON: all but its audit log, its spending and what waits for answers.

    `progress` is called with the rows that are done, and how many there are. Raises `StoreError`.
    """
    own, count = entity_id(character), whole_minds.count_rows(entity_id(character))
    rows = []
    for row in whole_minds.all_rows(own):
        rows.append(row)
        if len(rows) % whole_minds.AT_ONCE == 0:
            progress(len(rows), count)
    numbers = into_file([row.pop("id") for row in rows])
    whole = {
        "name": character.key,
        "desc": str(character.db.desc or ""),
        "config": dict(lifecycle.script_of(character).config.values),
        "states": _states(character, numbers),
        "blocks": numbers.renumbered(whole_minds.own_blocks(npc_id(character))),
        "rows": numbers.renumbered(rows),
    }
    text = json.dumps(whole, ensure_ascii=False, sort_keys=True)
    for id in (own, npc_id(character)):
        text = with_id_changed(text, id, ITSELF)
    known = json.loads(text)
    whole = {"format": FORMAT, "version": VERSION, **known, "states": _by_key(known["states"])}
    picture = base64.b64encode(portrait_of(character)).decode()
    return whole | ({"picture": picture} if picture else {})


def _states(character: Any, numbers: Numbers) -> list[Json]:
    """Return the parts that are no blocks, each that holds anything; whoever sleeps is awake."""
    store, found = store_of(character), []
    for name, part in PARTS.items():
        if part.is_block:
            continue
        for key, state in (store.read_all(name) if part.keyed else {"": store.read(name)}).items():
            kept = rested(state) if name == "sleep" else state
            if kept != part.empty():
                new = numbers.renumbered(kept, night=name == "sleep")
                found.append({"part": name, "key": key, "state": new})
    return found


def _by_key(states: Sequence[Json]) -> list[Json]:
    """Return states by part and key; the key of a talk follows from the ids in its label."""
    for held in states:
        if held["part"] == "working":
            held["key"] = key_of(held["state"]["entity_id"], held["state"]["readers"])
    return sorted(states, key=lambda held: (held["part"], held["key"]))


def packed(whole: Json) -> bytes:
    """Return an exported assistant as the bytes of a file."""
    return gzip.compress(json.dumps(whole, ensure_ascii=False).encode(), mtime=0)


# -- into the game


def unpacked(data: bytes) -> Json:
    """Return the assistant in the bytes of a file. Raises `CardError` saying what is wrong."""
    opened = zlib.decompressobj(wbits=31)
    try:
        text = opened.decompress(data[: MAX_PACKED + 1], MAX_UNPACKED + 1)
        if len(data) > MAX_PACKED or len(text) > MAX_UNPACKED:
            raise CardError(f"The file has more than {MAX_UNPACKED} bytes of JSON.")
        if not opened.eof:
            raise CardError("The file is cut off.")
        words = text.decode()
        whole = json.loads(words, parse_constant=_no_number)
    except (zlib.error, ValueError, RecursionError) as error:
        raise CardError("The file is damaged: it is no gzip'd JSON.") from error
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise CardError("The file holds no exported assistant.")
    if whole.get("version") != VERSION:
        raise CardError(f"The file is of another version; this one reads version {VERSION}.")
    if _UNKEEPABLE.search(words):
        raise CardError("The file is damaged: it holds characters that no database keeps.")
    return _checked(whole)


def _no_number(name: str) -> None:
    raise ValueError(name)


def _checked(whole: Json) -> Json:
    """Return what was read where all of it has the right types; raises `CardError`."""
    _check_types(whole, _WHOLE, "the assistant")
    lists = {"rows": _ROW, "blocks": _BLOCK, "states": _STATE}
    for name, types in lists.items():
        for place, held in enumerate(whole[name], start=1):
            _check_types(held, types, f"{name} {place}")
    for held in whole["states"]:
        _check_state(held)
    try:
        check_all(whole["config"])
        personas = [block["value"] for block in whole["blocks"] if block["label"] == PERSONA]
        for persona in personas:
            checked_persona(persona)
    except AssistantError as error:
        raise CardError(f"The file cannot be used here: {error}") from error
    _picture_in(whole)
    if not 0 < len(whole["name"]) <= 80:
        raise CardError("The file is damaged: the assistant has no name.")
    return whole


def _picture_in(whole: Json) -> bytes:
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


def _check_state(held: Json) -> None:
    """Raise `CardError` for the state of a part that is not there, or has another shape."""
    part, state = PARTS.get(held["part"]), held["state"]
    if part is None or part.is_block or bool(held["key"]) != part.keyed:
        raise CardError(f"The file is damaged: there is no {held['part']} '{held['key']}'.")
    for name, empty in part.empty().items():
        kind = int | float if isinstance(empty, int | float) else type(empty)
        if empty is not None and not isinstance(state.get(name, empty), kind):
            raise CardError(f"The file is damaged: {name} of {part.name} is of the wrong type.")


def import_whole(whole: Json, *, location: Any, by: str = "", progress: Progress = _quietly) -> Any:
    """Make the assistant of a file in a room and start it; returns the character.

    It is another than the one that was exported, with an id of its own; where its name is taken it
    gets a number. Its memory comes in one transaction: raises `AssistantError`, and nothing is
    kept, where the database refuses or its configuration does not fit this game.
    """
    name = _free_name(whole["name"])
    character = lifecycle.create_assistant(
        name, location=location, desc=whole["desc"], config=whole["config"]
    )
    key = entity_id(character)
    ran = key in SERVICE.residents
    SERVICE.unregister(key, "imported")  # its mind begins with what comes now
    try:
        _write(character, whole, by, progress)
    except BaseException:
        character.delete()
        raise
    if ran:
        SERVICE.register(find(key), character.assistant_script)
    return character


def _free_name(name: str) -> str:
    taken = {assistant.key.casefold() for assistant in lifecycle.all_assistants()}
    found, number = name, 2
    while found.casefold() in taken:
        found, number = f"{name} {number}", number + 1
    return found


def _write(character: Any, whole: Json, by: str, progress: Progress) -> None:
    own, store, at = entity_id(character), store_of(character), time.time()
    picture = _picture_in(whole)
    whole = {name: held for name, held in whole.items() if name != "picture"}
    own_words = json.loads(with_id_changed(json.dumps(whole), ITSELF, own))
    states = _by_key(own_words["states"])
    store.make_ready(Commit(at=at, changes=_restored(states)))
    with writing():
        numbers = whole_minds.write_rows(own, own_words["rows"], progress, at)
        whole_minds.write_blocks(own, numbers.renumbered(own_words["blocks"]), by)
        new = [
            {**held, "state": numbers.renumbered(held["state"], night=held["part"] == "sleep")}
            for held in states
        ]
        store.commit(Commit(at=at, changes=_restored(new)))
        record_audit(character, "AssistantImported", {"name": whole["name"], "by": by})
    if picture:
        keep_portrait(character, picture)


def _restored(states: Sequence[Json]) -> list[Change]:
    return [
        Change(held["part"], held["key"], "overwrite", {"value": held["state"]}) for held in states
    ]
