"""A language as code goes by it: its words and forms, ready for quick look-ups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import Stemmer

Words = frozenset[str]
Numbered = Mapping[str, int]


class Stems:
    """The stemmer of one language; it may be asked from several threads."""

    def __init__(self, algorithm: str, contractions: Iterable[str], forms: list[list[str]]) -> None:
        self._stemmer = Stemmer.Stemmer(algorithm) if algorithm else None
        self._contractions = tuple(contractions)
        self._firsts = {form: first for first, *others in forms for form in others}
        self._lock = Lock()  # a stemmer of theirs keeps its place within itself

    def stem(self, word: str) -> str:
        """Return the stem of a word, that of an irregular form under its first form."""
        first = self.first(word)
        if self._stemmer is None:
            return first
        with self._lock:
            return str(self._stemmer.stemWord(first))

    def first(self, word: str) -> str:
        """Return the first form of a word, without what is contracted with it: "dog" of "dog's"."""
        if word.endswith(self._contractions):
            word = word.removesuffix(next(end for end in self._contractions if word.endswith(end)))
        return self._firsts.get(word, word)


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """What code goes by in one language; words are in small letters."""

    code: str
    """ISO 639, as the name of its file."""
    name: str
    """As its speakers call it."""
    stems: Stems
    """Makes stems of words."""
    stop_words: Words
    """Words that say nothing by themselves."""
    sentence_ends: str
    """Characters after which a sentence is over."""
    pronouns: Mapping[str, Words]
    """By person: "first", "second", "third"."""
    articles: Words
    """Before a noun."""
    titles: Words
    """Parts of names that name nobody alone."""
    particles: Words
    """Those of them that call nobody, such as of."""
    possessives: tuple[str, ...]
    """Endings of names."""
    whispering: Words
    """Words that tell of it, in all languages: a model may write another than the game's."""
    asks_time: tuple[str, ...]
    """Beginnings of questions for when something is."""
    time_words: Words
    """Words that tell that a line says so."""
    months: Numbered
    """Names of months, 1 to 12."""
    before_months: Words
    """Words between a day and its month."""
    numbers: Numbered
    """Words for numbers."""
    number_joins: tuple[str, ...]
    """Words within a number."""
    days_ago: Numbered
    """How many days back a phrase points; the longest phrase comes first."""
    ago: tuple[re.Pattern[str], ...]
    """Find such as "three weeks ago"."""
    counted: Numbered
    """Words for numbers, and for the first, the second and so on."""
    story_days: tuple[re.Pattern[str], ...]
    """Find such as "day 12", "the third day" and "the first three days"."""
    lately: tuple[re.Pattern[str], ...]
    """Find such as "the last three days"."""
    units: Numbered
    """Words for spans of time, in days."""
    synonyms: Mapping[str, Words]
    """Stems of like meaning."""
    compounds: bool
    """Are words joined to new ones?"""
    importance: Mapping[str, int] = field(default_factory=dict)
    """What a stem adds to the importance of an entry of the journal."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """The tag that a stem gives such an entry."""
    guard: Mapping[str, Any] = field(default_factory=dict)
    """What the guards of speech go by."""
    steps: tuple[str, ...] = ()
    """Steps that lead to any `{goal}`."""
    events: Mapping[str, str] = field(default_factory=dict)
    """The kind of work that a stem tells of."""
    phrases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """How people turn to each other and treat each other, by kind."""
    reader: Mapping[str, Any] = field(default_factory=dict)
    """The patterns of the small reader; empty: it reads no facts."""
    excuses: Mapping[str, Any] = field(default_factory=dict)
    """Gestures or words for want of an answer; `suiting` has those of a trade or temper."""
