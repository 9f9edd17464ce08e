"""Evidence: whose words an item holds, and what a trait replaced, which may hold again."""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.core.contracts import Json

_VERBATIM = frozenset({"utterance", "deed", "announcement", "lore", "message", "gossip"})
"""Kinds of rows that keep words as they were said or written by a person."""
_FACTS = frozenset({"gift", "move"})
"""What the game told of: somebody did it, but these are nobody's words."""
_OF_MAKER = frozenset({"world_state_update", "plot"})


def speaker(item: Json, owner: str = "") -> str:
    """Return whose words an item holds; empty for the character's own, or the game's."""
    if item.get("role") == "assistant":
        return ""
    if item.get("role") == "user":
        return item.get("author") or owner
    return str(item.get("who_id") or item.get("author") or "")


def is_fact(item: Json) -> bool:
    """Did the game tell this, in nobody's words?"""
    kind = item.get("meta", {}).get("type") if "meta" in item else item.get("kind")
    return kind in _FACTS


def is_verbatim(item: Json) -> bool:
    """Are these words as they were said, and nobody's account of them?"""
    return (
        item.get("role") == "user"
        or item.get("event_type") == "external"
        or item.get("kind") in _VERBATIM
    )


def is_of_maker(row: Json) -> bool:
    """Does a row of a scene tell what its maker set, and neither another player nor the story?"""
    is_set = row.get("kind") in _OF_MAKER and not row.get("author")
    return is_set and row["meta"].get("state") != "day"


PAST = "was"
"""The field of a trait that holds its past."""
MAX_PAST = 5
"""Former values that a trait remembers."""
REPLACED_BY, REPLACES = "replaced_by", "replaces"
"""The marks by which a search puts what is outdated after what is newer; see `sleep.standing`."""
_OF_PAST = ("type", "value", "source", "created", "evidence", "author", "basis", "quote")
"""What of a trait its past keeps, so that it can hold again."""


def past_of(traits: Sequence[Json], *, until: str, after: Sequence[Json] = ()) -> list[Json]:
    """Return the past of a trait that takes the place of these at that time, `after` its own."""
    before = [*after, *(earlier for trait in traits for earlier in trait.get("was", ()))]
    kept = [{name: former[name] for name in _OF_PAST if name in former} for former in traits]
    return [*before, *({**former, "until": until} for former in kept)][-MAX_PAST:]


def heirs(trait: Json) -> list[Json]:
    """Return what a trait replaced last, as it held before: what it comes to if the trait goes."""
    past = [former for former in trait.get("was", ()) if "evidence" in former]
    last = [former for former in past if former["until"] == past[-1]["until"]]
    back = [{**former, "readers": trait["readers"], "was": []} for former in last]
    for former in back:
        del former["until"]
    if back:
        back[0]["was"] = [former for former in past if former not in last]
    return back
