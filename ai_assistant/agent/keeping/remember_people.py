"""What a turn writes about those who spoke: profile, relationship, journal and conversation."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.agent.attention.classify import may_pass
from ai_assistant.agent.keeping.treatment import weigh
from ai_assistant.agent.turn.turn import Turn
from ai_assistant.agent.turn.turn_state import has_acted
from ai_assistant.core.contracts import Change, Entity, Event, Json, Speech
from ai_assistant.core.readers import may_read
from ai_assistant.core.text import with_article
from ai_assistant.language.words import words
from ai_assistant.memory.talk.working import key_of, talked_about


def meant_for_it(turn: Turn) -> list[Event]:
    """Return the events that were for the character: those that it may let pass, if it answered."""
    acted = has_acted(turn)
    return [event for event in turn.events if acted or not may_pass(event, turn.world.company)]


def remember_people(turn: Turn) -> None:
    """Propose what the turn, now that it ends, changes about each person who spoke to it.

    A first meeting and a new state of the relationship go into the journal.
    """
    at = turn.commit.at
    for who in {event.source.id: event.source for event in meant_for_it(turn)}.values():
        before = turn.store.view("profile", who.id)
        identity = {"name": who.name, "entity_type": who.kind, "at": at}
        turn.change(Change("profile", who.id, "create_entity_profile", identity))
        turn.change(Change("profile", who.id, "count_exchange", {"at": at}))
        weigh(turn, who)
        news = []
        if not before["last_interaction"]:
            place = turn.surroundings.place_name or "an unknown place"
            news.append(("meeting", f"Met {who.name} at {place}."))
        old = before["relationship"]["state"]
        new = turn.state("profile", who.id)["relationship"]["state"]
        if new != old:
            told = f"{who.name}, once {with_article(old)}, is {with_article(new)} now."
            news.append(("relationship", told))
            states = {"old_state": old, "new_state": new}
            turn.audit("RelationshipChanged", {"entity": who.id, **states})
        for tag, content in news:
            entry: Json = {"content": content, "source_type": "direct", "source_entity": who.id}
            entry |= {"at": at, "readers": turn.ceiling, "tags": [tag]}
            turn.change(Change("journal", "", "add_journal_entry", entry))
        _close_talk(turn, who)


def remember_lines(turn: Turn, heard: Sequence[Event], said: Speech | None) -> None:
    """Add an exchange to the conversations with those who spoke to it, each line under its label.

    The character's lines from a play are left out, because conversations are summed up.
    """
    at = turn.commit.at
    for who in {event.source.id: event.source for event in meant_for_it(turn)}.values():
        lines = [
            (event.readers, event.id, "user", event.content, who.id)
            for event in heard
            if event.source.id == who.id
        ]
        if said and not said.played and said.target in (None, who):
            lines.append((said.readers, said.event, "assistant", said.text, ""))
        for readers, id, role, content, author in lines:
            key = key_of(who.id, readers)
            start = {"entity_id": who.id, "readers": readers, "at": at}
            turn.change(Change("working", key, "start_conversation", start))
            line = {"id": id, "role": role, "content": content, "author": author, "at": at}
            turn.change(Change("working", key, "add_conversation_message", line))


def _close_talk(turn: Turn, who: Entity) -> None:
    """Note what the conversations with an entity are about, and fold those that are too long.

    Their questions count as answered in all of them, under whichever label the answer was.
    """
    asked = [event for event in turn.events if event.source.id == who.id]
    is_answered = any(
        said.text
        and not said.played
        and said.target in (None, who)
        and may_read(who.id, said.readers, turn.world.belongs)
        for said in turn.speeches
    )
    config, things = turn.mind.config, turn.surroundings.things
    names = words(turn.me.name)
    seen = [thing.entity.name for thing in things if thing.entity.kind == "object"]
    crowded = turn.prompt.utilisation > config["compact_emergency_threshold"]
    for readers in dict.fromkeys(event.readers for event in asked):
        key = key_of(who.id, readers)
        lines = [event.content for event in asked if event.readers == readers]
        noted = talked_about(lines, names, seen) | {"answered": is_answered}
        turn.change(Change("working", key, "note_context", noted))
        if crowded and config["compact_enabled"]:
            step = {"at": turn.commit.at, "keep": config["compact_preserve_window"]}
            turn.change(Change("working", key, "fold", step))
