"""What a turn writes about those who spoke: profile, relationship, journal and conversation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ai_assistant.agent.keeping.treatment import weigh
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.core.contracts import Change, Entity, Event, Json, Speech
from ai_assistant.core.readers import may_read
from ai_assistant.core.text import with_article
from ai_assistant.memory.talk import working
from ai_assistant.memory.talk.working import key_of


def remember_people(turn: Turn) -> None:
    """Propose what the turn, now that it ends, changes about each one who spoke."""
    for person in _speakers(turn):
        _meeting(turn, person)
        _close_talk(turn, person)


def remember_lines(turn: Turn, heard: Sequence[Event], said: Speech | None) -> None:
    """Keep an exchange in the conversations with those who spoke, each line under its own label.

    What it said from a play stands in no conversation, for those are summed up.
    """
    for who in _speakers(turn):
        for event in heard:
            if event.source.id == who.id:
                line = {"id": event.id, "role": "user", "content": event.content, "author": who.id}
                _line(turn, who, event.readers, line)
        if said and not said.played and said.target in (None, who):
            line = {"id": said.event, "role": "assistant", "content": said.text, "author": ""}
            _line(turn, who, said.readers, line)


def _speakers(turn: Turn) -> Iterable[Entity]:
    return {event.source.id: event.source for event in turn.events}.values()


def _meeting(turn: Turn, who: Entity) -> None:
    at = turn.commit.at
    before = turn.store.read("profile", who.id)
    identity = {"name": who.name, "entity_type": who.kind, "at": at}
    turn.change(Change("profile", who.id, "create_entity_profile", identity))
    turn.change(Change("profile", who.id, "record_interaction", {"at": at}))
    weigh(turn, who)
    if not before["last_interaction"]:
        place = turn.surroundings.place_name or "an unknown place"
        _journal(turn, who, f"Met {who.name} at {place}.", "meeting")
    _note_new_state(turn, who, before)


def _note_new_state(turn: Turn, who: Entity, before: Json) -> None:
    """Record it when the relationship with somebody has changed its state."""
    old = before["relationship"]["state"]
    new = turn.state("profile", who.id)["relationship"]["state"]
    if new == old:
        return
    _journal(
        turn,
        who,
        f"{who.name}, once {with_article(old)}, is {with_article(new)} now.",
        "relationship",
    )
    turn.audit("RelationshipChanged", {"entity": who.id, "old_state": old, "new_state": new})


def _journal(turn: Turn, who: Entity, content: str, tag: str) -> None:
    entry = {
        "content": content,
        "source_type": "direct",
        "source_entity": who.id,
        "at": turn.commit.at,
        "readers": turn.ceiling,
        "tags": [tag],
    }
    turn.change(Change("journal", "", "add_journal_entry", entry))


# -- the conversation


def _close_talk(turn: Turn, who: Entity) -> None:
    """Note what the conversations with that entity are about, now that it was answered.

    What they asked is answered in all of them, under whichever label they were answered.
    """
    heard: dict[str, list[str]] = {}
    for event in turn.events:
        if event.source.id == who.id:
            heard.setdefault(event.readers, []).append(event.content)
    belongs = turn.world.belongs
    reply = " ".join(
        said.text
        for said in turn.words_kept
        if not said.played
        and said.target in (None, who)
        and may_read(who.id, said.readers, belongs)
    )
    for readers, lines in heard.items():
        _context(turn, who, key_of(who.id, readers), lines, reply)
        _compact(turn, key_of(who.id, readers))


def _line(turn: Turn, who: Entity, readers: str, line: Json) -> None:
    at = turn.commit.at
    key = key_of(who.id, readers)
    start = {"entity_id": who.id, "readers": readers, "at": at}
    turn.change(Change("working", key, "start_conversation", start))
    turn.change(Change("working", key, "add_conversation_message", {**line, "at": at}))


def _compact(turn: Turn, key: str) -> None:
    """Fold a talk whose prompt has become too large; the newest lines stay as they are."""
    config = turn.mind.config
    crowded = turn.utilisation > config["compact_emergency_threshold"]
    if crowded and config["compact_enabled"]:
        step = {"at": turn.commit.at, "keep": config["compact_preserve_window"]}
        turn.change(Change("working", key, "fold", step))


def _context(turn: Turn, who: Entity, key: str, lines: list[str], reply: str) -> None:
    """Note what the talk is about, as it was said: no model is asked."""
    talk = turn.state("working", key)
    seen = [
        thing.entity.name for thing in turn.surroundings.things if thing.entity.kind == "object"
    ]
    noted = {
        "topic": "" if talk["topic_given"] else working.topic_of(lines[-1]),
        "mentioned_items": [item for line in lines for item in working.items_in(line, seen)],
        "question": next(filter(None, map(working.question_in, reversed(lines))), ""),
        "answered": bool(reply),
    }
    turn.change(Change("working", key, "note_context", noted))
