"""Feelings: how the character stands to somebody, what changes that, and where it settles.

Each change has a reason and, if there is one, the id of the line that caused it; a line counts
once. The effect of words fades, half of a deed's effect stays, and a value set by staff or game
code stays as set.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from ai_assistant.core.contracts import Json
from ai_assistant.core.readers import OPEN
from ai_assistant.core.times import DAY, epoch, iso

CauseKind = Literal["talk", "deed", "game"]
"""What moved it: words, something the game knows was done, or staff and game code."""

STATES = ((0.25, "stranger"), (0.50, "acquaintance"), (0.75, "friend"), (1.01, "ally"))
"""Each state, with the favorability below which it holds."""
TYPICAL = {"stranger": 0.15, "acquaintance": 0.35, "friend": 0.6, "ally": 0.85}
"""The favorability of somebody of whom only the state is known."""
SHOWN_DIGITS = 2
"""So many decimals of a feeling are shown to a model; more could carry words out of a whisper."""
RANKS = tuple(name for _, name in STATES)
"""From the least to the dearest."""
FIRST_IMPRESSION = 0.15
DISLIKED = 0.1
"""Favorability below which somebody has made a bad impression."""
TREATED = {-2: -0.05, -1: -0.02, 0: 0.0, 1: 0.02, 2: 0.05}
"""What is proposed for how somebody treated the character, from very badly to very well."""
MAX_HISTORY = 50
MAX_PROMISES = 5
_PROMISED = "promise"
"""The kind of what is set aside and was no change, but a promise."""
MAX_STEP = 0.05
"""The most that one event may change favorability, unless staff or game code asks."""
MAX_PER_DAY = 0.2
"""The most that one author may change it in a day."""
TALK_A_DAY, TALK_IN_ALL = 0.03, 0.3
"""The most that one author's words warm in a day; nothing at all so far above where it rests."""
SLIGHTS_IN_ALL = 0.1
"""So far below where it rests a slight does nothing more; it may tire, but makes no enemy."""
DEEDS_A_DAY = 0.08
"""The most that one author's deeds warm in a day."""
LASTING = 0.5
"""How much of a deed stays for good."""
HALF_LIFE = 30.0
"""Days in which half of what parts a feeling from its rest is gone."""


def calculate_state(favorability: float) -> str:
    """Return the relationship state for a favorability of 0.0 to 1.0."""
    return next(name for below, name in STATES if favorability < below)


NEW_BOND: Json = {
    "state": calculate_state(FIRST_IMPRESSION),
    "favorability": FIRST_IMPRESSION,
    "rest": FIRST_IMPRESSION,
    "felt": "",
    "interaction_count": 0,
    "last_delta": 0.0,
    "history": [],
    "promises": [],
    "today": {"day": "", "by": {}},
}
"""How it stands with somebody never met."""


def drift(profile: Json, at: float) -> Json:
    """Move favorability towards its resting value, by whole days up to `at`; return the profile.

    `felt` in the relationship is the time up to which this was done. A relationship that nothing
    ever changed does not drift.
    """
    profile["relationship"] = bond_at(profile, at)
    return profile


def bond_at(profile: Json, at: float) -> Json:
    """Return a copy of the relationship as it has drifted by `at`, in seconds since the epoch."""
    bond: Json = {**profile["relationship"]}
    rest = bond.setdefault("rest", bond["favorability"])
    since = epoch(bond.setdefault("felt", ""))
    days = int((at - since) // DAY) if since else 0
    if days > 0:
        left = (bond["favorability"] - rest) * 0.5 ** (days / HALF_LIFE)
        bond["favorability"] = round(rest + left, 4)
        bond["felt"] = iso(since + days * DAY)
        bond["state"] = calculate_state(bond["favorability"])
    return bond


def update_relationship(  # noqa: PLR0913 - one argument for each field of the item
    profile: Json,
    *,
    delta: float,
    reason: str,
    author: str,
    at: float,
    readers: str = OPEN,
    event: str = "",
    kind: CauseKind = "talk",
    limit: float = MAX_STEP,
) -> None:
    """Change favorability by `delta`, within the limits; a change without effect is not recorded.

    `event` is the id of the line that caused it: its words count once, and so does the deed that
    came of them. `limit` is the largest step for `kind` ``game``, to which no other limit applies.
    """
    drift(profile, at)
    bond = profile["relationship"]
    moved = (*bond["history"], *bond.get("resting", ()))
    known = ((change["event"], change["kind"]) for change in moved)
    if event and (event, kind) in known:
        return
    if bond["today"]["day"] < iso(at)[:10]:  # what a night reads may be from the day before
        bond["today"] = {"day": iso(at)[:10], "by": {}}
    step = max(-limit, min(limit, delta)) if kind == "game" else _allowed(bond, delta, author, kind)
    before = bond["favorability"]
    after = round(max(0.0, min(1.0, before + step)), 4)
    if after == before:
        return
    used = bond["today"]["by"]
    for key in (author, _key(author, kind, after - before)):
        used[key] = round(used.get(key, 0.0) + after - before, 4)
    lasting = LASTING * (after - before) if kind == "deed" else 0.0
    bond["rest"] = after if kind == "game" else round(max(0.0, min(1.0, bond["rest"] + lasting)), 4)
    bond["last_delta"], bond["favorability"] = round(after - before, 4), after
    bond["felt"] = bond["felt"] or iso(at)
    entry = {
        "delta": bond["last_delta"],
        "reason": reason,
        "timestamp": iso(at),
        "author": author,
        "readers": readers,
        "event": event,
        "kind": kind,
    }
    if (state := calculate_state(after)) != bond["state"]:
        entry |= {"old_state": bond["state"], "new_state": state}
        bond["state"] = state
    bond["history"] = [*bond["history"], entry][-MAX_HISTORY:]


def take_back_feelings(profile: Json, *, events: Collection[str], at: float) -> None:
    """Undo what the words of these lines changed, as far as it has not faded by `at`."""
    _without(drift(profile, at)["relationship"], events, at)


def set_aside_feelings(profile: Json, *, events: Collection[str], at: float) -> None:
    """Undo what these lines changed and promised, and keep it in `resting` for later."""
    bond = drift(profile, at)["relationship"]
    resting = [*bond.get("resting", ()), *_without(bond, events, at)]
    made = [promise for promise in bond.get("promises", ()) if promise["event"] in events]
    for promise in made:
        end_promise(profile, event=promise["event"])
        resting.append(promise | {"kind": _PROMISED})
    bond["resting"] = resting[-MAX_HISTORY:]


def take_up_feelings(profile: Json, *, lines: Mapping[str, str], at: float) -> None:
    """Apply again what was set aside of these lines; `lines` maps their old ids to present ones.

    A change that keeps its id leaves `resting`; one that gets another id is a copy.
    """
    bond = drift(profile, at)["relationship"]
    resting = bond.get("resting", ())
    bond["resting"] = [felt for felt in resting if lines.get(felt["event"]) != felt["event"]]
    for felt in resting:
        if (event := lines.get(felt["event"])) is None:
            continue
        if felt["kind"] == _PROMISED:
            made = {name: value for name, value in felt.items() if name != "kind"}
            bond["promises"] = [*bond.get("promises", ()), made | {"event": event}][-MAX_PROMISES:]
            continue
        bond["history"] = [*bond["history"], felt | {"event": event}]
        _shift(bond, felt, 1, at)
    bond["history"].sort(key=lambda change: epoch(change["timestamp"]))
    bond["history"] = bond["history"][-MAX_HISTORY:]


def _without(bond: Json, events: Collection[str], at: float) -> list[Json]:
    """Undo what the words of these lines changed; return the changes that were removed."""
    kept: list[Json] = []
    gone: list[Json] = []
    for change in bond["history"]:
        is_theirs = change["kind"] == "talk" and change["event"] in events
        (gone if is_theirs else kept).append(change)
        if change["kind"] == "game":
            gone.clear()  # where that set it, what was before is gone already
    for change in gone:
        _shift(bond, change, -1, at)
    bond["history"] = kept
    return gone


def _shift(bond: Json, change: Json, sign: int, at: float) -> None:
    """Add (`sign` 1) or subtract (-1) what is left of a change by `at`."""
    days = (at - epoch(change["timestamp"])) // DAY
    left = sign * change["delta"] * 0.5 ** (days / HALF_LIFE)
    bond["favorability"] = round(max(0.0, min(1.0, bond["favorability"] + left)), 4)
    bond["state"] = calculate_state(bond["favorability"])


def _allowed(bond: Json, delta: float, author: str, kind: CauseKind) -> float:
    """Return how much of `delta` the limits still allow.

    Each kindness or slight takes at most half of what is left for the day, so each counts less than
    the one before. Words count less the more they have already done.
    """
    used = bond["today"]["by"]
    step = max(-MAX_STEP, min(MAX_STEP, delta))
    if step < (TREATED[-1] if kind == "talk" else 0.0):
        spent: float = used.get(author, 0.0)
        return max(step, min(0.0, -MAX_PER_DAY - spent))
    most = DEEDS_A_DAY
    if kind == "talk":
        gap, in_all = bond["favorability"] - bond["rest"], TALK_IN_ALL
        if step < 0:
            gap, in_all = -gap, SLIGHTS_IN_ALL
        most = TALK_A_DAY * max(0.0, 1 - max(0.0, gap) / in_all)
    done: float = used.get(_key(author, kind, step), 0.0)
    left = max(0.0, most - abs(done))
    return max(-left / 2, min(left / 2, step))


def _key(author: str, kind: CauseKind, step: float) -> str:
    return f"{author} {kind} {'+' if step > 0 else '-'}"


# -- what somebody promised the character


def note_promise(profile: Json, *, event: str, author: str, at: float, readers: str) -> None:
    """Note that somebody promised, in the line `event`, to bring something."""
    bond = profile["relationship"]
    made = {"event": event, "author": author, "timestamp": iso(at), "readers": readers}
    bond["promises"] = [*bond.get("promises", ()), made][-MAX_PROMISES:]


def end_promise(profile: Json, *, event: str) -> None:
    """Remove the promise made in the line `event`: it was kept or broken."""
    bond = profile["relationship"]
    bond["promises"] = [
        promise for promise in bond.get("promises", ()) if promise["event"] != event
    ]
