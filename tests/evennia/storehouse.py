"""What the tests of storage share: parts of each kind, characters to store them on, events."""

import pytest
from django.db import connection
from evennia.objects.models import ObjectDB
from evennia.objects.objects import DefaultObject
from evennia.scripts.models import ScriptDB
from evennia.scripts.scripts import DefaultScript
from evennia.typeclasses.attributes import Attribute
from evennia.utils import create

from ai_assistant.api.handlers import save
from ai_assistant.core.contracts import Change, Commit, Entity, Event, MemoryRow
from ai_assistant.memory.parts import Part
from ai_assistant.memory.talk.stream import entry_of
from ai_assistant.storage import AttributeStore

SHELF_SPACE = 3
sqlite_only = pytest.mark.skipif(connection.vendor != "sqlite", reason="another database")
"""Marks what tells of SQLite alone, when the tests run on PostgreSQL too."""


def put(state, *, text):
    """Append a text; the oldest beyond three spill over."""
    state["texts"].append(text)
    spilled, state["texts"] = state["texts"][:-SHELF_SPACE], state["texts"][-SHELF_SPACE:]
    return [MemoryRow(content=old, kind="spilled") for old in spilled]


def note(state, *, fact):
    """Keep a fact as it is given."""
    state["facts"].append(fact)


def count(state, *, by):
    """Count on."""
    state["count"] += by


SHELF = Part("shelf", "shelf", {"texts": [], "label": "a shelf"}, {"put": put})
BOX = Part("box", "boxes", {"facts": []}, {"note": note}, keyed=True)
TALLY = Part("tally", "tally", {"count": 0}, {"count": count}, where="script")
PARTS = {part.name: part for part in (SHELF, BOX, TALLY)}


def build_store(assistant_id="e1"):
    """Return a store on a character and a script of its own."""
    character = create.create_object(DefaultObject, key=f"character {assistant_id}", nohome=True)
    script = create.create_script(
        DefaultScript, key=f"script {assistant_id}", obj=character, autostart=False
    )
    return AttributeStore(character, script, assistant_id, PARTS), character, script


def forget_caches():
    """Empty Evennia's caches, as when the server starts: what is read next comes from disk."""
    for model in (ObjectDB, ScriptDB, Attribute):
        model.flush_instance_cache(force=True)


def a_commit(*changes, **more):
    """Return a commit of changes given as (part, key, op, args)."""
    return Commit(at=1000.0, turn_id="t1", changes=[Change(*change) for change in changes], **more)


def a_put(text):
    """Return the change that puts a text on the shelf."""
    return ("shelf", "", "put", {"text": text})


def a_note(key, fact):
    """Return the change that notes a fact in the box of that key."""
    return ("box", key, "note", {"fact": fact})


def an_event(event_id, **more):
    """Return an event: Alice says something."""
    told = {
        "timestamp": 900.0,
        "event_type": "external",
        "source": Entity("e7", "Alice", "player"),
        "source_type": "say",
        "content": "Hello!",
    }
    return Event(id=event_id, **(told | more))


def long_talk(character, lines, *, at_once=3):
    """Let a character have perceived so many lines, some with each commit, two a second."""
    heard = [
        entry_of(an_event(f"line-{n}", timestamp=9000.0 + n // 2, content=f"Line {n} of it."))
        for n in range(lines)
    ]
    for first in range(0, lines, at_once):
        added = heard[first : first + at_once]
        step = Change("stream", "", "append", {"added": added})
        save(character, Commit(at=9000.0 + (first + at_once) // 2, changes=[step]))
