"""What a conversation is about, as it was said: its last phrase, things named, open questions."""

from __future__ import annotations

from collections.abc import Iterable

from ai_assistant.language.words import asks, plain, sentences, without_article

TOPIC = 60
"""Characters of a topic."""
LONGEST_QUESTION = 160
MOST_ITEMS = 6


def topic_of(line: str) -> str:
    """Return a line's first sentence, as what a talk was about last."""
    first = next(iter(sentences(" ".join(line.split()))), "")
    return first if len(first) <= TOPIC else first[: TOPIC - 1].rpartition(" ")[0] + "…"


def items_in(line: str, seen: Iterable[str]) -> list[str]:
    """Return the things in sight that a line names."""
    low = plain(line)
    named = (name for name in seen if without_article(plain(name)) in low)
    return list(dict.fromkeys(named))[:MOST_ITEMS]


def question_in(line: str) -> str:
    """Return the question that a line ends in; empty where it asks nothing."""
    return sentences(line)[-1][:LONGEST_QUESTION] if asks(line) else ""
