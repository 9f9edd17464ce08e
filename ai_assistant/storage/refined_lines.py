"""What a model refines after a turn, on disk: the line as it was saved, and what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import transaction

from ai_assistant.core.contracts import AuditRecord, Json, MemoryRow
from ai_assistant.core.readers import NOBODY
from ai_assistant.models import Decision
from ai_assistant.roleplay.day_summaries import WITHDRAWN
from ai_assistant.roleplay.distribution import is_message
from ai_assistant.roleplay.knowledge import UPDATES
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.roleplay.refinement import Case, Refinement
from ai_assistant.storage import ledgers, memory_rows
from ai_assistant.storage.containers import Container
from ai_assistant.storage.statements import refusals

BY_MODEL = "model"


@dataclass(slots=True)
class Rewritten:
    """What changes in one character's container: rows archived, and notes added to others."""

    archived: list[int] = field(default_factory=list)
    annotated: dict[int, Json] = field(default_factory=dict)


def case_of(session: str, event: str) -> Case | None:
    """Return a saved line as a model may look at it; None where nobody saved it yet.

    Raises `StoreError`.
    """
    with refusals():
        found = Decision.objects.filter(session=session, event=event, by="rule").first()
        raws = memory_rows.by_ids(WORLD, [found.row]) if found else []
        if found is None or not raws:
            return None
        took_part = [one["id"] for one in found.participants]
        since = Decision.objects.filter(session=session, pk__gt=found.pk, speaker__in=took_part)
        answered = frozenset(since.values_list("speaker", flat=True)[:50])
    everybody = {one: _message(session, one, event) for one in took_part}
    return Case(
        session=session,
        event=event,
        speaker=found.speaker,
        line=raws[0].content,
        readers=raws[0].readers,
        names={raws[0].author: raws[0].author_name},
        bound=tuple(one for one in took_part if one != found.speaker),
        sure=found.sure,
        keep=answered,
        learnt={who: _learnt(who, row) for who, row in everybody.items() if row is not None},
    )


def _message(session: str, who: str, event: str) -> MemoryRow | None:
    found = Container(session, who).find(where={"event": event}, limit=5)
    return next((row for row in found if is_message(row)), None)


def _learnt(who: str, message: MemoryRow) -> Sequence[MemoryRow]:
    """Return what that one learnt with a message: the rows that came with it in one commit."""
    if "knowledge" not in message.meta:
        return ()
    where = {"learned_at": message.learned_at}
    found = Container(message.session, who).find(where=where, limit=20)
    return [row for row in found[::-1] if row.kind in UPDATES]


def refine(case: Case, found: Refinement, *, by: str, at: float) -> dict[str, Rewritten] | None:
    """Put a model's decision into force, all of it or nothing; returns what changed for whom.

    That is the decision, the rows of everybody who could hear, and a record in the log of the
    assistant `by`. None where the rules' decision is not there any more. Raises `StoreError`.
    """
    with refusals(), transaction.atomic():
        same = Decision.objects.filter(session=case.session, event=case.event, by="rule")
        new = [one.to_json() for one in found.participants]
        if not same.update(participants=new, by=BY_MODEL):
            return None
        changed = _changes(case, found)
        for who, change in changed.items():
            memory_rows.archive(who, change.archived, at)
            memory_rows.annotate(who, change.annotated)
        ledgers.append(by, [noted(case.event, "refined")], at=at, turn_id="")
    return changed


def noted(event: str, outcome: str) -> AuditRecord:
    """Return the record of how a model's look at a line ended."""
    return AuditRecord("Refined", {"event": event, "outcome": outcome}, NOBODY)


def _changes(case: Case, found: Refinement) -> dict[str, Rewritten]:
    """Return what a decision changes in the containers of those whom the rules had."""
    ids = {one.id for one in found.participants}
    changed: dict[str, Rewritten] = {}
    for who in (case.speaker, *case.bound):
        row = _message(case.session, who, case.event)
        if row is None:
            continue
        if who not in ids:
            changed[who] = Rewritten(archived=[row.id], annotated={row.id: WITHDRAWN})
            continue
        seen = [one for one in row.meta["participants"] if one in ids]
        notes: Json = {"participants": seen}
        if found.knowledge.get(who):
            notes["knowledge"] = list(found.knowledge[who])
        changed[who] = Rewritten(annotated={row.id: notes})
    return changed
