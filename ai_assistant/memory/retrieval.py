"""Retrieval: an index of memory rows that answers a question with the rows that share its words.

Works without a database. Rows are filtered by label and metadata before they are ranked, so a
row that may not be used influences nothing: no score, no rank, no count.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from sys import intern
from typing import Any

from ai_assistant.readers import OPEN

DAY = 86_400.0
RECENCY_BONUS = 0.15
IMPORTANCE_BONUS = 0.15
DECAY_DAYS = 30.0

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_STOP = frozenset(
    "a an and are as at be been but by can could did do does for from had has have he her him his "
    "how i i'm if in is it it's its me my of on or our she should so some that that's the their "
    "them then there they this to us was we were what when where which who whom why will with "
    "would you your yours am about tell told remember know say said hello hi please any".split()
)
_ENDINGS = ("ingly", "edly", "ing", "ies", "ed", "es", "ly", "s")


def stem(word: str) -> str:
    """Return a word without its commonest English endings."""
    word = _plain(word).removesuffix("'s")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending) + ("y" if ending == "ies" else "")
            break
    return word.removesuffix("e") if len(word) > 3 else word


def _plain(word: str) -> str:
    return word.lower().replace("’", "'")


def stems(text: str) -> list[str]:
    """Return the stems of the words of a text that carry meaning, in order."""
    return [stem(word) for word in _WORD.findall(text) if _plain(word) not in _STOP]


@dataclass(frozen=True, slots=True)
class Hit:
    """A row that was found; `why` holds the parts of its score when explained."""

    id: int
    score: float
    why: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Entry:
    readers: str
    at: float
    importance: int
    trust: float
    words: tuple[str, ...]
    meta: Mapping[str, Any]


class Index:
    """The rows of one container, by the stems of their words.

    Made of tuples where sets would come to mind, because Python's garbage collector passes over
    tuples of plain values: while it visits everything else in a game, nothing happens there.
    """

    def __init__(self) -> None:
        self._entries: dict[int, _Entry] = {}
        self._postings: dict[str, tuple[int, ...]] = {}
        self._labels: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._entries)

    def add(  # noqa: PLR0913 - one argument for each field of the item
        self,
        id: int,
        text: str,
        *,
        speaker: str = "",
        session: str = "",
        at: float = 0.0,
        readers: str = OPEN,
        importance: int = 5,
        trust: float = 0.9,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        """Add a row; `at` in seconds since the epoch. Adding an id again replaces it."""
        if id in self._entries:
            self.remove(id)
        words = tuple({intern(word) for word in stems(f"{speaker} {text}")})
        facts = {"speaker": speaker, "session": session, **(meta or {})}
        self._entries[id] = _Entry(readers, at, importance, trust, words, facts)
        self._labels[readers] += 1
        for word in words:
            self._postings[word] = (*self._postings.get(word, ()), id)

    def remove(self, id: int) -> None:
        """Forget a row; an unknown id is fine."""
        entry = self._entries.pop(id, None)
        if entry is None:
            return
        self._labels[entry.readers] -= 1
        for word in entry.words:
            self._postings[word] = tuple(one for one in self._postings[word] if one != id)

    def labels(self) -> list[str]:
        """Return the labels of the rows, each once."""
        return [label for label, count in self._labels.items() if count]

    def meta(self, id: int) -> Mapping[str, Any]:
        """Return what is known of a row beside its text; nothing for an unknown id."""
        entry = self._entries.get(id)
        return entry.meta if entry else {}

    def search(
        self,
        query: str,
        k: int,
        *,
        now: float,
        allow: Callable[[str], bool] | None = None,
        where: Mapping[str, Any] | None = None,
        explain: bool = False,
    ) -> list[Hit]:
        """Return at most `k` rows that share words with the query, best first.

        `allow` is asked once per distinct label; `where` must equal the row's metadata. Relevance
        is the share of the query's information that a row covers; recency and importance can only
        move it by a bounded factor (design §8).
        """
        usable = {label for label in self._labels if allow is None or allow(label)}

        def fits(id: int) -> bool:
            entry = self._entries[id]
            return entry.readers in usable and _matches(entry.meta, where)

        known = sum(self._labels[label] for label in usable)
        if where:
            known = sum(map(fits, self._entries))
        found = {
            word: list(filter(fits, self._postings.get(word, ()))) for word in set(stems(query))
        }
        weights = {word: math.log(1 + (1 + known) / (1 + len(ids))) for word, ids in found.items()}
        total = sum(weights.values())
        relevance: dict[int, float] = defaultdict(float)
        for word, ids in found.items():
            for id in ids:
                relevance[id] += weights[word] / total
        hits = [
            _score(id, self._entries[id], share, now, explain) for id, share in relevance.items()
        ]
        hits.sort(key=lambda hit: (-hit.score, -hit.id))
        return hits[:k]


def _matches(meta: Mapping[str, Any], where: Mapping[str, Any] | None) -> bool:
    return not where or all(meta.get(key) == value for key, value in where.items())


def _score(id: int, entry: _Entry, share: float, now: float, explain: bool) -> Hit:
    age = max(0.0, now - entry.at) / DAY
    recency = 1 + RECENCY_BONUS * math.exp(-age / DECAY_DAYS)
    importance = 1 + IMPORTANCE_BONUS * entry.importance / 10
    brevity = 1 / (1 + 0.01 * len(entry.words))
    score = share * recency * importance * brevity
    factors = {"relevance": share, "recency": recency, "importance": importance}
    why = {**factors, "brevity": brevity, "age_days": age}
    return Hit(id, score, why if explain else {})
