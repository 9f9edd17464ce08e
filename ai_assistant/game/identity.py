"""Identity: the lasting ids of game objects, their marks, and their names as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any
from uuid import uuid4

from django.core.exceptions import ObjectDoesNotExist
from django.db import InterfaceError, OperationalError
from evennia.accounts.models import AccountDB
from evennia.comms.models import ChannelDB
from evennia.objects.models import ObjectDB
from evennia.objects.objects import DefaultCharacter
from evennia.typeclasses.attributes import Attribute

from ai_assistant.core.contracts import Entity
from ai_assistant.core.errors import ToolError
from ai_assistant.core.text import HEARD_LIMIT, clean_name
from ai_assistant.language import keeps_texts

ID_KEY = "ai_entity_id"
CATEGORY = "ai_assistant"
ASSISTANT_TAG = "assistant"
SCRIPT_KEY = "ai_assistant"
CARD_ATTRIBUTE = "ai_card"
"""The Attribute that names the card of a character spawned from a prototype."""

_MODELS = {"e": ObjectDB, "a": AccountDB, "c": ChannelDB}
_PREFIXES = {model: prefix for prefix, model in _MODELS.items()}
_SHAPE = re.compile(r"[eac][0-9a-f]{32}")
_PLAYED = ("creator_id", "prelogout_location")
"""Evennia leaves these on a character that an account created or stopped playing."""
_MARKUP = re.compile(
    r"\x1b\[[0-9;]{0,16}m"
    r"|\|(?:\[?[0-5]{3}|\[?=[a-z]|\[?#[0-9a-fA-F]{6}|[\[!]?[rgybmcwxRGYBMCWX]|[nuUiIsShH*^/>_\-])"
)
_BLANKS = frozenset("/>_-")

_pks: dict[str, int] = {}
_unsaved: dict[tuple[type, str], str] = {}
"""Ids that the database refused, by the class and owner of each."""
_KNOWN = "_ai_entity_id"
"""Under this name an object in memory keeps its id, with its own row and the one of the id."""
_UNKNOWN = (0, None, "")


def entity_id(obj: Any) -> str:
    """Return the lasting id of an object (``e…``), account (``a…``) or channel (``c…``).

    The first call for an object stores the id on it, so make that call outside a transaction. An
    id belongs to one row of the database: a copy that brought its original's id along gets a new
    one. Raises ValueError for an object that was deleted.
    """
    found = known_id(obj)
    if found and found not in _unsaved.values():
        return found
    if obj.pk is None:
        raise ValueError("A deleted object has no id.")
    found = found or _PREFIXES[obj.__dbclass__] + uuid4().hex
    owner = (obj.__dbclass__, _owner(obj))
    _unsaved[owner] = found  # where the database takes nothing, it is known here until it does
    with suppress(OperationalError, InterfaceError):
        obj.attributes.add(ID_KEY, f"{found}@{owner[1]}", category=CATEGORY, strattr=True)
        del _unsaved[owner]
    _pks[found] = obj.pk
    return found


def known_id(obj: Any) -> str:
    """Return the lasting id of an object, or nothing if it has none yet; none is made."""
    # Every hearer of every line comes by here. What was found counts while both rows are there.
    pk, stored, known = obj.__dict__.get(_KNOWN, _UNKNOWN)
    if stored is not None and pk == obj.id and stored.id is not None:
        return str(known)
    found = obj.attributes.backend.get(ID_KEY, CATEGORY)
    known, _, owner = ((found[0].db_strvalue or "") if found else "").partition("@")
    if not known or owner != _owner(obj):
        return _unsaved.get((obj.__dbclass__, _owner(obj)), "") if _unsaved else ""
    obj.__dict__[_KNOWN], _pks[known] = (obj.id, found[0], known), obj.id
    return str(known)


def find(lasting_id: str) -> Any | None:
    """Return the game object with this id; None if it is unknown, deleted or replaced."""
    pk = _pks.get(lasting_id)
    if pk is not None:
        obj = _MODELS[lasting_id[0]].get_cached_instance(pk)
        if obj is not None and known_id(obj) == lasting_id:
            return obj
    elif not _SHAPE.fullmatch(lasting_id):
        return None
    return _found(lasting_id)


def _found(lasting_id: str) -> Any | None:
    model, known = _MODELS[lasting_id[0]], _pks.get(lasting_id)
    for pk in [known] if known else _search(lasting_id):
        try:
            obj = model.objects.get(pk=pk)
        except ObjectDoesNotExist:
            continue
        if obj.pk and known_id(obj) == lasting_id:
            return obj
    _pks.pop(lasting_id, None)
    return None


def body_of(someone: Any) -> Any:
    """Return the character that an account plays, or played last; any other object as it is."""
    if someone.__dbclass__ is not AccountDB:
        return someone
    worn = [session for session in someone.sessions.all() if session.puppet]
    return max(worn, key=lambda session: session.cmd_last).puppet if worn else someone


class Body:
    """The body of one character, an Evennia object, which is found by its lasting id."""

    def __init__(self, character: Any) -> None:
        self._id = entity_id(character)

    def _body(self) -> Any:
        """Return the object; raises `ToolError` if it is gone."""
        body = find(self._id)
        if body is None:
            raise ToolError("You are not in the world any more.")
        return body


def account_of(someone: Any) -> Any:
    """Return the account that plays a character; any other object as it is."""
    return getattr(someone, "account", None) or someone


def may_log_in(account: Any) -> bool:
    """May somebody still come into the game with this account: is it active, and not banned?"""
    return bool(account.is_active and not account.is_banned(username=account.username))


def is_puppeted(character: Any) -> bool:
    """Does an account play this character? It acts with the account's rights then."""
    return bool(character.sessions.count() or getattr(character, "account", None))


def reference(obj: Any, looker: Any = None) -> Entity:
    """Return an object as the core knows it, named as `looker` sees it."""
    kind: Any = "object"
    if obj.__dbclass__ is AccountDB:
        kind = "account"
    elif is_assistant(obj):
        kind = "npc"
    elif getattr(obj, "account", None):
        kind = "player"
    elif isinstance(obj, DefaultCharacter):
        kind = "player" if any(map(obj.attributes.has, _PLAYED)) else "npc"
    return Entity(entity_id(obj), name_of(obj, looker), kind)


def name_of(obj: Any, looker: Any = None) -> str:
    """Return the name that a looker sees, cleaned; accounts and channels go by their key."""
    named = obj.get_display_name(looker) if obj.__dbclass__ is ObjectDB else obj.key
    return _plain_name(str(named))


@keeps_texts(4096)
def _plain_name(named: str) -> str:
    return clean_name(unstyled(named))


SOMEBODY_GONE = "somebody gone"
"""What somebody is called whose object is deleted."""


def person(lasting_id: str) -> str:
    """Return the name of whoever has this id."""
    body = find(lasting_id)
    return name_of(body) if body else SOMEBODY_GONE


def unstyled(text: Any, limit: int = HEARD_LIMIT * 4) -> str:
    """Return Evennia text without colours, blanks and links, not yet cleaned.

    It reads no more than the first `limit` characters, once, so that no text takes long.
    """
    line = str(text)[:limit]
    line = _unlinked(line) if "|l" in line else line
    return _MARKUP.sub(lambda code: " " if code[0][-1] in _BLANKS else "", line)


def has_tag(obj: Any, *tags: str) -> bool:
    """Does an object have one of these tags of ours? Tags are cached after the first question."""
    found = obj.tags.get(category=CATEGORY, return_list=True)
    return bool(found) and not {tag.strip().lower() for tag in tags}.isdisjoint(found)


def bearing_our_tag() -> Iterator[Any]:
    """Yield every object with the tag of an assistant; those at hand are not read again."""
    tagged = ObjectDB.objects.filter(db_tags__db_key=ASSISTANT_TAG, db_tags__db_category=CATEGORY)
    known = {pk: ObjectDB.get_cached_instance(pk) for pk in tagged.values_list("pk", flat=True)}
    unread = ObjectDB.objects.in_bulk([pk for pk, obj in known.items() if obj is None])
    yield from filter(None, (known | unread).values())


def is_assistant(obj: Any) -> bool:
    """Is an object a character with a mind?"""
    return getattr(type(obj), "bears_mind", False) and has_tag(obj, ASSISTANT_TAG)


def belongs(principal: str, channel: str) -> bool:
    """Is somebody, or the account behind them, subscribed to a channel and let in to listen?"""
    lane, who = (find(channel) if channel.startswith("c") else None), find(principal)
    if lane is None or who is None:
        return False
    selves = filter(None, (who, getattr(who, "account", None)))
    return any(lane.subscriptions.has(body) and lane.access(body, "listen") for body in selves)


def _owner(obj: Any) -> str:
    return f"{obj.pk}@{int(obj.db_date_created.timestamp())}"


def _search(lasting_id: str) -> list[int]:
    rows = Attribute.objects.filter(
        db_key=ID_KEY, db_category=CATEGORY, db_strvalue__startswith=f"{lasting_id}@"
    )
    return [int(stored.split("@")[1]) for stored in rows.values_list("db_strvalue", flat=True)]


def _unlinked(line: str) -> str:
    """Return only the visible part of `|lc command |lt text |le` and `|lu address |lt text |le`."""
    head, *parts = line.split("|l")
    kept = [head]
    for part, after in pairwise([*parts, ""]):
        if part[:1] in ("t", "e"):
            kept.append(part[1:])
        elif not (part[:1] in ("c", "u") and after[:1] == "t"):
            kept.append("|l" + part)
    return "".join(kept)
