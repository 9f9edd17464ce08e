"""Treatment: how speakers treated the character, by facts of the game or by plain words."""

from __future__ import annotations

from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Change, Entity, Event, Json
from ai_assistant.core.times import DAY, epoch
from ai_assistant.language.talk_signs import is_promise, manner_of
from ai_assistant.memory.people.feelings import TREATED

FELT = {
    "threat": (-0.05, "a threat"),
    "insult": (-0.03, "an insult"),
    "thanks": (TREATED[1], "thanks"),
    "praise": (TREATED[1], "praise"),
}
"""What plain words move, and why; only where no model is there to judge them."""
GIFT, KEPT, BROKEN = 0.03, TREATED[2], TREATED[-2]
KEPT_WITHIN = 3 * DAY
"""Seconds after which a promise that was not kept is broken."""


def weigh(turn: Turn, who: Entity) -> None:
    """Propose how somebody's gifts, promises and words in this turn change the relationship.

    Where the model proposed a change for a line itself, that one stands: a line counts once.
    """
    relationship = turn.state("profile", who.id)["relationship"]
    promises: list[Json] = []
    for promise in relationship.get("promises", []):
        if turn.commit.at - epoch(promise["timestamp"]) <= KEPT_WITHIN:
            promises.append(promise)
            continue
        ended = {"event": promise["event"]}
        turn.change(Change("profile", who.id, "end_promise", ended))
        _move(turn, who, **ended, kind="deed", delta=BROKEN, reason="a promise broken",
              readers=promise["readers"])  # fmt: skip
    for event in turn.events:
        if event.source.id != who.id:
            continue
        if event.source_type == "gift":
            _take_gift(turn, who, event, promises)
        elif turn.mind.model.is_offline("chat"):
            _take_words(turn, who, event, promises)


def _take_gift(turn: Turn, who: Entity, event: Event, promises: list[Json]) -> None:
    """Let a gift keep the giver's oldest promise; without a promise it is a kindness."""
    if promises:
        kept = promises.pop(0)
        turn.change(Change("profile", who.id, "end_promise", {"event": kept["event"]}))
        _move(turn, who, event=event.id, kind="deed", delta=KEPT, reason="a promise kept")
        return
    item = event.metadata.get("item_name", "")
    reason = f"a gift: {item}" if item else "a gift"
    _move(turn, who, event=event.id, kind="deed", delta=GIFT, reason=reason)


def _take_words(turn: Turn, who: Entity, event: Event, promises: list[Json]) -> None:
    if manner := manner_of(event.content):
        delta, reason = FELT[manner]
        readers = event.readers
        _move(turn, who, event=event.id, kind="talk", delta=delta, reason=reason, readers=readers)
    if is_promise(event.content):
        made: Json = {"event": event.id, "author": who.id, "readers": event.readers}
        promises.append(made)
        turn.change(Change("profile", who.id, "note_promise", made | {"at": event.timestamp}))


def _move(turn: Turn, who: Entity, **step: str | float) -> None:
    """Propose a change of the relationship; its reason has the turn's label, or its own."""
    known = {"author": who.id, "at": turn.commit.at, "readers": turn.ceiling}
    turn.change(Change("profile", who.id, "update_relationship", known | step))
