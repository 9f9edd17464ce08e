"""Errands go from one running assistant to another, and their answers come back.

Whoever works on an errand takes no other turn meanwhile, and nobody waits for a slot to begin one:
a requester holds a slot of its own, so waiting for another could take for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.db.models import Q
from evennia.objects.models import ObjectDB
from evennia.scripts.models import ScriptDB
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from ai_assistant.agent.attention.emergency import STOPPED
from ai_assistant.agent.attention.scheduler import Scheduler
from ai_assistant.agent.delegation.errands import Delegate, Errand, ErrandAnswer
from ai_assistant.agent.delegation.serving import serve
from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import ToolError, TurnSuperseded
from ai_assistant.game.identity import CATEGORY, entity_id, find, is_assistant, name_of
from ai_assistant.game.log import report
from ai_assistant.memory.inner.sleep_state import ASLEEP, AWAKE
from ai_assistant.runtime.database_watch import NOT_NOW
from ai_assistant.runtime.resident import Resident


@dataclass(frozen=True, slots=True)
class Running:
    """An errand in somebody's hands."""

    errand: Errand
    """What is to be done."""
    requester: str
    """The id of the assistant that handed it over."""
    delegate: str
    """The id of the one that has it in hand."""
    turn_id: str
    """The turn in which it is done."""
    began: float
    """When, in seconds of the steady clock."""


class ErrandOffice:
    """Knows who may be given errands, and which are on their way."""

    def __init__(
        self,
        residents: Mapping[str, Resident],
        scheduler: Callable[[], Scheduler],
        pump: Callable[[], None],
        may_begin: Callable[[], bool],
    ) -> None:
        """`scheduler()` returns the one in use; `pump()` starts what may start by now, if anything
        `may_begin()`."""
        self._residents = residents
        self._scheduler = scheduler
        self._pump = pump
        self._may_begin = may_begin
        self.running: dict[str, Running] = {}

    def join(self, resident: Resident) -> None:
        """Let an assistant hand out errands, and know how it is and which others embody it."""
        mind = resident.mind

        def siblings() -> list[Mind]:
            others = (other.mind for other in self._residents.values() if other is not resident)
            return [other for other in others if other.store.npc == mind.store.npc]

        def condition() -> Json:
            waiting = len(resident.inbox.waiting) + len(self._scheduler().waiting(resident.id))
            return {"mode": ASLEEP if mind.phase else AWAKE, "waiting": waiting}

        mind.delegates = Desk(self, resident)
        mind.condition, mind.siblings = condition, siblings

    # -- who

    def tagged(self, tag: str) -> list[Any]:
        """Return the assistants whose character or script bears a tag, by name. Two queries."""
        ours = Q(db_tags__db_category__isnull=True) | Q(db_tags__db_category=CATEGORY)
        marked = Q(db_tags__db_key__iexact=tag, db_tags__db_tagtype__isnull=True) & ours
        scripts = ScriptDB.objects.filter(marked, db_obj__isnull=False)
        found = ObjectDB.objects.filter(marked).order_by("pk").distinct()
        characters = {body.pk: body for body in (*found, *(script.obj for script in scripts))}
        assistants = (body for body in characters.values() if is_assistant(body))
        return sorted(assistants, key=lambda body: body.key.casefold())

    def delegate_of(self, character: Any) -> Delegate:
        """Return an assistant as somebody who may be given an errand."""
        key = entity_id(character)
        resident = self._residents.get(key)
        about = _about(resident.mind.persona) if resident else ""
        return Delegate(key, name_of(character), about, self.hindrance(key))

    def hindrance(self, key: str) -> str:
        """Return why an assistant cannot take an errand right now; empty when it can."""
        resident = self._residents.get(key)
        if resident is None or resident.suspended:
            return "it does not run"
        if resident.hindrance:
            return _HINDRANCES.get(resident.hindrance, resident.hindrance)
        if resident.mind.phase:
            return "it is asleep"
        if resident.turn_id or self._scheduler().waiting(key):
            return "it is busy"
        return "" if self._may_begin() else NOT_NOW

    # -- out and back

    def send(self, requester: str, delegate_id: str, errand: Errand) -> Deferred[ErrandAnswer]:
        """Have an errand done; `requester` is the id of an assistant, or empty for staff.

        Cancelling the Deferred stops the work. Raises `ToolError` where the delegate cannot begin;
        the Deferred fails with one where it found no answer, or was interrupted.
        """
        hindrance = self.hindrance(delegate_id)
        if hindrance:
            raise ToolError(f"That one cannot do it now: {hindrance}.")
        resident = self._residents[delegate_id]
        turn_id = uuid4().hex
        began = resident.mind.clock.monotonic()
        self.running[errand.id] = Running(errand, requester, delegate_id, turn_id, began)
        self._scheduler().hold(delegate_id)
        resident.turn_id = turn_id
        answer: Deferred[ErrandAnswer] = Deferred(lambda _: self._stop(resident, turn_id))
        work = Deferred.fromCoroutine(serve(resident.mind, errand, turn_id))
        if not work.called:
            resident.turn = work
        work.addBoth(self._done, resident, turn_id, errand, answer)
        work.addErrback(lambda failure: report("errand", failure.value))
        return answer

    def _stop(self, resident: Resident, turn_id: str) -> None:
        """Stop work that nobody waits for any more."""
        if resident.turn_id == turn_id:
            resident.halt()
            self._scheduler().done(resident.id)
            self._pump()

    def _done(
        self,
        result: ErrandAnswer | Failure,
        resident: Resident,
        turn_id: str,
        errand: Errand,
        answer: Deferred[ErrandAnswer],
    ) -> None:
        self.running.pop(errand.id, None)
        # whoever stopped the errand has freed the delegate too
        was_halted = resident.turn_id != turn_id
        if not was_halted:
            resident.end()
            self._scheduler().done(resident.id)
            self._pump()
        if not isinstance(result, Failure):
            answer.callback(result)
            return
        if not was_halted and not result.check(ToolError, TurnSuperseded):
            report("errand", result.value)
        problem = result.value
        if not isinstance(problem, ToolError):
            character = find(resident.id)
            name = name_of(character) if character else "The delegate"
            ending = "was interrupted" if was_halted else "could not do it"
            problem = ToolError(f"{name} {ending}.")
        answer.errback(Failure(problem))


class Desk:
    """Implements `agent.delegation.errands.Delegates` for one assistant."""

    def __init__(self, office: ErrandOffice, resident: Resident) -> None:
        self._office = office
        self._resident = resident

    def known(self) -> list[Delegate]:
        """Return everybody with the configured tag except the assistant itself."""
        tag = self._resident.mind.config["delegate_assistant_tag"]
        found = map(self._office.delegate_of, self._office.tagged(tag) if tag else ())
        return [delegate for delegate in found if delegate.id != self._resident.id]

    def running(self) -> int:
        """Return how many errands of this assistant are with others right now."""
        running = self._office.running.values()
        return sum(errand.requester == self._resident.id for errand in running)

    def send(self, delegate_id: str, errand: Errand) -> Deferred[ErrandAnswer]:
        """Have an errand done."""
        return self._office.send(self._resident.id, delegate_id, errand)


_HINDRANCES = {
    "gone": "it is gone",
    "puppeted": "somebody plays it",
    "quiet": "staff want it quiet",
    "resting": "it rests after errors",
    STOPPED: "it was stopped after errors",
}


def _about(persona: Mapping[str, object]) -> str:
    """Return what an assistant knows about, as its persona has it."""
    interests = persona.get("interests") or ()
    listed = [interests] if isinstance(interests, str) else interests
    known = listed if isinstance(listed, Iterable) else ()
    return "; ".join(filter(None, [str(persona.get("role") or ""), *map(str, known)]))
