"""Proposals: what a character would do for staff, and does only once they confirm it.

Each is good for one minute and one time, for exactly the arguments that were shown. Only the one
who asked may confirm it, from a session of theirs and in the same place. Permissions are checked
again then, and time and place once more in the very step in which it is done.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ai_assistant.agent.attention.confirm import USE
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError, ToolError
from ai_assistant.game import staff_acts
from ai_assistant.game.identity import Body, entity_id, find, name_of

SECONDS = 60.0
"""So long a proposal may be confirmed."""
MOST_OPEN = 5
"""So many wait for one member of staff."""
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_NOTHING = "There is nothing to confirm under that word, or it is too late."


@dataclass(frozen=True, slots=True)
class StaffProposal:
    """One act that waits to be confirmed: what exactly, by and for whom, where, until when."""

    nonce: str
    """The letters by which it is confirmed, once."""
    act: str
    """The name of the act."""
    arguments: str
    """As JSON, things by id."""
    character: str
    """The id of the one that proposes it."""
    asker: str
    """The id of whoever asked for it, and alone may confirm it."""
    sessions: tuple[int, ...]
    """From which it may be confirmed."""
    readers: str
    """Who may know of what it was asked for, and so of what is done."""
    place: str
    """The id of the room where both have to be."""
    until: float
    """When it ends, in seconds of the steady clock."""
    digest: str = ""
    """Of all the rest: what is carried out is what was shown."""

    def hashed(self) -> str:
        """Return the digest of what the proposal holds."""
        held = [self.nonce, self.act, self.arguments, self.character, self.asker]
        whole = json.dumps([*held, self.sessions, self.readers, self.place, self.until])
        return sha256(whole.encode()).hexdigest()


class StaffProposals:
    """All proposals that wait. They are in memory only: a restart drops them."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """`now` is a steady clock, in seconds."""
        self._now = now
        self.open: dict[str, StaffProposal] = {}

    def put(self, act: str, arguments: Json, me: Any, asker: Any, readers: str) -> StaffProposal:
        """Keep a proposal and return it; raises `ToolError` where it could not be confirmed."""
        self._drop_late()
        who, sessions = entity_id(asker), tuple(session.sessid for session in asker.sessions.all())
        if not sessions or asker.location is None or asker.location != me.location:
            raise ToolError("Whoever asks for that has to be here.")
        if sum(waiting.asker == who for waiting in self.open.values()) >= MOST_OPEN:
            raise ToolError("Enough waits for them to confirm.")
        nonce = "".join(secrets.choice(_LETTERS) for _ in range(6))
        made = (nonce, act, json.dumps(arguments, sort_keys=True), entity_id(me), who, sessions)
        held = (*made, readers, entity_id(me.location), self._now() + SECONDS)
        self.open[nonce] = StaffProposal(*held, digest=StaffProposal(*held).hashed())
        return self.open[nonce]

    def take(self, nonce: str, asker: Any, session: Any) -> StaffProposal:
        """Return a proposal that staff confirm, and drop it: it is carried out now or never.

        Raises `AssistantError` if it is not theirs to confirm, here, now and from this session.
        """
        self._drop_late()
        found = self.open.get(nonce.strip().upper())
        is_theirs = found and (
            found.asker == entity_id(asker)
            and session is not None
            and session.sessid in found.sessions
            and session in asker.sessions.all()
        )
        if found is None or not is_theirs:
            raise AssistantError(_NOTHING)
        self.must_hold(found, asker)
        del self.open[found.nonce]  # whatever comes of it, it was good for once
        if found.hashed() != found.digest:
            raise AssistantError(_NOTHING)
        return found

    def must_hold(self, asked: StaffProposal, asker: Any) -> None:
        """Raise `ToolError` unless it is in time, and both are where it was asked for."""
        me = find(asked.character)
        places = {place and entity_id(place) for place in (asker.location, me and me.location)}
        if self._now() >= asked.until:
            raise ToolError(_NOTHING)
        if me is None or places != {asked.place}:
            raise ToolError("You have to be where you asked for it, and the character too.")

    def _drop_late(self) -> None:
        now = self._now()
        self.open = {nonce: waits for nonce, waits in self.open.items() if now < waits.until}


PROPOSALS = StaffProposals()


class EvenniaProposing(Body):
    """Implements `holds` and `propose` of `ports.Acting`."""

    def holds(self, entity_id: str, permission: str) -> bool:
        """Does somebody hold a permission of the game right now? Whoever is gone does not."""
        who = find(entity_id)
        return who is not None and who.locks.check_lockstring(who, f"holds:perm({permission})")

    def propose(self, act: str, arguments: Json, asked_by: str, readers: str) -> str:
        """Tell whoever asked how to confirm an act; see `ports.Acting`."""
        me, asker = self._body(), find(asked_by)
        if asker is None or not hasattr(asker, "location"):
            raise ToolError("Whoever asks for that has to be here.")
        if act.startswith(USE):
            staff_acts.must_be_free(me)
        else:
            staff_acts.check(act, arguments, me, asker)
            arguments = staff_acts.moderated(act, arguments, me)
        made = PROPOSALS.put(act, arguments, me, asker, readers)
        told = staff_acts.act_in_words(act, arguments, asker)
        asker.msg(
            f"{name_of(me, asker)} would {told}. To let it, type within {SECONDS:.0f} seconds: "
            f"|wai/confirm {made.nonce}|n"
        )
        return f"It is not done: {name_of(asker, me)} was told how to confirm it, to {told}."
