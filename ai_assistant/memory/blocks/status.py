"""The status block: the character's state of the moment (seed MB §5). An update never fails.

What one body has to itself, where it is and what it is engaged in, stands under that body's id;
emotion, energy and health are those of the character, however many bodies it has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ai_assistant.contracts import Json
from ai_assistant.errors import BlockRefused
from ai_assistant.memory.blocks import rules
from ai_assistant.memory.parts import Part, iso
from ai_assistant.text import clean, clean_json

OF_A_BODY = ("position", "engagement")
OF_ALL = ("health", "emotion", "energy_level")
MAX_TEXT = 80
MAX_MORE = 12
"""Fields of the game's own; the oldest give way."""
MAX_BODIES = 12
EMOTIONS = tuple(
    "calm happy joyful proud grateful hopeful amused curious excited confident relieved content "
    "affectionate neutral tired bored lonely nostalgic sad grieving worried anxious afraid nervous "
    "confused surprised ashamed guilty jealous suspicious annoyed angry furious disgusted "
    "determined".split()
)
"""What a character may say that it feels. A closed list: a word of its own could tell secrets."""


def empty_status() -> Json:
    """Return the state of somebody of whom nothing is known yet."""
    return {
        "health": None,
        "emotion": "",
        "energy_level": None,
        "bodies": {},
        "more": {},
        "last_updated": "",
        "limit": rules.LIMITS[rules.STATUS],
    }


def set_status(block: Json, *, fields: Mapping[str, Any], at: float, body: str = "") -> None:
    """Set fields: the seed's, and any of the game's own. None takes a field back.

    `body` is the id of the body whose position and engagement are meant. Everything fits, as texts
    are cut and the oldest of the game's own fields give way: a status is of the moment.
    """
    for name, value in fields.items():
        value = value[:MAX_TEXT] if isinstance(value, str) else value
        if name in OF_ALL:
            block[name] = "" if value is None and name == "emotion" else value
        elif name in OF_A_BODY:
            _put(block["bodies"].setdefault(body, {}), name, value)
        else:
            _put(block["more"], name, value)
    for kept, most in ((block["bodies"], MAX_BODIES), (block["more"], MAX_MORE)):
        while len(kept) > most:
            del kept[next(iter(kept))]
    while block["more"] and rules.size(rules.value_of(block)) > block["limit"]:
        del block["more"][next(iter(block["more"]))]
    block["last_updated"] = iso(at)


def _put(fields: Json, name: str, value: Any) -> None:
    fields.pop(name, None)
    if value not in (None, ""):
        fields[name] = value


def feel(block: Json, *, emotion: str, at: float) -> None:
    """Let the character feel something of `EMOTIONS`; raises `BlockRefused` for anything else."""
    if emotion not in EMOTIONS:
        raise BlockRefused("That is none of the emotions that a character may name.")
    set_status(block, fields={"emotion": emotion}, at=at)


def checked_fields(fields: Mapping[str, Any]) -> Json:
    """Return fields as they may be stored: plain, cleaned and short."""
    return {
        clean(name, 40).lower().replace(" ", "_"): clean_json(value, MAX_TEXT)
        for name, value in fields.items()
        if clean(name, 40)
    }


def of_body(block: Json, body: str, live: Mapping[str, Any]) -> Json:
    """Return the status that one body shows, the seed's fields first.

    `live` is what the game knows of the body at this moment. It comes before what was stored, but
    for an engagement: what game code says the character is busy with holds until it is taken back.
    """
    stored = block["bodies"].get(body, {})
    merged = {name: block[name] for name in OF_ALL} | stored
    merged |= {name: value for name, value in live.items() if value not in (None, "")}
    merged |= {"engagement": stored["engagement"]} if stored.get("engagement") else {}
    order = ("location", "position", "engagement", *OF_ALL)
    found = {name: merged[name] for name in order if merged.get(name) not in (None, "")}
    others = {name: one for name, one in merged.items() if name not in order}
    more: Json = block["more"]
    return found | others | more


STATUS = Part(
    name=rules.STATUS,
    attribute=rules.STATUS,
    empty=empty_status,
    steps=rules.guarded(rules.STATUS, {"set_status": set_status, "feel": feel}),
    where="block",
)
