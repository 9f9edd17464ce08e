"""Who may read what: the label every stored thing carries, and the four questions asked of it.

A label is one canonical string: ``"*"`` is open, ``""`` is nobody but the character itself, and
anything else is a sorted, comma-separated set of principals. A principal is an entity (``e…``), an
account without a puppet (``a…``) or a channel (``c…``). The character itself is always implied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

OPEN = "*"
NOBODY = ""

Audience = frozenset[str]
Belongs = Callable[[str, str], bool]
"""``belongs(principal, channel)``: is the principal subscribed there, and let in to listen?"""


def alone(principal: str, group: str) -> bool:
    """The `Belongs` of a world without channels: nobody belongs to anything."""
    return False


def canonical(principals: Iterable[str]) -> str:
    """Return the one label for a set of principals; any ``"*"`` among them makes it open."""
    names = set(principals)
    return OPEN if OPEN in names else ",".join(sorted(names))


def members(readers: str) -> Audience:
    """Return the principals of a label as a set (empty for nobody, ``{"*"}`` for open)."""
    return frozenset(readers.split(",")) if readers else frozenset()


def is_on_channel(readers: str) -> bool:
    """Is it for whoever listens to a channel?"""
    return any(name.startswith("c") for name in members(readers))


def may_read(principal: str, readers: str, belongs: Belongs = alone) -> bool:
    """Is this principal among the readers, in person or through a channel?"""
    if readers == OPEN:
        return True
    names = members(readers)
    return principal in names or any(
        name.startswith("c") and belongs(principal, name) for name in names
    )


def usable(readers: str, audience: Audience, belongs: Belongs = alone) -> bool:
    """May this be used where `audience` will hear of it? An empty audience hears open things only.

    Nobody listening now is not the same as nobody ever: an act without hearers must not carry
    what only some may know, so an empty audience is treated as the public.
    """
    if readers == OPEN:
        return True
    return bool(audience) and all(may_read(listener, readers, belongs) for listener in audience)


def meet(one: str, other: str, belongs: Belongs = alone, among: Audience = frozenset()) -> str:
    """Return the label of those who may read both: never wider than either.

    The principals of both labels are asked, then those in `among` who would be left out: neither
    of two channels belongs to the other, yet somebody may listen to both.
    """
    if one == other or OPEN in (one, other):
        return other if one == OPEN else one

    def both(principals: Audience) -> Audience:
        readable = (p for p in principals if may_read(p, one, belongs))
        return frozenset(p for p in readable if may_read(p, other, belongs))

    found = both(members(one) | members(other))
    left_out = (p for p in both(among) if not may_read(p, canonical(found), belongs))
    return canonical(found.union(left_out))
