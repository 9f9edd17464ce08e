"""What tools write alike: whence and for whom, until when, and how a line moves feelings."""

from __future__ import annotations

from typing import Annotated

from ai_assistant.core.contracts import Change, Entity, Event, Json
from ai_assistant.core.quotes import is_same
from ai_assistant.core.text import clean
from ai_assistant.core.times import HOUR
from ai_assistant.language.small_reader import read_line
from ai_assistant.language.talk_signs import statements
from ai_assistant.memory.labelled import joint_author
from ai_assistant.memory.people.feelings import SHOWN_DIGITS, drift
from ai_assistant.tools.schema import Between, ThingKind, is_handle
from ai_assistant.tools.tool_reach import ToolContext

LONGEST_REASON = 200
MAX_HOURS = 24.0 * 366
Hours = Annotated[float, Between(0, MAX_HOURS)]
"""How long it is until something is due, in hours of the game; 0 for no deadline."""
DUE = "Hours until it is due."


def deadline_in(turn: ToolContext, hours: float) -> float:
    """Return the time of the game, in seconds, that lies so many hours ahead."""
    return turn.world.game_time() + hours * HOUR


def is_unknown(turn: ToolContext, name: str, kind: ThingKind = "any") -> bool:
    """Is it the name of somebody of whom the character has only heard? There is no profile then."""
    return not is_handle(name.strip().lower()) and not turn.find(name, kind)


def label_of(turn: ToolContext, text: str, about: str = "") -> str:
    """Return the label that a text is kept with: that of an answered line which says just this.

    So nothing else that the turn knows can stand in it. All other texts have the turn's ceiling.
    `about` is the name of whom it is about.
    """
    heard = (event for event in turn.events if event.readers != turn.ceiling)
    return next((line.readers for line in heard if _says(line, text, about)), turn.ceiling)


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


def authors_of(turn: ToolContext) -> str:
    """Return everybody whose words are answered; the character itself where nobody's are."""
    return joint_author([event.source.id for event in turn.events] or [turn.me.id])


def origin(turn: ToolContext) -> Json:
    """Return when something is written, for whom, and on whose words."""
    return {"at": turn.clock.now(), "readers": turn.ceiling, "author": authors_of(turn)}
