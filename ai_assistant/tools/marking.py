"""What tools write alike: whence and for whom, until when, and how a line moves feelings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from ai_assistant.core.contracts import Change, Entity, Event, Json
from ai_assistant.core.quotes import is_same
from ai_assistant.core.text import clean
from ai_assistant.core.times import HOUR
from ai_assistant.language.small_reader import read_line
from ai_assistant.language.talk_signs import statements
from ai_assistant.language.words import asks, stem_set
from ai_assistant.memory.labelled import joint_author
from ai_assistant.memory.people.feelings import SHOWN_DIGITS, drift
from ai_assistant.memory.talk.hearsay import FICTION
from ai_assistant.tools.schema import Between, ThingKind, is_handle
from ai_assistant.tools.tool_reach import ToolContext

LONGEST_REASON = 200
MAX_HOURS = 24.0 * 366
Hours = Annotated[float, Between(0, MAX_HOURS)]
"""How long it is until something is due, in hours of the game; 0 for no deadline."""
DUE = "Hours until it is due."
SHOWN = frozenset({"gift", "move", "system"})
"""Kinds of events that the game tells of, in nobody's words."""


class Heard(NamedTuple):
    """What somebody else said."""

    who: Entity
    """Who said it."""
    words: str
    """What they said."""


def deadline_in(turn: ToolContext, hours: float) -> float:
    """Return the time of the game, in seconds, that lies so many hours ahead."""
    return turn.world.game_time() + hours * HOUR


def is_unknown(turn: ToolContext, name: str, kind: ThingKind = "any") -> bool:
    """Is it the name of somebody of whom the character has only heard? There is no profile then."""
    return not is_handle(name.strip().lower()) and not turn.find(name, kind)


def label_of(turn: ToolContext, text: str, about: str = "") -> str:
    """Return the label of an answered line of which a text is a sentence, else the turn's ceiling.

    `about` is the name of whom it is about.
    """
    heard = (event for event in turn.events if event.readers != turn.ceiling)
    return next((line.readers for line in heard if _says(line, text, about)), turn.ceiling)


def lines_heard(turn: ToolContext) -> list[Heard]:
    """Return what others say before the turn's eyes, the answered lines first, then the newest."""
    lines = [
        Heard(event.source, event.content)
        for event in turn.events
        if event.source_type not in SHOWN
    ]
    earlier = (
        Heard(Entity(entry["who_id"], entry["who"]), entry["content"])
        for entry in reversed(turn.source_lines)
        if entry["kind"] not in SHOWN and not entry.get(FICTION)
    )
    return [*lines, *earlier]


def word_on(
    turn: ToolContext, about: Entity, content: str, old: Sequence[str] = ()
) -> tuple[str, str, str]:
    """Return on whose word something is noted of somebody: authors, source and who else told it.

    It is the word of the one whose lines alone hold what `content` tells, beside the `old` that it
    takes the place of: of those answered, else of whoever said so before. Where that is not clear
    all who may have said it are its authors; then it was told by the one other whose lines alone
    hold any word of it, else by nobody in particular. Where nobody spoke it is the character's:
    direct of whose deed the game shows, else inferred.
    """
    authors, teller = _tellers(turn, about, telling_words(content, about.name), old)
    if not authors:
        is_shown = any(event.source.id == about.id for event in turn.events)
        return turn.me.id, "direct" if is_shown else "inferred", ""
    is_own = {who.id for who in authors} == {about.id}
    other = teller.name if teller and teller.id != about.id else ""
    return joint_author(who.id for who in authors), "direct" if is_own else "told", other


def _tellers(
    turn: ToolContext, about: Entity, new: frozenset[str], old: Sequence[str]
) -> tuple[list[Entity], Entity | None]:
    """Return who may have told these words, beside the old, and who did; None for no single one.

    Who is answered comes first. What others asked before is no word on somebody, and whoever
    answers for themselves, be it with a yes, needs nobody else's.
    """
    answered = [event.source for event in turn.events if event.source_type not in SHOWN]
    heard = lines_heard(turn)
    here, before = heard[: len(answered)], heard[len(answered) :]
    told = [line for line in before if line.who.id == about.id or not asks(line.words)]
    if about.id in {who.id for who in answered}:
        told = []
    people = {line.who.id: line.who for line in (*here, *told)}
    for lines in (here, told) if new else ():
        said = _words_of(lines, old)
        telling = [who for who, words in said.items() if new <= words]
        if len(telling) == 1:
            return [people[telling[0]]], people[telling[0]]
        if telling or new <= frozenset().union(*said.values()):
            break
    if not answered:
        return [], None
    holding = [who for who, words in _words_of((*here, *told)).items() if new & words]
    one = holding if len(holding) == 1 else [*people]
    return [*people.values()], people[one[0]] if len(one) == 1 else None


def _words_of(lines: Sequence[Heard], old: Sequence[str] = ()) -> dict[str, frozenset[str]]:
    """Return the telling words of each speaker's lines, and of the old, by the speaker's id."""
    said: dict[str, frozenset[str]] = {}
    for line in lines:
        said[line.who.id] = said.get(line.who.id, frozenset()) | telling_words(line.words)
    return {who: words | telling_words("\n".join(old)) for who, words in said.items()}


def telling_words(text: str, *names: str) -> frozenset[str]:
    """Return the stems of a text that carry meaning, but for these names."""
    return stem_set(text).difference(*map(stem_set, names))


def _says(event: Event, text: str, about: str) -> bool:
    """Is the text a sentence of that line, or what the small reader makes of the line alone?"""
    read = read_line(event.content, who=event.source.name, people=(about,))
    told = (*statements(event.content), *(statement.fact for statement in read))
    return any(is_same(text, sentence) for sentence in told)


def move_feelings(turn: ToolContext, who: Entity, delta: float, reason: str) -> Json:
    """Propose to feel otherwise about somebody, for their last line here; without one nothing.

    Returns how it stands then.
    """
    lines = [event for event in turn.events if event.source.id == who.id]
    if not lines:
        return {"feeling": f"unmoved: {who.name} said and did nothing that you answer here"}
    at, line = turn.clock.now(), lines[-1]
    before = drift(turn.state("profile", who.id), at)["relationship"]
    step = {
        "delta": delta,
        "reason": clean(reason, LONGEST_REASON),
        "author": who.id,
        "at": at,
        "readers": turn.ceiling,
        "event": line.id,
        "kind": "deed" if line.source_type == "gift" else "talk",
    }
    turn.change(make_profile(turn, who))
    turn.change(Change("profile", who.id, "update_relationship", step))
    after = turn.state("profile", who.id)["relationship"]
    return {
        "old_state": before["state"],
        "new_state": after["state"],
        "favorability": round(after["favorability"], SHOWN_DIGITS),
        "state_changed": before["state"] != after["state"],
        "changed_by": round(after["favorability"] - before["favorability"], SHOWN_DIGITS),
    }


def make_profile(turn: ToolContext, who: Entity) -> Change:
    """Return the change that makes sure of a profile."""
    identity = {"name": who.name, "entity_type": who.kind, "at": turn.clock.now()}
    return Change("profile", who.id, "create_entity_profile", identity)


def origin(turn: ToolContext) -> Json:
    """Return when something is written, for whom, and on whose words: those that are answered."""
    author = joint_author([event.source.id for event in turn.events] or [turn.me.id])
    return {"at": turn.clock.now(), "readers": turn.ceiling, "author": author}
