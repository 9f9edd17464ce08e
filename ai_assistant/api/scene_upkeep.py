"""Tending scenes: with the heartbeats of assistants, what is due in them by now is done."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from twisted.internet.defer import Deferred

from ai_assistant import conf
from ai_assistant.api import staging
from ai_assistant.api.slices import in_slices
from ai_assistant.api.stories.telling_chapters import tell_day, tell_over
from ai_assistant.core.times import HOUR
from ai_assistant.game.identity import find
from ai_assistant.game.log import report
from ai_assistant.roleplay.scene import GAME, OPEN, SceneState, players
from ai_assistant.roleplay.scene_values import new_day
from ai_assistant.runtime.service import SERVICE
from ai_assistant.scenes.live_scenes import SCENES
from ai_assistant.storage.scene_rows import ids_of, load_scene

EVERY = 60.0
"""Seconds between two looks at all scenes."""
NOTED_EVERY = 600.0
"""Seconds between two notes on disk that a scene is still played."""


def tend() -> None:
    """Do what is due by now. Never raises: the heartbeat calls it."""
    try:
        if not (SERVICE.residents and SERVICE.watch.may_begin):
            return
        for scene in SCENES.owing:
            staging.settle_leavers(scene.id)
        now = SERVICE.shared.clock.now()
        if now - SCENES.tended_at >= EVERY:
            SCENES.tended_at = now
            _turn_pages([*SCENES.running.values()])
            ids = {*SCENES.running, *ids_of(OPEN)} - {GAME}
            if ids:
                work = Deferred.fromCoroutine(in_slices(_look_after_all(sorted(ids), now)))
                work.addErrback(lambda failure: report("tend", failure.value))
    except Exception as error:
        report("tend", error)


def _turn_pages(running: Iterable[SceneState]) -> None:
    """Let a day end that went by with the game's clock, as one does that is ended by hand."""
    follow = [scene for scene in running if scene.id != GAME and not scene.day]
    SCENES.days = {scene.id: SCENES.days.get(scene.id, SCENES.day(scene)) for scene in follow}
    for scene in follow:
        try:
            _turn_page(scene, SCENES.days[scene.id], SCENES.day(scene))
        except Exception as error:  # it is tried again, as the day is noted with its row
            report(f"tend {scene.title}", error)


def _turn_page(scene: SceneState, before: int, today: int) -> None:
    is_over = 0 < before < today
    if is_over:
        SCENES.save(scene, [new_day(scene, today, time.time())])
    SCENES.days[scene.id] = today
    if is_over:
        tell_day(scene)


def _look_after_all(ids: Sequence[str], now: float) -> Iterator[None]:
    """Look after one scene at each step, as it is by then."""
    for id in ids:
        scene = SCENES.running.get(id) or load_scene(id)
        if scene and SERVICE.watch.may_begin:
            _look_after(scene, now)
        yield None


def _look_after(scene: SceneState, now: float) -> None:
    """Let those leave a scene who are gone from the game, and end it where nobody plays it."""
    try:
        for who in scene.participants():
            if find(who) is None:
                scene = staging.remove_member(scene.id, who)
        if scene.id == GAME or scene.is_over or not players(scene):
            return
        bodies = filter(None, map(find, players(scene)))
        if not scene.played_at or any(body.sessions.count() for body in bodies):
            if now - scene.played_at >= NOTED_EVERY:
                SCENES.save(replace(scene, played_at=now))
        elif 0 < conf.settings.SCENE_HOURS * HOUR <= now - scene.played_at:
            staging.stop_scene(scene.id)
            tell_over(scene)
    except Exception as error:
        report(f"tend {scene.title}", error)
