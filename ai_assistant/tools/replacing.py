"""What a note made by day replaces, by the same order of sources as at night."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.core.contracts import Change, Entity, Json
from ai_assistant.core.quotes import is_same, stands_in
from ai_assistant.core.readers import NOBODY, meet
from ai_assistant.memory import labelled
from ai_assistant.memory.evidence import PAST, past_of
from ai_assistant.memory.people.profiles import SECRET, observation_as_row
from ai_assistant.memory.people.traits import STRENGTH, as_trait, basis_of
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.tools.tool_reach import ToolContext

OF_STAFF = frozenset({"staff", "game", "card"})
"""Sources of traits that no note of a turn replaces."""


def give_way(turn: ToolContext, about: Entity, words: str, new: Json) -> Json:
    """Let what is held in these words give way to a new note, or say why it stays.

    It is held under the same label, and from no better source than the new, in all its copies; what
    staff wrote stays.
    As at night the new becomes a trait, with the old as its past, and each row that showed the old
    is marked with the one that shows the new.
    """
    profile = turn.state("profile", about.id)
    readers = new["readers"]
    near = [
        (text, item)
        for text, item in _near(profile, words)
        if item.get("readers") == readers and text != new["content"]
    ]
    if not near and _is_known_to_others(profile, words, readers):
        told = "nothing: others were told that too, so it stays, and the new stands beside it"
        return {"replaced": told}
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


def words_held(turn: ToolContext, about: Entity, words: str) -> list[tuple[str, str]]:
    """Return what is held of somebody in these words, each with its label."""
    near = _near(turn.state("profile", about.id), words)
    return [(text, item.get("readers", NOBODY)) for text, item in near]


def _near(profile: Json, words: str) -> list[tuple[str, Json]]:
    """Return what a note may replace that is in these words: under each label what says just
    that, else what says more or less."""
    held = [
        (text, item)
        for text, item in _items(profile)
        if item.get("source") not in OF_STAFF
        and not any(id < 0 for id in item.get("evidence", ()))  # of this very turn
        and item.get("kind") != SECRET
        and (stands_in(text, words) or stands_in(words, text))
    ]
    exact = {item.get("readers") for text, item in held if is_same(text, words)}
    return [
        (text, item)
        for text, item in held
        if is_same(text, words) or item.get("readers") not in exact
    ]


def _items(profile: Json) -> list[tuple[str, Json]]:
    items = [(item["content"], item) for item in profile["observations"]]
    return items + [(item["value"], item) for item in profile["attributes"]]


def _is_known_to_others(profile: Json, words: str, readers: str) -> bool:
    """Is it held under a wider label, which a narrower one never retires?"""
    return any(
        item.get("readers", NOBODY) != readers
        and meet(readers, item.get("readers", NOBODY)) == readers
        and (stands_in(text, words) or stands_in(words, text))
        for text, item in _items(profile)
    )


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
    known = labelled.under(others, note["readers"])
    twin = next((item for item in known if is_same(item["value"], note["content"])), None)
    made, past = trait_of(note), [*map(trait_of, olds)]
    trait = made
    if twin:  # known already, maybe on a weaker word
        basis = max((basis_of(item, about.id) for item in (twin, made)), key=STRENGTH.__getitem__)
        trait = twin | ({"basis": basis} if "basis" in twin else {})
    turn.outdate([id for item in past for id in item["evidence"]], by=made["evidence"][-1])
    past = past_of(past, until=note["timestamp"], after=trait.get(PAST, ()))
    step = {
        "entity_id": about.id,
        "drop": [fingerprint(item) for item in (*olds, twin) if item and "value" in item],
        "add": [trait | {PAST: past}],
        "consumed": [fingerprint(item) for item in (note, *olds) if "content" in item],
    }
    return Change("profile", about.id, "consolidate", step)
