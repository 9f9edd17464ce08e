"""Telling chapters: what somebody remembers of a day of a scene, by a model where there is one.

The lines themselves are told where there is none, it fails, nothing of its answer stands, or staff
silenced who would tell it. What the game's moderation drops is not told. A call is one assistant's
of the scene, within the tenth of its day that upkeep may take, and the share of whoever leads it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from twisted.internet.defer import Deferred, succeed

from ai_assistant.agent.mind import Mind
from ai_assistant.agent.turn.ask_model import ask_model, briefing
from ai_assistant.agent.turn.refusals import is_out_of_character
from ai_assistant.api.scene_inventory import note_all
from ai_assistant.api.staging import keep_rows, write_for
from ai_assistant.core.contracts import Commit, Json, MemoryRow
from ai_assistant.core.errors import BadReply, BudgetExhausted, ModelError
from ai_assistant.core.model_records import CallOrigin, ModelRequest
from ai_assistant.core.readers import OPEN
from ai_assistant.game.consent import ignores, moderate
from ai_assistant.game.identity import find, person
from ai_assistant.game.log import report, surviving
from ai_assistant.game.quiet import QUIET
from ai_assistant.prompts import load_prompt
from ai_assistant.roleplay import chapters
from ai_assistant.roleplay.day_summaries import (
    CHAPTER,
    RECAP,
    retold_recap,
)
from ai_assistant.roleplay.message_formats import is_deed, tale_line
from ai_assistant.roleplay.scene import GAME, SceneState, players
from ai_assistant.roleplay.tale import important, last_day, telling, untold
from ai_assistant.runtime.idling import UPKEEP_SHARE
from ai_assistant.runtime.means import payer_of
from ai_assistant.runtime.service import SERVICE
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage import Container
from ai_assistant.workers.long_work import CHAPTERS, LONG_WORK

JOB = "summarise"
CHAPTER_SECONDS = 30.0
"""Seconds for which players wait for a chapter, until the lines themselves are told."""
LONGEST_CHAPTER = 700
"""Tokens that it may take."""
MOST_READ = 400
"""The newest memories of a scene, of which a chapter is made."""


def chapter_lines(scene: SceneState, who: str, before: int = 0) -> Iterator[str]:
    """Yield what matters of the last day that somebody remembers of a scene, `before` one if any.

    Nothing where there is none.
    """
    rows, chapter = _day(scene, who, before)
    if rows:
        yield f"|wPreviously|n, on day {rows[-1].game_day}:"
    if chapter is not None:
        yield f"  {chapter.content}"
        rows = telling(chapters.told_since(chapter, rows))
    for row in important(rows):
        yield f"  {tale_line(row.author_name, row.content, is_deed=is_deed(row))}"


def write_chapter(scene: SceneState, who: str, before: int = 0) -> Deferred[Any] | None:
    """Let a model tell somebody that day, if there is one; fires when `chapter_lines` has it.

    None where the lines themselves are to be told, at once.
    """
    rows, chapter = _day(scene, who, before)
    shown, mind = chapters.to_tell(rows), _teller(scene, who)
    if mind is None or chapter is not None or not shown:
        return None
    if not mind.budget.within(mind.key, "upkeep", 1, UPKEEP_SHARE):
        return None
    return Deferred.fromCoroutine(_tried(mind, scene, who, shown))


def tell_all(
    scene: SceneState, line: str, *, before: int = 0, also: str = "", by: Any = None
) -> None:
    """Tell a line to all who play, and what each remembers of the last day `before` one, if any:
    that in a step of the reactor of its own, since much is read for it.

    `also` is somebody who plays no more; whoever ignores the player `by` whom it comes is not told.
    """
    for who in filter(None, dict.fromkeys([*scene.participants(), also])):
        body = find(who)
        if body is not None and (by in (None, body) or not ignores(body, by)):
            body.msg(f"|x{line}|n")
            if before:
                SERVICE.later(0, partial(_tell_before, scene, who, before))


def tell_day(scene: SceneState) -> None:
    """Tell all who play which day it is now, and what each remembers of the last one before."""
    note_all(scene)
    today = SCENES.day(scene)
    tell_all(scene, f"It is day {today} in '{scene.title}'.", before=today)


def tell_over(scene: SceneState, also: str = "") -> None:
    """Tell all who played that a scene is over, and what each remembers of its last day."""
    told = f"'{scene.title}' is over; scene/recap tells what you remember of it."
    tell_all(scene, told, before=SCENES.day(scene) + 1, also=also)


def _tell_before(scene: SceneState, who: str, before: int) -> None:
    with surviving(f"the last day of {scene.title}"):
        written = write_chapter(scene, who, before) or succeed(None)
        written.addCallback(partial(_tell_chapter, scene, who, before))


def _tell_chapter(scene: SceneState, who: str, before: int, *_: object) -> None:
    lines = [*chapter_lines(scene, who, before)]
    if lines and (body := find(who)) is not None:
        body.msg("\n".join(lines))


def _day(scene: SceneState, who: str, before: int) -> tuple[list[MemoryRow], MemoryRow | None]:
    """Return the talk of the last day that somebody remembers, and its chapter if it has one.

    Of one `before` a day what was told when another began is left out.
    """
    found = Container(scene.id, who).find(limit=MOST_READ)[::-1]
    day = last_day(found, before)
    rows = untold(found, day, before)
    told = (row for row in found if row.kind == CHAPTER and rows and rows == day)
    return rows, next((row for row in told if row.game_day == rows[-1].game_day), None)


def _teller(scene: SceneState, who: str) -> Mind | None:
    """Return who asks its model: the assistant itself, else the first of the scene that has one."""
    awake = (SERVICE.residents.get(member) for member in (who, *scene.participants()))
    minds = (resident.mind for resident in awake if resident is not None)
    asked = (mind for mind in minds if not mind.model.is_offline(JOB))
    return next(filter(_may_speak, asked), None)


def _may_speak(mind: Mind) -> bool:
    """Is it there, and did staff not silence it?"""
    body = find(mind.key)
    return body is not None and not QUIET.reason(body)


def _as_allowed(sentences: Sequence[Json], mind: Mind, who: str) -> list[Json]:
    """Return the sentences that the game's moderation lets somebody read, as it lets them."""
    speaker, readers = find(mind.key), [body for body in [find(who)] if body is not None]
    said = ((told, moderate(told["text"], speaker, readers)[0]) for told in sentences)
    return [{**told, "text": words} for told, words in said if words]


async def _tried(mind: Mind, scene: SceneState, who: str, rows: Sequence[MemoryRow]) -> None:
    """Write a chapter where one can be had; what failed is counted, and logged if no model did."""
    try:
        with LONG_WORK.running(CHAPTERS):
            await _written(mind, scene, who, rows)
    except (BudgetExhausted, ModelError, TimeoutError):  # it stands in the record of the call
        return
    except Exception as error:
        report("chapter", error)


async def _written(mind: Mind, scene: SceneState, who: str, rows: Sequence[MemoryRow]) -> None:
    """Write a chapter of these rows, which all have to stand still.

    Raises a `ModelError`, `BudgetExhausted` or `TimeoutError` where no model tells one.
    """
    leads = SCENES.leader(scene)
    names = {**mind.recall.names, **{member.id: member.name for member in scene.members}}
    request = ModelRequest(
        messages=briefing(load_prompt(CHAPTER), chapters.chapter_asked(rows, person(who), names)),
        job=JOB,
        context_type=RECAP,
        assistant=mind.key,
        payer=payer_of(leads, by_assistant=leads not in players(scene)),
        max_tokens=LONGEST_CHAPTER,
        origin=_origin(rows),
    )
    reply = await mind.limit(ask_model(mind, request), CHAPTER_SECONDS)
    own = _may_speak(mind) and not is_out_of_character(reply.text)
    told = chapters.read_chapter(reply.text, rows, names) if own else []
    sentences = _as_allowed(told, mind, who)
    standing = Container(scene.id, who).rows([row.id for row in rows])
    if not sentences or [row.content for row in standing] != [row.content for row in rows]:
        raise BadReply(reply.instead or "Nothing of what the model told stands.")
    keep_rows(who, scene.id, [chapters.chapter_row(rows, sentences, time.time())])
    _take_home(scene, who)


def _origin(rows: Sequence[MemoryRow]) -> CallOrigin:
    """Return where a call comes from: whoever is forgotten is forgotten in its record, too."""
    sources = {f"#{row.id}" for row in rows} | {row.author for row in rows}
    sources |= {str(row.meta["event"]) for row in rows if "event" in row.meta}
    return CallOrigin(readers=OPEN, sources=frozenset(sources - {""}))


def _take_home(scene: SceneState, who: str) -> None:
    """Let the account of a scene that is over be told in these words, if all its days are."""
    home = Container(GAME, who)
    old = home.known_to_meet(where={"kind": RECAP, "scene": scene.id}, readers=None, limit=1)
    rows = Container(scene.id, who).find(limit=MOST_READ)[::-1]
    if old and (new := retold_recap(old[0], rows)) is not None:
        write_for(home, Commit(at=time.time(), rows=[new], archived=[old[0].id]))
