"""What a conversation is about, told from its words alone: topic, things named, open questions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ai_assistant.memory.lexicon import asks, plain, stem, stems, words

TOPIC_WORDS = 3
LONGEST_QUESTION = 160
MOST_ITEMS = 6
_THE = re.compile(
    r"\b(?:the|my|your|our|his|her|their|this|that|a|an) ((?:[a-z]+ )?[a-z]{3,})\b", re.I
)
_DEFERS = re.compile(
    r"\b(?:do not know|don't know|cannot say|can't say|not sure|no idea|nobody told me|never heard|"
    r"let me (?:think|ask|see)|ask me (?:again|later)|(?:i will|i'll) (?:ask|find out)|"
    r"forgive me|do not remember|don't remember)\b"
)
_NO_NOUN = frozenset(
    "is are was were has had will can and but for with from that which who when then now here "
    "there again yet too not please today tonight tomorrow yesterday soon still back away out sir "
    "madam".split()
)
_VERB = re.compile(r"(?:ed|ing|hidden|gone|lost|burns?|stands?|lies|lay|fell|broke|ran|came)$")
_ABSTRACT = frozenset(
    map(
        stem,
        "way time day thing lot bit kind sort moment while question answer word fact idea reason "
        "morning evening night week month year one other same first last rest".split(),
    )
)


def topic_of(lines: Sequence[str], names: Iterable[str] = ()) -> str:
    """Return a few words that say what these lines are about; empty where nothing stands out.

    What was said more than once counts most, then what was said last. They stand in the order in
    which they were last said. The `names` of those who
    talk are no topic.
    """
    theirs = {word for name in names for word in words(name)}
    found = (word for line in lines for word in dict.fromkeys(words(line)) if stems(word))
    said = [word for word in found if word not in theirs]
    counts = Counter(map(stem, said))
    latest = {stem(word): (place, word) for place, word in enumerate(said)}
    best = sorted(latest, key=lambda one: (-counts[one], -latest[one][0]))
    chosen = [one for one in best if one not in _ABSTRACT][:TOPIC_WORDS]
    return " ".join(word for _, word in sorted(latest[one] for one in chosen))


def items_in(line: str, seen: Iterable[str] = ()) -> list[str]:
    """Return the things that a line names: those in sight by their names, then noun phrases."""
    low = plain(line)
    in_sight = [name for name in seen if plain(name).removeprefix("a ").removeprefix("the ") in low]
    phrases = [found for found in map(_noun, _THE.findall(low)) if stem(found) not in _ABSTRACT]
    return list(dict.fromkeys((*in_sight, *phrases)))[:MOST_ITEMS]


def _noun(phrase: str) -> str:
    """Return a phrase of one or two words without the verb that it may end in."""
    first, _, last = phrase.partition(" ")
    return first if last and (_VERB.search(last) or last in _NO_NOUN) else phrase


def question_in(line: str) -> str:
    """Return the question that a line ends in; empty where it asks nothing."""
    if not asks(line):
        return ""
    return re.split(r"(?<=[.!?])\s+", line.strip())[-1][:LONGEST_QUESTION]


def is_answer(reply: str) -> bool:
    """Does a reply answer what was asked, and neither ask back nor put it off?"""
    return bool(reply) and not asks(reply) and not _DEFERS.search(plain(reply))
