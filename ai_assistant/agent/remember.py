"""Remembering: what a turn writes about what was heard, said and done, as changes and rows."""

from __future__ import annotations

from ai_assistant.agent.meeting import remember_people
from ai_assistant.agent.turn import Turn
from ai_assistant.contracts import Change, Delivery, Event, MemoryRow, Speech
from ai_assistant.memory import stream

STOCK_PAUSE = 30.0
"""Seconds between two stock lines, so that a broken model does not make a chorus."""
STOCK_LINES = {
    "say": ("emote", "seems lost in thought for a moment."),
    "whisper": ("whisper", "Forgive me, my thoughts were elsewhere. Ask me again in a while."),
    "page": ("page", "Forgive me, my thoughts were elsewhere. Ask me again in a while."),
    "channel": ("channel", "Forgive me, my thoughts were elsewhere. Ask me again in a while."),
}


def stock_line(turn: Turn) -> None:
    """Propose a constant line where the model failed, so that nobody talks to a wall."""
    now = turn.clock.monotonic()
    if turn.trigger is None or now - turn.mind.last_stock_line < STOCK_PAUSE:
        return
    kind, text = STOCK_LINES.get(turn.trigger.source_type, STOCK_LINES["say"])
    target = turn.trigger.source if kind in ("whisper", "page") else None
    if turn.may_say(kind, target.id if target else ""):  # type: ignore[arg-type]
        turn.mind.last_stock_line = now
        turn.speak(kind, text, target)  # type: ignore[arg-type]


def remember(turn: Turn, expected: Delivery | None) -> str:
    """Fill `turn.commit` with all that is to be kept; returns the turn's outcome in one word.

    What was heard keeps its own label; what the character said or did gets the ceiling.
    """
    said = turn.speech if expected and expected.outcome != "dropped" else None
    for event in _new(turn):
        _heard(turn, event)
    for deed in turn.deeds:
        entry = stream.deed_entry(
            turn.me, deed, at=turn.commit.at, turn_id=turn.id, readers=turn.ceiling
        )
        turn.change(Change("stream", "", "append", {"entry": entry}))
    if said:
        _said(turn, said)
        _ask_patience(turn, said)
    if turn.errand is None:
        remember_people(turn, said)
    outcome = _outcome(turn, said, expected)
    turn.commit.closed.extend(event.id for event in turn.events)
    turn.change(Change("metrics", "", "count", {"name": outcome.partition(":")[0]}))
    turn.audit(
        "TurnCompleted",
        {
            "context_type": turn.context.context_type,
            "events": [event.id for event in turn.events],
            "outcome": outcome,
            "steps": turn.steps,
            "tokens": turn.tokens,
            "model_calls": turn.model_calls,
            "problem": turn.problem,
            "speech": said.text if said else "",
            "kind": said.kind if said else "",
        },
    )
    return outcome


def _new(turn: Turn) -> list[Event]:
    """Return what was overheard since the last turn, and what is answered now, in order of time."""
    answered = {event.id for event in turn.events}
    overheard = [event for event in turn.mind.heard if event.id not in answered]
    return sorted((*overheard, *turn.events), key=lambda event: event.timestamp)


def _outcome(turn: Turn, said: Speech | None, expected: Delivery | None) -> str:
    if turn.problem:
        return f"failed: {turn.problem}"
    if said:
        return "answered"
    if expected:
        return f"dropped: {expected.reason}"
    return "acted" if turn.deeds else "silent"


def _heard(turn: Turn, event: Event) -> None:
    turn.change(Change("stream", "", "append", {"entry": stream.entry_of(event, turn.id)}))
    if event.event_type == "external" and event.source_type != "move":
        turn.commit.rows.append(heard_row(event, turn.id))


def heard_row(event: Event, turn_id: str = "") -> MemoryRow:
    """Return the row that keeps what was heard, under the label it was heard with."""
    return MemoryRow(
        content=event.content,
        kind="utterance" if event.source_type != "pose" else "deed",
        session=event.session,
        author=event.source.id,
        author_name=event.source.name,
        readers=event.readers,
        game_day=event.game_day,
        location=event.place_name,
        learned_at=event.timestamp,
        importance=event.importance,
        meta={"event": event.id, "type": event.source_type, "turn": turn_id},
    )


def _ask_patience(turn: Turn, speech: Speech) -> None:
    """Put on record that it spoke unasked, so that a restart does not let it speak anew."""
    if not turn.events:
        heard = sorted(turn.world.company())
        spoke = {"place": speech.place, "heard": heard, "at": turn.commit.at}
        turn.change(Change("patience", "", "spoke", spoke))


def _said(turn: Turn, speech: Speech) -> None:
    entry = stream.own_entry(turn.me, speech, at=turn.commit.at, turn_id=turn.id)
    turn.change(Change("stream", "", "append", {"entry": entry}))
    turn.commit.rows.append(
        MemoryRow(
            content=speech.text,
            kind="own_words",
            author=turn.me.id,
            author_name=turn.me.name,
            readers=speech.readers,
            location=turn.surroundings.place_name,
            learned_at=turn.commit.at,
            importance=stream.OWN_IMPORTANCE,
            meta={"event": entry["id"], "type": speech.kind, "turn": turn.id},
        )
    )
