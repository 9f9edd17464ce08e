"""A model's words as a person would say them: no markup, no handles, no name in front of them.

Of two minds, a rule here leaves the words alone. All of it takes time in proportion to the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from ai_assistant.agent.turn.asides import passages_of
from ai_assistant.agent.turn.refusals import LONGEST
from ai_assistant.core.text import NAME_LIMIT
from ai_assistant.language.talk_signs import names_whispering

MOST_CUTS = 6
"""Where there are more gestures between sentences than that, they come before all that is said."""
REFRAIN, MOST_SAID = 20, 2
"""A sentence of so many letters is said so often in one answer, at most."""
_PASSES = 8
_PLAIN = re.compile(r"[^\W\d_](?:[^\W\d_]|[,.:;!?…'’]|(?<=[ .,:\d])\d| (?=[^\W_])){0,799}")
"""One line of words without any mark in which something else could be meant."""
_BLOCK_MARK = re.compile(r"\s*(?:>+\s?|#{1,6}\s+)*")
_RULE = re.compile(r"\s*(?:`{3}[\w+-]*|[-=~]{3,}|([-*_])(?:\s*\1){2,})\s*")
_BULLET = re.compile(r"[-*+•]\s+(?=\S)")
_NUMBER = re.compile(r"\d{1,2}[.)]\s+(?=\S)")
_NUMBERED = re.compile(rf"^[^\S\n]*{_NUMBER.pattern}", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]*(?:\s\"[^\"\n]*\")?\)")
_TAG = re.compile(r"</?(?:b|i|u|p|em|br|code|span|strong)\s*/?>", re.IGNORECASE)
_STRONG = re.compile(r"\*{2,}|_{2,}|~{2,}|`+")
_STRESSED = re.compile(r"(?:(?<!\d)(\*)|(?<!\w)(_))(?=\S)([^*_\n]+)(?<=\S)(?:(?(1)\*|_(?!\w)))")
_STRAY = re.compile(r"\*(?=[^\s\d*])|(?<=[^\s\d*])\*")
_SPACES = re.compile(r"[^\S\n]+")
_ENDS = ".!?…。！？"
_SENTENCE = re.compile(rf"[^{_ENDS}]*[{_ENDS}]+\s*|[^{_ENDS}]+")
_CLOSING = frozenset(_ENDS + '"”»」)~')
_FIRST_PERSON = re.compile(r"(?:I|my|me)\b", re.IGNORECASE)
_NO_NAMES = frozenset({"the", "old", "young", "big", "little"})
_SAYING = "says|said|replies|answers|asks|adds|murmurs|mutters|tells"
_YOU_SAY = re.compile(r"\AYou say\b[^:,\n\"“]{0,40}[:,]\s*(?=[\"“])")
_QUOTES = {'"': '"', "“": "”", "«": "»", "„": "“", "「": "」"}
_OPENING = re.compile("[" + "".join(_QUOTES) + "]")
_QUOTATION_ENDS = frozenset(_ENDS + ",-–—")
_HANDLE = re.compile(r"(?<![\w'’-])@?([A-Za-z]\d{1,4})(?![\w-])")


class Spoken(NamedTuple):
    """What a character says and does, as a model wrote it."""

    words: str
    """What is said aloud."""
    gestures: tuple[str, ...] = ()
    """The gestures that stood between asterisks, in their order."""
    cut: tuple[str, ...] = ()
    """What is neither: a gesture told as "I", and lines written for somebody else."""


def spoken(text: str, *, name: str, handles: Mapping[str, str]) -> Spoken:
    """Return what the character of that name says and does where a model wrote `text`.

    `handles` maps the handles of this turn to names. Gestures begin with no name, as emotes do.
    """
    own = own_name(name)
    if _PLAIN.fullmatch(text) and not own.match(text) and passages_of(text, own) == [(text, "")]:
        return Spoken(_without_refrain(text))
    mark = rf"\[?{own.pattern}\]?(?:\s?\([^()\n]{{1,40}}\))?"
    says = rf"\s?(?::|(?:{_SAYING})\b[^:,\n\"“]{{0,40}}[:,])\s*"
    label = re.compile(f"^{mark}{says}", re.MULTILINE | re.IGNORECASE)
    words = text[:LONGEST]
    deeds: list[str] = []
    cut: list[str] = []
    for _ in range(_PASSES):
        before = words
        aloud = (part.words for part in passages_of(words, own) if not part.frame)
        words, others = _cut_at_others(with_names("\n".join(aloud), handles), own, handles)
        cut += [others] if others else []
        words, done = _without_gestures(_unmarked(words), own)
        deeds += done
        words = label.sub("", words)  # like that of a part in a play
        words, done = _unquoted(_YOU_SAY.sub("", words), own)
        deeds += done
        if words == before:
            break
    gestures: list[str] = []
    for deed in deeds:
        gesture = own.sub("", deed.strip(), count=1).strip()
        if not gesture or _FIRST_PERSON.match(gesture) or names_whispering(gesture):
            cut.append(deed)
        else:
            gestures.append(gesture[:1].lower() + gesture[1:])
    return Spoken(_without_refrain(words), tuple(gestures), tuple(cut))


def _without_refrain(words: str) -> str:
    """Return words in which no longer sentence stands more than twice, as of a model that loops."""
    if len(words) < 3 * REFRAIN:
        return words
    said: Counter[str] = Counter()
    kept = []
    for sentence in _SENTENCE.findall(words):
        plain = " ".join(sentence.casefold().split()).rstrip(_ENDS)
        said[plain] += 1
        kept += [sentence] if said[plain] <= MOST_SAID or len(plain) < REFRAIN else []
    return words if len(kept) == said.total() else "".join(kept).strip()


def in_order(
    whole: Spoken, text: str, *, name: str, handles: Mapping[str, str]
) -> tuple[Spoken, ...]:
    """Return what was `spoken` of a text in parts, each a gesture and what is said after it.

    Where the parts would not tell the same as the whole, there is one part.
    """
    own, text = own_name(name), text[:LONGEST]
    cuts = [
        span.start()
        for span in _STRESSED.finditer(text)
        if _is_gesture(span, own)
        and (text[: span.start()].rstrip()[-1:] in _CLOSING or not text[span.end() :].strip())
    ]
    if not 0 < len(cuts) <= MOST_CUTS:
        return (whole,)
    pairs = zip([0, *cuts], [*cuts, len(text)], strict=True)
    parts = [spoken(text[begin:end], name=name, handles=handles) for begin, end in pairs]
    said = " ".join(part.words for part in parts).split()
    done = tuple(gesture for part in parts for gesture in part.gestures)
    same = (said, done) == (whole.words.split(), whole.gestures)
    return tuple(filter(any, parts)) if same else (whole,)


def gesture(text: str, *, name: str, handles: Mapping[str, str]) -> str:
    """Return an emote as it goes behind the name of the character: without markup or that name."""
    own = own_name(name)
    text = text[:LONGEST]
    for _ in range(_PASSES):
        before = text
        text = _STRAY.sub("", _STRESSED.sub(r"\3", _unmarked(with_names(text, handles))))
        text = own.sub("", text.strip(), count=1).lstrip(" :,")
        if text == before:
            break
    return text


# -- markup and gestures


def _unmarked(text: str) -> str:
    numbered = len(_NUMBERED.findall(text)) > 1
    kept: list[str] = []
    listed = False
    for line in text.split("\n"):
        if _RULE.fullmatch(line):
            continue
        line = _BLOCK_MARK.sub("", line, count=1).strip()
        item = _BULLET.match(line) or (_NUMBER.match(line) if numbered else None)
        line = line[item.end() :] if item else line
        if item and kept and (listed or kept[-1].endswith(":")):
            kept[-1] += (", " if listed and kept[-1][-1].isalnum() else " ") + line
        elif line:
            kept.append(line)
        listed = item is not None
    text = _STRONG.sub("", _TAG.sub(" ", _LINK.sub(r"\1", "\n".join(kept))))
    return _SPACES.sub(" ", text)


def _without_gestures(text: str, own: re.Pattern[str]) -> tuple[str, list[str]]:
    deeds: list[str] = []

    def replaced(found: re.Match[str]) -> str:
        inner = found[3].strip()
        if not _is_gesture(found, own):
            return inner
        deeds.append(inner)
        return " "

    text = _SPACES.sub(" ", _STRAY.sub("", _STRESSED.sub(replaced, text)))
    return "\n".join(line.strip() for line in text.split("\n")).strip(), deeds


def _is_gesture(found: re.Match[str], own: re.Pattern[str]) -> bool:
    """Is this done, as in ``*smiles* Hello.``, or stressed, as in ``I *do* mean it.``?"""
    inner = found[3].strip()
    line_before = found.string[max(0, found.start() - 40) : found.start()].split("\n")[-1].rstrip()
    after = found.string[found.end() : found.end() + 40].split("\n")[0]
    follows = after.lstrip()[:1]
    if not inner[0].isalpha() or (after and not after[0].isspace() and after[0] not in '*_"”'):
        return False
    if own.match(inner):
        return True
    new_sentence = not follows or not (follows.islower() or follows in ",;.!?")
    if not line_before or line_before[-1] in _CLOSING:
        fits = inner[-1] not in _ENDS or " " in inner
        return not inner[0].isupper() or (new_sentence and fits and inner[-1] not in "!?")
    if line_before[-1] in ':*_—–-,"“«„「':
        return not inner[0].isupper() and new_sentence
    return inner[0].islower() and inner.split()[0].endswith("s") and new_sentence


# -- names


@lru_cache(maxsize=64)
def own_name(name: str) -> re.Pattern[str]:
    """Return what finds the character's own name, whole or a part of it, at a text's beginning."""
    name = name[:NAME_LIMIT]
    parts = [word for word in name.split() if len(word) > 2 and word.casefold() not in _NO_NAMES]
    known = "|".join(re.escape(part) for part in dict.fromkeys([name.strip(), *parts]) if part)
    return re.compile(rf"(?:{known or '(?!)'})(?!\w)", re.IGNORECASE)


def _cut_at_others(text: str, own: re.Pattern[str], handles: Mapping[str, str]) -> tuple[str, str]:
    """Cut off lines that a model wrote for somebody else who is there; a list is none of theirs."""
    others = {
        name.casefold()
        for handle, name in handles.items()
        if handle.startswith("p") and not own.match(name)
    }
    is_listed, at = True, 0  # the first line is its own
    for line in text.split("\n"):
        label, colon, _ = line[:100].lstrip().strip("*_[]").partition(":")
        is_label = bool(colon) and label.strip("*_[] ").casefold() in others
        if is_label and not is_listed:
            return text[: max(at - 1, 0)], text[at:]
        begins = line.rstrip().endswith(":") and not own.fullmatch(line.strip(" *_[]:"))
        is_listed = begins or (is_listed and is_label and at > 0)
        at += len(line) + 1
    return text, ""


def with_names(text: str, handles: Mapping[str, str]) -> str:
    """Return a text with names in the place of these handles."""
    used = {found.lower() for found in _HANDLE.findall(text)} & handles.keys()
    text = _HANDLE.sub(lambda found: handles.get(found[1].lower(), found[0]), text)
    for name in {handles[handle] for handle in used}:
        text = text.replace(f"{name} ({name})", name)
    return text


# -- quotation marks


def _unquoted(text: str, own: re.Pattern[str]) -> tuple[str, list[str]]:
    """Return what is said of ``Tansy smiles. "Sit down," she says. "Stew?"``, and what is done."""
    first = _OPENING.search(text)
    if first is None:
        return text, []
    parts = re.split(f"[{first[0]}{_QUOTES[first[0]]}]", text)
    if len(parts) == 2:  # a mark without its partner
        return (text.strip(first[0]).strip() if "" in parts else text), []
    head, said, gaps = parts[0].strip(), parts[1::2], [gap.strip() for gap in parts[2::2]]
    told = not head or (own.match(head) is not None and head[-1] in _ENDS + ",:")
    are_tags = (
        len(gaps) == len(said)
        and all(  # which only tell who says it, and how
            not gap
            or (quotation.rstrip()[-1:] in _QUOTATION_ENDS and (gap[0].islower() or own.match(gap)))
            for quotation, gap in zip(said, gaps, strict=True)
        )
    )
    if not told or not are_tags:
        return text, []
    words = _SPACES.sub(" ", " ".join(said)).strip()
    if words.endswith(",") and gaps[-1]:
        words = words[:-1] + "."
    return words, [head] if head and head[-1] in _ENDS else []
