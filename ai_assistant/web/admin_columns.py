"""Columns of the admin's lists, and lines of its pages: who, when and what, in words and no ids."""

import re
from datetime import UTC, datetime

from django.contrib import admin
from django.db.models.functions import Coalesce
from evennia.typeclasses.attributes import Attribute

from ai_assistant.core.readers import OPEN, members
from ai_assistant.game.identity import CATEGORY, ID_KEY, SOMEBODY_GONE
from ai_assistant.language.words import clipped
from ai_assistant.models import Scene
from ai_assistant.storage.block_rows import BLOCKS, SHARED
from ai_assistant.storage.ledgers import names_of_gone

WORDED = (
    *("by", "context_type", "did", "job", "kind", "label", "limit", "part"),
    *("price", "size", "type", "without", "writer"),
)
"""Fields whose values are told in plain words, by `stored_words`."""
LONGEST = 160
"""Characters of a memory in the list; its own page shows all of it."""
SCENES = "scene:"  # prefix of the sequences that tell what became of scenes
ADDRESS = "ip:"  # prefix of what a network's address is counted under
_ID = re.compile("[eac][0-9a-f]{32}")
_LINE = re.compile(r"errand-[0-9a-f]{12}|[0-9a-f]{32}(\.said\.\d+)?")


class Names(dict):
    """The names of all that have a lasting id; of one that is not known, words and never the id."""

    def get(self, key, default=None):
        """Return the name of who has an id, as for any."""
        return self[key]

    def __missing__(self, key):
        """Return words for whose name is not kept."""
        if key.startswith(BLOCKS):
            return f"blocks of {self[key.removeprefix(BLOCKS)]}"
        if key.startswith((SCENES, ADDRESS)):
            return "a scene that is gone" if key.startswith(SCENES) else "an address"
        if _ID.fullmatch(key):
            return SOMEBODY_GONE
        return "a line" if _LINE.fullmatch(key) else _ID.sub(lambda id: self[id[0]], key)


def time_column(field):
    """Return a column that shows a time kept in seconds as date and hour; sortable."""

    @admin.display(description=field.replace("_", " "), ordering=field)
    def column(row):
        at = getattr(row, field)
        return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC" if at else ""

    return column


def who(field):
    """Return a column that shows by name whose lasting id a field holds, or else what it holds.

    What nobody owns is everybody's; what is about nobody, or was done by nobody, says so.
    """
    nobody = "everybody" if field == "owner" else "nobody"

    @admin.display(description=field, ordering=field)
    def column(row):
        key, _, more = getattr(row, field).partition("+")
        name = row.names[key] if key else nobody
        return f"{name}: {row.names[more]}" if more else name

    return column


@admin.display(description="readers", ordering="readers")
def readers(row):
    """Show who may know of something."""
    if row.readers == OPEN:
        return "everybody"
    return ", ".join(row.names[id] for id in members(row.readers)) or "nobody else"


@admin.display(description="content")
def content(row):
    """Show the beginning of a text."""
    return clipped(row.content, LONGEST)


@admin.display(description="of")
def evidence(row):
    """Show what a memory rests on: another one by its number, or a line of the game."""
    return row.ref if row.ref.startswith("#") else "a line"


@admin.display(description="bytes")
def packed_bytes(row):
    """Show how long a text is as it is kept."""
    return len(row.packed)


@admin.display(description="scene")
def scene(row):
    """Show by its title in which scene something was."""
    return row.names[f"{SCENES}{row.session}"]


def worded(field):
    """Return a column that shows in plain words what one of the fields `WORDED` holds."""

    @admin.display(description=field.replace("_", " "), ordering=field)
    def column(row):
        return _words_of_tables().TOLD[field](getattr(row, field))

    return column


def spelled(field):
    """Return what shows a field with ids by names, one of JSON as an outline."""

    @admin.display(description=field.replace("_", " "))
    def column(row):
        value = getattr(row, field)
        if isinstance(value, str):
            return row.names[value] if value else ""
        return _words_of_tables().outline(value, row.names)

    return column


def told_in_words(field, stored):
    """Return in plain words what a field holds, as it is where there are none for that."""
    return _words_of_tables().TOLD.get(field, str)(stored)


def _words_of_tables():
    """Return where the words stand: when Django finds the admin, Evennia is not there yet."""
    from ai_assistant.web import stored_words

    return stored_words


def names_and_numbers():
    """Return the names and the numbers of all that have a lasting id, or had one."""
    found = bearers()
    names = {key: name for _, key, name in found}
    scenes = Scene.objects.values_list("session", "title")
    told = {f"{SCENES}{session}": title or "a scene without a title" for session, title in scenes}
    gone = {key: name for key, name in names_of_gone(names).items() if name}
    fixed = {"": "everybody", SHARED: "several", SCENES: "the game"}
    return Names(gone | names | told | fixed), {key: pk for pk, key, _ in found}


def bearers(**narrowed):
    """Return (number, lasting id, name) of all that have one, as far as they fit."""
    found = Attribute.objects.filter(db_key=ID_KEY, db_category=CATEGORY, **narrowed)
    name = Coalesce("objectdb__db_key", "accountdb__username", "channeldb__db_key")
    stored = found.values_list("objectdb__pk", "db_strvalue", name)
    return [(pk, bearer.partition("@")[0], key) for pk, bearer, key in stored]
