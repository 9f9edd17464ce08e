"""Address: whom a line turns to, and whom it names.

A line is read once: its words, and the runs of words that may call somebody. A name is then looked
up among them, so that no text and no name costs more than its length.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ai_assistant.language import current_language, keeps_texts
from ai_assistant.language.spelling import is_everyday
from ai_assistant.language.talk_signs import is_one

MOST_WORDS = 8
"""Words of a name by which somebody may be called; what a longer one repeats or adds is none."""
LONGEST_CALL = 5
"""Words of a name that are said in one go: "old captain Seraphina of Stormborne"."""
AMONG_THE_FIRST = 4
""""Bob, old Tom and Tansy, …": the "and" is among the first words, or it joins other things."""
_STOPS = tuple(",.!?;¡¿，。！？、")
_PAUSES = (*_STOPS, *":&…–—", "--")
_WORD = re.compile(r"[^\W_]+")
_MENTION = re.compile(r"@([^\W_]+)\b")
_INNER = re.compile(r"(?<=[a-z,] )[A-Z][\w'’]+(?: (?:and )?[A-Z][\w'’]+)*")
_OPENING = re.compile(r"\A([A-Z][\w’']+(?: [A-Z][\w’']+)*)( the [a-z]+ [a-z]+s\b)?")


def addresses(text: str, names: Iterable[str]) -> bool:
    """Does a line address one of these names: whole, by a telling word of it, or with an @?

    A title counts only where somebody is spoken to ("Captain, …"), a name counts anywhere.
    """
    line = _read(text.casefold())
    return any(_is_named(line, name) or _is_called(line, name) for name in map(_name, names))


def speaks_to(text: str, names: Iterable[str]) -> bool:
    """Does a line turn to one of these names ("Tansy, …", "hello Tansy"), not only mention it?"""
    line = _read(text.casefold())
    return any(_is_called(line, name) for name in map(_name, names))


def gestures_at(text: str, names: Iterable[str]) -> bool:
    """Does a pose name one of these ("waves at the captain")? There a title is enough."""
    line = _read(text.casefold())
    return any(name.telling & line.words or _is_named(line, name) for name in map(_name, names))


def without_others(text: str, others: Iterable[str], names: Iterable[str]) -> str:
    """Return a line without the whole names of others, so that a part of one calls nobody else.

    A name of one word stays, and so does one that is part of the own `names`.
    """
    line, own = text.casefold(), " ".join(names).casefold()
    for other in map(str.casefold, others):
        if " " in other and other in line and other not in own:
            line = _whole(other).sub("…", line)
    return line


def calls_all(text: str) -> bool:
    """Does a line turn to all who hear it, by a word for them: "Good evening, friends"?"""
    calls = _calls(text.casefold()).values()
    return any(is_one(run, "called_all") or is_one(run, "all") for runs in calls for run in runs)


def inner_names(text: str) -> list[str]:
    """Return the runs of capitalised words inside the sentences of a text."""
    return [name for name in _INNER.findall(text) if name != "I"]


def opening_name(text: str) -> str:
    """Return the name of somebody with whom a text begins: "Orrin the smith goes fishing".

    With a title before it a name needs no trade behind it. Empty where there is none.
    """
    found, spoken = _OPENING.match(text), current_language()
    if not found:
        return ""
    first = found[1].split()[0].lower()
    titled = first in spoken.titles - spoken.particles and " " in found[1]
    traded = found[2] and not is_everyday(first) and first not in spoken.stop_words
    return found[1] if titled or traded else ""


@dataclass(frozen=True, slots=True)
class _NamedLine:
    """A line as it is read for names, casefolded."""

    text: str
    words: frozenset[str]
    mentions: frozenset[str]
    """Words with an @ before them."""


@dataclass(frozen=True, slots=True)
class _Name:
    """A name as it is looked for, casefolded."""

    text: str
    first: str
    """Its first word, by which it is mentioned."""
    words: frozenset[str]
    telling: frozenset[str]
    """Those of its words that may end a call."""
    own: frozenset[str]
    """Those that mean somebody anywhere in a line."""


@keeps_texts(4096)
def _name(name: str) -> _Name:
    text, spoken = name.casefold(), current_language()
    words = list(dict.fromkeys(_WORD.findall(text)))[:MOST_WORDS]
    return _Name(
        text,
        words[0] if words else "",
        frozenset(words),
        frozenset(word for word in words if word not in spoken.particles and len(word) > 1),
        frozenset(word for word in words if word not in spoken.titles and len(word) > 2),
    )


@keeps_texts(64)
def _read(text: str) -> _NamedLine:
    return _NamedLine(text, frozenset(_WORD.findall(text)), frozenset(_MENTION.findall(text)))


@keeps_texts(64)
def _calls(text: str) -> Mapping[str, set[tuple[str, ...]]]:
    """Return the words of each place where somebody may be called, by the last of them."""
    words, gaps = _WORD.findall(text), _WORD.split(text)  # which are before, and behind, each word
    openings, pauses = set(_openings(words, gaps[:-1])), set(_pauses(words, gaps[1:]))
    spaced = [gap.isspace() for gap in gaps]
    calls: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    opened = greeted = -LONGEST_CALL
    # What is called after a greeting needs no pause ("hello Tansy how are you"), all else does. Of
    # runs that end at one place, the shortest: who is called by a longer one is by this as well.
    for place, word in enumerate(words):
        opened = place if place in openings else opened
        sizes = (1, 2) if place > 1 and spaced[place - 1] else (1,)  # "good morning"
        said = (words[place - size : place] for size in sizes if place and spaced[place])
        greeted = place if any(is_one(run, "hello") for run in said) else greeted
        if place in pauses and place - opened < LONGEST_CALL:
            calls[word].add(tuple(words[opened : place + 1]))
        if place - greeted < LONGEST_CALL:
            calls[word].add(tuple(words[greeted : place + 1]))
    return calls


def _openings(words: Sequence[str], before: Sequence[str]) -> Iterator[int]:
    """Yield the beginning, what follows a stop or a "well", and whoever is called with others."""
    for place, gap in enumerate(before):
        sign = gap.rstrip()
        after = words[place - 1] if gap and not sign else ""
        well = place == 1 and is_one([after], "well")
        joined = 1 < place <= AMONG_THE_FIRST + 1 and is_one([after], "and")
        added = sign.endswith("&") and sign != gap and place <= AMONG_THE_FIRST
        if not place or sign.endswith(_STOPS) or well or joined or added:
            yield place


def _pauses(words: Sequence[str], after: Sequence[str]) -> Iterator[int]:
    """Yield what a sign, a dash, an "and" or the end follows."""
    for place, gap in enumerate(after):
        rest, is_last = gap.lstrip(), place == len(words) - 1
        apart = len(rest) < len(gap)
        dash = apart and rest[:1] == "-" and rest[1:2].isspace()
        joined = apart and not rest and not is_last and is_one([words[place + 1]], "and")
        if rest.startswith(_PAUSES) or dash or joined or (is_last and not rest):
            yield place
            if place and is_one([words[place]], "hello"):  # "Mira dear", "Mira, thanks"
                yield place - 1


def _is_named(line: _NamedLine, name: _Name) -> bool:
    """Does a word of the name that means nobody else stand in the line, or all of a short name?"""
    if name.own:
        return not name.own.isdisjoint(line.words)
    is_near = bool(name.text) and name.words <= line.words and name.text in line.text
    return is_near and bool(_whole(name.text).search(line.text))


@keeps_texts(4096)
def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])")


def _is_called(line: _NamedLine, name: _Name) -> bool:
    """Do only words of the name stand where somebody is called, a telling one at the end?"""
    if name.first in line.mentions:
        return True
    calls = {} if name.telling.isdisjoint(line.words) else _calls(line.text)
    ends = name.telling.intersection(calls)
    return any(name.words.issuperset(call) for last in ends for call in calls[last])
