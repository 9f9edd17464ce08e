"""What tools write alike: whence and for whom, until when, and how a line moves feelings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from ai_assistant.core.contracts import Change, Entity, Event, Json
from ai_assistant.core.quotes import is_same
from ai_assistant.core.readers import may_read, meet
from ai_assistant.core.text import clean
from ai_assistant.core.times import HOUR
from ai_assistant.language.small_reader import read_line
from ai_assistant.language.talk_signs import denials, statements
from ai_assistant.language.words import asks, stem_set
from ai_assistant.memory.labelled import joint_author
from ai_assistant.memory.people.feelings import SHOWN_DIGITS, drift
from ai_assistant.memory.talk.hearsay import FICTION
from ai_assistant.memory.talk.working import clauses_of
from ai_assistant.tools.schema import Between, ThingKind, is_handle
from ai_assistant.tools.tool_reach import ToolContext

LONGEST_REASON = 200
MAX_HOURS = 24.0 * 366
Hours = Annotated[float, Between(0, MAX_HOURS)]
"""How long it is until something is due, in hours of the game; 0 for no deadline."""
DUE = "Hours until it is due."
ENOUGH = 3
"""Telling words of a clause from which a note is drawn, where it has not all of them."""
SHOWN = frozenset({"gift", "move", "system"})
"""Kinds of events that the game tells of, in nobody's words."""


class Heard(NamedTuple):
    """What somebody else said, and who may know of it."""

    who: Entity
    """Who said it."""
    words: str
    """What they said."""
    readers: str
    """The label of it."""


def deadline_in(turn: ToolContext, hours: float) -> float:
    """Return the time of the game, in seconds, that lies so many hours ahead."""
    return turn.world.game_time() + hours * HOUR


def is_unknown(turn: ToolContext, name: str, kind: ThingKind = "any") -> bool:
    """Is it the name of somebody of whom the character has only heard? There is no profile then."""
    return not is_handle(name.strip().lower()) and not turn.find(name, kind)


def label_of(
    turn: ToolContext, text: str, about: str = "", replaced: Sequence[tuple[str, str]] = ()
) -> str:
    """Return the label that a text is kept with: that of a line which says all of it.

    That is an answered line of which it is a sentence, or one before the turn's eyes that holds all
    its telling words (see `_tells_all`); so nothing else that the turn knows can stand in it. All
    other texts have the turn's ceiling. `about` is the name of whom it is about, `replaced` are
    the words and labels of what it takes the place of: what that said it may say again.
    """
    heard = (event for event in turn.events if event.readers != turn.ceiling)
    exact = next((line.readers for line in heard if _says(line, text, about)), "")
    if exact:
        return exact
    for line in lines_heard(turn):
        readers, is_wider = line.readers, line.readers != turn.ceiling
        if is_wider and meet(readers, turn.ceiling, turn.world.belongs) == turn.ceiling:
            before = [words for words, label in replaced if label == readers]
            knows_all = may_read(line.who.id, turn.ceiling, turn.world.belongs)
            if knows_all and _tells_all(line, text, about, before):
                return readers
    return turn.ceiling


def lines_heard(turn: ToolContext) -> list[Heard]:
    """Return what others say before the turn's eyes, the answered lines first, then the newest."""
    lines = [
        Heard(event.source, event.content, event.readers)
        for event in turn.events
        if event.source_type not in SHOWN
    ]
    earlier = (
        Heard(Entity(entry["who_id"], entry["who"]), entry["content"], entry["readers"])
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


def _tells_all(line: Heard, text: str, about: str, before: Sequence[str]) -> bool:
    """Does a line say all that a text does, in other words at most for those that tell nothing?

    Each telling word stands in a statement of the line, or `before`; one clause of the line stands
    in the text, whole or with three of its words; what is denied there is denied here as well, and
    nothing else.
    """
    names = line.who.name, about
    if about not in ("", line.who.name) and not telling_words(about) & telling_words(line.words):
        return False
    told = [sentence for sentence in statements(line.words) if not asks(sentence)]
    clauses = [clause for sentence in told for clause in clauses_of(sentence)]
    old = telling_words(" ".join(before), *names)
    said, new = telling_words(" ".join(told), *names), telling_words(text, *names)
    parts = [telling_words(clause, *names) for clause in clauses]
    is_drawn = any(1 < min(len(part), ENOUGH) <= len(part & new) for part in parts)
    if not (new <= said | old and is_drawn):
        return False
    denied = [telling_words(words, *names) for words in (*clauses, *before) if denials(words)]
    for part in statements(text):
        own = telling_words(part, *names)
        if denials(part) and not any(own & clause for clause in denied):
            return False
        if not denials(part) and any(own <= clause for clause in denied):
            return False
    return True


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


def authors_of(turn: ToolContext) -> str:
    """Return everybody whose words are answered; the character itself where nobody's are."""
    return joint_author([event.source.id for event in turn.events] or [turn.me.id])


def origin(turn: ToolContext) -> Json:
    """Return when something is written, for whom, and on whose words."""
    return {"at": turn.clock.now(), "readers": turn.ceiling, "author": authors_of(turn)}
