"""Claims: what a line of talk says of somebody that is worth keeping, by the rules of English.

People tell lasting things in few ways: what they are, have, like, do for a living and where, what
they bought, lost, joined or left. Questions, wishes, refusals, moods, and what is said to or about
the listener are no such things. Where it is not clear, nothing is taken: the line itself stays a
row that recall finds, so a missed claim costs little and a wrong one much.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ai_assistant.contracts import Entity
from ai_assistant.memory.claim_forms import answered, report_first, straightened
from ai_assistant.memory.claim_words import (
    COPULAS,
    EPHEMERAL_NOUNS,
    HABITUAL,
    INSTRUCTIONS,
    LEADS,
    REFUSALS,
    REPORTS,
    TAILS,
    UNREAL,
)
from ai_assistant.memory.grammar import base, fact_about
from ai_assistant.memory.lasting import lasts, passes
from ai_assistant.memory.persona_guard import self_reference

LONGEST = 240
"""Characters of one sentence that is looked at; longer ones are stories, and stay rows."""
FEWEST_WORDS = 3
_END = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+|\s*;\s+|\s+[—–]\s+|\s+--\s+|\n+")
_JOINT = re.compile(
    r"(?::|,? (?:and|but|though|so)|,) (?=(?:now |also |then )?(?:I|I'm|I've|my|we|we're|our)\b)",
    re.I,
)
_OPENS_QUESTION = re.compile(
    r"(?:what|who|whom|whose|where|when|why|how|which|do|does|did|is|are|was|were|can|could|will|"
    r"would|shall|should|may|have|has|am)\b",
    re.I,
)
_SECOND = re.compile(r"\b(?:you|your|yours|yourself|ye|thee|thou|thy)\b|\byou'", re.I)
_WE = (
    (re.compile(r"\Awe are\b|\Awe're\b", re.I), "I am"),
    (re.compile(r"\Awe've\b", re.I), "I have"),
    (re.compile(r"\Awe\b", re.I), "I"),
    (re.compile(r"\Aour\b", re.I), "My"),
)
_FIRST = re.compile(r"\A(?:I|I'm|I've|I am)\b(?!')")
_MY = re.compile(
    r"\Amy (?P<noun>[\w'-]+(?: [\w'-]+){0,3}?) (?P<verb>is|are|was|were|has|have|isn't|aren't|"
    r"lives?|works?|died|left|moved|loves?|likes?|hates?|runs?|owns?|keeps?|became|married|"
    r"serves?|goes|got|plays?|speaks?|stands?|lies|grew|comes?|taught|sells?|makes?|bakes?|needs?|"
    r"passed|joined|"
    r"sold|bought|lost|had|gave|opened|retired|prefers?|fears?|collects?|belongs?)\b",
    re.I,
)
_REPORTED = re.compile(
    r"(?:[A-Z][\w'-]* ){1,4}(?:has |have |just |always |once |was |is )*(?:said|says|told|tells|"
    r"heard|hears|asked|asks|mentioned|claims|claimed)\b"
)
_SEVERAL = re.compile(r"[,:;] (?:and |but |so )?(?:they|their)\b")
_THEIRS = re.compile(r"\b(?:his|her|their)\b")
_WORD = re.compile(r"[\w'-]+")


@dataclass(frozen=True, slots=True)
class Claim:
    """A fact in the third person about the entity `subject`; `told`: by somebody else."""

    subject: str
    name: str
    content: str
    told: bool


def claims_in(
    text: str, speaker: Entity, people: Mapping[str, Entity], me: Sequence[str]
) -> list[Claim]:
    """Return what a line says of its speaker, or of people known by name, that is worth keeping.

    Args:
        text: What was said.
        speaker: Who said it.
        people: Whom a name may mean, by the name in small letters.
        me: What the listener is called; what is said of the listener is nothing to keep.
    """
    found: list[Claim] = []
    if INSTRUCTIONS.search(text):
        return found
    for sentence in _sentences(text, me):
        claim = _claim(sentence, speaker, people)
        if claim and not self_reference(claim.content, me):
            found.append(claim)
    return found


def is_lasting(content: str, name: str, me: Sequence[str] = ()) -> bool:
    """Is a note in the third person about the one called `name` one fact to keep for good?

    `me`: what the listener is called; what has to do with the listener is no lasting fact.
    """
    if _SEVERAL.search(content) or any(one in content for one in me):
        return False
    for form in (f"{name}'s ", f"{name} "):
        if name and content.startswith(form):
            rest = content[len(form) :].rstrip(".! ")
            return not _is_unsaid(rest) and _fits(rest, owned=form.endswith("'s "))
    return False


def is_report(content: str) -> bool:
    """Does a note only quote or report what somebody said or heard?"""
    return bool(_REPORTED.match(content))


def is_roundabout(content: str, name: str) -> bool:
    """Is a note in the third person one that the rules would have put in plainer words?"""
    said = content.removeprefix(name).strip()
    verb, _, rest = said.partition(" ")
    first = {"has": "I have", "is": "I am", "was": "I was", "'s": "My"}.get(verb, f"I {base(verb)}")
    own = _THEIRS.sub("my", f"{first} {rest}".rstrip(". "))
    return straightened(own) != own


def _fits(rest: str, *, owned: bool) -> bool:
    """Does what follows a name last? `owned`: it is about something of theirs."""
    if not owned:
        return lasts(rest.lower())
    found = _MY.match(f"my {rest}")
    return found is not None and _is_lasting_possession(found, f"my {rest}"[found.end() :])


def _sentences(text: str, me: Sequence[str]) -> Iterator[str]:
    for whole in _END.split(answered(text).replace("’", "'").replace("“", '"').replace("”", '"')):
        if whole.rstrip("\"' )").endswith("?"):
            continue
        for part in _JOINT.split(whole):
            bare = _bare(part.strip(" \"'.!…"), me)
            if len(bare) <= LONGEST and len(bare.split()) >= FEWEST_WORDS:
                yield bare


def _bare(sentence: str, me: Sequence[str]) -> str:
    """Return a sentence without the words that lead up to it, and without the listener's name."""
    names = "|".join(re.escape(one) for name in me for one in {name, *name.split()})
    called = re.compile(rf"\A(?:(?:{names})[,!]* )+|,? ?(?:{names})\Z", re.I) if names else None
    before = ""
    while sentence != before:
        before = sentence
        sentence = LEADS.sub("", called.sub("", sentence) if called else sentence)
        sentence = TAILS.sub("", sentence)
        sentence = sentence.strip(" ,:.!-")
    return sentence


def _claim(sentence: str, speaker: Entity, people: Mapping[str, Entity]) -> Claim | None:
    sentence = report_first(sentence)
    hearsay = REPORTS.match(sentence)
    told = sentence[hearsay.end() :] if hearsay else sentence
    for pattern, mine in _WE:
        told = pattern.sub(mine, told)
    told = straightened(told)
    if _says_nothing(told):
        return None
    if told[:1].islower() and _FIRST.match(told[:1].upper() + told[1:]):
        told = told[:1].upper() + told[1:]
    if not hearsay and _is_about_the_speaker(told):
        return Claim(speaker.id, speaker.name, fact_about(told, speaker.name, ""), told=False)
    return _of_another(told, speaker, people)


def _says_nothing(sentence: str) -> bool:
    return bool(_OPENS_QUESTION.match(sentence)) or _is_unsaid(sentence)


def _is_unsaid(sentence: str) -> bool:
    return any(pattern.search(sentence) for pattern in (UNREAL, REFUSALS, _SECOND))


def _is_about_the_speaker(sentence: str) -> bool:
    own = _MY.match(sentence)
    if own:
        return _is_lasting_possession(own, sentence[own.end() :])
    return bool(_FIRST.match(sentence)) and lasts(_predicate(sentence))


def _is_lasting_possession(own: re.Match[str], rest: str) -> bool:
    nouns = own["noun"].lower().split()
    if EPHEMERAL_NOUNS.intersection(nouns) and not HABITUAL.intersection(nouns):
        return False
    return own["verb"].lower() not in COPULAS or not passes(rest)


def _predicate(sentence: str) -> str:
    """Return what is said of "I": "I am a smith" → "is a smith", without adverbs."""
    said = sentence.lower()
    for opening, verb in (
        *(("i'm ", "is "), ("i am ", "is "), ("i've ", "has "), ("i have ", "has ")),
        *(("i was ", "was "), ("i don't ", ""), ("i do not ", ""), ("i didn't ", "never ")),
        ("i ", ""),
    ):
        if said.startswith(opening):
            return verb + said[len(opening) :]
    return ""


def _of_another(sentence: str, speaker: Entity, people: Mapping[str, Entity]) -> Claim | None:
    """Return what a sentence says of somebody known, whose name it begins with."""
    words = sentence.split()
    for count in range(min(4, len(words) - 1), 0, -1):
        name = " ".join(words[:count])
        owner = name[:-2] if name.endswith("'s") else name
        known = people.get(owner.rstrip(",").lower())
        if known is None or not owner[:1].isupper():
            continue
        rest = " ".join(words[count:])
        mine = known.id == speaker.id
        said = f"{known.name}'s {rest}" if name.endswith("'s") else f"{known.name} {rest}"
        fits = _fits(rest, owned=name.endswith("'s"))
        return Claim(known.id, known.name, said, told=not mine) if fits else None
    return None
