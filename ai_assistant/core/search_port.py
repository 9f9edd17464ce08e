"""The port of search: what an index of memories is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from ai_assistant.core.contracts import MemoryRow

Where = Mapping[str, Any]
"""A filter on metadata: field → a plain value, or a pair of operator and number."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """What a caller may ask of the ranking; the defaults change nothing. Ages are in days."""

    mode: Literal["product", "additive"] = "product"
    """"product": relevance times bounded factors. "additive": the sum of three parts from 0 to 1,
    each times its alpha (Park et al. 2023)."""
    alpha_recency: float = 1.0
    """The weight of exp(-age / decay_constant)."""
    alpha_importance: float = 1.0
    """The weight of importance / 10."""
    alpha_relevance: float = 1.0
    """The weight of relevance; of a product, its power."""
    decay_constant: float = 30.0
    """Days in which recency falls to 1/e."""
    days_back: float = 0.0
    """Leaves out what is older, in days (of a story, in it); 0 leaves out nothing."""
    min_importance: int = 0
    """Leaves out what matters less, 0 to 10."""


PRODUCT = Scoring()


@dataclass(frozen=True, slots=True)
class StoryNow:
    """The story within which is asked: its session, and which day it is there.

    Of its rows the days of the story count, for their age and for the days that a question names;
    of all others those of the calendar.
    """

    session: str
    """Its scene."""
    day: int
    """The day that it is there, from 1."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A row that was found."""

    id: int
    """The row's id."""
    score: float
    """What it was ranked by; comparable within one search only."""
    relevance: float = 0.0
    """What it shares with the query, 0 to 1; 0 for nothing."""
    why: Mapping[str, float] = field(default_factory=dict)
    """When asked to explain: what each channel said, the row's age in days, and which newer row
    replaced it (`replaced_by`) or says the same (`repeated_by`)."""


class SearchIndex(Protocol):
    """The searchable rows of one container, used by one thread at a time.

    A row that may not be used influences nothing: no score, no rank, no count.
    """

    def __len__(self) -> int:
        """How many rows there are."""

    def __contains__(self, id: int) -> bool:
        """Is a row with this id there?"""

    def add(self, row: MemoryRow) -> None:
        """Add a row, instead of any with its id.

        What its `meta` calls permanent never grows old; `replaced_by` there (the ids of what did,
        or only that it was) says that it holds no more, `replaces` names rows that hold no more.
        Raises `ValueError`, and changes nothing, where its time or trust is not finite.
        """

    def remove(self, id: int) -> None:
        """Forget a row with its words; an unknown id is fine."""

    def set_vector(self, id: int, vector: bytes, model: str) -> None:
        """Give a row its embedding (float32); raises `ValueError` where it is of another size."""

    def labels(self) -> list[str]:
        """Return the labels of the rows, each once."""

    def places(self) -> list[str]:
        """Return the places from which the rows are, each once."""

    def search(  # noqa: PLR0913 - what may be asked for
        self,
        query: str,
        k: int,
        *,
        now: float,
        allow: Callable[[str], bool] | None = None,
        where: Where | None = None,
        explain: bool = False,
        scoring: Scoring = PRODUCT,
        vectors: Mapping[str, bytes] | None = None,
        sessions: frozenset[str] | None = None,
        besides: Collection[str] = (),
        story: StoryNow | None = None,
        around: str = "",
    ) -> list[Hit]:
        """Return the best `k` rows for a query, or all where there are fewer, best first.

        Args:
            query: The question, in words.
            k: How many rows at most. Where fewer fit, the rest are filled up by age and
                importance, with a relevance of 0.
            now: The time, in seconds since the epoch.
            allow: May rows of this label be used? Asked once for each distinct label.
            where: A filter on metadata; see `memory.search.filters`.
            explain: Say in each hit's `why` how it came about.
            scoring: How age, importance and relevance count; see `Scoring`.
            vectors: The query's embeddings, by model. A row is compared with that of the model
                which made its own; all others are found by their words as ever.
            sessions: Only rows of these sessions; None for all.
            besides: What tells of these events is ranked with the rest, and left out then.
            story: The story within which is asked; None for none.
            around: What was said before the question, whose words count a little.

        Raises:
            ValueError: `where` cannot be understood, or names a field that there is not.
        """
