"""Who speaks in a text: sentences as words, with what others say taken out of them.

What stands between quotation marks is its speaker's, as long as the words around it name one. Bare
speech ("Alice said: I was robbed") reaches to the end of its sentence: from there on nobody can
tell whether Alice goes on or the writer does, and a guard has to assume the writer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from ai_assistant.memory import guard_verbs as verbs
from ai_assistant.memory import guard_words as lexicon
from ai_assistant.memory.guard_verbs import is_past
from ai_assistant.memory.guard_words import is_adverb, is_label, is_name, is_person

OTHER = "\ue000"
"""Stands for what somebody else said."""
_FIRST_MASK = 0xE001
_MASKS = "\ue000-\uf8ff"
Own = Callable[[Sequence[str]], bool]
"""``own(words)``: do these words begin with a name of the character itself?"""

_SAME = str.maketrans(
    "“”„«»‘’‚`´ʼ′\u0406\u0456\u0131",
    "\"\"\"\"\"'''''''Iii",
)
_MARKUP = re.compile(r"[*~#]+|(?<!\w)_+|_+(?!\w)")
_ABBREVIATION = re.compile(
    r"\b(Mr|Mrs|Ms|Dr|St|Prof|Sgt|Lt|Capt|No|Vol|vol|vs|etc|approx|ca)\.(?=\s|$)"
)
_INITIALS = re.compile(r"\b(?:[A-Z]\. ?)+(?=(?P<name>[A-Z][a-z]+))")
_DOTTED = re.compile(r"\b(?:[A-Za-z]\.){2,}|\bA\. ?I\.")
_PRIVATE = re.compile(f"[{_MASKS}]")
_QUOTES = (
    re.compile(r'(?<![^\s(\[,:;.!?—–-])"(?=\S)(?P<said>[^"]*[^\s"])(?:"(?!\w)|\s+"(?=\W*$))'),
    re.compile(r"(?<![^\s(\[,:;.!?—–-])'(?=\S)(?P<said>[^\n]*?[^\s'])'(?!\w)"),
    re.compile(r"(?<![^\s(\[,:;—–-])[\"'](?=\w)(?P<said>[^\n]*?)(?=[.!?](?:\s|$)|\n|$)"),
)
"""Speech in double quotes, in single quotes, and behind a quotation mark that is never closed."""
_LEADING_APOSTROPHE = re.compile(r"(?<!\w)'(?=(?:tis|twas|em|til|cause|round|bout|n)\b|\d)", re.I)
_END = re.compile(r"(?<=[.!?…])[)\]]*\s+|\n+|;\s*")
_WORD = re.compile(rf"[{_MASKS}]|[^\W\d_]\w*(?:['-]\w+)*'?|\d+(?:[.,:]\d+)*|[^\w\s]")


def sentences(text: str, own: Own) -> Iterator[list[str]]:
    """Yield the sentences as lists of words and marks; what others say is one `OTHER` each."""
    said: list[str] = []

    def take(found: re.Match[str]) -> str:
        said.append(found["said"])
        after = found.string[found.end() :].lstrip()
        ends = found["said"][-1:] in ".!?" and after[:1].isupper()
        return chr(_FIRST_MASK + len(said) - 1) + (". " if ends else "")

    plain = normal(text)
    for pattern in _QUOTES:
        plain = pattern.sub(take, plain)
    yield from _heard(_split(plain), said, own)


def normal(text: str) -> str:
    """Return the text with plain quotes, without markup, and with initials and the like joined."""
    text = unicodedata.normalize("NFKC", text).translate(_SAME)
    text = _PRIVATE.sub("", text)
    text = _LEADING_APOSTROPHE.sub("", _MARKUP.sub(" ", text)).replace("I/O", "IO")
    text = _ABBREVIATION.sub(r"\1", _INITIALS.sub(_without_initials, text))
    return _DOTTED.sub(lambda found: re.sub(r"[. ]", "", found[0]), text)


def _without_initials(found: re.Match[str]) -> str:
    """``I. M. Pei`` is a name; in ``It was I. Alice left.`` the pronoun ends a sentence."""
    before = found.string[: found.start()].lower().split()[-1:]
    pronoun = found[0].strip() == "I." and before and before[0] in verbs.COPULAS
    return "" if is_name(found["name"]) and not pronoun else found[0]


def _split(plain: str) -> list[list[str]]:
    rows = (_WORD.findall(row) for row in _END.split(plain))
    return [row for row in rows if row]


def _heard(rows: list[list[str]], said: list[str], own: Own) -> Iterator[list[str]]:
    for number, row in enumerate(rows):
        beside = [word for one in rows[number + 1 : number + 2] for word in one[:4]]
        beside += _goes_on(rows[number - 1]) if number else []
        for at, word in enumerate(row):
            if _PRIVATE.match(word) and not _has_speaker(row, at, beside, own):
                yield from _heard(_split(said[ord(word) - _FIRST_MASK]), said, own)
        yield _without_bare_speech([_PRIVATE.sub(OTHER, word) for word in row], own)


def _goes_on(row: list[str]) -> list[str]:
    """Return the words of ``"…," Alice said.``, since her next quotation may stand alone."""
    asks = any(word.lower() in {"asked", "asks"} for word in row)
    return row if any(map(_PRIVATE.match, row)) and not asks else []


def _has_speaker(row: list[str], at: int, beside: list[str], own: Own) -> bool:
    """Do the words around a quotation say whose it is, or talk about it as a quotation?"""
    around = [word for word in row if word[0].isalpha() and not _PRIVATE.match(word)]
    if not around:
        return any(word.lower() in verbs.SPEECH for word in beside)
    if at and row[at - 1] == ":":
        later = any(word.lower() in verbs.SPEECH for word in row[at + 1 :])
        label = row[_label_start(row, at - 1) : at - 1]
        named = is_name(label[0]) and not is_label(label[0]) if label else False
        named = named and not label[0].endswith("'s") and not own(_untitled(label))
        return later or is_speaker(label, own) or _owns(label, own) or named
    return any(not (is_label(word) or is_adverb(word)) for word in around)


def _owns(label: list[str], own: Own) -> bool:
    """``Carol's rule: "My house, my rules."``, ``The king's decree: "…"``"""
    bare = label[1:] if label and label[0].lower() in lexicon.DETERMINERS else label
    owner = bare[0].removesuffix("'s") if bare and bare[0].endswith("'s") else ""
    title = owner.lower() in lexicon.TITLES | lexicon.SELF_LABELS
    other = is_person(owner) if bare is not label else is_name(owner) and not title
    return other and not (is_label(owner) or owner.lower() in lexicon.SELF_LABELS or own(bare))


def _label_start(row: list[str], colon: int) -> int:
    return next((at + 1 for at in range(colon - 1, -1, -1) if row[at] == ":"), 0)


def is_speaker(label: Sequence[str], own: Own, lowered: bool = False) -> bool:
    """Does what stands before a colon say that somebody else speaks?

    `lowered` is a sentence without capitals, where names look like all other words.
    """
    words = _outside_brackets(label)
    bare = [word for word in words if word.lower() not in ("the", "a", "an", "this", "your")]
    if not bare or own(words) or own(_untitled(words)) or bare[0].lower() in lexicon.SELF_LABELS:
        return False
    return _says(words) or _is_person(bare, lowered) or _leaves_words(words, own)


def _untitled(words: Sequence[str]) -> list[str]:
    return [word for word in words if word.lower() not in lexicon.TITLES]


def _outside_brackets(label: Sequence[str]) -> list[str]:
    """Return the words of ``Alice (to Bob)`` that are not said in passing."""
    found: list[tuple[int, str]] = []
    depth = 0
    for word in label:
        depth += (word in "([<") - (word in ")]>")
        if word[0].isalpha():
            found.append((depth, word))
    least = min((depth for depth, _ in found), default=0)
    return [word for depth, word in found if depth == least]


def _leaves_words(words: list[str], own: Own) -> bool:
    """``Alice left a message``, ``In Alice's words``, ``Quote from Alice``"""
    written = lexicon.TEXTS | lexicon.MESSAGES
    low = [word.lower() for word in words]
    names = [word for word in words if is_name(word) and not is_label(word)]
    sent = low[0] in written and low[1:2] in (["from"], ["by"], ["of"])
    return bool(names) and (low[-1] in written or sent) and not own(names)


def _says(words: list[str]) -> bool:
    low = [word.lower() for word in words]
    if low[:2] == ["according", "to"]:
        return True
    for before, word in zip(words, low[1:], strict=False):
        if word in verbs.SPEECH or (word in verbs.SPEECH_OR_NOUN and _may_say(before)):
            return True
    return False


def _may_say(word: str) -> bool:
    noun = word.endswith("'s") or word.lower() in lexicon.DETERMINERS or is_label(word)
    return not noun and word.lower() not in verbs.AUXILIARIES


def _is_person(bare: list[str], lowered: bool) -> bool:
    if any(map(is_label, bare)):
        return False
    if all(is_name(word) or word.lower() in lexicon.TITLES for word in bare):
        return not bare[-1].endswith("'s")
    if len(bare) == 1 and lowered:
        return bare[0] not in verbs.AUXILIARIES and not is_adverb(bare[0])
    ends = (at for at, word in enumerate(bare) if word.lower() in lexicon.PREPOSITIONS)
    head = bare[: next(ends, len(bare))][-1:]
    return any(word.lower() in lexicon.BEARERS or is_person(word) for word in head)


def _without_bare_speech(row: list[str], own: Own) -> list[str]:
    """Replace what somebody else says without quotation marks."""
    start = 0
    lowered = "".join(row).islower()
    if row[0] in "[<" and (close := _index_of(row, "]>")) and is_speaker(row[:close], own):
        return [*row[: close + 1], OTHER]
    for at, word in enumerate(row):
        if word == ":" and at + 1 < len(row):
            label, rest = row[start:at], row[at + 1 :]
            if is_speaker(label, own, lowered) and not (
                _is_topic(label) and speaks_of_somebody(rest)
            ):
                quoted = rest[0] == OTHER  # then the speech ends with the quotation
                return row if quoted else [*row[: at + 1], OTHER]
            start = at + 1
    return _without_led_speech(row) or _without_trailed_speech(row) or row


def _index_of(row: list[str], marks: str) -> int:
    return next((at for at, word in enumerate(row) if word in marks), 0)


def _is_topic(label: list[str]) -> bool:
    words = _outside_brackets(label)
    return not (_says(words) or words[-1].lower() in lexicon.TEXTS | lexicon.MESSAGES)


def speaks_of_somebody(rest: Sequence[str]) -> bool:
    """After ``Alice:``, does somebody else go on about Alice (``I helped her``, ``gave her …``)?"""
    low = [word.lower() for word in rest]
    third = {"she", "her", "he", "him"} & set(low)
    writer = {"i", "we"} & {word.partition("'")[0] for word in low}
    done_to = is_past(low[0]) and low[1:2] in (["her"], ["him"], ["them"])
    owned = low[1:2] == ["her"] and low[2:3] and low[2] not in lexicon.DETERMINERS
    return bool(third and writer) or (done_to and not owned)


def _without_led_speech(row: list[str]) -> list[str]:
    """``Alice said, I was robbed.``"""
    if "," not in row:
        return []
    at = row.index(",")
    clause, rest = row[:at], [word.lower() for word in row[at + 1 :]]
    first = rest[0].partition("'")[0] if rest else ""
    asks = row[-1] == "?" and first in verbs.AUXILIARIES | lexicon.RELATIVES
    plain = _is_clause_of_speech(clause) and first in {"i", "we", "my", "our"}
    asked = asks and bool(clause) and clause[-1].lower() in {"asked", "asks", "wondered", "wonders"}
    answers = rest[1:2] and rest[1] in verbs.ANSWERS
    return [*row[: at + 1], OTHER] if (plain or asked) and not answers else []


def _is_clause_of_speech(clause: list[str]) -> bool:
    low = [word.lower() for word in clause]
    subject = bool(clause) and (is_name(clause[0]) or low[0] in {"the", "he", "she"})
    said = next((at for at, word in enumerate(low) if word in verbs.PLAINLY_SAID), 0)
    odd = set(low) & (lexicon.SUBORDINATORS | lexicon.RELATIVES | lexicon.SELF)
    tail = low[said + 1 : said + 2]
    ends = not tail or is_adverb(tail[0]) or tail[0] in {"to", "in", "with"}
    return subject and 0 < said < 4 and not odd and ends


def _without_trailed_speech(row: list[str]) -> list[str]:
    """``I was robbed, said Alice.`` and ``I was robbed, Alice said.``"""
    words = [word for word in row if word not in ".!?"]
    commas = [at for at, word in enumerate(words) if word in ",!"]
    tail = words[commas[-1] + 1 :] if commas else []
    if not 2 <= len(tail) <= 4 or words[0].lower() in lexicon.SUBORDINATORS:
        return []
    inverted = tail[0].lower() in verbs.SPEECH and _names_other(tail[1:])
    said = tail[-1].lower() == "said" and _names_other(tail[:-1])
    return [OTHER, ",", *tail] if inverted or said else []


def _names_other(words: list[str]) -> bool:
    low = words[0].lower()
    return is_name(words[0]) or low in {"the", "she", "he", "they"}
