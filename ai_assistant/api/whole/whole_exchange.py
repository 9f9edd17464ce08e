"""A whole assistant, who it is and all it knows: out of one game and into another.

It takes what the database holds now, so nothing that was forgotten. All of it is done in slices,
between which a running game goes on. Who comes in is in no room and in no list until all of it is
there; what is cut short by the end of the server goes at the next start.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from evennia import create_object
from evennia.objects.models import ObjectDB

from ai_assistant.agent.state_parts import OF_WORDS, PARTS
from ai_assistant.api import lifecycle
from ai_assistant.api.blocks.persona_block import write_persona
from ai_assistant.api.handlers import record_audit
from ai_assistant.api.handlers.handler_base import store_of
from ai_assistant.api.portraits import keep_portrait, portrait_of
from ai_assistant.api.slices import Slice, in_slices, run_through, slices
from ai_assistant.api.whole.mind_files import (
    FORMAT,
    LISTS,
    VERSION,
    packed,
    picture_in,
    with_ids_changed,
)
from ai_assistant.core.contracts import Change, Commit, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import counted
from ai_assistant.game.identity import CATEGORY, entity_id
from ai_assistant.memory.inner.sleep_state import rested
from ai_assistant.memory.renumbering import ITSELF, Numbers, into_file, out_of_file
from ai_assistant.runtime.assembly import beside
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage import npc_id, whole_minds
from ai_assistant.storage.server_lease import writing
from ai_assistant.storage.whole_minds import Progress
from ai_assistant.workers.long_work import EXPORTS, IMPORTS, LONG_WORK

UNFINISHED = "unfinished"
"""The tag of who is not all there yet."""
MOST_LIVE = 5_000
"""Rows that are taken while the game runs: among more, looking for garbage takes too long."""
AT_A_TIME = {"rows": 25, "blocks": 2, "states": 2}
"""So many of each are read or written in one slice."""


def check_may_live(rows: int, instead: str) -> None:
    """Raise `AssistantError`, naming what to type `instead`, for too many for a running game."""
    if rows > MOST_LIVE:
        raise AssistantError(
            f"It has {counted(rows, 'memory', 'memories')}, and the game would stand still: "
            f"stop it, and type {instead} in the game's folder."
        )


def _quietly(done: int, of: int) -> None:
    """Tell nobody how far it is."""


def _both(first: Progress, second: Progress) -> Progress:
    def told(done: int, of: int) -> None:
        first(done, of)
        second(done, of)

    return told


# -- out of the game


def exported_whole(character: Any, progress: Progress = _quietly) -> Json:
    """Return an assistant as JSON: all but its audit log, its spending and what waits for answers.

    `progress` is called with the rows that are done, and how many there are. Raises `StoreError`.
    """
    whole: Json = {}
    run_through(_read_whole(character, whole, progress))
    return whole


async def export_in_slices(
    character: Any, write: Callable[[bytes], object], progress: Progress = _quietly
) -> None:
    """Hand the same to `write`, in a thread, as the bytes of a file, while the game goes on."""
    whole: Json = {}
    with LONG_WORK.running(EXPORTS) as how_far:
        await in_slices(_read_whole(character, whole, _both(how_far, progress)))
        await beside(lambda: write(packed(whole)))


def _read_whole(character: Any, whole: Json, progress: Progress) -> Iterator[Slice]:
    """Put all of an assistant into `whole`, slice by slice."""
    own, npc = entity_id(character), npc_id(character)
    about: Json = {
        "name": character.key,
        "desc": str(character.db.desc or ""),
        "config": dict(lifecycle.script_of(character).config.values),
    }
    whole |= {"format": FORMAT, "version": VERSION, **with_ids_changed(about, (own, npc), ITSELF)}
    if picture := base64.b64encode(portrait_of(character)).decode():
        whole["picture"] = picture
    held: Json = {"rows": [], "blocks": whole_minds.own_blocks(npc), "states": []}
    for name in OF_WORDS:
        held["states"] += _states(character, name)
        yield None
    count = whole_minds.count_rows(own)
    for page in whole_minds.row_pages(own):  # after the states: from there to here things may move
        held["rows"] += page
        progress(len(held["rows"]), count)
        yield None
    numbers = into_file([row.pop("id") for row in held["rows"]])
    for name in LISTS:
        whole[name] = list[Json]()
        for some in slices(held[name], AT_A_TIME[name]):
            new = _renumbered(some, numbers)
            whole[name] += [with_ids_changed(item, (own, npc), ITSELF) for item in new]
            yield None
    whole["states"].sort(key=lambda held: (held["part"], held["key"]))


def _states(character: Any, name: str) -> list[Json]:
    """Return the states of a part that hold anything, none of a block; whoever sleeps is awake."""
    part, store = PARTS[name], store_of(character)
    if part.is_block:
        return []
    held = store.read_all(name) if part.keyed else {"": store.read(name)}
    kept = {key: rested(state) if name == "sleep" else state for key, state in held.items()}
    return [
        {"part": name, "key": key, "state": state}
        for key, state in kept.items()
        if state != part.empty()
    ]


def _renumbered(some: Sequence[Json], numbers: Numbers) -> list[Json]:
    return [numbers.renumbered(item, night=item.get("part") == "sleep") for item in some]


# -- into the game


def import_whole(whole: Json, *, location: Any, by: str = "", progress: Progress = _quietly) -> Any:
    """Make the assistant of a file in a room and start it; returns the character.

    It is another than the one that was exported, with an id of its own; where its name is taken it
    gets a number. Raises `AssistantError`, and nothing is kept, where the database refuses or its
    configuration does not fit this game.
    """
    coming = _Coming(whole, by)
    with coming:
        run_through(coming.steps(location, progress))
    return coming.character


async def import_in_slices(
    whole: Json, *, location: Any, by: str = "", progress: Progress = _quietly
) -> Any:
    """Do and raise the same, while the game goes on."""
    with LONG_WORK.running(IMPORTS) as how_far:
        coming = _Coming(whole, by)
        with coming:
            await in_slices(coming.steps(location, _both(how_far, progress)))
    return coming.character


class Arrivals:
    """Who comes in just now, by the numbers of their objects; and who never came to the end."""

    def __init__(self) -> None:
        self.under_way = set[int]()
        self._are_clear = False

    def clear(self) -> None:
        """Delete, once, whoever came in when an earlier server ended, with all that was there."""
        if not self._are_clear and SERVICE.watch.may_begin:
            self._are_clear = True
            for left in ObjectDB.objects.get_by_tag(UNFINISHED, category=CATEGORY):
                if left.pk not in self.under_way:
                    left.delete()


ARRIVALS = Arrivals()


class _Coming:
    """One assistant that comes in. A context in which it does: it leaves nothing where it fails."""

    def __init__(self, whole: Json, by: str) -> None:
        self._picture, self._by = picture_in(whole), by
        self._whole = {name: held for name, held in whole.items() if name != "picture"}
        self._config = lifecycle.checked_config(whole["config"])
        self._at = time.time()
        self.character: Any = None

    def __enter__(self) -> None:
        mark = [(UNFINISHED, CATEGORY)]
        self.character = create_object(
            lifecycle.assistant_class(), key=self._whole["name"], location=None, tags=mark
        )
        ARRIVALS.under_way.add(self.character.pk)

    def __exit__(self, kind: object, *error: object) -> None:
        ARRIVALS.under_way.discard(self.character.pk)
        cut_short = kind is GeneratorExit  # by the end of the server: the next one sees to it
        if kind is not None and not cut_short and self.character.pk:
            self.character.delete()

    def steps(self, location: Any, progress: Progress) -> Iterator[Slice]:
        """Write all of it and show it in the room, slice by slice. Raises `AssistantError`."""
        who, own = self.character, self._own()
        who.db.desc = self._whole["desc"] or f"This is {who.key}."
        write_persona(who, {"name": who.key}, expected_version=0)
        lifecycle.join_channels(who, self._config.get("channels", {}))
        lifecycle.make_script(who, self._config)

        yield None
        rows, ids = list[Json](), list[int]()
        for some in slices(self._whole["rows"], AT_A_TIME["rows"]):
            rows += self._as_own(some)
            with writing():
                ids += whole_minds.write_rows(own, rows[len(ids) :])
            progress(len(ids), len(self._whole["rows"]))
            yield None
        yield from self._write_rest(rows, ids)
        yield from self._appear(location)

    def _write_rest(self, rows: Sequence[Json], ids: Sequence[int]) -> Iterator[None]:
        """Write the links between its rows, which have these numbers, its blocks and states."""
        own, numbers = self._own(), out_of_file(ids)
        for pairs in slices([*zip(ids, rows, strict=True)], AT_A_TIME["rows"]):
            self._own()
            with writing():
                whole_minds.link_rows(pairs, numbers)
            yield None
        for told in self._whole["blocks"]:
            (block,) = _renumbered(self._as_own([told]), numbers)
            with writing():
                whole_minds.write_own_block(own, block, self._by)
            yield None
        with writing():
            whole_minds.tell_past(own, ids, self._at)
        for some in slices(self._whole["states"], AT_A_TIME["states"]):
            held = _renumbered(self._as_own(some), numbers)
            changes = [
                Change(one["part"], one["key"], "overwrite", {"value": one["state"]})
                for one in held
            ]
            commit = Commit(at=self._at, changes=changes)
            store = store_of(self.character)
            store.make_ready(commit)
            with writing():
                store.commit(commit)
            yield None

    def _as_own(self, some: Sequence[Json]) -> list[Json]:
        """Return parts of the file with its own id where the file has none."""
        own = self._own()
        return [with_ids_changed(item, [ITSELF], own) for item in some]

    def _own(self) -> str:
        if not self.character.pk:
            raise AssistantError("Whoever was to come in was deleted meanwhile.")
        return entity_id(self.character)

    def _appear(self, location: Any) -> Iterator[None]:
        """Let it be in the room, and live."""
        self._own()
        who = self.character
        who.key = _free_name(self._whole["name"])
        if self._picture:
            keep_portrait(who, self._picture)
        with writing():
            record_audit(who, "AssistantImported", {"name": self._whole["name"], "by": self._by})
        yield None
        who.home = location
        if not (location.pk and who.move_to(location, quiet=True)):
            raise AssistantError("The room is gone, or takes nobody in.")
        yield None
        lifecycle.let_live(who, self._config)
        who.tags.remove(UNFINISHED, category=CATEGORY)


def _free_name(name: str) -> str:
    taken = {assistant.key.casefold() for assistant in lifecycle.all_assistants()}
    found, number = name, 2
    while found.casefold() in taken:
        found, number = f"{name} {number}", number + 1
    return found
