"""What recall is measured beside: word overlap, TF-IDF, BM25, MiniLM if there is one, and ours."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import mean

from ai_assistant.core.contracts import MemoryRow
from ai_assistant.language.words import stems, words
from ai_assistant.memory.search.ranking import Tuning
from ai_assistant.memory.search.retrieval import Index
from bench.dialogues import Dialogue, Turn

DEPTH = 60
Ranker = Callable[[str], list[int]]
"""A query in, positions of turns out, best first."""


def row_of(place: int, turn: Turn) -> MemoryRow:
    """Return a turn of a dialogue as a row of memory."""
    who = {"author_name": turn.speaker, "session": turn.session}
    return MemoryRow(turn.text, id=place, learned_at=turn.at, **who)


def ours(dialogue: Dialogue, tuning: Tuning | None = None) -> Ranker:
    """Return our own index as a ranker."""
    index = Index(tuning)
    for place, turn in enumerate(dialogue.turns):
        index.add(row_of(place, turn))
    return lambda query: [hit.id for hit in index.search(query, DEPTH, now=dialogue.end)]


def overlap(dialogue: Dialogue) -> Ranker:
    """Rank by the number of words in common."""
    held = [frozenset(words(turn.text)) for turn in dialogue.turns]
    return lambda query: _best(len(one & frozenset(words(query))) for one in held)


def tf_idf(dialogue: Dialogue) -> Ranker:
    """Rank by the cosine of TF-IDF vectors of plain words."""
    counts = [Counter(words(turn.text)) for turn in dialogue.turns]
    frequency = Counter(word for one in counts for word in one)
    weight = {word: math.log(len(counts) / rows) for word, rows in frequency.items()}
    vectors = [{word: n * weight[word] for word, n in one.items()} for one in counts]
    norms = [math.sqrt(sum(v * v for v in one.values())) or 1.0 for one in vectors]

    def rank(query: str) -> list[int]:
        asked = Counter(words(query))
        return _best(
            sum(n * weight.get(word, 0.0) * one.get(word, 0.0) for word, n in asked.items()) / norm
            for one, norm in zip(vectors, norms, strict=True)
        )

    return rank


def bm25(dialogue: Dialogue, k1: float = 0.9, b: float = 0.4) -> Ranker:
    """Rank by BM25 over stems without stop words."""
    counts = [Counter(stems(turn.text)) for turn in dialogue.turns]
    frequency = Counter(word for one in counts for word in one)
    lengths = [one.total() for one in counts]
    usual = mean(lengths)

    def score(one: Counter, length: int, query: Sequence[str]) -> float:
        norm = k1 * (1 - b + b * length / usual)
        return sum(
            math.log(1 + (len(counts) - frequency[word] + 0.5) / (frequency[word] + 0.5))
            * one[word]
            * (k1 + 1)
            / (one[word] + norm)
            for word in query
            if word in one
        )

    def rank(query: str) -> list[int]:
        asked = stems(query)
        return _best(score(one, n, asked) for one, n in zip(counts, lengths, strict=True))

    return rank


def _best(scores: Iterable[float]) -> list[int]:
    numbered = sorted(enumerate(scores), key=lambda one: (-one[1], one[0]))
    return [place for place, _ in numbered[:DEPTH]]


def encoder() -> Callable[[list[str]], list] | None:
    """Return MiniLM as a function from texts to vectors, where this machine has it."""
    try:
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer("all-MiniLM-L6-v2", local_files_only=True)
    except Exception:  # whatever is missing of it, the rest can be measured
        return None
    return lambda texts: model.encode(texts, normalize_embeddings=True)


def dense(dialogue: Dialogue, encode: Callable, tuning: Tuning) -> Ranker:
    """Return our index with embeddings as a ranker."""
    index = Index(tuning)
    vectors = encode([turn.text for turn in dialogue.turns])
    for place, turn in enumerate(dialogue.turns):
        index.add(row_of(place, turn))
        index.set_vector(place, vectors[place], "minilm")

    def rank(query: str) -> list[int]:
        vector = encode([query])[0]
        hits = index.search(query, DEPTH, now=dialogue.end, vectors={"minilm": vector})
        return [hit.id for hit in hits]

    return rank
