"""A line after it was saved: a model looks at it again, or somebody did not receive it."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import asdict

from ai_assistant.core.contracts import AuditRecord, Commit, Json, MemoryRow, NewRow
from ai_assistant.core.readers import NOBODY, OPEN
from ai_assistant.models import Memory, Participation
from ai_assistant.roleplay.day_summaries import WITHDRAWN
from ai_assistant.roleplay.distribution import is_message
from ai_assistant.roleplay.knowledge import UPDATES
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.roleplay.refinement import Case, Refinement
from ai_assistant.storage.containers import Container, OwnRows
from ai_assistant.storage.history.row_evidence import drop_evidence
from ai_assistant.storage.history.state_log import StateLog, ToldSequence
from ai_assistant.storage.scene_rows import write_without_mind
from ai_assistant.storage.server_lease import writing
from ai_assistant.storage.statements import refusals

BY_MODEL = "model"
RECENT = 3
"""Lines before one that a model is shown with it."""


def case_of(session: str, event: str) -> Case | None:
    """Return a saved line as a model may look at it; None where nobody saved it yet."""
    with refusals():
        found = Participation.objects.filter(session=session, event=event, by="rule").first()
        raws = OwnRows(WORLD).by_ids([found.row]) if found else []
        if found is None or not raws:
            return None
        took_part = [participant["id"] for participant in found.participants]
        since = Participation.objects.filter(
            session=session, pk__gt=found.pk, speaker__in=took_part
        )
        answered = frozenset(since.values_list("speaker", flat=True)[:50])
    recent, previous = _before(found, raws[0])
    everybody = {who: _message(session, who, event) for who in took_part}
    return Case(
        session=session,
        event=event,
        speaker=found.speaker,
        line=raws[0].content,
        readers=raws[0].readers,
        names={raws[0].author: raws[0].author_name},
        bound=tuple(who for who in took_part if who != found.speaker),
        sure=found.sure,
        keep=answered,
        learnt={who: _learnt(who, row) for who, row in everybody.items() if row is not None},
        recent=recent,
        previous=previous,
    )


def _before(found: Participation, line: MemoryRow) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lines before one, of its place and for its readers, and who took part in them."""
    with refusals():
        earlier = Participation.objects.filter(session=found.session, pk__lt=found.pk)
        near = {other.row: other for other in earlier.order_by("-pk")[:RECENT]}
        rows = OwnRows(WORLD).by_ids([*near])
    known = [row for row in rows if row.readers in (OPEN, line.readers)]
    told = sorted((row for row in known if row.location == line.location), key=lambda row: row.id)
    who = (participant["id"] for row in told for participant in near[row.id].participants)
    return tuple(row.content for row in told), tuple(dict.fromkeys(who))


def _kept(session: str, who: str, event: str) -> list[MemoryRow]:
    return Container(session, who).find(where={"event": event}, limit=5)


def _message(session: str, who: str, event: str) -> MemoryRow | None:
    return next(filter(is_message, _kept(session, who, event)), None)


def _learnt(who: str, message: MemoryRow) -> Sequence[MemoryRow]:
    """Return what that one learnt with a message: the rows that came with it in one commit."""
    if "knowledge" not in message.meta:
        return ()
    where = {"learned_at": message.learned_at}
    found = Container(message.session, who).find(where=where, limit=20)
    return [row for row in found[::-1] if row.kind in UPDATES]


def refine(case: Case, found: Refinement, *, by: str, at: float) -> dict[str, Commit] | None:
    """Put a model's decision into force, all of it or nothing; returns what changed for whom.

    That is the decision, the rows of everybody who could hear, and a record in the log of the
    assistant `by`. None where the rules' decision is not there any more.
    """
    with writing():
        same = Participation.objects.filter(session=case.session, event=case.event, by="rule")
        participants = [asdict(participant) for participant in found.participants]
        if not same.update(participants=participants, by=BY_MODEL):
            return None
        ids = {participant.id for participant in found.participants}
        changed: dict[str, Commit] = {}
        for who in (case.speaker, *case.bound):
            row = _message(case.session, who, case.event)
            if row is None:
                continue
            archived, notes = [row.id], WITHDRAWN
            if who in ids:
                archived = []
                notes = {"participants": [who for who in row.meta["participants"] if who in ids]}
                if found.knowledge.get(who):
                    notes["knowledge"] = list(found.knowledge[who])
            changed[who] = Commit(at, archived=archived, annotated={row.id: notes})
            write_without_mind(Container(case.session, who), changed[who])
        StateLog().append(ToldSequence(by, (), at, [noted(case.event, "refined")]))
    return changed


def noted(event: str, outcome: str) -> AuditRecord:
    """Return the record of how a model's look at a line ended."""
    return AuditRecord("Refined", {"event": event, "outcome": outcome}, NOBODY)


def take_out(session: str, event: str, who: Collection[str]) -> None:
    """Take these out of the decision on a line, and of what all others keep of it.

    It was saved before it was said, and they did not receive it: what was put down of it for them
    is deleted.
    """
    with writing():
        for found in Participation.objects.filter(session=session, event=event):
            found.participants = [other for other in found.participants if other["id"] not in who]
            found.hearers = [hearer for hearer in found.hearers if hearer not in who]
            found.save(update_fields=["participants", "hearers"])
            others = [other["id"] for other in found.participants]
            world: Json = {"participants": others, "hearers": found.hearers}
            at = time.time()
            write_without_mind(Container(session, WORLD), Commit(at, annotated={found.row: world}))
            for other in others:
                notes: dict[int | NewRow, Json] = {}
                for row in _kept(session, other, event):
                    if known := row.meta.get("participants"):
                        seen = [participant for participant in known if participant not in who]
                        notes[row.id] = {"participants": seen}
                write_without_mind(Container(session, other), Commit(at, annotated=notes))
            unheard = [row.id for gone in who for row in _kept(session, gone, event)]
            drop_evidence(unheard)
            Memory.objects.filter(pk__in=unheard).delete()
