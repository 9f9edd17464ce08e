"""Tools about one person: their profile, how the character feels, and the talk with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from ai_assistant.core.contracts import Change, Entity, Json
from ai_assistant.core.errors import ToolError
from ai_assistant.core.readers import OPEN, is_on_channel
from ai_assistant.core.text import clean
from ai_assistant.language.words import stem_set
from ai_assistant.memory.people.feelings import MAX_STEP, drift
from ai_assistant.memory.talk.folding import summary_of
from ai_assistant.memory.talk.working import (
    MAX_PENDING,
    MAX_PRIORITY,
    has_room_for,
    key_of,
    labels_of,
)
from ai_assistant.tools.agenda import promise_unmet
from ai_assistant.tools.marking import DUE, Hours, deadline_in, is_unknown, move_feelings
from ai_assistant.tools.registry import PLAIN, tool
from ai_assistant.tools.schema import Between, Handle
from ai_assistant.tools.tool_reach import ToolContext

Person = Annotated[str, Handle("person")]
WHO = "Whom it is about."
RECENT = 10
"""Observations, and traits, told of one entity at a time."""
LONGEST_SUMMARY = 600
LONGEST = 200
USUAL = 5
"""The priority of a promise of which nothing is said."""
STANCES = {
    "stranger": "formal and cautious; little trust",
    "acquaintance": "friendly but professional; moderate trust",
    "friend": "warm and casual; willing to help",
    "ally": "devoted; first in attention and trust",
}
"""What each state of a relationship means, in words for models and players."""


@tool(
    kit=PLAIN,
    alone=True,
    rule="What you promise somebody, or are to tell them when they come, keep as a promise.",
    about={
        "to": "Who has your word; of a message, whom it is for.",
        "what": "In a few words; of one that is done, those by which you noted it.",
        "done": "True once it is kept, broken or needless.",
        "deadline_hours": DUE,
    },
)
def promise(
    turn: ToolContext, to: Person, what: str, done: bool = False, deadline_hours: Hours = 0.0
) -> Json:
    """Note what you promise somebody, or mean to do for them; later, that it is done."""
    if not done and is_unknown(turn, to, "person"):
        due = deadline_in(turn, deadline_hours) if deadline_hours else None
        return promise_unmet(turn, to, clean(what, LONGEST), due)
    who = turn.thing(to, "person").entity
    return (
        _strike_off(turn, who, what) if done else _promise(turn, who, what, USUAL, deadline_hours)
    )


@tool(kit="people", reads=True, needs="past", about={"entity": WHO})
def recall_entity_profile(turn: ToolContext, entity: Annotated[str, Handle("any")]) -> Json:
    """Look up all that you know of somebody: traits, what you noted, and how you get on."""
    who = turn.thing(entity, "any").entity
    profile, traits, noted = _known(turn, who)
    bond = profile["relationship"]
    return {
        "name": who.name,
        "entity_type": who.kind,
        "met": bool(profile["created"]),
        "relationship": {
            "state": bond["state"],
            "stance": STANCES[bond["state"]],
            **_met(turn, profile),
        },
        "attributes": [{"type": trait["type"], "value": trait["value"]} for trait in traits],
        "observations": [
            {"content": item["content"], "source": item["source"], **_dated(turn, item)}
            for item in noted
        ],
    }


def _dated(turn: ToolContext, item: Json) -> Json:
    return {} if turn.reach.story else {"on": item["timestamp"][:10]}


def all_of(turn: ToolContext, who: Entity, words: str = "") -> Json:
    """Return all that is known of somebody or something, best by these words, and may be used."""
    profile, traits, noted = _known(turn, who, words)
    known = [trait["value"] for trait in traits]
    said = list(map(stem_set, known))
    talks = list(usable_talks(turn, who))
    found: Json = {
        "name": who.name,
        "to_you": profile["relationship"]["state"] if profile["created"] else "never met",
        **_met(turn, profile),
        "known": known,
        "noted": [
            _told(it) for it in noted if not any(map(stem_set(it["content"]).issubset, said))
        ],
        "promised": [_dated_promise(turn, it) for talk in talks for it in talk["pending_actions"]],
        "talked": _latest("\n".join(filter(None, (_summary(t, who) for t in talks)))),
    }
    return {name: value for name, value in found.items() if value}


def _met(turn: ToolContext, profile: Json) -> Json:
    """Return in words when the two first spoke, and last: a stranger, too, may be an old guest."""
    times = {"first_met": profile.get("met", ""), "last_met": profile["last_interaction"]}
    return {name: words for name, at in times.items() if (words := turn.reach.when(at))}


def _dated_promise(turn: ToolContext, pending: Json) -> str:
    since = turn.reach.when(pending.get("created", ""))
    is_old = since not in ("", "just now")
    return f"{pending['action']} (so you said {since})" if is_old else str(pending["action"])


def _summary(talk: Json, who: Entity) -> str:
    return _latest(summary_of(talk, who.name, "You"))


def _latest(summary: str) -> str:
    """Return the end of a summary as far as there is room, from the beginning of a line or word."""
    end = summary[-LONGEST_SUMMARY:]
    if end == summary:
        return summary
    return end.partition("\n")[2] or f"…{end.partition(' ')[2]}"


def _told(item: Json) -> str:
    by = item.get("told_by", "")
    return f"{item['content']} (so {by} said)" if by else str(item["content"])


def _known(turn: ToolContext, who: Entity, words: str = "") -> tuple[Json, list[Json], list[Json]]:
    """Return a profile, and what of its traits and notes may be used: what fits best comes first,
    then the newest."""
    profile = drift(turn.state("profile", who.id), turn.clock.now())
    asked = stem_set(words)
    turn.reach.look_up(who.id)

    def best(items: Sequence[Json], text: str) -> list[Json]:
        usable = [
            item
            for item in reversed(items)
            if turn.admit(item.get("readers", ""), item.get("author", ""))
        ]
        return sorted(usable, key=lambda item: -len(asked & stem_set(item[text])))[:RECENT]

    return profile, best(profile["attributes"], "value"), best(profile["observations"], "content")


def usable_talks(turn: ToolContext, who: Entity) -> Iterator[Json]:
    """Yield the talks with somebody that may be used: the open one, that of this turn, and those of
    channels on which something was promised."""
    for label in labels_of(turn.state("working", key_of(who.id, OPEN)), [turn.ceiling]):
        talk = turn.state("working", key_of(who.id, label))
        if talk["entity_id"] and turn.admit(talk["readers"], who.id):
            yield talk


@tool(
    kit="people",
    about={
        "entity": WHO,
        "delta": f"From -{MAX_STEP} (they hurt you) to {MAX_STEP} (they did you good).",
        "reason": "A few words on what they did.",
    },
)
def update_relationship(turn: ToolContext, entity: Person, delta: float, reason: str) -> Json:
    """Let something that somebody did just now change how you feel about them.

    Small steps: what one person can change in a day is limited, whatever you ask for.
    """
    if not -1.0 <= delta <= 1.0 or not delta:
        raise ToolError(f"'delta' must be a number from -{MAX_STEP} to {MAX_STEP}, and not 0.")
    return move_feelings(turn, turn.thing(entity, "person").entity, delta, reason)


@tool(kit="people", about={"entity": WHO, "topic": "What you talk about, in a few words."})
def start_entity_conversation(turn: ToolContext, entity: Person, topic: str) -> Json:
    """Begin to talk with somebody about something, or change the topic of your talk."""
    who = turn.thing(entity, "person").entity
    key = _start(turn, who, clean(topic, LONGEST))
    talk = turn.state("working", key)
    return {"with": who.name, "topic": talk["topic"], "started": talk["started"]}


@tool(kit="people", reads=True, needs="past", about={"entity": WHO})
def recall_conversation_context(turn: ToolContext, entity: Person) -> Json:
    """Look up your talk with somebody: topic, last lines, promises, what is still open."""
    who = turn.thing(entity, "person").entity
    found = [
        {
            "topic": talk["topic"],
            "started": talk["started"],
            "last_message": talk["last_message"],
            "messages": [
                {"role": message["role"], "content": message["content"]}
                for message in talk["messages"][-RECENT:]
            ],
            "pending_actions": talk["pending_actions"],
            "context": talk["context"],
            "summary": _summary(talk, who),
        }
        for talk in usable_talks(turn, who)
        if talk["started"]
    ]
    return {"with": who.name, "conversations": found}


@tool(
    kit="unlisted",
    about={
        "entity": WHO,
        "action": "What you are to do for them, in a few words.",
        "priority": "1 for most urgent, 9 for whenever there is time.",
        "deadline_hours": DUE,
    },
)
def add_pending_action(
    turn: ToolContext,
    entity: Person,
    action: str,
    priority: Annotated[int, Between(1, MAX_PRIORITY)] = USUAL,
    deadline_hours: Hours = 0.0,
) -> Json:
    """Note something that you promised somebody or mean to do for them, so that you will."""
    who = turn.thing(entity, "person").entity
    return _promise(turn, who, action, priority, deadline_hours)


@tool(
    kit="unlisted",
    about={"entity": WHO, "action": "The action, in the words in which you noted it."},
)
def complete_pending_action(turn: ToolContext, entity: Person, action: str) -> Json:
    """Strike off something that you had promised somebody, once it is done or needless."""
    return _strike_off(turn, turn.thing(entity, "person").entity, action)


def _promise(
    turn: ToolContext, who: Entity, action: str, priority: int, deadline_hours: float
) -> Json:
    key, wanted = _start(turn, who), clean(action, LONGEST)
    if not has_room_for(turn.state("working", key), wanted):
        raise ToolError(
            f"You have {MAX_PENDING} things to do for {who.name} already; do one, or say that one "
            "is done."
        )
    step = {"action": wanted, "priority": priority, "at": turn.clock.now()}
    step |= {"deadline": deadline_in(turn, deadline_hours)} if deadline_hours else {}
    turn.change(Change("working", key, "add_pending_action", step))
    _list_channel(turn, who, turn.ceiling)
    return {"for": who.name, "pending_actions": _actions(turn, key)}


def _strike_off(turn: ToolContext, who: Entity, action: str) -> Json:
    wanted, open_ones = clean(action, LONGEST).casefold(), []
    for talk in usable_talks(turn, who):
        key = key_of(who.id, talk["readers"])
        known = [promised["action"] for promised in talk["pending_actions"]]
        same = [text for text in known if text.casefold() == wanted]
        found = same or [text for text in known if wanted in text.casefold()]
        if len(found) == 1:
            turn.change(Change("working", key, "complete_pending_action", {"action": found[0]}))
            _list_channel(turn, who, talk["readers"], kept=len(known) == 1)
            return {"done": found[0], "pending_actions": _actions(turn, key)}
        open_ones += known
    noted = "; ".join(open_ones) or "nothing"
    raise ToolError(f"You noted no such promise to {who.name}. You noted: {noted}.")


def _list_channel(turn: ToolContext, who: Entity, label: str, *, kept: bool = False) -> None:
    """Note in the open talk on which channel something was promised."""
    if is_on_channel(label):
        step = {"entity_id": who.id, "label": label, "kept": kept}
        turn.change(Change("working", key_of(who.id, OPEN), "promised_on", step))


def _start(turn: ToolContext, who: Entity, topic: str = "") -> str:
    """Begin or resume the conversation under this turn's label; returns its key."""
    key = key_of(who.id, turn.ceiling)
    begin = {"entity_id": who.id, "readers": turn.ceiling, "at": turn.clock.now(), "topic": topic}
    turn.change(Change("working", key, "start_conversation", begin))
    return key


def _actions(turn: ToolContext, key: str) -> list[str]:
    return [promised["action"] for promised in turn.state("working", key)["pending_actions"]]
