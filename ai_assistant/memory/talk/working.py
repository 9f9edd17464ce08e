"""Working memory: the conversation under way with an entity, one for each label, and its topic.

A conversation is keyed by the pair (entity, readers): whispers and open talk with the same person
are two conversations, and only a private turn loads both.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ai_assistant.core.contracts import Json
from ai_assistant.core.readers import OPEN
from ai_assistant.core.times import HOUR, iso
from ai_assistant.language.words import asks, clipped, plain, sentences, without_article
from ai_assistant.memory.parts import Part, digest
from ai_assistant.memory.phrases import is_small_talk
from ai_assistant.memory.talk.folding import (
    close,
    fold_talk,
    is_stale,
    keep_in_size,
    replace_summary,
    take_lines_back,
)

TOPIC = 60
"""Characters of a topic."""
LONGEST_QUESTION = 160
MOST_ITEMS = 6


def topic_of(line: str, names: Collection[str] = ()) -> str:
    """Return the beginning of a line's first sentence that is no small talk; empty for none.

    `names` are the words of the listener's name.
    """
    told = (said for said in sentences(" ".join(line.split())) if not is_small_talk(said, names))
    return clipped(next(told, ""), TOPIC)


def talked_about(lines: Sequence[str], names: Collection[str], seen: Collection[str]) -> Json:
    """Return what one speaker's lines are about, as arguments for `note_context`.

    These are the last topic, the things in sight (`seen`) that the lines name, and the last
    question. `names` are the words of the listener's name.
    """
    topics = (topic_of(line, names) for line in reversed(lines))
    asked = next((line for line in reversed(lines) if asks(line)), "")
    items: list[str] = []
    for low in map(plain, lines):
        named = (name for name in seen if without_article(plain(name)) in low)
        items += list(dict.fromkeys(named))[:MOST_ITEMS]
    return {
        "topic": next(filter(None, topics), ""),
        "mentioned_items": items,
        "question": clipped(sentences(asked)[-1], LONGEST_QUESTION) if asked else "",
    }


MAX_PENDING = 20
MAX_CHANNELS = 4
"""Labels of channels on which something was promised to one entity."""
MAX_PRIORITY = 9
"""The least urgent; 1 is the most."""
URGENT = 1
SOON = HOUR
"""Game seconds before a deadline from which on it presses."""
MAX_ITEMS = 12
MAX_QUESTIONS = 5


def key_of(entity_id: str, readers: str) -> str:
    """Return the key of the conversation with an entity under a label."""
    return entity_id if readers == OPEN else f"{entity_id}.{digest(readers)}"


def labels_of(talk: Json, labels: Sequence[str]) -> list[str]:
    """Return the labels of the conversations that may hold actions still to be done.

    These are the open one, `labels`, and the channels noted in the open `talk`.
    """
    return list(dict.fromkeys((OPEN, *labels, *talk["promised_on"])))


def promised_on(talk: Json, *, entity_id: str, label: str, kept: bool = False) -> None:
    """Note in the open talk that something was promised on a channel, or that all is `kept`.

    So nobody has to search all conversations for promises.
    """
    talk["entity_id"] = entity_id
    others = [known for known in talk["promised_on"] if known != label]
    talk["promised_on"] = others if kept else [*others, label][-MAX_CHANNELS:]


def start_conversation(
    talk: Json, *, entity_id: str, readers: str, at: float, topic: str = ""
) -> None:
    """Begin or resume a conversation; a new topic replaces the old one.

    One that was silent for an hour is folded into its summary first, and another begins.
    """
    if is_stale(talk, at):
        close(talk, at=at)
    talk["entity_id"] = entity_id
    talk["readers"] = readers
    talk["topic"] = topic or talk["topic"]
    talk["topic_given"] = bool(topic) or talk["topic_given"]
    talk["started"] = talk["started"] or iso(at)


def add_conversation_message(
    talk: Json, *, role: str, content: str, at: float, id: str = "", author: str = ""
) -> None:
    """Append a line of either side; fold a long talk but for its newest lines.

    `id` is the id of the event or the stream entry, `author` the id of whoever said it.
    """
    line = {"id": id, "role": role, "content": content, "timestamp": iso(at), "author": author}
    talk["messages"].append(line)
    talk["last_message"] = iso(at)
    keep_in_size(talk, at=at)


def has_room_for(talk: Json, action: str) -> bool:
    """Is there room to queue an action? One that is queued already needs none."""
    actions = talk["pending_actions"]
    return len(actions) < MAX_PENDING or any(pending["action"] == action for pending in actions)


def add_pending_action(
    talk: Json, *, action: str, priority: int, at: float, deadline: float = 0.0
) -> None:
    """Queue an action for this entity, in the order of priority; 1 is the most urgent.

    `deadline` is in seconds of game time, 0 for none. An action that is queued already moves to its
    new place. If the queue is full nothing changes: no promise is dropped for another.
    """
    if not has_room_for(talk, action):
        return
    complete_pending_action(talk, action=action)
    pending: Json = {"action": action, "priority": priority, "created": iso(at)}
    talk["pending_actions"].append(pending | ({"deadline": deadline} if deadline else {}))
    talk["pending_actions"].sort(key=lambda item: item["priority"])


def is_timely(pending: Json, now_game: float) -> bool:
    """Is it time for an action? Without a deadline always, else shortly before it."""
    return not pending.get("deadline") or pending["deadline"] - now_game < SOON


def is_pressing(pending: Json, now_game: float) -> bool:
    """Has an action the first priority, or is it due soon?"""
    is_due = bool(pending.get("deadline")) and is_timely(pending, now_game)
    return bool(is_due or pending["priority"] <= URGENT)


def complete_pending_action(talk: Json, *, action: str) -> None:
    """Remove an action that was done; an unknown one is ignored."""
    actions = talk["pending_actions"]
    talk["pending_actions"] = [pending for pending in actions if pending["action"] != action]


def note_context(
    talk: Json,
    *,
    topic: str = "",
    mentioned_items: Sequence[str] = (),
    question: str = "",
    answered: bool = False,
) -> None:
    """Note the topic, the things that were named, and the open questions of a conversation.

    A topic that was given to the conversation stays. With `answered` no question is open any more.
    """
    context = talk["context"]
    if topic and not talk["topic_given"]:
        talk["topic"] = topic
    items = [*context["mentioned_items"], *mentioned_items]
    context["mentioned_items"] = list(dict.fromkeys(reversed(items)))[:MAX_ITEMS][::-1]
    if answered:
        context["unresolved_questions"] = []
    elif question and question not in context["unresolved_questions"]:
        open_ones = [*context["unresolved_questions"], question]
        context["unresolved_questions"] = open_ones[-MAX_QUESTIONS:]


def open_kits(talk: Json, *, kits: Sequence[str]) -> None:
    """Keep the tools of these kits at hand until the conversation pauses."""
    talk["kits"] = list(kits)


WORKING = Part(
    name="working",
    attribute="working_memory",
    keyed=True,
    shape={
        "entity_id": "",
        "readers": OPEN,
        "topic": "",
        "topic_given": False,
        "started": "",
        "last_message": "",
        "messages": [],
        "pending_actions": [],
        "promised_on": [],
        "context": {"mentioned_items": [], "unresolved_questions": []},
        "summary": "",
        "summed": [],
        "rolled": 0,
        "older": 0,
        "last_compaction": "",
        "kits": [],
    },
    steps={
        "start_conversation": start_conversation,
        "add_conversation_message": add_conversation_message,
        "add_pending_action": add_pending_action,
        "complete_pending_action": complete_pending_action,
        "promised_on": promised_on,
        "note_context": note_context,
        "open_kits": open_kits,
        "fold": fold_talk,
        "close": close,
        "replace_summary": replace_summary,
        "take_back": take_lines_back,
    },
)
