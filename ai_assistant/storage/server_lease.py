"""The row that says which server is in charge, and the check that no write of another gets past.

The check is the first statement of a transaction: it locks the row, so that nobody else can be in
charge before that transaction has ended.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from threading import local
from typing import ClassVar

from django.db import IntegrityError, connection, transaction

from ai_assistant.agent.attention.tenure import Lease
from ai_assistant.core.errors import NotInCharge, StoreError
from ai_assistant.game.log import report
from ai_assistant.storage.statements import fetch, met_a_row, refusals

_READ = "SELECT holder, epoch, until FROM ai_assistant_lease WHERE id = 1"
_FIRST = """
    INSERT INTO ai_assistant_lease (id, holder, epoch, until, recent) VALUES (1, %s, 1, %s, '')
"""
_TAKE = """
    UPDATE ai_assistant_lease SET holder = %s, epoch = epoch + 1, until = %s
    WHERE id = 1 AND epoch = %s AND until = %s
"""
_RENEW = "UPDATE ai_assistant_lease SET until = %s WHERE id = 1 AND epoch = %s"
_CHECK = "UPDATE ai_assistant_lease SET epoch = epoch WHERE id = 1 AND epoch = %s"
_NOTE = """
    UPDATE ai_assistant_lease SET recent = substr({}, 1, 640) WHERE id = 1 AND epoch = %s
"""
"""The ids of forty commits."""
_NOTE_OF = {"mysql": _NOTE.format("CONCAT(%s, recent)")}
_NOTE_OF_OTHERS = _NOTE.format("%s || recent")  # for MySQL two bars mean "or"
_KNOWS = "SELECT COUNT(*) FROM ai_assistant_lease WHERE recent LIKE %s"


class LeaseRow:
    """Implements `tenure.LeasePort` on disk. Raises `StoreError` where the database refuses."""

    def read(self) -> Lease:
        """Return the lease as it stands; of epoch 0 where nobody ever had it."""
        with refusals():
            found = fetch(_READ, [])
        return Lease(*found[0]) if found else Lease()

    def take(self, seen: Lease, holder: str, until: float) -> bool:
        """Begin a new epoch, unless anything changed since the lease was `seen`."""
        with refusals():
            if seen.epoch:
                return met_a_row(_TAKE, [holder, until, seen.epoch, seen.until])
            try:
                with transaction.atomic():
                    return met_a_row(_FIRST, [holder, until])
            except IntegrityError:
                return False

    def renew(self, epoch: int, until: float) -> bool:
        """Keep the lease until then, where it is still of this epoch."""
        with refusals():
            return met_a_row(_RENEW, [until, epoch])


@dataclass(slots=True)
class Fence:
    """What the writes of one server process must pass; the `epoch` of its lease opens it.

    None: this is no server, but a shell or a command beside it, and everything passes. 0: another
    server is in charge, and nothing does.
    """

    epoch: int | None = None
    """The number of the lease under which this process writes."""
    of_process: ClassVar[Fence]
    """What all writes of this process pass that are part of nobody's commit."""

    def check(self, commit: str = "") -> None:
        """Raise `NotInCharge` unless this server is; part of the caller's transaction.

        The id of a `commit` is noted, so that `knows` tells whether it was written.
        """
        if self.epoch is None:
            return
        note = _NOTE_OF.get(connection.vendor, _NOTE_OF_OTHERS)
        asked = (note, [commit, self.epoch]) if commit else (_CHECK, [self.epoch])
        is_ours = met_a_row(*asked)
        if not (self.epoch and is_ours):
            raise NotInCharge()

    def knows(self, commit: str) -> bool:
        """Was this commit written, as one of the last? Only where a server notes them."""
        return self.epoch is not None and bool(fetch(_KNOWS, [f"%{commit}%"])[0][0])


Fence.of_process = Fence()


class Publisher(local):
    """Lets memory follow the disk: what is to be published while a thread writes waits for its end.

    A context within which that is so; contexts may nest. What fails publishes nothing. What cannot
    be read again to be published stays as it was in memory until it is written again, or a restart.
    """

    def __init__(self) -> None:
        self._waiting: list[list[Callable[[], object]]] = []

    def __call__(self, publish: Callable[[], object]) -> None:
        """Publish now, or as soon as all that is being written stands on disk."""
        if self._waiting:
            self._waiting[-1].append(publish)
            return
        try:
            publish()
        except StoreError as error:  # it reads: what stands on disk is not refused any more
            report("following the disk", error)

    @property
    def whole(self) -> object:
        """What is being written as one, for as long as that goes on; None: nothing waits."""
        return self._waiting[0] if self._waiting else None

    def __enter__(self) -> None:
        self._waiting.append([])

    def __exit__(self, kind: object, *error: object) -> None:
        written = self._waiting.pop()
        for publish in written if kind is None else ():
            self(publish)


PUBLISHER = Publisher()


def writing() -> ExitStack[None]:
    """Begin a transaction for what is part of nobody's commit, or of more than one.

    Memory learns of it in the end, and of nothing that was taken back. Raises `NotInCharge` where
    another server is, and `StoreError` where the database refuses.
    """
    with ExitStack[None]() as begun:
        begun.enter_context(PUBLISHER)
        begun.enter_context(refusals())
        begun.enter_context(transaction.atomic())
        Fence.of_process.check()
        return begun.pop_all()
