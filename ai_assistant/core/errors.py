"""Every error this package raises on purpose; the docstring is the default message."""

from __future__ import annotations

from typing import Literal

Charge = Literal["nothing", "prompt", "all"]
"""What a failed call may have cost: nothing, its prompt, or all that was reserved for it."""


class AssistantError(Exception):
    """Something went wrong inside ai_assistant."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (self.__doc__ or "").strip().splitlines()[0])


class ConfigurationError(AssistantError):
    """A setting or an assistant's configuration has a value that cannot be used."""


class ToolError(AssistantError):
    """A tool call was refused; the text tells the model what to do instead."""


class BlockRefused(AssistantError):
    """A memory block is not written by this one, or has no room for that; nothing was changed."""


class TurnSuperseded(AssistantError):
    """The turn lost its right to act: the assistant was stopped, moved on or is gone."""


class StoreError(AssistantError):
    """The database refused a write; nothing of it was kept."""


class StoreUnavailable(StoreError):
    """The database takes nothing just now: it is locked, full, read-only or away."""


class NotInCharge(StoreError):
    """Another server runs the assistants of this database; nothing was changed from here."""


class NotMigrated(StoreError):
    """The database lacks a table of ours. Run: evennia migrate, then evennia reload."""


class CardError(AssistantError):
    """The file is no character card or lorebook that can be used; nothing of it was kept."""


class BudgetExhausted(AssistantError):
    """The daily cap of calls or tokens is reached; no call was made."""


class EnergySpent(BudgetExhausted):
    """The line that this follows from pays for no more calls; no call was made."""


class ModelError(AssistantError):
    """The model did not give a usable reply."""

    charge: Charge = "all"
    spent = 0
    """Tokens that it took by the server's own word; 0 where it did not say."""
    passing = False
    """Is it over soon, so that the same may be asked once more?"""
    wait = 0.0
    """Seconds that the server wants to be left alone."""
    cause = ""
    """What the owner's next step goes by, see `llm.next_steps`."""


class ModelUnavailable(ModelError):
    """The model's server could not be reached, refused us, or is resting behind its breaker."""


class ModelTimeout(ModelError):
    """The model did not answer within the time limit."""


class BadReply(ModelError):
    """The model's reply was malformed, cut short or too large."""


class EmptyReply(ModelError):
    """The model answered with neither text nor tool calls."""

    def __init__(self, message: str | None = None, spent: int = 0) -> None:
        super().__init__(message)
        self.spent = spent
