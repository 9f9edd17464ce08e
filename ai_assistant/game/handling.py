"""Handling: things are picked up, put down and handed over as the game's own commands do it.

Each raises `ToolError` with the game's own reason where there is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ai_assistant import conf
from ai_assistant.core.errors import ToolError
from ai_assistant.core.text import clean
from ai_assistant.game.identity import CATEGORY, marked, name_of, plain, reference
from ai_assistant.game.perception import GIFT_TAG

TAKEN_TAG = "taken_by_itself"
"""On what a character picked up, and may therefore hand over or put down again."""


def sees(me: Any, target: Any) -> bool:
    """Is that carried by the character or in the same place, and not hidden from it?"""
    holder = target.location
    return holder in (me, me.location) and bool(holder and holder.filter_visible([target], me))


def is_givable(item: Any) -> bool:
    """May a character part with it?"""
    return any(marked(item, tag) for tag in (conf.settings.GIVABLE_TAG, GIFT_TAG, TAKEN_TAG))


def is_takable(item: Any, me: Any) -> bool:
    """May it be picked up, as far as its lock says?"""
    return reference(item).kind == "object" and bool(item.access(me, "get"))


def take(me: Any, item: Any) -> str:
    """Pick up what lies here; returns what happened."""
    if item is None or not sees(me, item):
        raise ToolError("That is not here.")
    name = name_of(item, me)
    if item.location == me:
        raise ToolError(f"You carry {name} already.")
    if item.destination or not is_takable(item, me):
        raise ToolError(_plain(item.db.get_err_msg) or f"You cannot pick up {name}.")
    with told(me) as reasons:
        moved = item.at_pre_get(me) and item.move_to(me, quiet=True, move_type="get")
    if not moved:
        raise ToolError(first(reasons) or f"You cannot pick up {name}.")
    item.tags.add(TAKEN_TAG, category=CATEGORY)
    item.at_get(me)
    _show(me, item, "$You() $conj(pick) up")
    return f"You took {name}."


def put_down(me: Any, item: Any) -> str:
    """Put down what is carried; returns what happened."""
    name = _own(me, item)
    if me.location is None:
        raise ToolError("There is nowhere to put it.")
    with told(me) as reasons:
        moved = item.at_pre_drop(me) and item.move_to(me.location, quiet=True, move_type="drop")
    if not moved:
        raise ToolError(first(reasons) or f"You cannot put down {name}.")
    _let_go(item)
    item.at_drop(me)
    _show(me, item, "$You() $conj(drop)")
    return f"You put down {name}."


def give(me: Any, item: Any, receiver: Any) -> str:
    """Hand over what is carried to somebody here; returns what happened."""
    name = _own(me, item)
    if receiver is None or receiver == me or not sees(me, receiver):
        who = name_of(receiver, me) if receiver not in (None, me) else "Whoever should get it"
        raise ToolError(f"{who} is not here.")
    if reference(receiver).kind == "object":
        raise ToolError("Only persons can be given something.")
    with told(me) as reasons:
        allowed = item.at_pre_give(me, receiver)
        moved = allowed and item.move_to(receiver, quiet=True, move_type="give")
    if not moved:
        raise ToolError(first(reasons) or f"You cannot give away {name}.")
    _let_go(item)
    item.at_give(me, receiver)
    receiver.msg(f"{name_of(me, receiver)} gives you {name_of(item, receiver)}.")
    return f"You gave {name} to {name_of(receiver, me)}."


@contextmanager
def told(me: Any) -> Iterator[list[str]]:
    """Collect what the game tells a character meanwhile: that is why an act failed."""
    me.ndb.told = lines = []
    try:
        yield lines
    finally:
        me.ndb.told = None


def first(reasons: list[str]) -> str:
    """Return the first of these lines as plain text; empty where there is none."""
    return next(filter(None, map(_plain, reasons)), "")


def _plain(text: Any) -> str:
    return clean(plain(text or ""))


def _own(me: Any, item: Any) -> str:
    """Return the name of something that it carries and may part with."""
    if item is None or item.location != me:
        raise ToolError("You do not carry that.")
    if not is_givable(item):
        raise ToolError("That is not yours to give away.")
    return name_of(item, me)


def _let_go(item: Any) -> None:
    for tag in (GIFT_TAG, TAKEN_TAG):
        item.tags.remove(tag, category=CATEGORY)


def _show(me: Any, item: Any, words: str) -> None:
    if me.location is not None:
        name = item.get_numbered_name(1, me, return_string=True)
        me.location.msg_contents(f"{words} {name}.", from_obj=me)
