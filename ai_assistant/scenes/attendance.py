"""Attendance: who is there when something is said, who received it, and who could answer."""

from __future__ import annotations

from typing import Any

from ai_assistant.core.contracts import DIRECT, Event
from ai_assistant.game.consent import may_turn_to
from ai_assistant.game.earshot import IN_ROOMS, RECEIPTS, listens
from ai_assistant.game.identity import body_of, entity_id, find, is_assistant, known_id
from ai_assistant.game.quiet import QUIET
from ai_assistant.roleplay.director import Company
from ai_assistant.roleplay.participants import Present, Utterance
from ai_assistant.roleplay.scene import SceneState


def hearers(event: Event, hearer: Any) -> list[Any]:
    """Return the objects that received an event."""
    if event.source_type in DIRECT:
        return [hearer]
    if event.source_type == "channel":
        channel = find(event.place)
        online = channel.subscriptions.online() if channel else ()
        bodies = (body_of(account) for account in online if account not in channel.mutelist)
        return [body for body in bodies if entity_id(body) != event.source.id]
    heard = RECEIPTS.heard(event.id)
    if heard is None:
        return [hearer] if listens(hearer) else []
    return [body for body in map(find, heard) if body is not None]


def as_said(event: Event) -> Utterance:
    """Return an event as the rules need it; of a speaker who is gone, only id and name."""
    body = find(event.source.id)
    speaker = Present(event.source.id, event.source.name) if body is None else present(body)
    return Utterance(event.id, speaker, event.content, event.source_type, event.timestamp)


def can_answer(who: str, event: Event) -> bool:
    """Is an assistant awake, not played, where the line was said, and open to the speaker?"""
    body = find(who)
    if body is None or not is_minded(body):
        return False
    script = body.assistant_script
    if script is None or not script.db.enabled or script.is_asleep or QUIET.reason(body):
        return False
    speaker = None if event.by_assistant else find(event.source.id)
    if speaker is not None and not may_turn_to(speaker, body):
        return False
    is_here = body.location is not None and known_id(body.location) == event.place
    return is_here or event.source_type not in IN_ROOMS


def company(scene: SceneState, event: Event) -> Company:
    """Return who is there when a line of a scene is said, for its director."""
    room = find(event.place)
    bodies = [body for body in room.contents if listens(body)] if room is not None else []
    there = [present(body) for body in bodies if entity_id(body) != event.source.id]
    minds = (member.id for member in scene.members if member.has_mind)
    return Company(there, [who for who in minds if can_answer(who, event)])


def present(obj: Any, **known: Any) -> Present:
    """Return an object as the rules need it; `known` holds further fields of `Present`."""
    known = known or {"has_mind": is_minded(obj)}
    return Present(entity_id(obj), obj.key, tuple(obj.aliases.all()), **known)


def is_minded(obj: Any) -> bool:
    """Is an object an assistant that no player controls right now?"""
    return not obj.sessions.count() and is_assistant(obj)
