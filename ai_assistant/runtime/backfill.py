"""Backfill: rows without a vector of the present model get one in the background."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

from twisted.internet.defer import CancelledError, Deferred
from twisted.python.failure import Failure

from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import MemoryRow
from ai_assistant.core.errors import AssistantError, BadReply, BudgetExhausted, ModelError
from ai_assistant.core.times import DAY, HOUR
from ai_assistant.game.log import report, warn
from ai_assistant.game.reactor_steps import Later
from ai_assistant.llm.breaker import CallEnding, kind_of
from ai_assistant.runtime.assembly import Shared
from ai_assistant.runtime.resident import Resident

BATCH = 32
AT_ONCE = 8
"""Batches that workers make at a time; the game itself makes one after the other."""
PAUSE = 0.1
"""Seconds between two batches, each of which holds up the game for some milliseconds."""
FIRST_REST, LONGEST_REST = 1.0, 600.0
SKIPPED_FOR, LONGEST_SKIP = HOUR, DAY
MANY = 200
"""With at least this many rows to embed, the log says when it begins and ends."""

OwnedRow = tuple[str, MemoryRow]
"""The key of an assistant and a row of its container."""


class Backfill:
    """Gives vectors to rows that have none of the model's, some at a time, while the game goes on.

    Full batches go to workers where there are any; what is left over the game asks for itself.
    What is to be done is in the index: nothing else needs to survive a restart. After a failure
    it rests, longer each time. A batch refused for what is in it is halved until the row is found
    that does it; that one is left out for an hour, then for longer.
    """

    def __init__(
        self, residents: Mapping[str, Resident], *, later: Later, shared: Callable[[], Shared]
    ) -> None:
        self._residents = residents
        self._later = later
        self._shared = shared
        self._keys: OrderedDict[str, None] = OrderedDict()
        self._suspects: list[list[tuple[str, int]]] = []
        self._skipped: dict[tuple[str, int], tuple[float, float]] = {}
        self._long: set[str] = set()
        self._running = 0
        self._taken: set[tuple[str, int]] = set()
        self._rest, self._rests_until = 0.0, 0.0

    def wake(self, key: str) -> None:
        """See whether an assistant has rows without a vector, and begin. Costs next to nothing."""
        mind = self._mind_of(key)
        if mind is not None and self._lacking(mind, 1):
            self._keys.setdefault(key)
            self._begin()

    def _mind_of(self, key: str) -> Mind | None:
        resident = self._residents.get(key)
        return None if resident is None or resident.suspended else resident.mind

    def _now(self) -> float:
        return self._shared().clock.monotonic()

    def _lacking(self, mind: Mind, most: int) -> list[int]:
        now = self._now()
        skipped = {
            id for (key, id), (until, _) in self._skipped.items() if key == mind.key and until > now
        }
        taken = {id for key, id in self._taken if key == mind.key}
        return mind.recall.lacking(most, skipped | taken)

    def _begin(self) -> None:
        most = AT_ONCE if self._shared().workers else 1
        if self._residents and self._running < most and self._now() >= self._rests_until:
            self._running += 1
            done = Deferred.fromCoroutine(self._embed_some())
            done.addErrback(self._broke)
            done.addBoth(self._ended)

    def _broke(self, failure: Failure) -> bool:
        if not failure.check(CancelledError):
            report("embedding memories", failure.value)
        self._rest_a_while()
        return False

    def _ended(self, goes_on: bool) -> None:
        self._running -= 1
        if goes_on:
            self._later(PAUSE, self._begin)

    async def _embed_some(self) -> bool:
        """Embed one batch; returns whether to go on at once."""
        embedder = self._shared().embedder
        batch: list[OwnedRow] = []
        chosen = self._suspects.pop() if self._suspects else self._choose()
        self._taken.update(chosen)
        try:
            ids_of: dict[str, list[int]] = {}
            for key, id in chosen:
                ids_of.setdefault(key, []).append(id)
            batch = [(key, row) for key, ids in ids_of.items() for row in self._rows(key, ids)]
            if not batch or embedder is None:
                return bool(self._suspects or self._keys) and self._running == 1
            texts = [row.content for _, row in batch]
            is_job = self._shared().workers and len(batch) == BATCH and len(ids_of) == 1
            whose = batch[0][0] if is_job else ""
            if whose:
                self._later(PAUSE, self._begin)
            self._keep(batch, await embedder.embed(texts, batch_of=whose), embedder.model)
        except AssistantError as error:
            self._failed(batch, error)
            return False
        finally:
            self._taken.difference_update(chosen)
        self._rest = 0.0
        return True

    def _choose(self) -> list[tuple[str, int]]:
        """Return the next rows, of several assistants if need be, each in its turn."""
        chosen: list[tuple[str, int]] = []
        for key in list(self._keys):
            mind = self._mind_of(key)
            ids = self._lacking(mind, BATCH - len(chosen)) if mind else []
            chosen += [(key, id) for id in ids]
            self._keys.move_to_end(key)
            done = not ids and not self._taken
            self._tell(key, mind, done=done)
            if done:
                del self._keys[key]
            if len(chosen) == BATCH:
                break
        return chosen

    def _rows(self, key: str, ids: list[int]) -> list[MemoryRow]:
        mind = self._mind_of(key)
        if mind is None:
            return []
        rows = mind.store.rows.by_ids(ids)
        gone = set(ids).difference(row.id for row in rows)
        if gone:
            mind.recall.forget(gone)
        return rows

    def _keep(self, batch: Sequence[OwnedRow], vectors: Sequence[bytes], model: str) -> None:
        """Write vectors, each for a row that still has the words it was made of."""
        by_key: dict[str, list[tuple[MemoryRow, bytes]]] = {}
        for (key, row), vector in zip(batch, vectors, strict=True):
            by_key.setdefault(key, []).append((row, vector))
            self._skipped.pop((key, row.id), None)
        for key, pairs in by_key.items():
            mind = self._mind_of(key)
            if mind is not None:
                rows, made = zip(*pairs, strict=True)
                written = mind.store.rows.set_vectors(rows, made, model)
                found = {row.id: vector for row, vector in pairs}
                mind.recall.learn_vectors({id: found[id] for id in written})

    # -- failures

    def _failed(self, batch: Sequence[OwnedRow], error: AssistantError) -> None:
        self._rest_a_while(LONGEST_REST if isinstance(error, BudgetExhausted) else 0.0)
        refused = isinstance(error, ModelError) and kind_of(error) is CallEnding.REQUEST
        if not (refused or isinstance(error, BadReply)):  # the server did not refuse just these
            return
        marks = [(key, row.id) for key, row in batch]
        middle = len(marks) // 2
        if middle:
            self._suspects += [marks[middle:], marks[:middle]]
            return
        _, before = self._skipped.get(marks[0], (0.0, 0.0))
        seconds = min(LONGEST_SKIP, 2 * before or SKIPPED_FOR)
        self._skipped[marks[0]] = (self._now() + seconds, seconds)
        warn(
            f"embeddings: memory {marks[0][1]} cannot be embedded ({error}) It is found by its "
            f"words, and tried again in {seconds / 60:.0f} minutes."
        )

    def _rest_a_while(self, seconds: float = 0.0) -> None:
        if self._now() >= self._rests_until:  # else another batch of the same time failed before
            self._rest = seconds or min(LONGEST_REST, max(FIRST_REST, 2 * self._rest))
            self._rests_until = self._now() + self._rest

    def _tell(self, key: str, mind: Mind | None, *, done: bool) -> None:
        if mind is None:
            return
        have, rows = mind.recall.embedded
        if rows - have >= MANY and key not in self._long:
            self._long.add(key)
            warn(f"embeddings: {rows - have} memories of {mind.world.me().name} are waiting.")
        elif done and key in self._long:
            self._long.remove(key)
            warn(f"embeddings: {have} of {rows} memories of {mind.world.me().name} are done.")
