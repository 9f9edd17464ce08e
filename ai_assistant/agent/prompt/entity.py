"""Component 1500: the one talked to, and the conversations with them that may be used here."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from ai_assistant.agent import contexts
from ai_assistant.agent.handles import handle_of
from ai_assistant.agent.prompt.draft import Section
from ai_assistant.agent.turn import Turn
from ai_assistant.contracts import Entity, Json
from ai_assistant.memory.profiles import STANCES
from ai_assistant.memory.working import key_of
from ai_assistant.readers import NOBODY, OPEN

OBSERVATIONS = 8
TRAITS = 8
OPEN_ENDS = 5
"""Promises, unanswered questions and mentioned things shown, the most urgent or newest of each."""
LONGEST_OPEN_END = 160


def talks(turn: Turn) -> list[Json]:
    """Return the conversations with the first one answered: the open one, and the private one.

    Only a private turn loads both; each is admitted.
    """
    who = turn.partner
    if who is None:
        return []
    labels = dict.fromkeys((OPEN, turn.trigger.readers if turn.trigger else OPEN))
    found = [turn.store.read("working", key_of(who.id, label)) for label in labels]
    return [
        talk
        for talk in found
        if (talk["messages"] or talk["summary"] or talk["pending_actions"])
        and turn.admit(talk["readers"], who.id)
    ]


def entity(turn: Turn, loaded: Sequence[Json]) -> Section:
    """Return who the one talked to is, and what is known of them."""
    section = Section("entity", contexts.ENTITY, [], "About the one you talk to", fixed=1)
    if turn.partner is not None:
        profile = turn.store.read("profile", turn.partner.id)
        head = _head(turn, turn.partner, profile) | _open_ends(loaded)
        section.rows = [head, *_traits(turn, profile), *_observations(turn, profile)]
    return section


def summaries(turn: Turn, loaded: Sequence[Json]) -> Section:
    """Return what is left of the older turns of these conversations."""
    name = turn.partner.name if turn.partner else ""
    rows: list[Json | str] = []
    if turn.mind.role.chat_history:
        told = (talk["summary"] for talk in loaded if talk["summary"])
        rows = [{"with": name, "summary": " ".join(text.split())} for text in told]
    return Section("summary", contexts.CONVERSATION, rows, "Conversation Summary")


def _head(turn: Turn, who: Entity, profile: Json) -> Json:
    bond = profile["relationship"]
    return {
        "handle": handle_of(turn, who.id),
        "name": who.name,
        "kind": who.kind,
        "state": bond["state"],
        "favorability": bond["favorability"],
        "met": profile["created"][:10] or "just now",
        "times": bond["interaction_count"],
        "last": profile["last_interaction"][:16].replace("T", " "),
        "stance": STANCES[bond["state"]],
    }


def _open_ends(loaded: Sequence[Json]) -> Json:
    """Return the topic, and what is still to be done, answered or referred to."""
    found: Json = {}
    for talk in loaded:
        if talk["topic"]:
            found["topic"] = talk["topic"]
        context = talk["context"]
        ends = {
            "promised": talk["pending_actions"][:OPEN_ENDS],
            "asked": context["unresolved_questions"][-OPEN_ENDS:],
            "mentioned": context["mentioned_items"][-OPEN_ENDS:],
        }
        for name, items in ends.items():
            if items:
                found[name] = [*found.get(name, ()), *map(_words, items)]
    return found


def _words(item: Any) -> str:
    words = item.get("action") or item.get("content", "") if isinstance(item, dict) else item
    return str(words)[:LONGEST_OPEN_END]


def _traits(turn: Turn, profile: Json) -> list[Json]:
    usable = (
        item
        for item in reversed(profile["attributes"])
        if turn.admit(item.get("readers", NOBODY), item.get("author", ""))
    )
    return [
        {"trait": item["value"], "type": item["type"], "on": item.get("created", "")[:10]}
        for item in islice(usable, TRAITS)
    ]


def _observations(turn: Turn, profile: Json) -> list[Json]:
    usable = (
        item
        for item in reversed(profile["observations"])
        if turn.admit(item["readers"], item["author"])
    )
    return [
        {"observation": item["content"], "source": item["source"], "on": item["timestamp"][:10]}
        for item in islice(usable, OBSERVATIONS)
    ]
