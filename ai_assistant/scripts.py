"""The assistant script: one per assistant, its heartbeat and its configuration."""

from __future__ import annotations

from functools import partial
from typing import Any

from evennia import DefaultScript

from ai_assistant.agent.config import CONFIG, Config
from ai_assistant.api.scene_upkeep import tend
from ai_assistant.api.turns.past_upkeep import PAST_UPKEEP
from ai_assistant.api.whole.whole_exchange import ARRIVALS
from ai_assistant.core.errors import AssistantError, StoreUnavailable
from ai_assistant.game.identity import entity_id
from ai_assistant.game.log import surviving, warn
from ai_assistant.memory.inner.sleep_state import SLEEP, is_asleep
from ai_assistant.runtime.assembly import config_of
from ai_assistant.runtime.service import SERVICE
from ai_assistant.storage.statements import refusals


class AssistantScript(DefaultScript):
    """
    Keeps one assistant alive. It sits on the assistant's character and ticks every `tick_rate`
    seconds awake, every `tick_rate_sleep` seconds asleep.

    Attributes: `enabled` (does it run?), `config` (what was set of `agent.config.OPTIONS`),
    `sleep_state` (does it sleep, and how far is its night?), `metrics` (counters),
    `current_goals` (a list). All hooks log their errors and go on: an exception in a reload hook
    would stop the reload for good.

    """

    def at_script_creation(self) -> None:
        """Set the first heartbeat and the first state."""
        self.desc = "The heartbeat of an assistant."
        self.persistent = True
        self.interval = Config({})["tick_rate"]
        self.start_delay = True
        self.db.enabled = True
        self.attributes.add(CONFIG.attribute, {})
        self.db.current_goals = []

    @property
    def config(self) -> Config:
        """The assistant's configuration as plain values."""
        return config_of(self)

    @property
    def assistant_id(self) -> str:
        """The lasting id of the character."""
        return entity_id(self.obj)

    @property
    def heartbeat(self) -> int:
        """Seconds between two ticks in the present mode."""
        return self.config["tick_rate_sleep" if self.is_asleep else "tick_rate"]

    @property
    def is_asleep(self) -> bool:
        """Is the assistant asleep? Known without its mind, so that others can see it."""
        stored = self.attributes.get(SLEEP.attribute)
        return bool(stored) and is_asleep(stored)

    def restart_heartbeat(self) -> None:
        """Tick at the pace of the present mode and configuration from now on.

        The timer is stopped by hand: where Evennia does that for another pace, it leaves the
        script inactive on disk, and neither a reload nor a restart would take it up again.
        """
        if (task := self.ndb._task) and task.running:
            task.stop()
        self.ndb._task = None
        self.start(interval=self.heartbeat)

    def at_start(self, **kwargs: Any) -> None:
        """Join the service, unless the assistant was stopped or this is not the server."""
        with (
            surviving(f"start of {self.obj}"),
            refusals(),
        ):  # here Evennia starts all scripts, the others too
            if self.db.enabled and self.obj is not None and SERVICE.in_server():
                problem = ""
                try:
                    SERVICE.register(self.obj, self)
                except StoreUnavailable as error:
                    problem = str(error)
                    SERVICE.watch.finish(partial(SERVICE.register, self.obj, self))
                except AssistantError as error:
                    problem = str(error)
                    warn(f"{self.obj} cannot start: {problem}")
                self.db.last_problem = problem

    def at_repeat(self, **kwargs: Any) -> None:
        """One tick. Never two turns at once: the service keeps count."""
        with surviving(f"tick of {self.key}"), refusals():  # Evennia would show the text to players
            if self.db.enabled and self.obj is not None:
                SERVICE.tick(self.assistant_id)
                tend()
                PAST_UPKEEP.tend()
                ARRIVALS.clear()

    def at_stop(self, **kwargs: Any) -> None:
        """Leave the service; what waits for an answer is closed."""
        self._leave("stopped")

    def at_script_delete(self) -> bool:
        """Leave the service before being deleted."""
        self._leave("deleted")
        return True

    def at_server_start(self) -> None:
        """Start the heartbeat again after a crash.

        Evennia resumes the timers that it paused in an orderly stop, and no others: after a kill
        a script counts as active and never ticks.
        """
        with surviving(f"restart of {self.key}"):
            task = self.ndb._task
            if self.db_is_active and not self.db._paused_time and not (task and task.running):
                self.start(interval=self.heartbeat)

    def at_server_reload(self) -> None:
        """Give back what a reload or a shutdown would cut short."""
        with surviving(f"suspending {self.key}"):
            if self.obj is not None:
                SERVICE.suspend(self.assistant_id)

    at_server_shutdown = at_server_reload

    def _leave(self, reason: str) -> None:
        with surviving(f"leaving {self.key}"):
            if self.obj is not None and self.obj.pk:
                SERVICE.unregister(self.assistant_id, reason)
