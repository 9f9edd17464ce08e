"""Sleep as state: awake, or asleep in one of two phases, and how far a night has come.

awake → compacting → dreaming → awake. Nobody can wake the character while it is compacting: whoever
calls it then is answered as soon as that phase is over.
"""

from __future__ import annotations

from ai_assistant.core.contracts import Json
from ai_assistant.core.times import iso
from ai_assistant.memory.parts import Part

AWAKE, ASLEEP = "awake", "sleep"
COMPACTING, DREAMING = "compacting", "dreaming"
MOST_NIGHTS = 14
"""Nights that can still be told of, and taken back."""
MOST_SKIPPED = 100
MOST_CREDIT = 100
"""Lines read that no later question was asked for: so many of them may be saved."""
MOST_AGAIN = 100
"""Lines under one label that wait to be read once more."""


def _fresh() -> Json:
    """Return the fields that begin anew with each night."""
    return {"called_by": "", "stage": 0, "skipped": [], "pieces": 0, "calls": 0, "spare": 0.0}


def fall_asleep(sleep: Json, *, night: str, why: str, at: float, until: float = 0.0) -> None:
    """Begin a night with the id `night`, unless the character is asleep.

    Earlier nights without news are forgotten, so that being woken often costs no night its undo.
    `why` is schedule, tool or command. `until` is when the schedule wakes it, in seconds since the
    epoch; 0 means once the night's work is done.
    """
    if sleep["mode"] == ASLEEP:
        return
    sleep |= _fresh() | {"mode": ASLEEP, "phase": COMPACTING, "since": iso(at)}
    sleep |= {"why": why, "until": until, "night": night}
    for entry in sleep["waiting"].values():
        entry["nights"] += 1
    told: Json = {"id": night, "began": iso(at), "ended": "", "why": why}
    told |= {"woken_by": "", "undone": "", "news": 0}
    earlier = [entry for entry in sleep["nights"] if entry["news"]]
    sleep["nights"] = [*earlier, told][-MOST_NIGHTS:]


def call(sleep: Json, *, by: str, at: float) -> None:
    """Wake the character, or note the caller until the phase that must not be broken is over."""
    if sleep["mode"] != ASLEEP:
        return
    if sleep["phase"] == COMPACTING:
        sleep["called_by"] = sleep["called_by"] or by
    else:
        _wake(sleep, by, at)


def advance(  # noqa: PLR0913 - one argument for each field that a piece of work may move
    sleep: Json,
    *,
    at: float,
    stage: int | None = None,
    dreaming: bool = False,
    skip: str = "",
    news: bool = False,
    calls: int = 0,
    credit: int = 0,
    marks: Json | None = None,
) -> None:
    """Note how far the night has come.

    `stage` is the next stage. With `dreaming` the first phase is over, and whoever called meanwhile
    is answered. `skip` names what is not tried again tonight. With `news` there is something to
    tell. `calls` and `credit` are added; questions use `credit` up. `marks` replace fields of the
    same names.
    """
    sleep["pieces"] += 1
    if stage is not None:
        sleep |= {"stage": stage, "skipped": [], "pieces": 0}
    if skip:
        sleep["skipped"] = [*sleep["skipped"], skip][-MOST_SKIPPED:]
    for night in sleep["nights"][-1:]:
        night["news"] += news
    sleep["calls"] += calls
    sleep["credit"] = min(MOST_CREDIT, sleep["credit"] + credit)
    sleep |= marks or {}
    if dreaming and sleep["phase"] == COMPACTING:
        sleep["phase"] = DREAMING
        if sleep["called_by"]:
            _wake(sleep, sleep["called_by"], at)


def waiting_entry(after: int) -> Json:
    """Return what is noted of a label of which lines wait to be read, those after this row.

    `lines` are how many, `mine` how many of them are of the character's own talk, `again` the ids
    of rows to be read once more, `nights` how often it was passed over, `tried` the night in which
    nothing came of it, `failed` how often, and `night` the one in which its reading began. `ahead`
    is the last of its own talk that was read before its turn.
    """
    return {
        "after": after,
        "ahead": 0,
        "lines": 0,
        "mine": 0,
        "again": [],
        "nights": 0,
        "tried": "",
        "failed": 0,
        "night": "",
    }


def read_again(sleep: Json, *, rows: dict[str, list[int]]) -> None:
    """Have these rows, by label, read once more: what was known from them is known no longer."""
    for label, ids in rows.items():
        entry = sleep["waiting"].setdefault(label, waiting_entry(sleep["gathered"]))
        entry["again"] = list(dict.fromkeys([*entry["again"], *ids]))[-MOST_AGAIN:]


def unread_after(sleep: Json) -> int:
    """Return the id of the last row up to which everything was read."""
    waits = (entry["after"] for entry in sleep["waiting"].values() if entry["lines"])
    return min([int(sleep["gathered"]), *map(int, waits)])


def note_undone(sleep: Json, *, night: str, at: float) -> None:
    """Note that a night was taken back."""
    for told in sleep["nights"]:
        if told["id"] == night:
            told["undone"] = iso(at)


def _wake(sleep: Json, by: str, at: float) -> None:
    sleep |= {"mode": AWAKE, "phase": "", "since": iso(at), "until": 0.0, "called_by": ""}
    for night in sleep["nights"]:
        if night["id"] == sleep["night"]:
            night |= {"ended": iso(at), "woken_by": by}


def night_id(at: float) -> str:
    """Return the id of a night that begins at `at`, in seconds since the epoch."""
    return f"night_{int(at * 1000)}"


def rested(sleep: Json) -> Json:
    """Return the state of somebody awake, with what was read, and without nights to take back."""
    awake = {"mode": AWAKE, "phase": "", "why": "", "until": 0.0, "night": "", "nights": []}
    return {**sleep, **_fresh(), **awake}


def is_asleep(sleep: Json) -> bool:
    """Is the character asleep?"""
    return bool(sleep["mode"] == ASLEEP)


SLEEP = Part(
    name="sleep",
    attribute="sleep_state",
    where="script",
    shape={
        **_fresh(),
        "mode": AWAKE,
        "phase": "",
        "since": "",
        "why": "",
        "until": 0.0,
        "night": "",
        "credit": 0,
        "gathered": 0,
        "waiting": {},
        "folded": {},
        "scored": 0,
        "nights": [],
    },
    steps={
        "fall_asleep": fall_asleep,
        "call": call,
        "advance": advance,
        "note_undone": note_undone,
        "read_again": read_again,
    },
)
