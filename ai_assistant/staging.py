"""Staging: making, joining, starting and ending scenes, and what their members get and take home.

Game code and the commands come by here. All of it belongs on the reactor thread.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

from ai_assistant.assembly import PERSONA
from ai_assistant.contracts import Commit, MemoryRow
from ai_assistant.ears import place_ears
from ai_assistant.errors import AssistantError
from ai_assistant.handlers import save
from ai_assistant.identity import entity_id, find, is_assistant, name_of, reference
from ai_assistant.roleplay import days, gossip
from ai_assistant.roleplay.fiction import mark
from ai_assistant.roleplay.permanent import lore_of, permanent_rows
from ai_assistant.roleplay.scene import (
    GAME,
    RUNNING,
    STOPPED,
    Changed,
    Member,
    SceneState,
    join,
    leader,
    leave,
)
from ai_assistant.roleplay.values import set_day, set_value
from ai_assistant.scenes import SCENES
from ai_assistant.shelf import CharacterShelf
from ai_assistant.storage import Container, read_block
from ai_assistant.storage.scenes import correction, write
from ai_assistant.text import clean
from ai_assistant.updates import record_update

__all__ = [
    "correct",
    "create_scene",
    "equip",
    "fold",
    "join_scene",
    "keep",
    "leave_scene",
    "member",
    "record_update",
    "set_scene",
    "set_scene_day",
    "start_scene",
    "stop_scene",
    "tell",
]
TITLE_LIMIT = 100
MOST_RECAPPED = 400
MOST_FOLDED = 2000
Lore = Sequence[tuple[str, str]]


def create_scene(title: str, owner: Any) -> SceneState:
    """Make a scene with one member; it runs once it is started. Raises `StoreError`."""
    scene = SceneState(uuid4().hex, title=clean(title, TITLE_LIMIT), owner=entity_id(owner))
    return SCENES.save(join(scene, member(owner)))


def join_scene(session: str, who: Any) -> SceneState:
    """Let somebody play along. Raises `AssistantError` where they play elsewhere, or it is over."""
    elsewhere = SCENES.of(entity_id(who))
    if elsewhere.id not in (GAME, session):
        raise AssistantError(f"{name_of(who)} plays in another scene.")
    before = SCENES.get(session)
    if before.id == GAME:
        raise AssistantError("Everybody plays in the game itself.")
    after = SCENES.save(join(before, member(who)))
    if after.is_running and not before.has(entity_id(who)):
        equip(after, [member(who)])
        place_ears(session)
    return after


def leave_scene(session: str, who: Any) -> SceneState:
    """Let somebody go; a scene that its last player left ends."""
    key = entity_id(who)
    before = SCENES.get(session)
    after = SCENES.save(leave(before, key))
    if before.is_running:
        _take_home(before, [one for one in before.members if one.id == key])
    deserted = all(one.has_mind for one in after.members)
    return stop_scene(session) if deserted and after.status != STOPPED else after


def start_scene(session: str, lore: Lore = ()) -> SceneState:
    """Let a scene run; each member begins with plot, card, dialog and lore.

    That is what its own lorebooks and those of the world hold for it, then `lore` (key, text).

    Raises `AssistantError` where it is over, or a member plays elsewhere.
    """
    scene = SCENES.get(session)
    if scene.status == STOPPED:
        raise AssistantError("That scene is over.")
    busy = [one.name for one in scene.members if SCENES.of(one.id).id not in (GAME, session)]
    if busy:
        raise AssistantError(f"Still in another scene: {', '.join(busy)}.")
    if scene.is_running:
        return scene
    scene = SCENES.save(replace(scene, status=RUNNING))
    equip(scene, scene.members, lore)
    place_ears(session)
    return scene


def stop_scene(session: str) -> SceneState:
    """End a scene: its rows stay, and each member takes one recap of it home."""
    scene = SCENES.get(session)
    if scene.id == GAME:
        raise AssistantError("The game itself goes on.")
    ended = SCENES.save(replace(scene, status=STOPPED))
    place_ears(session)
    if scene.is_running:
        _take_home(scene, scene.members)
    return ended


def set_scene(session: str, name: str, value: str, by: Any = None) -> SceneState:
    """Set a value of a scene; its world is told. Raises `AssistantError` saying what fits.

    Set `by` a player who does not lead the scene, it is that one's word and no fact of the world.
    """
    scene = SCENES.get(session)
    only_plays = by is not None and entity_id(by) != leader(scene)
    told_by = member(by) if only_plays else None
    day, at = SCENES.day(scene), time.time()
    return _change(set_value(scene, name, value, day=day, at=at, by=told_by))


def set_scene_day(session: str, day: int) -> SceneState:
    """Set the day of a story by hand; 0 lets it follow the game's clock."""
    return _change(set_day(SCENES.get(session), day, time.time()))


def _change(changed: Changed) -> SceneState:
    """Save a change; of a scene that does not run yet there is nothing to tell."""
    return SCENES.save(changed.scene, changed.updates if changed.scene.is_running else ())


# -- what members get, and take home


def equip(scene: SceneState, members: Iterable[Member], lore: Lore = ()) -> None:
    """Give members their permanent memories, unless they have them. Raises `StoreError`."""
    day, at = SCENES.day(scene), time.time()
    for one in members:
        if Container(scene.id, one.id).find(where={"kind": "character_card"}, limit=1):
            continue
        persona = read_block(PERSONA, one.id).value or {"name": one.name}
        known = [*_lore(one), *lore]
        keep(one.id, scene.id, permanent_rows(persona, scene.plot, known, day=day, at=at))


def _lore(who: Member) -> Lore:
    body = find(who.id)
    if body is None:
        return ()
    shelf = CharacterShelf(body)
    return lore_of(shelf.books(), shelf.tags())


def _take_home(scene: SceneState, members: Iterable[Member]) -> None:
    day, at = SCENES.day(SCENES.get(GAME)), time.time()
    for one in members:
        rows = Container(scene.id, one.id).find(limit=MOST_RECAPPED)
        row = days.recap(rows[::-1], scene.title, day=day, at=at)
        if row is not None:
            keep(one.id, GAME, [row])


def keep(who: str, session: str, rows: Sequence[MemoryRow]) -> list[MemoryRow]:
    """Put rows into somebody's container, and return them with their ids.

    An assistant can recall them at once. Raises `StoreError`.
    """
    own = [replace(one, session=session, container=who) for one in rows]
    return _write(Container(session, who), Commit(at=time.time(), rows=own))


def tell(row: MemoryRow, teller: Any, hearer: Any) -> MemoryRow:
    """Let somebody tell somebody what they remember; returns the row that the hearer keeps of it.

    It is told in the scene that both play in, else in the game. Raises `AssistantError` where the
    hearer may not know of it, knows it from the same mouth, or it is fiction of another scene.
    """
    scene = SCENES.shared(entity_id(teller), entity_id(hearer))
    played = SCENES.is_played(row)
    if played and row.session != scene.id:
        raise AssistantError("That was played in a scene that they do not share.")
    row = replace(row, meta={**row.meta, **mark(played)})
    told = gossip.pass_on(
        row, reference(teller), entity_id(hearer), day=SCENES.day(scene), at=time.time()
    )
    return keep(told.container, scene.id, [told])[0]


def fold(session: str, who: str, before: int) -> int:
    """Summarise the days before one in somebody's container; returns how many rows were archived.

    The oldest rows first, and so many at once that nobody has to wait for it; asleep, an assistant
    does the same by itself.
    """
    container, at = Container(session, who), time.time()
    folded = _oldest_days(container, before, at)
    _write(container, Commit(at=at, rows=folded.summaries, archived=folded.archived))
    return len(folded.archived)


def _oldest_days(container: Container, before: int, at: float) -> days.Folded:
    """Return the first old days of a container that can be folded, as many as fit at once."""
    folded, last = days.Folded(), 0
    while not folded.archived and (rows := container.oldest(MOST_FOLDED, last)):
        some = days.whole_days(rows, more=len(rows) == MOST_FOLDED)
        folded, last = days.fold_days(some, before, at), some[-1].id
    return folded


def correct(session: str, who: str, row_id: int, content: str, *, day: int, at: float) -> MemoryRow:
    """Correct what somebody remembers, from a day of the story and a moment on.

    What was known before stays known of the days before. Returns the new row. Raises `ValueError`
    where that one remembers nothing under that number, and `StoreError`.
    """
    container = Container(session, who)
    return _write(container, correction(container, row_id, content, day=day, at=at))[0]


def _write(container: Container, commit: Commit) -> list[MemoryRow]:
    """Write into somebody's container; an assistant can recall at once what is new."""
    body = find(container.character)
    if body is not None and is_assistant(body):
        return save(body, commit)
    return write(container, commit)


def member(obj: Any) -> Member:
    """Return a game object as the member of a scene."""
    return Member(entity_id(obj), name_of(obj), is_assistant(obj))
