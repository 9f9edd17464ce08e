"""The ports: what the core asks of model, game, store and clock; only answers and acts wait."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

from ai_assistant.core.contracts import (
    AuditRecord,
    Commit,
    Delivery,
    Entity,
    Event,
    Json,
    MemoryRow,
    Speech,
    SpeechKind,
    StoredTrigger,
)
from ai_assistant.core.model_records import ModelReply, ModelRequest
from ai_assistant.core.readers import Audience
from ai_assistant.core.seen import SeenPlace

MODEL_SECONDS = 30.0
"""Seconds that a call to a model may take where nothing else is said."""
SLACK = 15.0
"""Seconds above the client's own limit, after which an answer is lost: no turn waits for ever."""


class Model(Protocol):
    """Answers a request; raises a `ModelError` where it cannot. Whoever inherits needs no more."""

    def complete(self, request: ModelRequest) -> Awaitable[ModelReply]:
        """Return the reply when it is there."""

    def at_no_cost(
        self, request: ModelRequest, *, failed: bool = False
    ) -> Awaitable[ModelReply] | None:
        """Return the offline model's answer, asked anyway or instead of one that `failed`; None."""
        return None

    def most(self, request: ModelRequest) -> tuple[float, int]:
        """Return after how many seconds an answer is lost, and the most tokens billed for it."""
        return MODEL_SECONDS + SLACK, request.max_tokens

    def has_native_tools(self, chosen: str) -> bool:
        """Does the model of a chat (of the profile that is chosen) take tool calls as such?"""
        return True

    def is_offline(self, job: str) -> bool:
        """Is there no real model for a job, so that rules do the work?"""
        return True


class CallLog(Protocol):
    """Is told of each call of a model once it is over. Whoever inherits keeps that."""

    def note(
        self, request: ModelRequest, reply: ModelReply | None, seconds: float, problem: str = ""
    ) -> None:
        """Note a call that took so many seconds, with the reply or the problem. Never raises."""

    def write(self) -> object:
        """Write what was noted, now that there is time for it. Never raises."""
        return None


class Embedder(Protocol):
    """Makes vectors of texts. Its failures are `AssistantError`s, and never end a turn."""

    model: str
    """The name under which its vectors are kept; those of another name are not comparable."""
    size: int
    """How many numbers its vectors have; 0 until the first is seen. Others are refused."""

    def embed(self, texts: Sequence[str], *, seconds: float = 0.0) -> Awaitable[list[bytes]]:
        """Return a float32 vector for each text, within `seconds` unless 0."""

    def forget(self) -> None:
        """Drop whatever is kept of texts that were embedded before."""

    def of(self, model: str) -> Embedder | None:
        """Return what makes vectors of another model, which rows have still; None for nothing."""


class Clock(Protocol):
    """The time of day and a steady clock, both in seconds."""

    def now(self) -> float:
        """Seconds since the epoch, UTC."""

    def monotonic(self) -> float:
        """Seconds that never jump."""


class Surroundings(Protocol):
    """What one character perceives of the game. Ids are looked up anew each time."""

    def me(self) -> Entity:
        """The character itself."""

    def scene(self) -> SeenPlace:
        """Where it is and what it sees."""

    def look(self, entity_id: str) -> str:
        """What it sees when it looks at that; raises `ToolError` where it is gone."""

    def neighbours(self, place: str) -> Mapping[str, str]:
        """The places next to that one, id → name, as far as the character could pass."""

    def whereabouts(self, who: str = "") -> str:
        """The id of the place where somebody is whom it could see there (its own for ""), or ""."""

    def home(self) -> str:
        """The id of the place where it belongs; empty for none."""

    def unseen(self, people: Audience) -> Mapping[str, Audience]:
        """Of these people: {id: ids of the others who do not see them}, where the character is."""

    def status(self) -> Json:
        """What the game knows of the character: location, position, health, where it has them."""

    def game_time(self) -> float:
        """The time of the game's world, in its own seconds since the epoch."""

    def pace(self) -> float:
        """How many of its own seconds pass for the game's world in one of ours."""

    def known(self, name: str) -> Sequence[Entity]:
        """Who and what in the game bears just this name; of others than players it may not know."""

    def who_is(self, lasting_id: str) -> Entity | None:
        """Who bears this id now; None where nobody does."""


class Talk(Protocol):
    """Who hears one character, and how it speaks to them."""

    def hearers(self, kind: SpeechKind, place: str, target: str = "") -> Audience:
        """Everybody who would hear a speech of that kind now; empty when nobody would."""

    def belongs(self, principal: str, channel: str) -> bool:
        """Is the principal subscribed to that channel, and let in to listen?"""

    def company(self) -> Audience:
        """The players who would hear it speak where it is now, hidden ones included."""

    def in_reach(self, event: Event) -> bool:
        """Could whoever caused the event still hear an answer?"""

    def keeps_own(self, who: str) -> bool:
        """Does that character report what it receives, so that nobody else stores it for it?"""

    def moderated(self, speech: Speech) -> Speech:
        """Return it as the game's moderation lets it be said; it may say why it is `refused`."""

    def route(self, speech: Speech) -> Delivery:
        """Say how `deliver` would end right now, without saying a word."""

    def deliver(self, speech: Speech) -> Delivery:
        """Speak, if those who hear it now still may; never raises for a listener who is gone."""


class Acting(Protocol):
    """What one character does in the game, and may do for those who ask."""

    def move(self, exit_id: str) -> Awaitable[str]:
        """Walk through an exit; returns what happened, raises `ToolError` where it failed."""

    def walk(self, place: str) -> Awaitable[str]:
        """Go to a neighbouring place by a way that is open; returns and raises as `move` does."""

    def give(self, item_id: str, receiver_id: str) -> Awaitable[str]:
        """Hand over an item; returns what happened, raises `ToolError` where it failed."""

    def take(self, item_id: str) -> Awaitable[str]:
        """Pick up an item; returns what happened, raises `ToolError` where it failed."""

    def put_down(self, item_id: str) -> Awaitable[str]:
        """Put down an item where it is; returns what happened, raises `ToolError` as above."""

    def holds(self, entity_id: str, permission: str) -> bool:
        """Does that one (or the character itself) hold this permission of the game right now?"""

    def propose(self, act: str, arguments: Json, asked_by: str, readers: str) -> str:
        """Propose an act, which `readers` may know of, to staff; raises `ToolError`."""


class World(Surroundings, Talk, Acting, Protocol):
    """The game as one character perceives it and acts in it."""


class Rows(Protocol):
    """The living memory rows of one assistant's own container."""

    def by_ids(self, ids: Sequence[int]) -> list[MemoryRow]:
        """Return rows in the order of `ids`; unknown ids are left out."""

    def newest(self, limit: int, before: int = 0) -> list[MemoryRow]:
        """Return the newest rows (older than the id `before`, unless 0), newest first."""

    def after(
        self, after: int, limit: int, session: str | None = None, readers: str | None = None
    ) -> list[MemoryRow]:
        """Return the first rows with an id above `after`, the oldest first; None: of all."""

    def find(self, where: Mapping[str, Any], limit: int) -> list[MemoryRow]:
        """Return the newest rows that meet a filter; raises `ValueError` where it is none."""

    def vectors(self, ids: Sequence[int]) -> dict[int, tuple[str, bytes]]:
        """Return the vectors that these rows have, by id, each with its model."""

    def set_vectors(self, rows: Sequence[MemoryRow], new: Sequence[bytes], model: str) -> list[int]:
        """Keep a new vector for each row that still has these words; returns the ids of those."""


class Triggers(Protocol):
    """The events of one assistant that are on disk until they are answered or closed."""

    def add(self, event: Event) -> bool:
        """Put a trigger on disk; False when it is there already."""

    def waiting(self) -> list[StoredTrigger]:
        """Return what is on disk and not closed, oldest first."""

    def begin(self, turn_id: str, event_ids: Sequence[str]) -> None:
        """Count one more attempt for these events, if any, in the name of this turn."""

    def give_back(self, turn_id: str) -> None:
        """Take back the attempt of a turn that a reload cut short (unless it has claims)."""

    def claim(self, turn_id: str, *calls: Json) -> None:
        """Put on disk that acts are about to happen, before they happen."""

    def settle(self, turn_id: str, call_id: str, result: Json) -> None:
        """Put on disk how a claimed act ended."""


class States(Protocol):
    """States of parts, as they were read."""

    def read(self, part: str, key: str = "") -> Json:
        """Return a part of the state; its empty shape where nothing is stored."""

    def read_all(self, part: str) -> dict[str, Json]:
        """Return all states of a keyed part by key, oldest first."""


class Store(States, Protocol):
    """The state of one assistant. Every call is short; all but `view` hand out plain copies."""

    once_written: Callable[[Callable[[], object]], object]
    """Calls something now; while several commits share a transaction, once they stand on disk."""

    @property
    def rows(self) -> Rows:
        """Its memory rows."""

    @property
    def triggers(self) -> Triggers:
        """Its open events."""

    def view(self, part: str, key: str = "") -> Json:
        """Return what `read` does, to be looked at only: it may be what is kept itself."""

    def blocks(self) -> States:
        """Return the memory blocks at hand, all read by one query."""

    def keys(self, part: str) -> Sequence[str]:
        """Return the keys stored of a part that is kept one Attribute per key."""

    def drop(self, part: str, key: str) -> None:
        """Remove the key of a part that is kept one Attribute per key, if its state is empty."""

    def records(self, turn_id: str) -> list[AuditRecord]:
        """Return the audit records under this turn's id, oldest first."""

    def commit(self, commit: Commit) -> list[MemoryRow]:
        """Write all or nothing, then publish; returns the rows with ids, or raises `StoreError`."""

    def lease(self, part: str, key: str = "", *, now: float, seconds: float) -> bool:
        """Take a memory block's lease, or with 0 seconds give it back; False: another has it."""


class SpendingBook(Protocol):
    """The day's spending on disk, per owner (an assistant, or ``""`` for the whole game)."""

    def spent(self, day: str, *owners: str) -> list[tuple[int, int]]:
        """Return (calls, tokens) of that day for each of these owners."""

    def reserve(self, day: str, caps: Mapping[str, tuple[int, int]], tokens: int) -> bool:
        """Add a call to all these owners, or to none (False) where one's caps would be passed."""

    def spend(self, day: str, owners: Sequence[str], calls: int, tokens: int) -> None:
        """Add to all these owners at once; amounts may be negative when settling."""


Limit = Callable[[Awaitable[Any], float], Awaitable[Any]]
"""``limit(awaitable, seconds)``: the same outcome, or `TimeoutError` when it takes longer."""
