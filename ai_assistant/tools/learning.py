"""Tools that keep what was learned: observations of people, facts, and journal entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from ai_assistant.core.contracts import Category, Change, Entity, Json, MemoryRow
from ai_assistant.core.errors import ToolError
from ai_assistant.core.quotes import is_same, stands_in
from ai_assistant.core.text import clean
from ai_assistant.memory import labelled
from ai_assistant.memory.evidence import PAST, past_of
from ai_assistant.memory.inner.journal import score_importance_heuristic
from ai_assistant.memory.labelled import joint_author
from ai_assistant.memory.parts import epoch
from ai_assistant.memory.people.feelings import TREATED
from ai_assistant.memory.people.profiles import SECRET, TRUST, observation_as_row
from ai_assistant.memory.people.traits import STRENGTH, as_trait, basis_of
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.planning.projects import find_slot, slug
from ai_assistant.tools.keeping_notes import refusal
from ai_assistant.tools.marking import make_profile, move_feelings
from ai_assistant.tools.registry import PLAIN, ToolContext, tool
from ai_assistant.tools.schema import Between, Handle

Importance = Annotated[int, Between(1, 10)]
MAX_OBSERVATION = 280
MAX_FACT = 400
MAX_TAGS = 6
USUAL = 5
"""How important a fact is of which nothing is said."""
CLAIMS_AN_HOUR = 20
"""Observations of one person, an hour, on one speaker's word: no speaker invents a whole past."""
HOUR = 3600.0
OF_STAFF = frozenset({"staff", "game", "card"})
"""Sources of traits that no note of a turn replaces."""
SHOWN = frozenset({"gift", "move", "system"})
"""Kinds of events that the game tells of, in nobody's words."""
WEAKEST_FIRST = ("inferred", "told", "direct")
"""The sources of a note."""


@tool(
    kit=PLAIN,
    rule="What you learn about one person, and what changed, note under their name.",
    about={
        "about": "",
        "fact": "One sentence: 'Alice has a cat.'",
        "feeling": "If it moved you: from -2 (they hurt you) to 2 (they did you good).",
        "replaces": "Words of what you knew and is so no more.",
    },
)
def note(
    turn: ToolContext,
    about: Annotated[str, Handle("any")],
    fact: str,
    feeling: Annotated[int, Between(-2, 2)] = 0,
    replaces: str = "",
) -> Json:
    """Note something about a person or thing, here or not, to know it tomorrow."""
    who = turn.thing(about, "any").entity
    moved = feeling and who.kind in ("player", "npc")
    felt = move_feelings(turn, who, TREATED[feeling], fact) if moved else {}
    return _note(turn, who, fact, "direct", replaces) | felt


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
    if refused := refusal(turn, content, about.name):
        return refused
    noted = observe(turn, about, content, source)
    found = {"noted": content, "about": about.name, "source": noted["source"]}
    return found | (_replace(turn, about, replaces, noted) if replaces else {})


def _replace(turn: ToolContext, about: Entity, words: str, new: Json) -> Json:
    """Let what is held in these words give way to a new note, or say why it stays.

    It is held under the same label, and from no better source than the new, in all its copies; what
    staff wrote stays.
    As at night the new becomes a trait, with the old as its past, and each row that showed the old
    is marked with the one that shows the new.
    """
    profile = turn.state("profile", about.id)
    held = [
        (text, item)
        for field, name in (("observations", "content"), ("attributes", "value"))
        for item in profile[field]
        if (item.get("readers"), item.get("source") in OF_STAFF) == (turn.ceiling, False)
        and not any(id < 0 for id in item.get("evidence", ()))  # of this very turn
        and item.get("kind") != SECRET
        and (text := item[name]) != new["content"]
    ]
    same = [(text, item) for text, item in held if is_same(text, words)]
    parts = [pair for pair in held if stands_in(pair[0], words) or stands_in(words, pair[0])]
    near = same or parts
    if not near or not all(is_same(text, near[0][0]) for text, _ in near):
        return {"replaced": "nothing: no one thing that you hold here has these words"}
    olds = [item for _, item in near]
    strength = STRENGTH[basis_of(new, about.id)]
    if any(STRENGTH[basis_of(old, about.id)] > strength for old in olds):
        told = "nothing: you have that from a better source, so the new is doubtful beside it"
        return {"replaced": told}
    note = _kept(profile, new)
    if note is None:
        return {"replaced": "nothing: you hold the new already, in confidence"}
    turn.change(_replacing(turn, about, profile, olds, note))
    return {"replaced": [*dict.fromkeys(text for text, _ in near)]}


def _kept(profile: Json, new: Json) -> Json | None:
    """Return the note that is held for a new one; None where only a secret has these words."""
    same = {name: new[name] for name in ("content", "author", "readers")}
    notes = (item for item in profile["observations"] if item.get("kind") != SECRET)
    return next((item for item in notes if same.items() <= item.items()), None)


def _replacing(
    turn: ToolContext, about: Entity, profile: Json, olds: Sequence[Json], note: Json
) -> Change:
    """Return the change by which a new note replaces what is held; rows and marks are proposed."""

    def trait_of(item: Json) -> Json:
        if "value" in item:
            return item
        row = turn.keep(observation_as_row(about.id, about.name, item))
        return as_trait(item, about.id, [row])

    others = [item for item in profile["attributes"] if item not in olds]
    known = labelled.under(others, turn.ceiling)
    twin = next((item for item in known if is_same(item["value"], note["content"])), None)
    made, past = trait_of(note), [*map(trait_of, olds)]
    trait = made
    if twin:  # known already, maybe on a weaker word
        basis = max((basis_of(item, about.id) for item in (twin, made)), key=STRENGTH.__getitem__)
        trait = twin | ({"basis": basis} if "basis" in twin else {})
    turn.aid.outdate([id for item in past for id in item["evidence"]], by=made["evidence"][-1])
    past = past_of(past, until=note["timestamp"], after=trait.get(PAST, ()))
    step = {
        "entity_id": about.id,
        "drop": [fingerprint(item) for item in (*olds, twin) if item and "value" in item],
        "add": [trait | {PAST: past}],
        "consumed": [fingerprint(item) for item in (note, *olds) if "content" in item],
    }
    return Change("profile", about.id, "consolidate", step)


def word_on(turn: ToolContext, about: Entity) -> tuple[str, str, str]:
    """Return whose word this turn has on somebody: authors, source and who else told it.

    The source is the weakest that fits: their own only where nobody else spoke. Where nobody did,
    it is the character's: direct of whose deed the game shows, else inferred.
    """
    speakers = [event.source for event in turn.events if event.source_type not in SHOWN]
    authors = joint_author(speaker.id for speaker in speakers)
    others = [speaker.name for speaker in speakers if speaker.id != about.id]
    if speakers:
        return authors, "told" if others else "direct", others[0] if others else ""
    is_shown = any(event.source.id == about.id for event in turn.events)
    return turn.me.id, "direct" if is_shown else "inferred", ""


def observe(turn: ToolContext, about: Entity, content: str, source: str, **more: str) -> Json:
    """Propose that something be noted of somebody, and return it; `more` are other fields of it.

    Its source is at most as good as the turn's word on them, whatever the model calls it.
    Raises `ToolError` where enough was noted of them, on one's word, within the hour.
    """
    (authors, word, teller), at = word_on(turn, about), turn.clock.now()
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
    kit=PLAIN,
    alone=True,
    rule="What happened and may matter later, remember; what was said is kept anyway.",
    about={"fact": "One sentence in the third person."},
)
def remember(turn: ToolContext, fact: str) -> Json:
    """Keep a fact in mind, to find it again later."""
    return _keep(turn, fact, USUAL)


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


def _keep(turn: ToolContext, words: str, importance: int) -> Json:
    fact = clean(words, MAX_FACT)
    if refused := refusal(turn, fact):
        return refused
    speakers = [event.source for event in turn.events]
    turn.keep(
        MemoryRow(
            fact,
            kind="fact",
            author=joint_author(speaker.id for speaker in speakers) or turn.me.id,
            author_name=", ".join(speaker.name for speaker in speakers) or turn.me.name,
            readers=turn.ceiling,
            learned_at=turn.clock.now(),
            importance=importance,
            trust=TRUST["told"] if speakers else TRUST["inferred"],
        )
    )
    return {"stored": fact, "importance": importance}


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


TOOLS = [remember, note, update_entity_observation, store_memory, add_journal_entry]
