"""Tools that keep what was learned: observations of people, facts, and journal entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from ai_assistant.core.contracts import Category, Change, Entity, Json, MemoryRow
from ai_assistant.core.errors import ToolError
from ai_assistant.core.text import clean
from ai_assistant.core.times import HOUR, epoch
from ai_assistant.memory.importance import score_importance_heuristic
from ai_assistant.memory.labelled import joint_author
from ai_assistant.memory.people.feelings import TREATED
from ai_assistant.memory.people.profiles import TRUST
from ai_assistant.planning.projects import find_slot, slug
from ai_assistant.tools.keeping_notes import refusal_of_self
from ai_assistant.tools.marking import (
    is_unknown,
    label_of,
    make_profile,
    move_feelings,
    word_on,
)
from ai_assistant.tools.registry import PLAIN, tool
from ai_assistant.tools.replacing import give_way, words_held
from ai_assistant.tools.schema import Between, Handle
from ai_assistant.tools.tool_reach import ToolContext

Importance = Annotated[int, Between(1, 10)]
MAX_OBSERVATION = 280
MAX_FACT = 400
MAX_TAGS = 6
USUAL = 5
"""How important a fact is of which nothing is said."""
CLAIMS_AN_HOUR = 20
"""Observations of one person, an hour, on one speaker's word: no speaker invents a whole past."""
WEAKEST_FIRST = ("inferred", "told", "direct")
"""The sources of a note."""


@tool(
    kit=PLAIN,
    rule="What you learn and what changed, note, about whom or what it is; what was said is kept "
    "anyway.",
    about={
        "fact": "One sentence that does not begin with yourself: 'Alice has a cat.'",
        "about": "A person or thing, here or not; nobody for news of the world.",
        "feeling": "If it moved you: from -2 (they hurt you) to 2 (they did you good).",
        "replaces": "What you knew and is so no more; keep in the fact what of it still holds.",
        "private": "True if they want it kept between you two, and nobody else heard it.",
    },
)
def note(
    turn: ToolContext,
    fact: str,
    about: Annotated[str, Handle("any")] = "",
    feeling: Annotated[int, Between(-2, 2)] = 0,
    replaces: str = "",
    private: bool = False,
) -> Json:
    """Note a fact, to know it tomorrow; what was told in private stays private."""
    if replaces and not about:
        raise ToolError("Say with 'about' whom or what that was known of.")
    told = {"private": turn.reach.confide()} if private else {}
    if not about:
        return _keep(turn, fact) | told
    if not replaces and is_unknown(turn, about):
        return _keep(turn, fact if about in fact else f"{about}: {fact}") | told
    who = turn.thing(about, "any").entity
    found = _note(turn, who, fact, "direct", replaces) | told
    if feeling and who.kind in ("player", "npc"):
        felt = move_feelings(turn, who, TREATED[feeling], fact)
        found |= {"to_you": felt["new_state"]} if "new_state" in felt else felt
    return found


@tool(
    kit="night",
    about={
        "entity": "Whom or what it is about.",
        "observation": "One fact in the third person: 'Alice has a cat named Whiskers.'",
        "source": "direct: they told you or you saw it; inferred: your guess; told: hearsay.",
    },
)
def update_entity_observation(
    turn: ToolContext,
    entity: Annotated[str, Handle("any")],
    observation: str,
    source: Literal["direct", "inferred", "told"] = "direct",
) -> Json:
    """Note a lasting fact about somebody, so that you still know it tomorrow."""
    return _note(turn, turn.thing(entity, "any").entity, observation, source)


def _note(
    turn: ToolContext, about: Entity, observation: str, source: str, replaces: str = ""
) -> Json:
    content = clean(observation, MAX_OBSERVATION)
    if refused := refusal_of_self(turn, content, about.name):
        return refused
    old = words_held(turn, about, replaces) if replaces else []
    readers, labels = label_of(turn, content, about.name), {label for _, label in old}
    if turn.ceiling in labels and readers not in labels:  # what was confided has no open past
        readers = turn.ceiling
    noted = observe(turn, about, content, source, [text for text, _ in old], readers=readers)
    found = {"noted": content, "about": about.name, "source": noted["source"]}
    return found | (give_way(turn, about, replaces, noted) if replaces else {})


def observe(
    turn: ToolContext,
    about: Entity,
    content: str,
    source: str,
    old: Sequence[str] = (),
    **more: str,
) -> Json:
    """Propose that something be noted of somebody, and return it.

    `old` is what it takes the place of, `more` are other fields of it.

    Its source is at most as good as the turn's word on them, whatever the model calls it.
    Raises `ToolError` where enough was noted of them, on one's word, within the hour.
    """
    (authors, word, teller), at = word_on(turn, about, content, old), turn.clock.now()
    source = min(source, word, key=WEAKEST_FIRST.index)
    lately = [
        item
        for item in turn.state("profile", about.id)["observations"]
        if item["author"] == authors and at - epoch(item["timestamp"]) < HOUR
    ]
    if len(lately) >= CLAIMS_AN_HOUR:
        raise ToolError("You noted enough about them for now; what they say is remembered anyway.")
    noted = {
        "entity_id": about.id,
        "content": content,
        "source": source,
        "at": at,
        "author": authors,
        "told_by": teller if source == "told" else "",
        "readers": turn.ceiling,
        **more,
    }
    turn.change(make_profile(turn, about))
    turn.change(Change("profile", about.id, "add_entity_observation", noted))
    return noted


@tool(
    Category.ASYNC_REQUIRED,
    kit="night",
    about={
        "content": "One fact of the world in the third person: 'The old bridge is closed.'",
        "importance": "From 1 (small talk) to 10 (a matter of life and death).",
    },
)
def store_memory(turn: ToolContext, content: str, importance: Importance = 5) -> Json:
    """Keep a fact of the world in your memory, where recall will find it."""
    return _keep(turn, content, importance)


def _keep(turn: ToolContext, words: str, importance: int = USUAL) -> Json:
    fact = clean(words, MAX_FACT)
    if refused := refusal_of_self(turn, fact):
        return refused
    authors, source, teller = word_on(turn, Entity("", ""), fact)
    turn.keep(
        MemoryRow(
            fact,
            kind="fact",
            author=authors,
            author_name=turn.me.name if authors == turn.me.id else teller,
            readers=label_of(turn, fact),
            learned_at=turn.clock.now(),
            importance=importance,
            trust=TRUST[source],
        )
    )
    return {"noted": fact}


@tool(
    kit="journal",
    about={
        "content": "What happened.",
        "tags": "Up to six words.",
        "importance": "From 1 to 10.",
        "related_projects": "Their names.",
    },
)
def add_journal_entry(
    turn: ToolContext,
    content: str,
    tags: list[str] = [],  # noqa: B006 - a default that a schema shows, never changed
    importance: Importance = 0,
    related_projects: list[str] = [],  # noqa: B006 - as above
) -> Json:
    """Write what happened into your diary: what is worth telling again."""
    projects = _projects(turn, related_projects[:MAX_TAGS])  # which may sink the ceiling
    source_type = "direct" if turn.events else "inference"
    words = clean(content, MAX_FACT)
    chosen = [clean(tag, 30).lower() for tag in tags[:MAX_TAGS]]
    entry = {
        "content": words,
        "source_type": source_type,
        "source_entity": turn.events[0].source.id if turn.events else "",
        "at": turn.clock.now(),
        "readers": turn.ceiling,
        "tags": [tag for tag in chosen if tag],
        "related_projects": projects,
        "importance": importance,
        "author": joint_author(event.source.id for event in turn.events),
    }
    turn.change(Change("journal", "", "add_journal_entry", entry))
    scored = importance or score_importance_heuristic(words, source_type, chosen)
    return {"written": words, "importance": scored}


def _projects(turn: ToolContext, names: Sequence[str]) -> list[str]:
    """Return the keys of projects; raises `ToolError` where one is not the turn's to speak of."""
    projects = turn.state("projects")
    found = {name: find_slot(projects, slug(name)) for name in names}
    for name, slot in found.items():
        if slot is None or not turn.admit(slot["readers"], slot["author"]):
            raise ToolError(f"You have no project '{clean(name, 40)}'.")
    return list(dict.fromkeys(map(slug, found)))
