"""Tools about one person: their profile, how the character feels, and the talk with them."""

from __future__ import annotations

from typing import Annotated

from ai_assistant.contracts import Change, Entity, Json
from ai_assistant.errors import ToolError
from ai_assistant.memory.profiles import STANCES, shown_delta, trust_score
from ai_assistant.memory.working import MAX_PENDING, MAX_PRIORITY, has_room_for, key_of
from ai_assistant.readers import OPEN
from ai_assistant.text import clean
from ai_assistant.tools.registry import ToolContext, tool
from ai_assistant.tools.schema import Handle

Person = Annotated[str, Handle("person")]
WHO = "The handle of the one it is about, such as p1."
RECENT = 10
"""Observations told of one entity at a time."""
LONGEST = 200


@tool(cacheable=True, about={"entity": WHO})
def recall_entity_profile(turn: ToolContext, entity: Person) -> Json:
    """Look up all that you know of somebody here: traits, what you noted, and how you get on."""
    who = turn.thing(entity, "person").entity
    profile = turn.state("profile", who.id)
    bond = profile["relationship"]
    noted = [item for item in reversed(profile["observations"]) if _admitted(turn, item)][:RECENT]
    traits = [item for item in profile["attributes"] if _admitted(turn, item)]
    return {
        "name": who.name,
        "entity_type": who.kind,
        "met": bool(profile["created"]),
        "relationship": {
            "state": bond["state"],
            "stance": STANCES[bond["state"]],
            "trust_score": trust_score(profile),
            "interaction_count": bond["interaction_count"],
        },
        "attributes": [{"type": one["type"], "value": one["value"]} for one in traits],
        "observations": [
            {"content": one["content"], "source": one["source"], "on": one["timestamp"][:10]}
            for one in noted
        ],
    }


@tool(
    about={
        "entity": WHO,
        "delta": "From -0.05 (they hurt you) to 0.05 (they did you good).",
        "reason": "A few words on what they did.",
    }
)
def update_relationship(turn: ToolContext, entity: Person, delta: float, reason: str) -> Json:
    """Let something that somebody did just now change how you feel about them.

    Small steps: what one person can change in a day is limited, whatever you ask for.
    """
    if not -1.0 <= delta <= 1.0 or not delta:
        raise ToolError("'delta' must be a number from -0.05 to 0.05, and not 0.")
    who = turn.thing(entity, "person").entity
    before = turn.state("profile", who.id)["relationship"]
    speakers = [event.source.id for event in turn.events] or [turn.me.id]
    step = {
        "delta": delta,
        "reason": clean(reason, LONGEST),
        "author": who.id if who.id in speakers else speakers[0],
        "at": turn.clock.now(),
        "readers": turn.ceiling,
    }
    turn.change(_known(turn, who))
    turn.change(Change("profile", who.id, "update_relationship", step))
    after = turn.state("profile", who.id)["relationship"]
    return {
        "old_state": before["state"],
        "new_state": after["state"],
        "favorability": after["favorability"],
        "state_changed": before["state"] != after["state"],
        "changed_by": shown_delta(before, after),
    }


@tool(about={"entity": WHO, "topic": "What you talk about, in a few words."})
def start_entity_conversation(turn: ToolContext, entity: Person, topic: str) -> Json:
    """Begin to talk with somebody about something, or change the topic of your talk."""
    who = turn.thing(entity, "person").entity
    key = _start(turn, who, clean(topic, LONGEST))
    talk = turn.state("working", key)
    return {"with": who.name, "topic": talk["topic"], "started": talk["started"]}


@tool(cacheable=True, about={"entity": WHO})
def recall_conversation_context(turn: ToolContext, entity: Person) -> Json:
    """Look up your talk with somebody: topic, last lines, promises, what is still open."""
    who = turn.thing(entity, "person").entity
    found = []
    for label in dict.fromkeys((OPEN, turn.ceiling)):
        talk = turn.state("working", key_of(who.id, label))
        if talk["started"] and turn.admit(talk["readers"], who.id):
            found.append(
                {
                    "topic": talk["topic"],
                    "started": talk["started"],
                    "last_message": talk["last_message"],
                    "messages": [
                        {"role": one["role"], "content": one["content"]}
                        for one in talk["messages"][-RECENT:]
                    ],
                    "pending_actions": talk["pending_actions"],
                    "context": talk["context"],
                    "summary": talk["summary"],
                }
            )
    return {"with": who.name, "conversations": found}


@tool(
    about={
        "entity": WHO,
        "action": "What you are to do for them, in a few words.",
        "priority": "1 for most urgent, 9 for whenever there is time.",
    }
)
def add_pending_action(turn: ToolContext, entity: Person, action: str, priority: int = 5) -> Json:
    """Note something that you promised somebody or mean to do for them, so that you will."""
    if not 1 <= priority <= MAX_PRIORITY:
        raise ToolError(f"'priority' must be a number from 1 to {MAX_PRIORITY}.")
    who = turn.thing(entity, "person").entity
    key = _start(turn, who)
    wanted = clean(action, LONGEST)
    if not has_room_for(turn.state("working", key), wanted):
        raise ToolError(
            f"You have {MAX_PENDING} things to do for {who.name} already; do one, or strike one "
            "off with complete_pending_action."
        )
    step = {"action": wanted, "priority": priority, "at": turn.clock.now()}
    turn.change(Change("working", key, "add_pending_action", step))
    return {"for": who.name, "pending_actions": _actions(turn, key)}


@tool(about={"entity": WHO, "action": "The action, in the words in which you noted it."})
def complete_pending_action(turn: ToolContext, entity: Person, action: str) -> Json:
    """Strike off something that you had promised somebody, once it is done or needless."""
    who = turn.thing(entity, "person").entity
    wanted = clean(action, LONGEST)
    for label in dict.fromkeys((turn.ceiling, OPEN)):
        key = key_of(who.id, label)
        talk = turn.state("working", key)
        known = [one["action"] for one in talk["pending_actions"]]
        if wanted in known and turn.admit(talk["readers"], who.id):
            turn.change(Change("working", key, "complete_pending_action", {"action": wanted}))
            return {"done": wanted, "pending_actions": _actions(turn, key)}
    raise ToolError("You noted no such action for them; see recall_conversation_context.")


def _admitted(turn: ToolContext, item: Json) -> bool:
    return turn.admit(item.get("readers", ""), item.get("author", ""))


def _known(turn: ToolContext, who: Entity) -> Change:
    """Return the change that makes sure of a profile."""
    identity = {"name": who.name, "entity_type": who.kind, "at": turn.clock.now()}
    return Change("profile", who.id, "create_entity_profile", identity)


def _start(turn: ToolContext, who: Entity, topic: str = "") -> str:
    """Begin or resume the conversation under this turn's label; returns its key."""
    key = key_of(who.id, turn.ceiling)
    begin = {
        "entity_id": who.id,
        "readers": turn.ceiling,
        "at": turn.clock.now(),
        "topic": topic,
    }
    turn.change(Change("working", key, "start_conversation", begin))
    return key


def _actions(turn: ToolContext, key: str) -> list[str]:
    return [one["action"] for one in turn.state("working", key)["pending_actions"]]


TOOLS = [
    recall_entity_profile,
    update_relationship,
    start_entity_conversation,
    recall_conversation_context,
    add_pending_action,
    complete_pending_action,
]
