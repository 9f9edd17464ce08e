"""Claims: what a line of talk says of somebody that is worth keeping, by the rules of English.

People tell lasting things in few ways: what they are, have, like, do for a living and where, what
they bought, lost, joined or left (`memory.relations`). Questions, wishes, refusals, moods, and
what is said to or about the listener are no such things. Where it is not clear, nothing is taken:
the line itself stays a row that recall finds, so a missed claim costs little and a wrong one much.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ai_assistant.contracts import Entity
from ai_assistant.memory.antecedents import INTERJECTIONS
from ai_assistant.memory.claim_words import INSTRUCTIONS, LEADS, REFUSALS, TAILS
from ai_assistant.memory.facts import fact_of, in_first_person, is_fact
from ai_assistant.memory.grammar import fact_about
from ai_assistant.memory.lasting import lasting_of_i
from ai_assistant.memory.persona_guard import self_reference
from ai_assistant.memory.readings import Around, read
from ai_assistant.memory.wording import Clause, clauses

LONGEST = 240
"""Characters of one clause that is looked at; longer ones are stories, and stay rows."""
_FACTIVE = re.compile(r"(?:\w+ )?(?:did|have) you (?:hear|heard|know|see|seen|notice)\b", re.I)
_ASKED_OF = re.compile(r"(?:\w+ )?my ([\w' -]+)", re.I)
_ANNOUNCED = re.compile(
    r"(?:I have (?:got )?an?|my) (?:new )?(favourite \w+)(?: used to be .+)?", re.I
)
_ONE_THING = re.compile(r"\b(?:one|only) thing (?:that )?I (\w+)(?: most)?\Z", re.I)
_ANSWER = re.compile(r"\A(?:now )?(?:(?:that|it)(?: is| would be)?|why) ", re.I)
MOST_BEFORE = 4
"""So many clauses back "it" may refer to."""
MOST_ANSWERED = 5
"""Words of an answer to one's own question ("My trade? Weaving.")."""
_REPORTED = re.compile(
    r"(?:[A-Z][\w'-]* ){1,4}(?:has |have |just |always |once |was |is )*(?:said|says|told|tells|"
    r"heard|hears|asked|asks|mentioned|claims|claimed)\b"
)
_SEVERAL = re.compile(r"[,:;] (?:and |but |so )?(?:they|their)\b")
_REPORT = frozenset(
    "that say says said saying hear heard told tell tells telling me us gather gathered read saw "
    "see know think believe sure apparently seems it is has rumour word and but so oh".split()
)
"""Words after which the name of somebody begins what is told of them."""
_DOUBTED = frozenset("if whether not never wish would agree ask asked like of for with".split())


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
    if INSTRUCTIONS.search(text):
        return []
    listened = _Listened(text, speaker, people, me)
    for clause in clauses(text):
        listened.hear(clause)
    return listened.claims


class _Listened:
    """A line on its way through: what it claims so far, and what "it" may mean by now."""

    def __init__(
        self, text: str, speaker: Entity, people: Mapping[str, Entity], me: Sequence[str]
    ) -> None:
        self.claims: list[Claim] = []
        self._line, self._speaker, self._people, self._me = text, speaker, people, me
        self._before: tuple[str, ...] = ()
        self._asked = ""

    def hear(self, clause: Clause) -> None:
        """Take note of what the next clause claims."""
        text = _bare(clause.text, self._me)
        if len(text) > LONGEST:
            return
        claim = self._claim(text, clause)
        if claim and not self_reference(claim.content, self._me) and claim not in self.claims:
            self.claims = [one for one in self.claims if not _is_said_better(one, claim)]
            self.claims.append(claim)
            self._asked = ""
        self._before = (text, *self._before)[:MOST_BEFORE]
        if asked := (_ASKED_OF if clause.asked else _ANNOUNCED).fullmatch(text):
            self._asked = f"my {asked[1]}"
        if thing := _ONE_THING.search(text):
            self._asked = f"what I {thing[1]}"

    def _claim(self, text: str, clause: Clause) -> Claim | None:
        around = Around(self._before, self._line)
        if told := _of_another(text, clause, self._people, self._speaker):
            return told
        if clause.asked:
            return None
        if claim := _of_speaker(text, self._speaker, around):
            return claim
        if self._asked and text.lower() not in INTERJECTIONS and len(text.split()) <= MOST_ANSWERED:
            answer = _ANSWER.sub("", text)
            return _of_speaker(f"{self._asked} is {answer}", self._speaker, around)
        return None


def _is_said_better(claim: Claim, later: Claim) -> bool:
    """Does a later claim of the same line say more of a liking: that it is the favourite?"""
    _, favourite, value = later.content.partition("'s favourite ")
    liked = claim.content.rpartition(" likes ")[2]
    return bool(favourite) and value.endswith(f" {liked}")


def _of_speaker(text: str, who: Entity, around: Around) -> Claim | None:
    """Return what a clause in the first person says of `who`."""
    if REFUSALS.search(text):
        return None
    if found := read(text, around):
        return Claim(who.id, who.name, fact_of(text, found, who.name), told=False)
    said = lasting_of_i(text)
    fact = fact_about(said, who.name, "") if said else ""
    return Claim(who.id, who.name, fact, told=False) if is_fact(fact, who.name) else None


def is_lasting(content: str, name: str, me: Sequence[str] = ()) -> bool:
    """Is a note in the third person about the one called `name` one fact to keep for good?

    `me`: what the listener is called; what has to do with the listener is no lasting fact.
    """
    said = in_first_person(content, name)
    if not said or _SEVERAL.search(content) or any(one in content for one in me):
        return False
    first = next((one.text for one in clauses(said)), "")
    return bool(read(first) or lasting_of_i(first))


def is_report(content: str) -> bool:
    """Does a note only quote or report what somebody said or heard?"""
    return bool(_REPORTED.match(content))


def _bare(clause: str, me: Sequence[str]) -> str:
    """Return a clause without the words that lead up to it, and without the listener's name."""
    names = "|".join(re.escape(one) for name in me for one in {name, *name.split()})
    called = (
        re.compile(rf"\A(?:(?:{names})\b[,!]* ?)+|,? ?\b(?:{names})\Z", re.I) if names else None
    )
    before = ""
    while clause != before:
        before = clause
        clause = LEADS.sub("", called.sub("", clause) if called else clause)
        clause = TAILS.sub("", clause).strip(" ,:.!-")
    return clause


def _of_another(
    text: str, clause: Clause, people: Mapping[str, Entity], speaker: Entity
) -> Claim | None:
    """Return what a clause says of somebody known, whose name it has for its subject."""
    words = text.split()
    for start, word in enumerate(words):
        before = [one.lower() for one in words[:start]]
        if not word[:1].isupper() or word == "I" or (before and before[-1] not in _REPORT):
            continue
        states = _FACTIVE.match(clause.text) if clause.asked else not _DOUBTED.intersection(before)
        found = _named(words[start:], people) if states else None
        if found:
            return _told(*found, speaker)
    return None


def _named(words: Sequence[str], people: Mapping[str, Entity]) -> tuple[Entity, str] | None:
    """Return whom words begin with, and what follows: "'s home is …" or " lives in …"."""
    for count in range(min(4, len(words)), 0, -1):
        name = " ".join(words[:count])
        bare = name.removesuffix("'s")
        if known := people.get(bare.lower()):
            return known, " ".join((name[len(bare) :], *words[count:]))
    return None


def _told(known: Entity, rest: str, speaker: Entity) -> Claim | None:
    """Return what is said of somebody: plain words as they were said, others in plain ones."""
    content = f"{known.name}{rest}"
    said = in_first_person(content, known.name)
    found = read(said)
    if found and found.start != 0:
        content = fact_of(said, found, known.name)
    if not found and not lasting_of_i(said):
        return None
    return Claim(known.id, known.name, content, told=known.id != speaker.id)
