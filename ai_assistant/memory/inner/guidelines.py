"""Guidelines: how a character means to behave, proposed by itself and accepted by staff.

A proposal changes no behaviour before staff have read it. What was proposed in private stays
private: accepted or not, only turns that may read it see it.
"""

from __future__ import annotations

from ai_assistant.core.contracts import Json
from ai_assistant.core.readers import NOBODY
from ai_assistant.core.times import iso
from ai_assistant.memory import labelled
from ai_assistant.memory.labelled import Allow
from ai_assistant.memory.parts import Part

MAX_CONTENT = 200
"""Characters of one guideline."""
MAX_PROPOSED = 12
MAX_UNDER_ONE_LABEL = 3
"""Proposals that may wait under one label, so that nobody's talk fills the list."""
MAX_ACCEPTED = 12
MAX_REJECTED = 20
"""Rejected ones that are kept, so that the same is not proposed again."""


def usable_guidelines(guidelines: Json, allow: Allow) -> list[Json]:
    """Return the accepted guidelines that may be used, oldest first.

    Staff answer for them, so `allow` is asked without an author.
    """
    return [guideline for guideline in guidelines["accepted"] if allow(guideline["readers"], "")]


def refusal(guidelines: Json, content: str, readers: str) -> str:
    """Return why a proposal is refused; empty if it is not."""
    for state in ("accepted", "proposed", "rejected"):
        alike = (guideline for guideline in guidelines[state] if guideline["readers"] == readers)
        if any(_bare(guideline["content"]) == _bare(content) for guideline in alike):
            return f"That is {state} already."
    waiting = labelled.under(guidelines["proposed"], readers)
    if len(waiting) >= MAX_UNDER_ONE_LABEL or len(guidelines["proposed"]) >= MAX_PROPOSED:
        return "Enough proposals wait for staff; make no more for now."
    return ""


def propose(
    guidelines: Json,
    *,
    content: str,
    reason: str,
    at: float,
    readers: str = NOBODY,
    author: str = "",
) -> None:
    """Add a proposal; one that is refused changes nothing."""
    if refusal(guidelines, content, readers):
        return
    guidelines["proposed"].append(_numbered(guidelines, content, at, readers, author, reason))


def add(guidelines: Json, *, content: str, at: float, readers: str, by: str) -> None:
    """Add a guideline by staff; if there are too many, nothing changes."""
    if len(guidelines["accepted"]) < MAX_ACCEPTED:
        made = _numbered(guidelines, content, at, readers, "", "")
        guidelines["accepted"].append(made | {"by": by})


def accept(guidelines: Json, *, id: int, by: str, at: float) -> None:
    """Make a proposal a guideline, word for word and under its own label."""
    found = _find(guidelines["proposed"], id)
    if found and len(guidelines["accepted"]) < MAX_ACCEPTED:
        guidelines["proposed"].remove(found)
        guidelines["accepted"].append(found | {"by": by, "decided": iso(at)})


def reject(guidelines: Json, *, id: int, by: str, at: float) -> None:
    """Remove a proposal or a guideline; it is remembered, so that it is not proposed again."""
    for state in ("proposed", "accepted"):
        found = _find(guidelines[state], id)
        if found:
            guidelines[state].remove(found)
            guidelines["rejected"].append(found | {"by": by, "decided": iso(at)})
            del guidelines["rejected"][:-MAX_REJECTED]


def _numbered(
    guidelines: Json, content: str, at: float, readers: str, author: str, reason: str
) -> Json:
    guidelines["last_id"] += 1
    made = labelled.item(content, at=at, readers=readers, author=author)
    return {"id": guidelines["last_id"], **made, "reason": reason}


def _find(items: list[Json], id: int) -> Json | None:
    return next((item for item in items if item["id"] == id), None)


def _bare(content: str) -> str:
    return content.casefold().strip(" .!")


GUIDELINES = Part(
    name="guidelines",
    attribute="guidelines",
    where="script",
    shape={"proposed": [], "accepted": [], "rejected": [], "last_id": 0},
    steps={"propose": propose, "add": add, "accept": accept, "reject": reject},
)
