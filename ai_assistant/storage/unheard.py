"""Correcting a line that was saved before it was said: whoever did not receive it took no part."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.models import Decision, Memory
from ai_assistant.roleplay.message_formats import WORLD
from ai_assistant.storage import memory_rows
from ai_assistant.storage.containers import Container
from ai_assistant.storage.statements import refusals


def take_out(session: str, event: str, who: Collection[str]) -> None:
    """Take these out of the decision on a line, and of what all others keep of it.

    What was put down of it for them is deleted. Raises `StoreError`.
    """
    with refusals(), transaction.atomic():
        for found in Decision.objects.filter(session=session, event=event):
            found.participants = [one for one in found.participants if one["id"] not in who]
            found.hearers = [one for one in found.hearers if one not in who]
            found.save(update_fields=["participants", "hearers"])
            others = [one["id"] for one in found.participants]
            memory_rows.annotate(
                WORLD, {found.row: {"participants": others, "hearers": found.hearers}}
            )
            for one in others:
                memory_rows.annotate(one, _notes(session, one, event, who))
            unheard = (row.id for one in who for row in _kept(session, one, event))
            Memory.objects.filter(pk__in=list(unheard)).delete()


def _notes(session: str, keeper: str, event: str, who: Collection[str]) -> dict[int, Json]:
    """Return the participants of a line as one who keeps it may go on to know them, by row."""
    return {
        row.id: {"participants": [one for one in row.meta["participants"] if one not in who]}
        for row in _kept(session, keeper, event)
        if "participants" in row.meta
    }


def _kept(session: str, keeper: str, event: str) -> list[MemoryRow]:
    return Container(session, keeper).find(where={"event": event}, limit=5)
