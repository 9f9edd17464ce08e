"""The report of a night: what was learned, changed, doubted, understood and put away."""

from __future__ import annotations

from collections.abc import Iterable

from ai_assistant.core.contracts import AuditRecord, Json
from ai_assistant.sleep.work import RECORD

COUNTED = tuple("read filed linked moved put_by strangers summarised days lines".split())
"""What the pieces of a night count."""


def night_report(records: Iterable[AuditRecord]) -> Json:
    """Return what a night's records tell, put together.

    ``people`` holds, by name, what was ``learned``, ``changed`` (before and after), ``merged`` and
    ``doubted``, and what was ``felt`` (by how much, and why); ``refused`` are facts that did not
    hold, each with why; ``insights`` is a list of sentences; the rest are counts.
    """
    report: Json = {
        "people": {},
        "insights": [],
        "refused": [],
        "closed": 0,
        "folded": 0,
        **dict.fromkeys(COUNTED, 0),
    }
    for record in records:
        if record.type == RECORD:
            _add(report, record.data.get("told") or {}, record.readers)
    return report


def _add(report: Json, told: Json, readers: str) -> None:
    if "who" in told:
        person = report["people"].setdefault(
            told["who"], {"learned": [], "changed": [], "merged": [], "doubted": [], "felt": []}
        )
        for name in ("learned", "merged", "doubted"):
            person[name] += [{"text": entry, "readers": readers} for entry in told.get(name, ())]
        for name in ("changed", "felt"):
            person[name] += [{**entry, "readers": readers} for entry in told.get(name, ())]
    report["refused"] += [{**entry, "readers": readers} for entry in told.get("refused", ())]
    report["insights"] += [
        {"text": insight, "readers": readers} for insight in told.get("insights", ())
    ]
    for name in COUNTED:
        report[name] += told.get(name, 0)
    if told.get("talk") in ("closed", "folded"):
        report[told["talk"]] += 1
