"""The older three blocks become the six; what is in doubt goes where fewer people read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.text import clean
from ai_assistant.memory.blocks.items import MAX_CONTENT
from ai_assistant.memory.blocks.old_blocks import GROUPS, SHARED, OldBlocks, texts_of
from ai_assistant.memory.people.feelings import TYPICAL

_TRUST, _STATUS = "trust_score", "relationship_status"
_PLAIN = ("secrets", "notes", "interactions", "history", "facts", "preferences", "description")
_WORDS_OF_STATES = {
    "stranger": "hostile enemy wary unknown",
    "acquaintance": "neutral known polite",
    "friend": "friendly close",
    "ally": "trusted allied loyal",
}
_STATES = {word: state for state, words in _WORDS_OF_STATES.items() for word in words.split()}
Find = Callable[[str], str]
"""``find(name)``: the lasting id of the one character of that name; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Private:
    """What goes into the private block about one person."""

    entity_id: str
    """The person's lasting id."""
    name: str
    """The name that the older block had for them."""
    notes: tuple[str, ...] = ()
    """What stood about them, a text for each thing."""
    favorability: float | None = None
    """How dear they are, 0.0 to 1.0; None where nothing says it."""


@dataclass(slots=True)
class Split:
    """What goes into each of the new blocks, and what found no place."""

    persona: Json = field(default_factory=dict)
    """The fields of the persona."""
    private: list[Private] = field(default_factory=list)
    """What stands about each person who is known."""
    facts: list[str] = field(default_factory=list)
    """Facts that may be shared with anybody."""
    groups: list[Json] = field(default_factory=list)
    """Talks of several: ``participants``, by name, and ``topic``."""
    places: list[Json] = field(default_factory=list)
    """Places for everybody's map."""
    left_out: list[str] = field(default_factory=list)
    """What found no place, and why."""


def split(old: OldBlocks, find: Find) -> Split:
    """Return where everything in the older blocks goes.

    In `human`, what is marked as public or as a group talk becomes shared social, all else private.
    People whom `find` does not know are left out, with the reason.
    """
    done = Split(persona=dict(old.persona), places=[*old.places])
    done.left_out += [f"not understood: {reason}" for reason in old.strange]
    _share(done, old.shared)
    for name, fields in old.people.items():
        known = find(name)
        if not known:
            done.left_out.append(f"nobody here is named {clean(name, 60)}: their block")
            continue
        _share(done, fields)
        notes = tuple(dict.fromkeys(_notes(fields)))
        done.private.append(Private(known, clean(name, 60), notes, _favorability(fields)))
    return done


def _share(done: Split, fields: Mapping[str, Any]) -> None:
    for name in SHARED:
        for text in texts_of(fields.get(name)):
            done.facts.append(clean(text, MAX_CONTENT))
    for group in fields.get(GROUPS) or ():
        if isinstance(group, Mapping):
            names = [clean(who, 60) for who in texts_of(group.get("participants"))]
            topic = clean(group.get("topic") or "", MAX_CONTENT)
            if names or topic:
                done.groups.append({"participants": names, "topic": topic})


def _notes(fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield each thing noted about somebody, with the name of its field if that adds anything."""
    for name, value in fields.items():
        if name in (*SHARED, GROUPS, _TRUST, _STATUS, "name"):
            continue
        begins = "" if name in _PLAIN else f"{name.replace('_', ' ').capitalize()}: "
        for text in texts_of(value):
            if words := clean(f"{begins}{text}", MAX_CONTENT):
                yield words


def _favorability(fields: Mapping[str, Any]) -> float | None:
    trust = next(texts_of(fields.get(_TRUST)), "")
    try:
        return max(0.0, min(1.0, float(trust) / 100))
    except ValueError:
        word = next(texts_of(fields.get(_STATUS)), "").strip().lower()
        return TYPICAL.get(_STATES.get(word, word))
