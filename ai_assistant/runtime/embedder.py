"""Embedding: texts become vectors by the model of a profile, within the day's budget."""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from functools import partial

from twisted.internet.defer import CancelledError

from ai_assistant import conf
from ai_assistant.agent.attention.budget import Budget
from ai_assistant.core.errors import (
    AssistantError,
    ModelError,
    ModelUnavailable,
)
from ai_assistant.game.log import report, warn
from ai_assistant.game.stored_profiles import stored_profiles
from ai_assistant.llm.breaker import CallEnding, Unavailable
from ai_assistant.llm.bridge import Bridge
from ai_assistant.llm.embeddings import (
    Embedded,
    EmbeddingBatch,
    cut_to_send,
    vectors_name,
    with_vectors_of,
)
from ai_assistant.llm.model_profiles import Profile, load_profiles
from ai_assistant.storage.statements import refusals
from ai_assistant.workers.worker_queue import WorkerQueue

OWNER = "embeddings"
"""The owner under which embedding calls are counted, apart from the assistants' own."""
OTHER_RESTS = 600.0
"""Seconds for which a model that is in use no more is not asked after a failure."""
REMEMBERED = 512
"""Texts whose vectors are kept: several hear and ask the same."""


class Embeddings:
    """Implements `ports.Embedder` for the whole game. `problem` is why the last call failed."""

    def __init__(
        self,
        bridge: Bridge,
        profile: Profile,
        budget: Budget,
        known: Iterable[Profile] = (),
        workers: WorkerQueue | None = None,
    ) -> None:
        """`known` are the game's profiles, one of which may be that of the model before; `workers`
        take batches for which nobody waits.
        """
        self.model = vectors_name(profile)
        self.size = 0
        self.problem = ""
        self._bridge = bridge
        self._profile = profile
        self._budget = budget
        self._workers = workers
        self._known: OrderedDict[str, bytes] = OrderedDict()
        self._forgotten = 0
        self._profiles = {vectors_name(profile): profile for profile in known}
        self._others: dict[str, Embeddings | None] = {}

    def of(self, model: str) -> Embeddings | None:
        """Return what makes vectors of another model: by a profile that has it, else as ours."""
        if model not in self._others:
            profile = self._profiles.get(model) or with_vectors_of(self._profile, model)
            made = OtherEmbeddings(self._bridge, profile, self._budget) if profile else None
            self._others[model] = made
        return self._others[model]

    async def embed(
        self, texts: Sequence[str], *, seconds: float = 0.0, batch_of: str = ""
    ) -> list[bytes]:
        """Return a vector for each text, asking only for those not known yet.

        Those of a `batch_of` an assistant's memories, for which nobody waits, workers may make.
        Raises a `ModelError`, `BudgetExhausted`, or `StoreError` where nothing can be booked.
        """
        wanted = [cut_to_send(text) for text in texts]
        found = {text: self._known[text] for text in wanted if text in self._known}
        for text in found:
            self._known.move_to_end(text)
        new = [text for text in dict.fromkeys(wanted) if text not in found]
        if new:
            found |= zip(new, await self._ask(new, seconds, batch_of), strict=True)
        return [found[text] for text in wanted]

    def forget(self) -> None:
        """Drop the vectors of all texts, those on their way included."""
        self._known.clear()
        self._forgotten += 1
        for other in filter(None, self._others.values()):
            other.forget()

    async def _ask(self, texts: Sequence[str], seconds: float, batch_of: str) -> list[bytes]:
        forgotten = self._forgotten
        try:
            vectors = (await self._pay(texts, seconds, batch_of)).vectors
        except AssistantError as error:
            if not (self.problem or isinstance(error, ModelError)):  # of those others tell
                warn(f"embeddings: {error} Memories are found by their words meanwhile.")
            self.problem = self.problem or str(error)
            raise
        self.problem = ""
        self.size = len(vectors[0]) // 4
        if forgotten == self._forgotten:
            self._known.update(zip(texts, vectors, strict=True))
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return vectors

    async def _pay(self, texts: Sequence[str], seconds: float, batch_of: str) -> Embedded:
        worst = sum(len(text.encode(errors="surrogatepass")) + 8 for text in texts)
        reserved = self._budget.reserve(OWNER, worst)
        try:
            made = await self._made(texts, seconds, batch_of)
        except ModelError as error:
            self._budget.fail(reserved, error, worst)
            raise
        except CancelledError:
            raise
        except Exception as error:  # a failed embedding must never end a turn
            report("embeddings", error)
            raise ModelUnavailable() from None
        if self._budget.settle(reserved, made.usage).absurd:
            warn("embeddings: what the server says it took cannot be; the worst case was booked.")
        return made

    def _made(self, texts: Sequence[str], seconds: float, batch_of: str) -> Awaitable[Embedded]:
        here = partial(self._bridge.embed, self._profile, texts, seconds=seconds, size=self.size)
        if self._workers is None or not batch_of:
            return here()
        forgotten = self._forgotten

        async def unless_forgotten() -> Embedded:
            if forgotten != self._forgotten:
                told = "What was forgotten meanwhile is not asked again."
                raise Unavailable(CallEnding.CANCELLED, told, charge="all", passing=True)
            return await here()

        batch = EmbeddingBatch(tuple(texts), self.model, self.size, batch_of)
        return self._workers.answer(self._profile, batch, unless_forgotten)


class OtherEmbeddings(Embeddings):
    """Makes vectors of questions as a model did that is in use no more; where that cannot be, the
    server is left alone for a while."""

    _rests_until = 0.0

    async def embed(
        self, texts: Sequence[str], *, seconds: float = 0.0, batch_of: str = ""
    ) -> list[bytes]:
        """Return a vector for each text; raises as `Embeddings.embed`."""
        if time.monotonic() < self._rests_until:
            raise ModelUnavailable(self.problem)
        try:
            return await super().embed(texts, seconds=seconds, batch_of=batch_of)
        except AssistantError:
            self._rests_until = time.monotonic() + OTHER_RESTS
            raise


def read_profiles() -> dict[str, Profile]:
    """Return the game's profiles; the one for embeddings never stands in as the default.

    What staff keep in the game goes before what the settings have under the same name.
    """
    with refusals():
        raw, keys = conf.settings.LLM | stored_profiles(), conf.settings.KEYS
    profiles = load_profiles(raw, os.environ, keys, strict=False)
    if "default" not in raw:
        others = {name: raw[name] for name in raw if name != conf.settings.EMBEDDINGS}
        profiles["default"] = load_profiles(others, os.environ, keys, strict=False)["default"]
    return profiles


def wrong_embeddings(profiles: Mapping[str, Profile]) -> str:
    """Say that the setting names no profile; empty where it does, or names nothing."""
    name = conf.settings.EMBEDDINGS
    if not name or name in profiles:
        return ""
    return (
        f"AI_ASSISTANT_EMBEDDINGS names {name!r}, which AI_ASSISTANT_LLM does not have. Until then "
        "memories are found by words alone."
    )


def build_embedder(
    profiles: dict[str, Profile], bridge: Bridge, budget: Budget, workers: WorkerQueue | None
) -> Embeddings | None:
    """Return what makes vectors of memories; None where that is off, has no key, or cannot be."""
    profile = profiles.get(conf.settings.EMBEDDINGS)
    if profile is None or profile.offline or profile.problem:
        return None
    usable = [profile for profile in profiles.values() if not (profile.offline or profile.problem)]
    return Embeddings(bridge, profile, budget, usable, workers)
