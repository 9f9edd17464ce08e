"""Sentences without a subject: in a note, whoever ``Gave Bob the key`` is the writer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ai_assistant.memory import guard_verbs as verbs
from ai_assistant.memory import guard_words as lexicon
from ai_assistant.memory.guard_rules import phrase, word_at
from ai_assistant.memory.guard_speech import OTHER
from ai_assistant.memory.guard_verbs import is_finite, is_past, third_person
from ai_assistant.memory.guard_words import is_adverb, is_name


def elided(row: Sequence[str]) -> str:
    """Return where a clause begins with a verb whose subject, the writer, was left out."""
    if row[-1] == "?":
        return ""
    for start in _starts(row):
        at = _after_adverbials(row, start)
        if at < len(row) and row[at][0].isalpha() and _lacks_subject(row, at):
            return phrase(row, at)
    return ""


def _starts(row: Sequence[str]) -> Iterator[int]:
    if row[0] != OTHER:
        yield 0
    yield from (at + 1 for at, word in enumerate(row) if word in ":-–—•>)" and at < 6)


def _after_adverbials(row: Sequence[str], at: int) -> int:
    """Skip what may stand before the verb: bullets, adverbs, ``after the fight,``."""
    while at < len(row):
        low = word_at(row, at)
        if low in lexicon.POINTS_IN_TIME and word_at(row, at + 1) in lexicon.TIMES:
            at += 2
        elif "ago" in row[at : at + 4]:
            at = list(row).index("ago", at) + 1
        elif _fronts_phrase(low) and "," in row[at:]:
            at = list(row).index(",", at) + 1
        elif is_adverb(low) or low in lexicon.CONJUNCTIONS or _is_mark(low):
            at += 1
        else:
            break
    return at


def _fronts_phrase(word: str) -> bool:
    """``After the fight, …``, ``Having met Alice, …``"""
    return word.endswith("ing") or word in lexicon.PREPOSITIONS | lexicon.SUBORDINATORS | {"to"}


def _is_mark(word: str) -> bool:
    return word != OTHER and not word[0].isalpha()


def _lacks_subject(row: Sequence[str], at: int) -> bool:
    low, after = word_at(row, at), word_at(row, at + 1)
    if low in verbs.AUXILIARIES or low in {"going", "gonna", "need", "ought"}:
        return _is_bare_auxiliary(row, at)
    if is_past(low):
        return _is_bare_past(row, at)
    object_follows = after in lexicon.OBJECTS | {"to", "that", "a", "the"} or _is_name_at(
        row, at + 1
    )
    if low in verbs.PRESENT_SELF:
        return object_follows
    if low in verbs.DOING:
        following = object_follows or low == "feeling" or after in {"on", "with", "for", "about"}
        acting = any(map(third_person, row[at + 3 :]))
        return following and not acting and not _finite_later(row, at + 1)
    about = after in {"to", "for", "that", "about", "of", "whether", "if", "with"}
    about = about or (low in {"glad", "sorry", "sure", "relieved"} and _is_name_at(row, at + 1))
    return low in verbs.FEELING and about and not _fronts_subject(row, at)


def _is_name_at(row: Sequence[str], at: int) -> bool:
    return at < len(row) and is_name(row[at])


# -- was asked, had to, will help


def _is_bare_auxiliary(row: Sequence[str], at: int) -> bool:
    low, after = word_at(row, at), word_at(row, at + 1)
    if low in {"is", "are", "has", "does", "be", "isn't", "aren't", "hasn't", "doesn't", "do"}:
        return low == "do" and after == "not" and word_at(row, at + 2) in verbs.MIND
    if low == "have":
        return after == "to" or is_past(after) or after in verbs.PARTICIPLES | {"been"}
    if low in {"don't", "may", "might"}:
        return after in (verbs.MIND if low == "don't" else verbs.COMMON_VERBS)
    if low in {"was", "were", "had", "did", "am", "need", "going", "gonna", "ought"}:
        return not _is_inverted(row, at) and after not in {"", ",", "for", "of"}
    if low in verbs.PLAIN_MODALS:
        closed = lexicon.DETERMINERS | lexicon.PRONOUNS
        return after.isalpha() and after not in closed and not _is_name_at(row, at + 1)
    return after in verbs.COMMON_VERBS | {"be", "have", "not"} or _has_object(row, at + 1)


def _has_object(row: Sequence[str], at: int) -> bool:
    """Does a verb that we do not know stand there, with an object behind it?"""
    low, after = word_at(row, at), word_at(row, at + 1)
    noun = low in lexicon.DETERMINERS | lexicon.PREPOSITIONS or low.endswith("s") or is_finite(low)
    object_follows = after in lexicon.OBJECTS | lexicon.DETERMINERS or _is_name_at(row, at + 1)
    return low.isalpha() and not noun and not _is_name_at(row, at) and object_follows


def _is_inverted(row: Sequence[str], at: int) -> bool:
    """``Had Alice known, …``"""
    return "," in row[at:] and any(map(_completes, row[at + 2 : at + 5]))


def _completes(word: str) -> bool:
    return is_finite(word) or word.lower() in verbs.PARTICIPLES | {"to"}


# -- helped, gave, met


def _is_bare_past(row: Sequence[str], at: int) -> bool:
    low, after = word_at(row, at), word_at(row, at + 1)
    if not after or not after[0].isalpha():
        ends = after != "," and low in verbs.SERVICE
        return ends or (after == "," and word_at(row, at + 2) in lexicon.CONJUNCTIONS)
    if is_finite(after) and after not in verbs.BARE_PAST:
        return False  # a name or noun that looks like a verb: Jared helped
    if low in verbs.NAMES_TOO and third_person(after):
        return False
    if "by" in (after, word_at(row, at + 2)) and low not in verbs.PLACED:
        return low in verbs.MOVED and not _fronts_subject(row, at)
    if after in lexicon.OBJECTS or _is_name_at(row, at + 1):
        return not _qualifies_name(row, at)
    if low in verbs.BARE_PAST:
        return after in lexicon.DETERMINERS
    if after in lexicon.DETERMINERS | lexicon.RELATIVES:
        return not (low in verbs.RETAINS_OBJECT and _fronts_subject(row, at))
    return _is_active(row, at)


def _qualifies_name(row: Sequence[str], at: int) -> bool:
    """``Wounded Bob limped home.``"""
    end = at + 1
    while _is_name_at(row, end):
        end += 1
    takes_clause = word_at(row, at) in verbs.CLAUSE_TAKING | verbs.SERVICE
    return not takes_clause and is_finite(word_at(row, end))


def _is_active(row: Sequence[str], at: int) -> bool:
    """Before an adverb, preposition or bare noun: is it the verb, rather than a participle?"""
    low, after = word_at(row, at), word_at(row, at + 1)
    closed = lexicon.PREPOSITIONS | lexicon.CONJUNCTIONS | lexicon.SUBORDINATORS
    if after in closed or is_adverb(after):
        if low in verbs.MOTION_OR_TALK:
            return word_at(row, at + 2) != "be"  # said to be haunted
        fronted = _fronts_subject(row, at) or _finite_later(row, at + 2)
        return low not in verbs.STATIVE and not fronted
    if low in (verbs.SERVICE | verbs.MOTION_OR_TALK) - verbs.QUALIFYING:
        return word_at(row, at + 2) not in verbs.PREDICATING
    if low in verbs.ADJECTIVAL or low.startswith("un"):
        return not _has_verb(row, at + 2)
    alone = word_at(row, at + 2) == "," and _fronts_subject(row, at)
    return not (alone or _finite_later(row, at + 2) or word_at(row, at + 2) in verbs.ENDURING)


def _has_verb(row: Sequence[str], at: int) -> bool:
    """Is there a verb, known or not, for a noun such as ``Exhausted players …``?"""
    while is_adverb(word_at(row, at)):
        at += 1
    low = word_at(row, at)
    closed = lexicon.PREPOSITIONS | lexicon.CONJUNCTIONS | lexicon.SUBORDINATORS | lexicon.RELATIVES
    content = low.isalpha() and low not in closed
    return content or any(is_finite(word) or verbs.is_common(word) for word in row[at:])


def _fronts_subject(row: Sequence[str], at: int) -> bool:
    """Does a subject follow the phrase after a comma: ``Robbed twice, Bob …``?"""
    if "," not in row[at:]:
        return False
    comma = row.index(",", at)
    after = word_at(row, comma + 1)
    pronouns = {"he", "she", "it", "they", "everyone", "nobody", "there"}
    if _is_name_at(row, comma + 1) or after in lexicon.DETERMINERS | pronouns:
        return True
    return after.endswith("s") and not is_finite(after) and not is_adverb(after)


def _finite_later(row: Sequence[str], at: int) -> bool:
    """Is there a finite verb that the words before it may be the subject of?"""
    ends = lexicon.CONJUNCTIONS | lexicon.RELATIVES | lexicon.SUBORDINATORS
    for number, word in enumerate(row[at:], at):
        if word.lower() in ends:
            return False
        relative = _is_name_at(row, number - 1) or word_at(row, number - 1) in lexicon.PRONOUNS
        if (is_finite(word) or word.lower() in verbs.INVERTING) and not relative:
            return True
    return False
