"""The sleeper: how an assistant of the game falls asleep and wakes, and what others see of it."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.utils import timezone

from ai_assistant.agent.keeping.closing import flush
from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import Event, Verdict
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.times import DAY, HOUR, hours_left, in_hours
from ai_assistant.game.earshot import room_hearers
from ai_assistant.game.identity import find, name_of
from ai_assistant.game.quiet import QUIET
from ai_assistant.sleep.night import is_over, skip_stage, sleep_on, work_is_done
from ai_assistant.sleep.reflection import reflect_awake
from ai_assistant.sleep.waking import begin_night, caller, wake_up
from ai_assistant.tools.selfcare import obstacle
from ai_assistant.workers.long_work import LONG_WORK, NIGHTS

MOST_FAILURES = 3
SETTLED = 300.0
"""Seconds without a turn after which the hours of sleep may begin, or go on."""


class Sleeper:
    """The sleeping side of one resident. What it changes is on disk before anybody sees it."""

    def __init__(self, mind: Mind, script: Any) -> None:
        """`script` is the assistant's script, whose heartbeat slows down while it sleeps."""
        self.mind = mind
        self._script = script
        self._was_asleep = bool(mind.phase)
        self._beats = 0
        self._failures = 0
        self._awake_since = float("-inf")
        self._up_until = float("-inf")

    def tick(self, *, idle: bool, quiet_for: float) -> bool:
        """Fall asleep or wake up where it is time to; says whether the night has work to do.

        Args:
            idle: Nothing waits for it, and no turn of it runs.
            quiet_for: Seconds since its last turn.
        """
        mind = self.mind
        if not mind.phase:
            awake_for = mind.clock.monotonic() - self._awake_since
            if idle and min(quiet_for, awake_for) >= SETTLED:
                self._keep_hours()
        else:
            flush(mind)
            self.rise()
        self.settle()
        return self.has_work()

    def rise(self) -> None:
        """Wake up where the night is over."""
        sleep = self.mind.store.read("sleep")
        if is_over(sleep, self.mind.clock.now()):
            wake_up(self.mind, why="schedule" if sleep["until"] else "done")

    def has_work(self) -> bool:
        """Is it asleep, with work of the night left to do?"""
        return bool(self.mind.phase) and not work_is_done(self.mind.store.read("sleep"))

    def _keep_hours(self) -> None:
        config, now, world = self.mind.config, self.mind.clock.now(), self.mind.world
        if not config["sleep_enabled"] or now < self._up_until:
            return
        by_game = config["sleep_clock"] == "game"
        here = timezone.localtime(datetime.fromtimestamp(now, UTC))  # by Django's ``TIME_ZONE``
        hour = world.game_time() % DAY / HOUR if by_game else here.hour + here.minute / 60
        start, duration = config["sleep_start_hour"], config["sleep_duration_hours"]
        obstacles = obstacle(self.mind.store, world.game_time())
        if in_hours(hour, start, duration) and not obstacles:
            left = hours_left(hour, start, duration) * HOUR
            until = now + left / (world.pace() if by_game else 1.0)
            begin_night(self.mind, why="schedule", until=until)

    def piece(self) -> Coroutine[Any, Any, object]:
        """Begin the next piece of the night's work; awake, a look back."""
        return self._sleep_on() if self.mind.phase else reflect_awake(self.mind)

    async def _sleep_on(self) -> None:
        """Do the next piece of the night's work; the last one, and one that fails, are counted."""
        try:
            worked = await sleep_on(self.mind)
        except Exception as error:
            LONG_WORK.failed(NIGHTS, error)
            raise
        if worked and work_is_done(self.mind.store.view("sleep")):
            LONG_WORK.done(NIGHTS)

    def failed(self) -> None:
        """Note that a piece of the night failed; after three of them its stage is left for tonight.

        Raises `StoreError`.
        """
        self._failures = (self._failures + 1) % MOST_FAILURES
        if not self._failures:
            skip_stage(self.mind)

    def wants_to_muse(self) -> bool:
        """Is it one of the heartbeats at which it looks back awake?"""
        self._beats += 1
        interval = self.mind.config["reflection_interval"]
        return bool(interval) and self._beats % interval == 0

    def hears(self, event: Event, verdict: Verdict, names: Iterable[str]) -> Verdict:
        """Let an event reach a sleeper; returns what is to become of it.

        Whoever calls it wakes it, at once or as soon as the first phase is over. To anything else
        that it would have answered awake it only listens.
        """
        why = caller(event, verdict, names) if verdict is not Verdict.IGNORE else ""
        if why:
            self.mind.watch.finish(partial(self._wake, why))
        return Verdict.CONTEXT if verdict is Verdict.TRIGGER and not why else verdict

    def _wake(self, why: str) -> None:
        wake_up(self.mind, why=why)
        self.settle()

    def begin(self, *, by: str = "") -> None:
        """Fall asleep because staff (`by`) or game code says so.

        That somebody waits, or that something is urgent, does not count then. Raises
        `AssistantError` where it sleeps.
        """
        if self.mind.phase:
            raise AssistantError("It is asleep already; aisleep/wake wakes it.")
        begin_night(self.mind, why="command", by=by)
        self.settle()

    def end(self, why: str = "command", *, by: str = "") -> bool:
        """Wake it; False where it first has to finish the phase that must not be broken.

        Until its hours of sleep are over it stays up. `by` is who of staff did it. Raises
        `AssistantError` where it is awake.
        """
        if not self.mind.phase:
            raise AssistantError("It is awake already.")
        self._up_until = self.mind.store.read("sleep")["until"]
        awake = wake_up(self.mind, why=why, by=by)
        self.settle()
        return awake

    def settle(self) -> None:
        """Let everybody see whether it sleeps, and its heart beat accordingly."""
        asleep = bool(self.mind.phase)
        if asleep == self._was_asleep:
            return
        self._was_asleep, self._failures = asleep, 0
        if not asleep:
            self._awake_since = self.mind.clock.monotonic()
        self._script.restart_heartbeat()
        self.mind.sign("asleep" if asleep else "listening", self.mind.world.company())
        character = find(self.mind.key)
        if character is None or QUIET.reason(character):
            return
        if (room := character.location) is not None:
            line = f"{name_of(character)} {'falls asleep' if asleep else 'wakes up'}."
            told_not = [character, *room_hearers(room, character, "pose", deaf=True)]
            room.msg_contents((line, {"type": "pose"}), exclude=told_not, from_obj=character)
