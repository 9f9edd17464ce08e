"""Staging scenes for game code and commands. All of it belongs on the reactor thread.

`session` is the id of a scene; an unknown one raises `AssistantError`, and all writes `StoreError`.
`by` is the name of whoever does it, for the scene's log; empty for the game.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

from django.db import transaction

from ai_assistant.api.handlers import record_audit, save
from ai_assistant.api.scene_inventory import (
    Writings,
    accounts,
    give_items,
    is_busy,
    new_plot,
    note_all,
    settle_items,
    settle_soon,
)
from ai_assistant.api.scene_listeners import place_ears
from ai_assistant.api.stories.branching import feel_again
from ai_assistant.core.contracts import Commit, MemoryRow
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean
from ai_assistant.game.consent import ignores
from ai_assistant.game.identity import entity_id, find, is_assistant, name_of, reference
from ai_assistant.roleplay import day_summaries, retelling
from ai_assistant.roleplay.knowledge import STATE, found_on_joining
from ai_assistant.roleplay.play import mark
from ai_assistant.roleplay.scene import (
    ENDING,
    GAME,
    RUNNING,
    STOPPED,
    Changed,
    Member,
    SceneState,
    is_deserted,
    join,
    leave,
    scene_facts,
    setting_of,
)
from ai_assistant.roleplay.scene_values import (
    MOST_A_MINUTE,
    check_pace,
    closing,
    opening,
    set_day,
    set_value,
    unset_value,
)
from ai_assistant.scenes.live_scenes import SCENES, step_of
from ai_assistant.scenes.updates import record_update as record_update
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.scene_rows import replacing_commit, write_without_mind
from ai_assistant.storage.server_lease import writing

TITLE_LIMIT = 100
MOST_FOLDED = 2000


def create_scene(title: str, owner: Any = None, *, by: str = "") -> SceneState:
    """Make a scene, with its maker in it if any; it runs once started. Raises `StoreError`."""
    scene = SceneState(uuid4().hex, title=clean(title, TITLE_LIMIT))
    if owner is not None:
        scene = join(replace(scene, owner=entity_id(owner), played_at=time.time()), member(owner))
    return SCENES.save(scene, by=by or (name_of(owner) if owner else ""))


def join_scene(session: str, who: Any, *, by: str = "") -> SceneState:
    """Let somebody play along. Raises `AssistantError` where they play elsewhere, or it is over."""
    elsewhere = SCENES.of(entity_id(who))
    if elsewhere.id not in (GAME, session):
        raise AssistantError(f"{name_of(who)} plays in another scene.")
    before = SCENES.get(session)
    if before.id == GAME:
        raise AssistantError("Everybody plays in the game itself.")
    after = join(before, member(who))
    if not after.is_running or before.has(entity_id(who)):
        return SCENES.save(after, by=by)
    writings = give_items(after, [member(who)])
    if setting := setting_of(scene_facts(after, SCENES.day(after))):
        found = found_on_joining(setting, day=SCENES.day(after), at=time.time())
        own = Container(session, entity_id(who))
        given = writings.setdefault(own, Commit(at=time.time()))
        given.rows = [*given.rows, found]
    told = f"{name_of(who)} joins the scene"
    SCENES.save(after, [step_of(after, told, before.participants())], writings, by)
    place_ears(session)
    return after


def invite(session: str, who: Any, by: Any) -> SceneState:
    """Let a player take an assistant along, as `join_scene` does.

    Its option, its lock `invite`, and that it ignores them may forbid it. Raises `AssistantError`.
    """
    script = who.assistant_script
    willing = script is not None and script.config["plays_scenes"]
    if not willing or ignores(who, by) or not who.access(by, "invite", default=True):
        raise AssistantError(f"{name_of(who)} does not play along.")
    return join_scene(session, who, by=name_of(by))


def leave_scene(session: str, who: Any) -> SceneState:
    """Let somebody go, who takes an account of it home; a scene that its last player left ends."""
    return remove_member(session, entity_id(who), by=name_of(who))


def remove_member(session: str, who: str, *, by: str = "") -> SceneState:
    """Take a member out by its id, also one that is gone from the game; see `leave_scene`."""
    before = SCENES.get(session)
    after = leave(before, who)
    if not after.is_over and is_deserted(before, after):
        return _end(before, after, by)
    note_all(before)
    after, writings = settle_items(before, after, [who] if before.has(who) else [])
    return _save_parting(before, after, writings, by)


def start_scene(session: str, lore: Iterable[tuple[str, str]] = (), *, by: str = "") -> SceneState:
    """Let a scene run; each member begins with plot, card, dialog, its lorebooks, then `lore`.

    So does who joins later. Raises `AssistantError` where it is over, or a member plays elsewhere.
    """
    scene = SCENES.get(session)
    if scene.is_over:
        raise AssistantError("That scene is over.")
    busy = [other.name for other in scene.members if SCENES.of(other.id).id not in (GAME, session)]
    if busy:
        raise AssistantError(f"Still in another scene: {', '.join(busy)}.")
    if scene.is_running:
        return scene
    scene = replace(scene, status=RUNNING, lore={**scene.lore, **dict(lore)})
    steps = [step_of(scene, what) for what in opening(scene, SCENES.day(scene))]
    with writing():
        feel_again(scene)
        SCENES.save(scene, steps, give_items(scene, scene.members), by)
    place_ears(session)
    return scene


def stop_scene(session: str, *, by: str = "") -> SceneState:
    """End a scene: its rows stay, and each member takes one account of it home, soon or at once."""
    scene = SCENES.get(session)
    if scene.id == GAME:
        raise AssistantError("The game itself goes on.")
    return scene if scene.is_over else _end(scene, scene, by)


def settle_leavers(session: str) -> SceneState:
    """Let those who were in a turn when they left or it ended take their account home by now."""
    scene = SCENES.get(session)
    if due := [who for who in scene.owed if not is_busy(who)]:
        made, later = accounts(scene, due)
        after = replace(scene, owed=(*later, *(who for who in scene.owed if who not in due)))
        over = after.status == ENDING and not after.owed
        after = replace(after, status=STOPPED) if over else after
        SCENES.save(after, writings=made)
        settle_soon(after, settle_leavers)
    return SCENES.get(session)


def _end(before: SceneState, after: SceneState, by: str) -> SceneState:
    """End a scene with the members `after`; all those of `before` take something home."""
    note_all(before)
    ended, writings = settle_items(before, after, before.participants())
    ended = replace(ended, status=ENDING if ended.owed else STOPPED)
    return _save_parting(before, ended, writings, by)


def _save_parting(before: SceneState, after: SceneState, writings: Writings, by: str) -> SceneState:
    steps = [step_of(before, what, after.participants()) for what in closing(before, after)]
    SCENES.save(after, steps, writings, by)
    place_ears(after.id)
    settle_soon(after, settle_leavers)
    return after


def set_scene(
    session: str, name: str, value: str | None, by: Any = None, *, staff: str = ""
) -> SceneState:
    """Set a value of a scene, or take it back with None; its world is told.

    By a player who does not lead the scene it is that one's word, and no fact of the world. `staff`
    is the name of whoever of staff does it, for its log. Raises `AssistantError` saying what fits.
    """
    scene = SCENES.get(session)
    is_settled = by is not None and name.strip().lower() == "fiction"
    if is_settled and (scene.is_running or WorldContainer(session).count()):
        raise AssistantError("That is settled before it starts: all have joined it as it is.")
    day, at, told_by, who = SCENES.day(scene), time.time(), None, name_of(by) if by else staff
    if value is None:
        return _change(unset_value(scene, name, day=day, at=at), who)
    if by is not None and entity_id(by) != SCENES.leader(scene):
        told_by = member(by)
        where = {"kind": STATE, "author": told_by.id}
        lately = WorldContainer(session).find(where=where, limit=MOST_A_MINUTE)
        check_pace([row.learned_at for row in lately], at)
    return _change(set_value(scene, name, value, day=day, at=at, by=told_by), who)


def set_scene_day(session: str, day: int, *, by: str = "") -> SceneState:
    """Set the day of a story by hand; 0: by the game's clock. Raises `AssistantError` below 0."""
    return _change(set_day(SCENES.get(session), day, time.time()), by)


def _change(changed: Changed, by: str) -> SceneState:
    """Save a change; of a scene that does not run yet there is nothing to tell."""
    scene = changed.scene
    if not scene.is_running:
        return SCENES.save(scene, by=by)
    replotted = scene.plot != SCENES.get(scene.id).plot
    return SCENES.save(scene, changed.updates, new_plot(scene) if replotted else {}, by)


def keep_rows(who: str, session: str, rows: Sequence[MemoryRow]) -> list[MemoryRow]:
    """Put rows into somebody's container; returns them with their ids. Raises `StoreError`."""
    own = [replace(row, session=session, container=who) for row in rows]
    return write_for(Container(session, who), Commit(at=time.time(), rows=own))


def tell(row: MemoryRow, teller: Any, hearer: Any) -> MemoryRow:
    """Let somebody tell somebody what they remember; returns the row that the hearer keeps of it.

    It is told in the scene that both play in, else in the game. Raises `AssistantError` where the
    hearer may not know of it, knows it from the same mouth, or it is fiction of another scene.
    """
    scene = SCENES.of(entity_id(teller))
    if SCENES.of(entity_id(hearer)) is not scene:
        scene = SCENES.running[GAME]
    played = SCENES.is_played(row)
    if played and row.session != scene.id:
        raise AssistantError("That was played in a scene that they do not share.")
    row = replace(row, meta={**row.meta, **mark(played)})
    told = retelling.pass_on(
        row, reference(teller), entity_id(hearer), day=SCENES.day(scene), at=time.time()
    )
    return keep_rows(told.container, scene.id, [told])[0]


def fold_container(session: str, who: str, before: int) -> int:
    """Summarise what somebody remembers of a scene's oldest days, up to the day `before`; returns
    how many rows the summaries replace."""
    container, at = Container(session, who), time.time()
    folded, last = day_summaries.Folded(), 0
    while not folded.archived and (rows := container.oldest(MOST_FOLDED, last)):
        some = day_summaries.whole_days(rows, more=len(rows) == MOST_FOLDED)
        folded, last = day_summaries.fold_days(some, before, at), some[-1].id
    write_for(container, Commit(at=at, rows=folded.summaries, archived=folded.archived))
    return len(folded.archived)


def correct(session: str, who: str, row_id: int, content: str, *, day: int, at: float) -> MemoryRow:
    """Correct what somebody remembers, from a day and a moment on; returns the new row.

    Raises `ValueError` where there is no such row, or it was learnt later, and `StoreError`.
    """
    container = Container(session, who)
    return write_for(container, replacing_commit(container, row_id, content, day=day, at=at))[0]


def correct_by_staff(scene: SceneState, who: Any, row_id: int, words: str, *, by: str) -> MemoryRow:
    """Correct what somebody remembers of a scene, from its day of today on; returns the new row.

    Of an assistant it is audited, as done `by` that one. Raises `AssistantError` saying why not.
    """
    day, at = SCENES.day(scene), time.time()
    if not (text := clean(words)):
        raise AssistantError("With which words?")
    try:
        with transaction.atomic():
            row = correct(scene.id, entity_id(who), row_id, text, day=day, at=at)
            if is_assistant(who):
                record_audit(who, "Edited", {"kind": "scene", "by": by, "row": row.id})
    except ValueError as wrong:
        raise AssistantError(str(wrong)) from wrong
    return row


def write_for(container: Container, commit: Commit) -> list[MemoryRow]:
    """Write into somebody's container; an assistant can recall at once what is new."""
    body = find(container.character)
    if body is not None and is_assistant(body):
        return save(body, commit)
    return write_without_mind(container, commit)


def member(obj: Any) -> Member:
    """Return a game object as the member of a scene."""
    return Member(entity_id(obj), name_of(obj), is_assistant(obj))
