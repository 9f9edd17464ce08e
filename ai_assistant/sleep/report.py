"""What a night did: its report, put together from its audit records, and how it is taken back."""

from __future__ import annotations

from collections.abc import Iterable

from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import AuditRecord, Change, Commit, Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.quotes import is_same
from ai_assistant.memory.evidence import REPLACED_BY, REPLACES
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.memory.shared_text import FORGOTTEN
from ai_assistant.roleplay.day_summaries import WITHDRAWN
from ai_assistant.sleep.work import RECORD

COUNTED = tuple("read filed moved put_by strangers summarised days lines".split())
"""What the pieces of a night count."""
OF_PEOPLE = ("learned", "changed", "merged", "doubted", "felt")
_MADE = ("rows", "summaries", "retired")
"""Fields of its records that name rows which a night made: insights, days, traits put by."""
_NOTED: dict[str, Json] = {
    "marked": {REPLACED_BY: 0},
    "marking": {REPLACES: []},
}
"""What a night noted on rows: the field of its records that names them, and what undoes it."""


def night_report(records: Iterable[AuditRecord]) -> Json:
    """Return what a night's records tell, put together.

    ``people`` holds, by name, what was ``learned``, ``changed`` (before and after), ``merged`` with
    what was known before, and ``doubted``, and what was ``felt`` (by how much, and why);
    ``refused`` are facts that did not hold, each with why; ``insights`` is a list of sentences; the
    rest are counts.
    """
    report: Json = {"people": {}, "insights": [], "refused": [], "closed": 0, "folded": 0}
    report |= dict.fromkeys(COUNTED, 0)
    for record in records:
        if record.type != RECORD:
            continue
        told: Json = record.data.get("told") or {}
        if "who" in told:
            none: Json = {name: [] for name in OF_PEOPLE}
            person = report["people"].setdefault(told["who"], none)
            for name in OF_PEOPLE:
                person[name] += _labelled(told.get(name, ()), record.readers)
        for name in ("insights", "refused"):
            report[name] += _labelled(told.get(name, ()), record.readers)
        for name in COUNTED:
            report[name] += told.get(name, 0)
        if told.get("talk") in ("closed", "folded"):
            report[told["talk"]] += 1
    _tell_once(report["people"].values())
    return report


def _tell_once(people: Iterable[Json]) -> None:
    """Leave out what was learned this very night, where another label has it once more."""
    for person in people:
        new = [item["text"] for item in person["learned"]]
        again = person["merged"]
        person["merged"] = [
            item for item in again if not any(is_same(item["text"], text) for text in new)
        ]


def _labelled(entries: Iterable[str | Json], readers: str) -> list[Json]:
    items = ({"text": entry} if isinstance(entry, str) else entry for entry in entries)
    return [{**item, "readers": readers} for item in items]


def undo_night(mind: Mind, night: str = "", *, by: str = "") -> Json:
    """Take back what a night (the last one, unless named) made of the memories.

    Args:
        mind: Whose night it was.
        night: Its id.
        by: Who does so, for the audit log.

    Returns:
        How many ``traits``, ``observations``, ``feelings``, ``insights`` and ``memories`` were put
        back or away.

    Raises:
        AssistantError: There is no such night, or it was taken back before.
        StoreError: The database refused; nothing has changed then.
    """
    told = _find(mind, night)
    at = mind.clock.now()
    commit = Commit(at=at, turn_id=told["id"])
    counts = dict.fromkeys(("traits", "observations", "feelings", "insights", "memories"), 0)
    past: set[int] = set()
    for record in reversed(mind.store.records(told["id"])):
        if record.type == RECORD:
            _take_back(mind, commit, record.data.get("undo") or {}, counts, past)
    commit.changes.append(Change("sleep", "", "note_undone", {"night": told["id"], "at": at}))
    commit.audit.append(AuditRecord("NightUndone", {"by": by, "counts": counts}))
    mind.save(commit)
    return counts


def _find(mind: Mind, night: str) -> Json:
    nights: list[Json] = mind.store.read("sleep")["nights"]
    known = [told for told in nights if not night or told["id"] == night]
    if not known:
        raise AssistantError("There is no such night on record; see aisleep/report.")
    if known[-1]["undone"]:
        raise AssistantError(f"That night was taken back already, on {known[-1]['undone'][:10]}.")
    later = nights[nights.index(known[-1]) + 1 :]
    if any(told["news"] and not told["undone"] for told in later):
        raise AssistantError("Take the later nights back first: they built on this one.")
    return known[-1]


def _take_back(
    mind: Mind, commit: Commit, undo: Json, counts: dict[str, int], past: set[int]
) -> None:
    """Put into a commit what takes a record back; `past` are rows that stay marked as replaced."""
    key = str(undo.get("entity", ""))
    profile = mind.store.read("profile", key) if key else {}
    if profile and undo.get("felt") and profile["relationship"]["history"]:
        felt = {"events": undo["felt"], "at": commit.at}
        commit.changes.append(Change("profile", key, "take_back", felt))
        counts["feelings"] += len(undo["felt"])
    elif profile and profile["created"] and "added" in undo:
        back, gone = _still_due(undo, profile["attributes"])
        past |= {id for trait in gone for id in trait.get("evidence", ())}
        step: Json = {
            "drop": [fingerprint(trait) for trait in undo["added"]],
            "attributes": _whole(back),
            "observations": _whole(undo["observations"]),
        }
        commit.changes.append(Change("profile", key, "restore", step))
        counts["traits"] += len(undo["added"])
        counts["observations"] += len(step["observations"])
    made = [id for name in _MADE for id in undo.get(name, ())]
    commit.archived += made
    commit.annotated |= {id: {**WITHDRAWN} for id in made}
    counts["insights"] += len(undo.get("rows", ()))
    commit.revived += undo.get("archived", ())
    counts["memories"] += len(undo.get("archived", ()))
    for name, nothing in _NOTED.items():
        for id in undo.get(name, ()):
            if name != "marked" or id not in past:
                commit.annotated.setdefault(id, {}).update(nothing)


def _still_due(undo: Json, held: Iterable[Json]) -> tuple[list[Json], list[Json]]:
    """Return which of the traits that a night replaced come back, and which are long past.

    One is long past where what took its place does not hold any more as the night left it.
    """
    there = set(map(fingerprint, held))
    lost = [trait for trait in undo["added"] if fingerprint(trait) not in there]
    values = {trait["value"] for trait in lost}
    values |= {former["value"] for trait in lost for former in trait.get("was", ())}
    back = [trait for trait in undo["attributes"] if trait["value"] not in values]
    return back, [trait for trait in undo["attributes"] if trait["value"] in values]


def _whole(items: Iterable[Json]) -> list[Json]:
    """Return the items of which nothing was forgotten since."""
    return [item for item in items if FORGOTTEN not in f"{item.get('value')} {item.get('content')}"]
