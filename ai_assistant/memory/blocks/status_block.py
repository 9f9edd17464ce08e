"""The status block: the character's state of the moment. An update never fails.

Where a body is and what it is engaged in is kept by body, under its id. Emotion, energy and health
belong to the character, however many bodies it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import BlockRefused
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean, clean_json
from ai_assistant.core.times import epoch, iso
from ai_assistant.language.talk_signs import denials, is_one
from ai_assistant.language.words import words
from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import rules
from ai_assistant.memory.labelled import Allow
from ai_assistant.memory.parts import Part

OF_A_BODY = ("position", "engagement")
OF_ALL = ("health", "emotion", "energy_level")
FADES_AFTER = 600.0
"""Seconds for which an emotion shows."""
MAX_TEXT = 80
MAX_VALUE = 200
"""Characters of a list or a dict, as JSON text."""
MAX_NUMBER = 1e15
MAX_MORE = 12
"""Fields of the game's own; the oldest give way."""
MAX_BODIES = 12
EMOTIONS = tuple(
    "calm happy joyful proud grateful hopeful amused curious excited confident relieved content "
    "affectionate neutral tired bored lonely nostalgic sad grieving worried anxious afraid nervous "
    "confused surprised ashamed guilty jealous suspicious annoyed angry furious disgusted "
    "determined".split()
)
"""What a gauge can show of a feeling, and what everybody sees of one that was felt in private.

Under `[feelings]` a language has its words for each."""
GAUGED_WORDS = 40
"""Words of a text that are looked at for what a gauge shows."""


def change_status(
    block: Json,
    *,
    fields: Mapping[str, Any],
    at: float,
    body: str = "",
    feelings: Sequence[Json] = (),
) -> None:
    """Set fields of the status, and any of the game's own; None removes a field.

    Position and engagement are those of `body`, `feelings` go with the emotion. It always fits: the
    oldest of the game's own fields leave first, then the bodies not updated for longest.
    """
    if fields.keys() & OF_A_BODY:
        block["bodies"][body] = block["bodies"].pop(body, {})
    for name, value in fields.items():
        value = value[:MAX_TEXT] if isinstance(value, str) else value
        if name in OF_ALL:
            block[name] = "" if value is None and name == "emotion" else value
        elif name in OF_A_BODY:
            _put(block["bodies"][body], name, value)
        else:
            _put(block["more"], name, value)
    block["last_updated"] = iso(at)
    if "emotion" in fields:
        block["felt_at"], block["feelings"] = iso(at), [*feelings]
    for kept, least, most in ((block["more"], 0, MAX_MORE), (block["bodies"], 1, MAX_BODIES)):
        while len(kept) > least and (
            len(kept) > most or rules.json_length(rules.value_of(block)) > block["limit"]
        ):
            del kept[next(iter(kept))]


def _put(fields: Json, name: str, value: Any) -> None:
    fields.pop(name, None)
    if value not in (None, ""):
        fields[name] = value


def feel(block: Json, *, emotion: str, at: float, readers: str = OPEN, author: str = "") -> None:
    """Set the emotion in the character's own words, which are for these readers.

    Everybody else sees what a gauge shows of it.
    """
    felt = labelled.item(emotion[:MAX_TEXT], at=at, readers=readers, author=author)
    change_status(block, fields={"emotion": gauge_of(emotion)}, at=at, feelings=[felt])


def gauge_of(emotion: str) -> str:
    """Return the first of `EMOTIONS` that a text names; empty for none, or in a denial.

    A word of the game's language for an emotion counts too. Only the first `GAUGED_WORDS` are read.
    """
    told = ((word, gauge) for word in words(emotion)[:GAUGED_WORDS] for gauge in EMOTIONS)
    named = (gauge for word, gauge in told if word == gauge or is_one([word], gauge))
    return "" if denials(emotion) else next(named, "")


def has_faded(block: Json, now: float) -> bool:
    """Is the emotion too old to be shown? `now` is in seconds since the epoch."""
    felt = epoch(block.get("felt_at", ""))
    return bool(felt) and now - felt > FADES_AFTER


def checked_fields(fields: Mapping[str, Any]) -> Json:
    """Return fields as they may be stored: plain, cleaned and short; raises `BlockRefused`."""
    named = ((clean(name, 40).lower().replace(" ", "_"), value) for name, value in fields.items())
    return {name: kept_value(name, value) for name, value in named if name}


def kept_value(name: str, value: Any) -> Any:
    """Return the value of one field as it may be stored; raises `BlockRefused`.

    Only the position and the game's own fields may be short lists and dicts.
    """
    if value is None or isinstance(value, bool | str):
        return clean(value, MAX_TEXT) if isinstance(value, str) else value
    if isinstance(value, int | float):
        if not abs(value) < MAX_NUMBER:  # as is no comparison with what is not a number
            raise BlockRefused(f"'{name}' is no number that can be kept.")
        return value
    if name in (*OF_ALL, "engagement") or not isinstance(value, Mapping | list | tuple):
        raise BlockRefused(f"'{name}' is a text or a number, no {type(value).__name__}.")
    try:
        kept = clean_json(value, MAX_TEXT)
        if rules.json_length(kept) <= MAX_VALUE:
            return kept
    except (RecursionError, ValueError):  # nested without end, or a number without end in it
        pass
    raise BlockRefused(f"'{name}' takes more than {MAX_VALUE} characters: give less of it.")


def of_body(block: Json, body: str, live: Mapping[str, Any], allow: Allow | None = None) -> Json:
    """Return the status of one body, the fields that every status has first.

    `live` is what the game knows of the body right now. It replaces stored values, except an
    engagement that game code set, which holds until it is removed. The emotion is in the
    character's own words if `allow` lets them pass.
    """
    stored = block["bodies"].get(body, {})
    merged = {name: block[name] for name in OF_ALL} | stored
    if allow and (own := labelled.usable_items(block["feelings"], allow)):
        merged["emotion"] = own[-1]["content"]
    merged |= {name: value for name, value in live.items() if value not in (None, "")}
    merged |= {"engagement": stored["engagement"]} if stored.get("engagement") else {}
    order = ("location", "position", "engagement", *OF_ALL)
    found = {name: merged[name] for name in order if merged.get(name) not in (None, "")}
    others = {name: field for name, field in merged.items() if name not in order}
    more: Json = block["more"]
    return found | others | more


STATUS = Part(
    name=rules.STATUS,
    attribute=rules.STATUS,
    shape={
        "health": None,
        "emotion": "",
        "energy_level": None,
        "bodies": {},
        "more": {},
        "felt_at": "",
        "feelings": [],
        "last_updated": "",
        "limit": rules.LIMITS[rules.STATUS],
    },
    steps=rules.signed_steps(rules.STATUS, {"set_status": change_status, "feel": feel}),
    where="block",
)
