"""Where a sentence speaks of the assistant itself: as I or we, as you, or as the assistant."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.memory import guard_verbs as verbs
from ai_assistant.memory import guard_words as lexicon
from ai_assistant.memory.guard_verbs import is_finite, third_person
from ai_assistant.memory.guard_words import is_adverb, is_name, is_person


def word_at(row: Sequence[str], at: int) -> str:
    """Return a word of the sentence in lower case; empty beyond its ends."""
    return row[at].lower() if 0 <= at < len(row) else ""


def phrase(row: Sequence[str], at: int, length: int = 3) -> str:
    """Return the words from there on, as far as the next mark."""
    words = []
    for word in row[at : at + length]:
        if not word[0].isalnum():
            break
        words.append(word)
    return " ".join(words) or row[at]


# -- I, we, my


def first_person(row: Sequence[str]) -> str:
    """Return where the writer says I, we, me or my; empty where nobody does."""
    shouted = not any(letter.islower() for word in row for letter in word)
    for at, word in enumerate(row):
        low = _unstuttered(word.lower().rstrip("'"))
        meant = (
            bool(lexicon.CONTRACTED.match(low))
            or (low in lexicon.SELF and not _is_written_otherwise(row, at, shouted))
            or (low == "i" and _is_pronoun_i(row, at, shouted))
            or (low in ("mine", "mine's") and _is_pronoun_mine(row, at))
            or (low in ("ill", "id") and _is_contraction(row, at, shouted))
        )
        if meant:
            return phrase(row, at)
    return ""


def _unstuttered(low: str) -> str:
    first, dash, rest = low.partition("-")
    return rest if dash and len(first) < 3 and rest.startswith(first) else low


def _is_written_otherwise(row: Sequence[str], at: int, shouted: bool) -> bool:
    """Is it the US, a title such as ``the ballad My Lady``, or a forget-me-not?"""
    word = row[at]
    if word in ("US", "IM") and not shouted:
        return True
    if (word_at(row, at - 1), word_at(row, at)) == ("forget", "me"):
        return word_at(row, at + 1).startswith("not")
    return word[0].isupper() and _is_inside_title(row, at)


def _is_inside_title(row: Sequence[str], at: int) -> bool:
    """Does it stand amid a sentence, capitalised, with a capitalised word behind it?"""
    inside = at > 0 and (row[at - 1][0].isalnum() or row[at - 1] == ",")
    if word_at(row, at - 1) in lexicon.NAMING and is_name("".join(row[at + 1 : at + 2])):
        return True
    capitals = sum(word[0].isupper() for word in row)
    return (
        inside and row[at + 1 : at + 2] != [] and is_name(row[at + 1]) and capitals < len(row) / 2
    )


def _is_pronoun_i(row: Sequence[str], at: int, shouted: bool) -> bool:
    """Is it the pronoun, rather than a numeral, a letter or part of a title?"""
    before, after = word_at(row, at - 1), word_at(row, at + 1)
    if after == ")" and (before == "(" or at == 0):
        return False
    if after in verbs.AGREES and before not in lexicon.CONJUNCTIONS:
        return False
    if shouted or not before[:1].isalpha():
        return True
    if before in lexicon.NUMBERED:
        return row[at - 1][0].islower() and not _is_lettered(row, at)
    return not (_is_reign(row, at) or _is_inside_title(row, at))


def _is_lettered(row: Sequence[str], at: int) -> bool:
    """``on island I in the bay`` has no article; ``the island I saw`` has one."""
    after = word_at(row, at + 1)
    article = word_at(row, at - 2) in lexicon.DETERMINERS
    return _is_over(after) or (not article and after in lexicon.PREPOSITIONS)


def _is_over(after: str) -> bool:
    return after in ("", "of") or not after[0].isalnum()


def _is_reign(row: Sequence[str], at: int) -> bool:
    """Is it the I of King Henry I?"""
    if not is_name(row[at - 1]):
        return False
    after = word_at(row, at + 1)
    crowned = after in lexicon.REIGNING or word_at(row, at + 2) in lexicon.REIGNING
    return (
        word_at(row, at - 2) in lexicon.ROYAL
        or _is_over(after)
        or after in lexicon.PREPOSITIONS | {"the"}
        or (word_at(row, at - 2) == "of" and word_at(row, at - 3) in lexicon.REGAL)
        or (at == 1 and crowned)
    )


def _is_pronoun_mine(row: Sequence[str], at: int) -> bool:
    before, after = word_at(row, at - 1), word_at(row, at + 1)
    if before in {"of", "is", "was", "are", "were", "be", "been"}:
        return after not in lexicon.MINING
    closed = lexicon.CONJUNCTIONS | lexicon.PREPOSITIONS
    alone = _is_over(after) or is_finite(after) or after in closed or is_adverb(after)
    pointing = before in verbs.COPULAS | {"like", "became", "become", "becomes", "with"}
    return alone and (pointing or at == 0)


def _is_contraction(row: Sequence[str], at: int, shouted: bool) -> bool:
    """Is this ``I'll`` or ``I'd`` without its apostrophe?"""
    before, after = word_at(row, at - 1), word_at(row, at + 1)
    if row[at] == "ID" and not shouted:
        return False
    opens = not before[:1].isalpha() or before in lexicon.CONJUNCTIONS | lexicon.RELATIVES
    opens = opens or is_adverb(before) or before in verbs.CLAUSE_TAKING
    return opens and after in verbs.COMMON_VERBS


def second_person(row: Sequence[str]) -> str:
    """Return where a note addresses the assistant itself: ``You promised Alice a sword``.

    In the present tense ``you`` is anybody: ``You can buy potions at the market``.
    """
    for at, word in enumerate(row):
        low = word.lower()
        if low in lexicon.SUBORDINATORS:
            return ""
        deed = at + 2 if is_adverb(word_at(row, at + 1)) else at + 1
        acted = low == "you" and word_at(row, deed) in verbs.SERVICE | {"were", "had", "did"}
        before = word_at(row, at - 1)
        opens = not before[:1].isalnum() or before in lexicon.CONJUNCTIONS or is_adverb(before)
        opens = opens or word_at(row, 0) == "you"
        if opens and (acted or low == "you've"):
            return phrase(row, at)
    return ""


# -- the assistant, this NPC, as an AI


def third_person_self(row: Sequence[str]) -> str:
    """Return where the sentence speaks of the assistant as such."""
    for at in range(len(row)):
        if " ".join(map(str.lower, row[at : at + 2])) in lexicon.SELF_PHRASES:
            return phrase(row, at, 2)
        end = _role_end(row, at)
        if end and _means_itself(row, at, end):
            return phrase(row, at, end - at + 1)
    return ""


def _role_end(row: Sequence[str], at: int) -> int:
    """Return where a noun phrase such as ``the AI assistant`` ends; 0 where none begins."""
    first = word_at(row, at)
    begin = at + 1 if first in {"the", "this", "your"} else at
    if first in {"as", "being"} and word_at(row, at + 1) in {"a", "an", "the", "your"}:
        begin = at + 2
    begin += _qualified(row, begin) if begin > at else 0
    end = begin
    while word_at(row, end).removesuffix("'s") in lexicon.ROLE_WORDS:
        end += 1
    run = [word_at(row, one).removesuffix("'s") for one in range(begin, end)]
    while run and run[-1] not in lexicon.KINDS | lexicon.ROLES:
        run.pop()
    pointed = first in {"this", "your"} or lexicon.ARTIFICIAL & set(run)
    named = run and (lexicon.KINDS & set(run) or pointed)
    return begin + len(run) if named else 0


def _qualified(row: Sequence[str], at: int) -> int:
    """Return how many words say what sort of AI follows: the bartender AI, as Bob's AI."""
    word = word_at(row, at)
    whose = word.endswith("'s") and word_at(row, at - 2) in {"as", "being"}
    return int((whose or is_person(word)) and word_at(row, at + 1) in lexicon.ARTIFICIAL)


def _means_itself(row: Sequence[str], at: int, end: int) -> bool:
    first = word_at(row, at)
    if first in {"your", "this"}:
        return True
    if first in {"as", "being"}:
        opens = opens_clause(row, at) or word_at(row, at - 1) in {"speaking", "acting"}
        return opens and not _belongs_elsewhere(row, at, end)
    owning = row[end - 1].endswith("'s")
    if first == "the":
        return owning or not (_is_predicate(row, at) or _belongs_elsewhere(row, at, end))
    return opens_clause(row, at) and (owning or _acts(row, at, end))


def opens_clause(row: Sequence[str], at: int) -> bool:
    """Does a clause begin there, after a mark or a joining word?"""
    before = word_at(row, at - 1)
    return not before[:1].isalnum() or before in lexicon.CONJUNCTIONS | lexicon.SUBORDINATORS


def _acts(row: Sequence[str], at: int, end: int) -> bool:
    """Is a role without an article (``Assistant explained …``) what does something here?"""
    verb = end + 1 if is_adverb(word_at(row, end)) else end
    if [word_at(row, one) for one in range(at, end)] == ["ai"]:  # artificial intelligence at large
        return word_at(row, verb) in verbs.SERVICE
    return is_finite(word_at(row, verb)) or third_person(word_at(row, verb))


def _is_predicate(row: Sequence[str], at: int) -> bool:
    """``Alice became the assistant.``"""
    return word_at(row, at - 1) in {"is", "was", "became", "becomes"} and at > 1


def _belongs_elsewhere(row: Sequence[str], at: int, end: int) -> bool:
    """Do the words behind it say that this is another one, or another thing altogether?"""
    after, then = word_at(row, end), word_at(row, end + 1)
    if after in {"of", "named", "called"}:
        return True
    if after == "to":
        return then in lexicon.DETERMINERS or is_name("".join(row[end + 1 : end + 2]))
    if after in lexicon.PREPOSITIONS | {"who", "that"}:
        others = bool({"npc", "bot"} & {word_at(row, one) for one in range(at, end)})
        placed = after in {"at", "in", "from", "behind", "near", "outside", "by", "with", "on"}
        return opens_clause(row, at) and (others or placed) and then != "this"
    return bool(after) and after[0].isalpha() and _is_noun(row, at, end)


def _is_noun(row: Sequence[str], at: int, end: int) -> bool:
    """Does the role merely qualify a noun: ``the AI opponents``, ``the assistant cook``?"""
    word = row[end]
    low = word.lower()
    if is_name(word):
        return not word.endswith("'s") and not is_finite(word_at(row, at - 1))
    grammar = lexicon.DETERMINERS | lexicon.CONJUNCTIONS | lexicon.PRONOUNS | lexicon.RELATIVES
    if low in lexicon.PEOPLE:
        return True
    verb = is_finite(low) or is_adverb(low) or low in verbs.COMMON_VERBS | verbs.SPEECH
    if verb or low in grammar | lexicon.TIMES | lexicon.SUBORDINATORS:
        return False
    after = word_at(row, end + 1)
    if after in lexicon.DETERMINERS | lexicon.OBJECTS or is_name("".join(row[end + 1 : end + 2])):
        return False  # misunderstood Alice: a verb that we do not know
    acting = any(is_finite(one) or verbs.is_common(one) for one in row[end + 1 :])
    people = low.endswith("s") and is_person(low[:-1]) and after not in lexicon.PREPOSITIONS
    return acting or is_person(low) or people or not opens_clause(row, at)
