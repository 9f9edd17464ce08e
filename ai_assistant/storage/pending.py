"""Triggers on disk, from their arrival until they are answered or closed.

A claim is written to every event of its turn: after a crash each of them knows by itself that
something was begun which must not be done twice. The statements that run for every line spoken to
an assistant are written out: Django takes longer to put them together than to run them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import F, QuerySet

from ai_assistant.core.contracts import Event, Json, StoredTrigger
from ai_assistant.models import PendingEvent as Pending
from ai_assistant.storage.server_lease import Fence
from ai_assistant.storage.statements import refusals

_ADD = """
    INSERT INTO ai_assistant_pending
    (assistant, event_id, payload, readers, place, root, created, attempts, turn_id, claims)
    VALUES (%s, %s, %s, %s, %s, %s, %s, 0, '', '[]')
"""
_BEGIN = """
    UPDATE ai_assistant_pending SET attempts = attempts + 1, turn_id = %s
    WHERE assistant = %s AND event_id = %s
"""
_CLOSE = "DELETE FROM ai_assistant_pending WHERE assistant = %s AND event_id = %s"


class OwnTriggers:
    """The `ports.Triggers` of one assistant. Raises `StoreError` where the database refuses."""

    def __init__(self, assistant: str, fence: Fence | None = None) -> None:
        """Every write passes the `fence`; without one, it always may."""
        self._assistant = assistant
        self._fence = fence or Fence()

    def add(self, event: Event) -> bool:
        """Put a trigger on disk by one INSERT; False when it is there already."""
        payload = json.dumps(event.to_json())
        columns = (payload, event.readers, event.place, event.root, event.timestamp)
        with refusals():
            try:
                with transaction.atomic(), connection.cursor() as cursor:
                    self._fence.check()
                    cursor.execute(_ADD, [self._assistant, event.id, *columns])
            except IntegrityError:
                return False
        return True

    def waiting(self) -> list[StoredTrigger]:
        """Return what is on disk and not closed, oldest first."""
        with refusals():
            rows = self._rows().order_by("pk")
            names = ("payload", "attempts", "turn_id", "claims")
            return [
                StoredTrigger(Event.from_json(payload), attempts, turn_id, tuple(claims))
                for payload, attempts, turn_id, claims in rows.values_list(*names)
            ]

    def begin(self, turn_id: str, event_ids: Sequence[str]) -> None:
        """Count one more attempt for these events, in the name of this turn."""
        if not event_ids:
            return
        with refusals(), transaction.atomic(), connection.cursor() as cursor:
            self._fence.check()
            cursor.executemany(_BEGIN, [(turn_id, self._assistant, id) for id in event_ids])

    def give_back(self, turn_id: str) -> None:
        """Take back the attempt of a turn, unless an act was begun in it."""
        with refusals(), transaction.atomic():
            self._fence.check()
            unclaimed = self._rows(turn_id=turn_id, attempts__gt=0, claims=[])
            unclaimed.update(attempts=F("attempts") - 1, turn_id="")

    def claim(self, turn_id: str, *calls: Json) -> None:
        """Put on disk that acts are about to happen; each call has an ``id``."""
        if calls:
            self._change_claims(
                turn_id, lambda claims: [*claims, *(call for call in calls if call not in claims)]
            )

    def settle(self, turn_id: str, call_id: str, result: Json) -> None:
        """Put the ``result`` of a claimed act beside its claim."""

        def settled(claim: Json) -> Json:
            return claim | {"result": result} if claim.get("id") == call_id else claim

        self._change_claims(turn_id, lambda claims: list(map(settled, claims)))

    def close(self, event_ids: Sequence[str]) -> None:
        """Take events off the disk, part of the caller's transaction."""
        if event_ids:  # Evennia's signals would have each row loaded first
            with connection.cursor() as cursor:
                cursor.executemany(_CLOSE, [(self._assistant, id) for id in event_ids])

    def delete(self) -> None:
        """Take all of them off the disk, part of the caller's transaction."""
        self._rows().delete()

    def _rows(self, **conditions: Any) -> QuerySet[Pending]:
        return Pending.objects.filter(assistant=self._assistant, **conditions)

    def _change_claims(self, turn_id: str, change: Callable[[list[Any]], list[Any]]) -> None:
        with refusals(), transaction.atomic():
            self._fence.check()
            events = self._rows(turn_id=turn_id)
            claims = events.values_list("claims", flat=True).first()
            if claims is not None:
                events.update(claims=change(claims))
