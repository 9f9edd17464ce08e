"""Who took part in an utterance, by rules: addressed, named, "we", in the talk already.

Who could hear is the game's to say; it is given, and no rule goes beyond it. Within it each rule
states how sure it is. Where no rule knows, everybody who could hear took part: to remember a line
too many is a smaller fault than to have missed one's own name for it.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from ai_assistant.core.contracts import DIRECT
from ai_assistant.language.address import addresses, calls_all, speaks_to
from ai_assistant.language.talk_signs import is_for_all, says, says_we
from ai_assistant.language.words import is_common

SPEAKER, ADDRESSED, ANSWERED, TO_ALL, NAMED, WE, REPLY, ASIDE, UNSURE = (
    *(1.0, 0.95, 0.9, 0.9, 0.8, 0.75, 0.7, 0.6),
    0.4,
)
"""How sure each rule is, from 0 to 1."""
SURE = 0.5
EXCHANGE_SECONDS, EXCHANGE_LINES = 90.0, 8
"""A line without a name goes on with a talk of that age, within so many lines of the same place."""


@dataclass(frozen=True, slots=True)
class Present:
    """Somebody within earshot."""

    id: str
    """Its lasting id."""
    name: str
    """Its key in the game."""
    aliases: tuple[str, ...] = ()
    """What else it is called."""
    hidden: bool = False
    """Can the speaker not see it? It has heard, but nobody spoke to it."""
    has_mind: bool = False
    """Does it keep a memory of its own, as assistants do?"""
    apart: bool = False
    """Does it play in another scene? It can be spoken to, and takes part there."""
    unseen_by: frozenset[str] = frozenset()
    """Ids of those who do not see it."""
    missed: bool = False
    """Did the line not reach it? Whoever calls it calls nobody else; it takes no part."""

    @property
    def names(self) -> tuple[str, ...]:
        """All by which it is called."""
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True)
class Utterance:
    """A line as the rules see it."""

    event: str
    """The id of the line."""
    speaker: Present
    """Who said it."""
    content: str
    """What was said."""
    kind: str = "say"
    """How: say, whisper, page, channel, pose."""
    at: float = 0.0
    """When, in seconds since the epoch."""
    answers: frozenset[str] = frozenset()
    """Ids of those whom it answers, where that is known."""


@dataclass(frozen=True, slots=True)
class Participant:
    """One who took part: how sure that is, and by which rule."""

    id: str
    """Their lasting id."""
    confidence: float
    """How sure it is, from 0 to 1."""
    rule: str
    """The name of the rule that found them."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Who took part in a line."""

    participants: tuple[Participant, ...]
    """Who took part, the speaker first."""
    sure: bool
    """Did a rule find them? Else it is everybody who could hear."""
    by: str = "rule"
    """Who decided: rule or model."""


@dataclass(frozen=True, slots=True)
class FloorLine:
    """What the floor remembers of a line."""

    group: frozenset[str]
    """Ids of the talk that it belongs to."""
    at: float
    """When it was said, in seconds since the epoch."""
    sessions: set[str] = field(default_factory=set)
    """Ids of the scenes that it is of."""


_Ids = Set[str]
_ParticipantRule = tuple[_Ids, float, str]
"""Ids, how sure it is of them, and its name."""


def determine(
    said: Utterance, bound: Sequence[Present], floor: Sequence[FloorLine] = ()
) -> Judgement:
    """Return who took part in an utterance; of two rules that found somebody the surer one counts.

    `bound` are those who could hear it; `floor` are the last lines of the same place, oldest first.
    Nobody outside of `bound` is ever returned but the speaker.
    """
    hearers = [present for present in bound if present.id != said.speaker.id]
    everybody = frozenset(present.id for present in hearers)
    if said.kind in DIRECT:
        rules: list[_ParticipantRule] = [(everybody, SPEAKER, "direct")]
    else:
        name = said.speaker.name  # with it poses begin
        starts = said.kind == "pose" and said.content.casefold().startswith(name.casefold())
        text = said.content[len(name) :] if starts else said.content
        in_dark = all(present.hidden for present in hearers)  # a name finds its bearer there, too
        seen = [present for present in hearers if in_dark or not present.hidden]
        talk = _exchange(said, everybody, floor)
        rules = _by_name(said, text, seen, everybody, talk) or _by_talk(text, seen, everybody, talk)
    best = {said.speaker.id: Participant(said.speaker.id, SPEAKER, "speaker")}
    for ids, confidence, rule in rules or [(everybody, UNSURE, "could_hear")]:
        for who in ids:
            if who not in best or best[who].confidence < confidence:
                best[who] = Participant(who, confidence, rule)
    order = sorted(best.values(), key=lambda found: (-found.confidence, found.id))
    return Judgement(tuple(order), sure=bool(rules))


def _exchange(said: Utterance, everybody: _Ids, floor: Sequence[FloorLine]) -> _Ids:
    """Return the others in the talk that the speaker was last in, as far as they are here."""
    for line in reversed(floor[-EXCHANGE_LINES:]):
        recent = said.at - line.at <= EXCHANGE_SECONDS
        if recent and said.speaker.id in line.group and line.group & everybody:
            return line.group & everybody
    return frozenset()


def _by_name(
    said: Utterance, text: str, seen: Sequence[Present], everybody: _Ids, talk: _Ids
) -> list[_ParticipantRule]:
    """Find those whom the line calls or names; an answer may be for all as well.

    Who only speaks of somebody does so in the talk that they are in; a gesture is for whom it is.
    """
    called = {present.id for present in seen if speaks_to(text, present.names)}
    others = (present for present in seen if present.id not in called and not present.missed)
    named = {present.id for present in others if _names(text, present)}
    answered = said.answers & everybody
    rules: list[_ParticipantRule] = [
        (called, ADDRESSED, "addressed"),
        (named, ASIDE if called else NAMED, "named"),
        (answered, ANSWERED, "answered"),
    ]
    goes_further = answered and answered != everybody and not called
    if goes_further and (is_for_all(text) or calls_all(text)):
        rules.append((everybody, TO_ALL, "all"))
    goes_on = named and not called and said.kind != "pose"
    if talk and (goes_on or (called and says_we(text))):
        rules.append((talk, REPLY, "reply"))
    return rules if called or named or answered else []


def _by_talk(
    text: str, seen: Sequence[Present], everybody: _Ids, talk: _Ids
) -> list[_ParticipantRule]:
    """Find whom a line without names is for: all who are asked, or the talk under way."""
    if is_for_all(text) or calls_all(text):
        return [(everybody, TO_ALL, "all")]
    if len(talk) != 2 and len(seen) == 2 and says(text, "you_two"):
        return [({present.id for present in seen}, ADDRESSED, "addressed")]
    if not talk:
        return []
    return [(talk, WE, "we") if says_we(text) else (talk, REPLY, "reply")]


def _names(text: str, who: Present) -> bool:
    """Does a line name that one? A name that is a common word must be written as a name."""
    return any(
        addresses(text, [name]) and (not is_common(name.casefold()) or name in text)
        for name in who.names
    )
