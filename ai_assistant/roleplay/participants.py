"""Who took part in an utterance, by rules: addressed, named, "we", in the talk already.

Who could hear is the game's to say; it is given, and no rule goes beyond it. Within it each rule
states how sure it is. Where no rule knows, everybody who could hear took part: to remember a line
too many is a smaller fault than to have missed one's own name for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from ai_assistant.core.contracts import Json
from ai_assistant.language.address import addresses, calls_all, speaks_to
from ai_assistant.language.talk_signs import is_for_all, says, says_we
from ai_assistant.language.words import is_common

SPEAKER, ADDRESSED, ANSWERED, TO_ALL, NAMED, WE, REPLY, ASIDE, UNSURE = (
    *(1.0, 0.95, 0.9, 0.9, 0.8, 0.75, 0.7, 0.6),
    0.4,
)
"""How sure each rule is, from 0 to 1."""
SURE = 0.5
EXCHANGE_SECONDS = 90.0
"""A line without a name goes on with a talk that is not older than this."""
EXCHANGE_LINES = 8
"""And that was within so many lines of the same place."""
PRIVATE = frozenset({"whisper", "page", "gift"})


@dataclass(frozen=True, slots=True)
class Present:
    """Somebody within earshot. Whom the speaker cannot see is `hidden`: heard of it, unaddressed.

    `has_mind`: does it keep a memory of its own, as assistants do? `apart`: does it play in another
    scene? It can be spoken to, and takes part there. `unseen_by`: who does not see it, by id.
    `missed`: did the line not reach it? Whoever calls it calls nobody else, but it takes no part.
    """

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    hidden: bool = False
    has_mind: bool = False
    apart: bool = False
    unseen_by: frozenset[str] = frozenset()
    missed: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """All by which it is called."""
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True)
class Utterance:
    """A line as the rules see it; `answers` are the ids of those it is an answer to, if known."""

    event: str
    speaker: Present
    content: str
    kind: str = "say"
    at: float = 0.0
    answers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Participant:
    """One who took part: how sure that is, and by which rule."""

    id: str
    confidence: float
    rule: str

    def to_json(self) -> Json:
        """Return it as JSON values."""
        return {"id": self.id, "confidence": self.confidence, "rule": self.rule}


@dataclass(frozen=True, slots=True)
class Decision:
    """Who took part. Unless `sure`, the default was taken: everybody who could hear."""

    participants: tuple[Participant, ...]
    sure: bool
    by: str = "rule"

    @property
    def ids(self) -> tuple[str, ...]:
        """The participants, the speaker first."""
        return tuple(one.id for one in self.participants)

    def within(self, ids: Collection[str]) -> Decision:
        """Return the decision with only those of its participants who are among these."""
        return replace(self, participants=tuple(p for p in self.participants if p.id in ids))


@dataclass(frozen=True, slots=True)
class Line:
    """What the floor remembers of a line: who spoke, when, and the talk it belongs to, if any."""

    speaker: str
    group: frozenset[str]
    at: float


@dataclass(slots=True)
class _Finding:
    """Participants on their way: of two rules the surer one counts."""

    found: dict[str, Participant] = field(default_factory=dict)

    def add(self, ids: Iterable[str], confidence: float, rule: str) -> None:
        for one in ids:
            if one not in self.found or self.found[one].confidence < confidence:
                self.found[one] = Participant(one, confidence, rule)

    def decision(self, *, sure: bool) -> Decision:
        order = sorted(self.found.values(), key=lambda one: (-one.confidence, one.id))
        return Decision(tuple(order), sure)


def determine(said: Utterance, bound: Sequence[Present], floor: Sequence[Line] = ()) -> Decision:
    """Return who took part in an utterance.

    `bound` are those who could hear it, the speaker not among them; `floor` are the last lines of
    the same place, oldest first. Nobody outside of `bound` is ever returned but the speaker.
    """
    finding = _Finding()
    finding.add([said.speaker.id], SPEAKER, "speaker")
    hearers = [one for one in bound if one.id != said.speaker.id]
    if said.kind in PRIVATE:
        finding.add((one.id for one in hearers), SPEAKER, "direct")
        return finding.decision(sure=True)
    sure = _by_name(finding, said, hearers, floor) or _by_talk(finding, said, hearers, floor)
    if not sure:
        finding.add((one.id for one in hearers), UNSURE, "could_hear")
    return finding.decision(sure=sure)


def _by_name(
    finding: _Finding, said: Utterance, hearers: Sequence[Present], floor: Sequence[Line]
) -> bool:
    """Find those whom the line calls or names; an answer may be for all as well.

    Who only speaks of somebody does so in the talk that they are in; a gesture is for whom it is.
    """
    text = _own_words(said)
    seen = _in_sight(hearers)
    called = {one.id for one in seen if speaks_to(text, one.names)}
    others = (one for one in seen if one.id not in called and not one.missed)
    named = {one.id for one in others if _names(text, one)}
    answered = said.answers & {one.id for one in hearers}
    finding.add(called, ADDRESSED, "addressed")
    finding.add(named, ASIDE if called else NAMED, "named")
    finding.add(answered, ANSWERED, "answered")
    if answered and not called and _is_for_all(text):
        finding.add((one.id for one in hearers), TO_ALL, "all")
    goes_on = named and not called and said.kind != "pose"
    if goes_on or (called and says_we(text)):
        finding.add(_exchange(said, hearers, floor), REPLY, "reply")
    return bool(called or named or answered)


def _by_talk(
    finding: _Finding, said: Utterance, hearers: Sequence[Present], floor: Sequence[Line]
) -> bool:
    """Find whom a line without names is for: all who are asked, or the talk under way."""
    text = _own_words(said)
    if _is_for_all(text):
        finding.add((one.id for one in hearers), TO_ALL, "all")
        return True
    group = _exchange(said, hearers, floor)
    seen = {one.id for one in _in_sight(hearers)}
    if len(group) != 2 and len(seen) == 2 and says(text, "you_two"):
        finding.add(seen, ADDRESSED, "addressed")
        return True
    rule = ("we", WE) if says_we(text) else ("reply", REPLY)
    finding.add(group, rule[1], rule[0])
    return bool(group)


def _is_for_all(text: str) -> bool:
    return is_for_all(text) or calls_all(text)


def _in_sight(hearers: Sequence[Present]) -> Sequence[Present]:
    """Return whom the speaker knows to be there: in the dark, where all are hidden, all of them."""
    return [one for one in hearers if not one.hidden] or hearers


def _exchange(said: Utterance, hearers: Sequence[Present], floor: Sequence[Line]) -> set[str]:
    """Return the others in the talk that the speaker was last in, as far as they are here."""
    here = {one.id for one in hearers}
    for line in reversed(floor[-EXCHANGE_LINES:]):
        recent = said.at - line.at <= EXCHANGE_SECONDS
        if recent and said.speaker.id in line.group and line.group & here:
            return set(line.group & here)
    return set()


def _own_words(said: Utterance) -> str:
    """Return a line without the speaker's name, with which poses begin."""
    name = said.speaker.name
    starts = said.kind == "pose" and said.content.casefold().startswith(name.casefold())
    return said.content[len(name) :] if starts else said.content


def _names(text: str, who: Present) -> bool:
    """Does a line name that one? A name that is a common word must be written as a name."""
    return any(
        addresses(text, [name]) and (not is_common(name.casefold()) or name in text)
        for name in who.names
    )
