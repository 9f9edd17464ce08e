"""Who was there: staff put right who took part in a line, and with it what everybody knows of it.

Whoever missed it after all forgets it, what was learnt with it, and what only they passed on of it;
whoever was there remembers it as of then. All of it is one transaction, and on record.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from typing import Any

from ai_assistant.api.handlers import save, store_of
from ai_assistant.api.stories.scene_log import CORRECTED, note_in_scene
from ai_assistant.api.stories.undoing import check_idle, note_everybody, talk_without
from ai_assistant.core.contracts import AuditRecord, Commit
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import NOBODY
from ai_assistant.game.identity import find, is_assistant, person
from ai_assistant.roleplay.scene import SceneState
from ai_assistant.scenes.live_scenes import SCENES, step_of
from ai_assistant.storage import Container, WorldContainer
from ai_assistant.storage.distributing import with_news
from ai_assistant.storage.history.corrected_lines import (
    BY_STAFF,
    Corrected,
    corrected,
    decide_anew,
)
from ai_assistant.storage.history.taken_lines import untell, withdrawing
from ai_assistant.storage.scene_rows import write_without_mind
from ai_assistant.storage.server_lease import writing


def who_was_there(scene: SceneState, row: int, who: Collection[str]) -> Corrected:
    """Return what would change if these took part in a line of the record, beside its speaker.

    Nothing is changed. Raises `AssistantError` where there is no line of that number, or just those
    took part in it.
    """
    note_everybody(scene)
    try:
        made = corrected(scene.id, row, who)
    except ValueError as wrong:
        raise AssistantError(str(wrong)) from wrong
    if not (made.missed or made.joined):
        raise AssistantError(f"Just those took part in #{row}: {_names(made.participants)}.")
    return made


def correct_participants(
    scene: SceneState, row: int, who: Collection[str], *, by: str
) -> Corrected:
    """Put that right; returns what was changed. Raises as `who_was_there`, and where one of
    those whose memory it changes is thinking of an answer, and `StoreError`."""
    made, at = who_was_there(scene, row, who), time.time()
    writings = withdrawing(scene, made.taken, at)
    for to, notes in made.notes.items():
        writings.setdefault(to, Commit(at=at)).annotated.update(notes)
    for gained in made.rows:
        writings.setdefault(Container(scene.id, gained.container), Commit(at=at)).rows.append(
            gained
        )
    check_idle({to.character for to in writings})
    was = [who for who in made.participants if who not in made.joined] + sorted(made.missed)
    corrected_people = {"line": row, "was": was, "now": [*made.participants], "by": by}
    step = step_of(scene, _told(made, by))
    for to, commit in writings.items():
        if _has_mind(to):
            _complete(to, commit, made, by)
            store_of(find(to.character)).make_ready(commit)
    with writing():
        untell(scene.id, made.taken)
        participants = decide_anew(made)
        note_in_scene(scene.id, CORRECTED, corrected_people, at)
        WorldContainer(scene.id).record([step])
        for to, commit in sorted(writings.items(), key=lambda item: _has_mind(item[0])):
            if _has_mind(to):
                save(find(to.character), commit)
                continue
            kept, learnt = with_news(to.character, commit.rows)
            commit.rows[:] = [*kept, *learnt]
            write_without_mind(to, commit)
    SCENES.agent.refined(scene.id, made.line.meta["event"], participants, BY_STAFF)
    return made


def bodies_concerned(made: Corrected) -> list[Any]:
    """Return those in the game who gain or lose something by it, and whose locks it goes by."""
    ids = dict.fromkeys((*made.participants[1:], *(to.character for to in made.taken.rows)))
    return [*filter(None, map(find, ids))]


def what_changes(made: Corrected) -> Iterator[str]:
    """Yield what somebody loses or gains by it, one memory a line."""
    for to, rows in made.taken.rows.items():
        for row in rows:
            passed_on = "" if to.character in made.missed else " (passed on)"
            yield f"{person(to.character)} forgets #{row.id}: {row.content}{passed_on}"
    for row in made.rows:
        yield f"{person(row.container)} remembers: {row.author_name}: {row.content}"


def _complete(to: Container, commit: Commit, made: Corrected, by: str) -> None:
    """Let the lines go from an assistant's talks as well, and put it on record."""
    gone = made.taken.rows.get(to, [])
    data = {
        "scene": made.line.session,
        "by": by,
        "line": made.line.id,
        "rows": [row.id for row in gone],
    }
    ids = sorted({str(row.meta["event"]) for row in gone if "event" in row.meta})
    commit.changes += talk_without(store_of(find(to.character)), ids, commit.at)
    commit.audit.append(AuditRecord(CORRECTED, data, NOBODY, at=commit.at))


def _told(made: Corrected, by: str) -> str:
    return f"{by} puts right who took part in #{made.line.id}: {_names(made.participants)}"


def _names(people: Collection[str]) -> str:
    return ", ".join(map(person, people))


def _has_mind(to: Container) -> bool:
    body = find(to.character)
    return body is not None and is_assistant(body)
