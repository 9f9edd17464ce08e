"""Wording: a line of talk cut into plain clauses, and its words brought to one form.

"So yeah, I'm kinda scared of moths, they freak me out!" becomes "I am scared of moths" and "they
freak me out", and the words of the first become "i be scare of moths". What people say between
commas is mostly a remark on what they said before, so each clause is read for itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ai_assistant.memory.nouns import KIN
from ai_assistant.memory.verbs import is_past, is_verb, lemma

_SPELT = tuple(
    (re.compile(pattern, re.I), plain)
    for pattern, plain in (
        ("[‘’]", "'"),
        ("[“”]", '"'),
        (r"\b(?:can't|cannot)\b", "can not"),
        (r"\bcould(?:n't| not)\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"\b(do|does|did|is|are|was|were|has|have|had|would|should|must|need)n't\b", r"\1 not"),
        (r"'m\b", " am"),
        (r"'re\b", " are"),
        (r"'ve\b", " have"),
        (r"'ll\b", " will"),
        (r"'d\b", " would"),
        (r"\bgonna\b", "going to"),
        (r"\bwanna\b", "want to"),
        (r"\bgotta\b", "have to"),
        (r"\bfavorite\b", "favourite"),
        (r"\bcolor\b", "colour"),
        (r"\bany ?more\b|\bany longer\b", "any more"),
        (r"\bhome's\b", "home is"),
        (r"'s (?=got\b|been\b|become\b)", " has "),
        (r"\b(it|that|there|here|he|she|what|who|where|how|everything)'s\b", r"\1 is"),
        (
            r"(?<=\w)'s (?=(?:my|our|your|his|her|the|an?|not|no|in|at|on|over|called|named|from|"
            r"gone|mine|just|now|where|what|married|\w+ing)\b)",
            " is ",
        ),
        (rf"\b((?:my|our) (?:\w+ )?(?:favou?rite \w+(?: to \w+)?|{KIN}))'s (?=[\w])(?!name\b)",
         r"\1 is "),
        (r"\blike,? (?=(?:\d+|an? (?:hundred|dozen|couple)|two|three|four|five|six|seven|eight|"
         r"nine|"
         r"ten|eleven|twelve|twenty|thirty|forty|fifty|actual)\b)", ""),
    )
)  # fmt: skip
_TOGETHER = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (rf"\b([Mm]y|[Oo]ur|[Aa]n?|[Oo]ne) ((?:\w+ )?(?:{KIN})),? (?:(?:called|named|is) )?"
         r"(?-i:(?P<n>(?!I\b)[A-Z]\w+))(?:,(?= )|(?=[.!?]|$))", r"\1 \2 \g<n>,"),
        (rf"(?P<n>\b(?!I\b)[A-Z]\w+), (my (?:\w+ )?(?:{KIN}))\b(?:,|(?=[.!?]|$))",
         r"\2 \g<n>,"),
    )
)  # fmt: skip
_STOP = re.compile(r"([.!?…]+[\"')]*(?=\s|$)|[;,:](?=\s|$)|\s[—–]\s|\s--?\s|\n+|[\"()])")
_PLACED = re.compile(r", (?=(?:over )?(?:in|at|near|to) (?:the )?(?-i:[A-Z]))")
"""Before where something is, a comma parts no clauses ("We moved house, to Ashby this time")."""
_SUBJECT = (
    r"(?:I|we|my|our|it|they|he|she|there|that|this|you|people|no one|nobody|everyone|"
    r"everybody)\b(?!')"
)
_JOINT = re.compile(
    rf",? but (?=not\b|no longer\b)|,? (?:and|but|so|because|though|although|yet|cause|then|"
    rf"ever since)"
    rf" (?=(?:now |also |then |still |honestly )?{_SUBJECT})",
    re.I,
)
_GOES_ON = re.compile(r",? (?:and|but)(?: then| now| have)? (?=([a-z]+)\b)")
_MINE = {"we": "i", "our": "my", "us": "me", "ours": "mine", "myself": "myself"}
_ARTICLES = ("a", "an", "the")
_ENDS = (".", "!", "?", "…")
_QUESTION = re.compile(
    r"(?:(?:oh|so|and|but|hey|wait|well|hm),? )?(?:what|who|whom|whose|where|when|why|how|which|"
    r"do|does|did|is|are|was|were|can|"
    r"could|will|would|shall|should|may|have|has|am|any)\b(?! what\b)",
    re.I,
)
_WORD = re.compile(r"[^\W_](?:[\w'-]*[\w'])?")


COLOUR = frozenset(
    "kinda sorta tbh ngl lol haha super just also still always often only once very quite rather "
    "so too forever deeply pretty totally somehow ever now then lately again both all already "
    "sometimes seldom indeed actually though well dead much around "
    "currently such whole first bit little dear honest proud humble local finally last located "
    "situated full time currently".split()
)
"""Words that only tell how much, how often or how surely."""
LIMITS = frozenset(
    "family fly bully belly ally early july jelly lily holy ugly friendly lovely lonely silly "
    "assembly butterfly italy supply reply apply rely imply elderly daily weekly ally bodily "
    "nearly hardly barely scarcely almost".split()
)
"""Words in -ly that say more than that."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause as it was said; `asked`: it belongs to a question."""

    text: str
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a clause as they were said, and in plain form without those that only colour.

    `places` holds for each plain word where it stands among those said; `over`: it says "no "
                                                                                         "longer".
    """

    said: tuple[str, ...]
    plain: tuple[str, ...]
    places: tuple[int, ...]
    negative: bool
    over: bool

    @property
    def line(self) -> str:
        """The plain words as one string, each followed by a blank."""
        return "".join(f"{one} " for one in self.plain)

    def said_from(self, at: int, end: int | None = None) -> list[str]:
        """Return the words as they were said that stand from one place of `line` to another."""
        first = self.line.count(" ", 0, at)
        last = len(self.plain) if end is None else self.line.count(" ", 0, end) + 1
        if first >= len(self.places):
            return []
        start = self.places[first]
        if start and self.said[start - 1].lower() in ("a", "an", "the"):
            start -= 1
        stop = self.places[last] if last < len(self.places) else len(self.said)
        return list(self.said[start:stop])


def spelled(text: str) -> str:
    """Return a text with short forms spelled out: "I'm gonna" → "I am going to"."""
    for pattern, plain in _SPELT:
        text = pattern.sub(plain, text)
    return text


def clauses(text: str) -> Iterator[Clause]:
    """Yield the clauses of a line of talk in order."""
    text = spelled(text)
    for pattern, plain in _TOGETHER:
        text = pattern.sub(plain, text)
    pieces = _STOP.split(_PLACED.sub(" ", text))
    marks = [one.strip()[:1] for one in pieces[1::2]] + [""]
    opener = True
    opens_question = False
    for at, (piece, mark) in enumerate(zip(pieces[::2], marks, strict=True)):
        ends = mark in _ENDS
        if opener:
            opens_question = bool(_QUESTION.match(piece.strip(" '\"")))
        question = _next_end(marks[at:]) == "?" and (opens_question or ends)
        opener = ends
        for whole in _parts(piece):
            for part in _continued(whole):
                if part.strip(" '\""):
                    yield Clause(part.strip(" '\""), question)


def _next_end(marks: Sequence[str]) -> str:
    return next((one for one in marks if one in _ENDS), "")


def _parts(piece: str) -> list[str]:
    """Return the clauses of a piece without marks; what two people do together is one."""
    parts: list[str] = []
    start = 0
    for joint in _JOINT.finditer(piece):
        before = piece[start : joint.start()]
        if any(is_verb(one.lower()) for one in _WORD.findall(before)) or "and" not in joint[0]:
            parts.append(before)
            start = joint.end()
    return [*parts, piece[start:]]


def _continued(clause: str) -> Iterator[str]:
    """Yield a clause, and what its subject did besides ("packed up and moved to Ashby")."""
    start = 0
    for joint in _GOES_ON.finditer(clause):
        opening = re.match(r"\W*(?:I|we)\b", clause, re.I)
        verb = joint[1]
        if not opening or not (is_past(verb) or verb in ("live", "am", "work", "play", "speak")):
            continue
        yield clause[start : joint.start()] if not start else f"I {clause[start : joint.start()]}"
        start = joint.end()
    yield f"I {clause[start:]}" if start else clause


@lru_cache(maxsize=4096)
def words_of(text: str) -> Words:
    """Return the words of a clause in plain form, without articles, adverbs and denials."""
    said = tuple(_WORD.findall(text))
    low = [one.lower() for one in said]
    plain: list[str] = []
    places: list[int] = []
    for at, word in enumerate(low):
        if word in _ARTICLES or _denies(low, at) or _colours(word, said[at] if at else ""):
            continue
        must = word in ("have", "has") and low[at + 1 : at + 2] == ["to"]
        plain.append("must" if must else _MINE.get(word) or lemma(word))
        places.append(at)
    if plain[:2] == ["my", "family"] and plain[2:3] in (["move"], ["relocate"], ["live"]):
        plain, places = ["i", *plain[2:]], [places[0], *places[2:]]
    denials = {_denies(low, at) for at in range(len(low))}
    return Words(said, tuple(plain), tuple(places), bool(denials - {""}), "over" in denials)


def _denies(low: Sequence[str], at: int) -> str:
    """Return how a word denies what a clause says: "not" so, "over" by now, or ""."""
    word, after = low[at], low[at + 1 : at + 2]
    if at and word in ("longer", "more") and low[at - 1] in ("no", "any"):
        return "over"
    if word == "any":
        return "not" if after == ["more"] else ""
    return "not" if word in ("not", "never") or (word == "no" and after != ["one"]) else ""


def _colours(word: str, said: str) -> bool:
    """Does a word only tell how much, how often or how surely? A name in -ly does not."""
    return word in COLOUR or (word.endswith("ly") and word not in LIMITS and not said[:1].isupper())
