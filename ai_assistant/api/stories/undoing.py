"""Takes: the last lines of a scene are taken back, with all that came of them; the log keeps them.

Rows, knowledge, talks and feelings go along in one transaction: the scene is as before, or as if
the lines had never been said.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator

from twisted.internet.defer import Deferred

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.api.handlers import save, store_of
from ai_assistant.api.scene_inventory import is_busy, note_all
from ai_assistant.api.slices import in_slices
from ai_assistant.api.stories.scene_log import TAKEN_BACK, note_in_scene
from ai_assistant.core.contracts import AuditRecord, Change, Commit
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import NOBODY
from ai_assistant.core.text import counted
from ai_assistant.game.identity import find, is_assistant, person
from ai_assistant.roleplay.knowledge import STATE, found_on_joining
from ai_assistant.roleplay.scene import GAME, SceneState, scene_facts, setting_of
from ai_assistant.roleplay.takes import MOST_LINES, as_it_stood
from ai_assistant.runtime.service import SERVICE
from ai_assistant.scenes.live_scenes import SCENES, step_of
from ai_assistant.storage import AttributeStore, Container
from ai_assistant.storage.history.taken_lines import (
    LinesElsewhere,
    Taken,
    last_lines,
    mark_undone,
    state_before,
    taken_since,
    untell,
    withdrawing,
)
from ai_assistant.storage.server_lease import writing


def take_back_lines(
    session: str, count: int = 1, *, row: int = 0, by: str = ""
) -> Deferred[tuple[SceneState, int]]:
    """Take the last lines of a running scene back, or that of a `row` of its world and all since.

    Much that was remembered since is looked through in slices while the game goes on; it is done in
    one. `by` is named in the record. The Deferred fires with the scene, as it stood before the
    first of them, and with how many went; it fails with `AssistantError` where the scene does not
    run, no such lines stand, they are over `MOST_LINES`, or somebody is thinking of an answer.
    """
    return Deferred.fromCoroutine(_taken_back(session, count, row, by))


async def _taken_back(session: str, count: int, row: int, by: str) -> tuple[SceneState, int]:
    scene = _settled(session)
    most = MOST_LINES if row else count
    said = last_lines(scene.id, most, row)
    if not said and not row and 0 < count <= MOST_LINES:
        raise AssistantError("No line stands that could be taken back.")
    if not said or count > MOST_LINES or (row and len(said) > MOST_LINES):
        raise AssistantError(
            f"From 1 to {MOST_LINES} lines can be taken back, of those that stand."
        )
    first = min(said if row else said[:count])
    elsewhere = LinesElsewhere(scene.id, first)
    if elsewhere.is_long:
        await in_slices(elsewhere.steps())
        scene = _settled(session)
        if not last_lines(scene.id, 1, first[1]):
            raise AssistantError("Somebody else took it back meanwhile.")
    taken = taken_since(scene.id, first, elsewhere.found())
    check_idle({*scene.participants(), *taken.people})
    told = f"{by or 'The game'} takes back {counted(len(taken.events), 'line')}"
    return rewind(scene, taken, told, by), len(taken.events)


def _settled(session: str) -> SceneState:
    """Return a scene that runs, once everybody's memory has what was heard of it."""
    scene = SCENES.get(session)
    if scene.id == GAME or not scene.is_running:
        raise AssistantError("Lines are taken back in a scene that runs.")
    note_everybody(scene)
    return scene


def note_everybody(scene: SceneState) -> None:
    """Write what was heard in a scene and not saved yet, also by those who only stood by. Raises
    `StoreError`."""
    note_all(scene)
    for resident in SERVICE.residents.values():
        flush(resident.mind)


def check_idle(people: Collection[str]) -> None:
    """Raise `AssistantError` where one of these is thinking of an answer."""
    if busy := [person(who) for who in people if is_busy(who)]:
        raise AssistantError(f"{busy[0]} is thinking of an answer: wait for it first.")


def rewind(scene: SceneState, taken: Taken, told: str, by: str) -> SceneState:
    """Put a scene back to before some lines, and return it so; its record says what is `told`.

    `by` is named in the log of each assistant. Raises `AssistantError` where it is not kept how the
    scene stood then, and `StoreError`; nothing is changed then.
    """
    at, then = time.time(), state_before(scene.id, taken.since)
    if then is None:
        raise AssistantError("How the scene stood then is not kept any more.")
    after = as_it_stood(scene, then)
    writings = withdrawing(scene, taken, at)
    _find_anew(after, taken, writings, at)
    bodies = {who: find(who) for who in {*taken.people, *(to.character for to in writings)}}
    minds = {who: body for who, body in bodies.items() if body is not None and is_assistant(body)}
    own = {who: _of_mind(store_of(body), scene, taken, at, by) for who, body in minds.items()}
    for who, commit in own.items():
        store_of(minds[who]).make_ready(commit)
    step = step_of(after, told)
    rows = {to: writings.pop(to) for to in [*writings] if to.character in minds}
    lost = {"lines": len(taken.events), "by": by}
    with writing():
        mark_undone(scene.id, taken)
        untell(scene.id, taken)
        SCENES.save(after, [step], writings, by)
        note_in_scene(scene.id, TAKEN_BACK, lost, at)
        for to, commit in rows.items():
            save(minds[to.character], commit)
        for who, commit in own.items():
            save(minds[who], commit)
    for event in taken.events:
        SCENES.agent.take_back(event)
    return after


def _find_anew(
    scene: SceneState, taken: Taken, writings: dict[Container, Commit], at: float
) -> None:
    """Let those who joined since find the scene as it stands now."""
    setting = setting_of(scene_facts(scene, SCENES.day(scene)))
    for to, rows in taken.rows.items():
        found = [row for row in rows if row.kind == STATE and row.meta.get("source") == "world"]
        if scene.has(to.character) and any("update" not in row.meta for row in found) and setting:
            writings[to].rows.append(found_on_joining(setting, day=SCENES.day(scene), at=at))


def _of_mind(store: AttributeStore, scene: SceneState, taken: Taken, at: float, by: str) -> Commit:
    """Return what takes the lines out of an assistant's stream, talks and feelings."""
    mine = [row for to, rows in taken.rows.items() if to.character == store.id for row in rows]
    data = {
        "scene": scene.id,
        "by": by,
        "lines": len(taken.events),
        "rows": [row.id for row in mine],
    }
    record = AuditRecord(TAKEN_BACK, data, NOBODY, at=at)
    turns = {row.meta.get("turn") for row in mine} - {None, ""}
    deeds = {
        entry["id"]
        for entry in store.read("stream")["entries"]
        if entry["event_type"] == "self_action" and entry["turn_id"] in turns
    }
    changes = list(talk_without(store, sorted({*taken.events, *deeds}), at))
    return Commit(at=at, changes=changes, audit=[record])


def talk_without(store: AttributeStore, ids: list[str], at: float) -> Iterator[Change]:
    """Yield what takes lines out of an assistant's stream and talks, and undoes what they moved."""
    yield Change("stream", "", "take_back", {"ids": ids})
    for key, talk in store.read_all("working").items():
        if any(line["id"] in ids for line in (*talk["messages"], *talk.get("summed", ()))):
            yield Change("working", key, "take_back", {"ids": ids})
    for key, profile in store.read_all("profile").items():
        bond = profile["relationship"]
        moved = (*bond["history"], *bond.get("promises", ()))
        if any(change["event"] in ids for change in moved):
            yield Change("profile", key, "take_back", {"events": ids, "at": at})
            for event in ids:
                yield Change("profile", key, "end_promise", {"event": event})
