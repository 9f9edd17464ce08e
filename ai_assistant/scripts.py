"""The assistant script: one per assistant, its heartbeat and its configuration."""

from __future__ import annotations

from typing import Any

from evennia import DefaultScript
from twisted.internet import reactor

from ai_assistant.agent.config import Config
from ai_assistant.assembly import CONFIG_KEY
from ai_assistant.errors import AssistantError
from ai_assistant.identity import entity_id
from ai_assistant.log import report
from ai_assistant.service import SERVICE

AWAKE, ASLEEP = "awake", "sleep"


class AssistantScript(DefaultScript):
    """
    Keeps one assistant alive. It sits on the assistant's character and ticks every `tick_rate`
    seconds awake, every `tick_rate_sleep` seconds asleep.

    Attributes: `enabled` (does it run?), `config` (what was set of `agent.config.OPTIONS`),
    `mode` (awake or sleep), `metrics` (counters). All hooks log their errors and go on: an
    exception in a reload hook would stop the reload for good.

    """

    def at_script_creation(self) -> None:
        """Set the first heartbeat and the first state."""
        self.desc = "The heartbeat of an assistant."
        self.persistent = True
        self.interval = Config({})["tick_rate"]
        self.start_delay = True
        self.db.enabled = True
        self.db.mode = AWAKE
        self.attributes.add(CONFIG_KEY, {})

    @property
    def config(self) -> Config:
        """The assistant's configuration as plain values."""
        stored = self.attributes.get(CONFIG_KEY, default={})
        return Config({key: _plain(value) for key, value in stored.items()})

    @property
    def assistant_id(self) -> str:
        """The lasting id of the character."""
        return entity_id(self.obj)

    @property
    def heartbeat(self) -> int:
        """Seconds between two ticks in the present mode."""
        return self.config["tick_rate_sleep" if self.db.mode == ASLEEP else "tick_rate"]

    def set_mode(self, mode: str) -> None:
        """Fall asleep or wake up: the heartbeat slows down or quickens."""
        self.db.mode = mode
        self.restart_heartbeat()

    def restart_heartbeat(self) -> None:
        """Tick at the pace of the present mode and configuration from now on."""
        self.start(interval=self.heartbeat, start_delay=True)

    def at_start(self, **kwargs: Any) -> None:
        """Join the service, unless the assistant was stopped."""
        if not self.db.enabled or self.obj is None or not in_server():
            return
        try:
            SERVICE.register(self.obj, self)
            self.db.last_problem = ""
        except AssistantError as error:
            self.db.last_problem = str(error)
            report(f"{self.key} cannot start", error)

    def at_repeat(self, **kwargs: Any) -> None:
        """One tick. Never two turns at once: the service keeps count."""
        try:
            if self.db.enabled and self.obj is not None:
                SERVICE.tick(self.assistant_id)
        except Exception as error:  # Evennia would show the text to players
            report(f"tick of {self.key}", error)

    def at_stop(self, **kwargs: Any) -> None:
        """Leave the service; what waits for an answer is closed."""
        self._leave("stopped")

    def at_script_delete(self) -> bool:
        """Leave the service before being deleted."""
        self._leave("deleted")
        return True

    def at_server_reload(self) -> None:
        """Give back what a reload would cut short."""
        self._suspend()

    def at_server_shutdown(self) -> None:
        """Give back what a shutdown would cut short."""
        self._suspend()

    def _suspend(self) -> None:
        try:
            if self.obj is not None:
                SERVICE.suspend(self.assistant_id)
        except Exception as error:
            report(f"suspending {self.key}", error)

    def _leave(self, reason: str) -> None:
        try:
            if self.obj is not None and self.obj.pk:
                SERVICE.unregister(self.assistant_id, reason)
        except Exception as error:
            report(f"leaving {self.key}", error)


def in_server() -> bool:
    """Is this the running server, and not a shell or a management command beside it?"""
    return bool(reactor.running)  # type: ignore[attr-defined]


def _plain(value: Any) -> Any:
    return value.deserialize() if hasattr(value, "deserialize") else value
