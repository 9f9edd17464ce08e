"""Forgetting: a person, or one memory, leaves everything that the assistants keep.

The work is done in small slices between which the game goes on, in an order that can be taken up
again after a crash: what is forgotten is learned first and deleted last. Run twice, it changes
nothing the second time. Who may ask for it is for the caller to decide (``AI_ASSISTANT_FORGET``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Literal

from twisted.internet.defer import Deferred

from ai_assistant.api.editing import find_item
from ai_assistant.api.forgetting.forget_passes import Erasing
from ai_assistant.api.handlers.handler_base import id_of
from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.api.release import resting_bodies
from ai_assistant.api.slices import in_slices
from ai_assistant.core.text import clean
from ai_assistant.game.identity import entity_id
from ai_assistant.game.log import tell_staff
from ai_assistant.memory.redaction import fingerprint
from ai_assistant.memory.wipe import Wipe


@dataclass(slots=True)
class ForgetReport:
    """How much was forgotten."""

    counts: Counter[str] = field(default_factory=Counter)
    """How much went of each kind: memories, journal, profile, audit and so on."""
    clean: bool = True
    """False where SQLite's files may still hold what was deleted: the database is large, or another
    program was reading it. Vacuum it while the game is down."""

    missed: dict[str, str] = field(default_factory=dict)
    """Archives that were not reached and may hold it still: why, by the path of the file."""

    @property
    def total(self) -> int:
        """All kinds together."""
        return self.counts.total()

    @property
    def remains(self) -> list[str]:
        """Where what was forgotten may still be, each a sentence for staff; empty for nowhere."""
        left = "Remains may be left in the database file; see docs/privacy.md."
        return [*self.unreached, *(() if self.clean else [left])]

    @property
    def unreached(self) -> list[str]:
        """The archives among them."""
        return [f"{path} was not reached ({why})." for path, why in sorted(self.missed.items())]

    def __str__(self) -> str:
        return ", ".join(f"{count} {kind}" for kind, count in sorted(self.counts.items()))


def forget_person(
    entity: Any,
    *,
    scope: Literal["own", "all"] = "own",
    by: Any,
    assistants: Sequence[Any] | None = None,
    progress: Callable[[float], object] | None = None,
) -> Deferred[ForgetReport]:
    """Let assistants forget a person's own words, or all that is about that person.

    Args:
        entity: A game object, or the lasting id of one, which may be gone.
        scope: ``own``: what they said, and what was made of it; how they get on stays, and so
            does what others said. ``all``: their profile and whatever is about them as well, and
            their words wherever others quote them.
        by: Who asks for it (a game object, an id or a word), for the audit log.
        assistants: Characters, running or not; None for all of them, and for minds that rest.
        progress: Called now and then with the share that is done, 0.0 to 1.0.

    Returns:
        A Deferred of the report. It fails with `StoreError` where the database refuses; then
        it may simply be called again.
    """
    wipe = Wipe(entity=id_of(entity), everything=scope == "all", minds=minds())
    chosen = _everybody() if assistants is None else list(assistants)
    note = {"by": _name(by), "entity": wipe.entity, "scope": scope}
    return _begin(Erasing(wipe, chosen, note, everywhere=assistants is None), progress)


def forget_item(character: Any, ref: str, *, by: Any) -> Deferred[ForgetReport]:
    """Let an assistant forget one thing, and its words wherever they were copied.

    `ref` is as `editing.find_item` takes it, which raises `AssistantError` where there is no such
    thing. The Deferred is as that of `forget_person`.
    """
    item = find_item(character, ref.strip())
    gone = {item.number} - {0}  # evidence of others
    wipe = Wipe(chosen=frozenset({fingerprint(item.value)}), minds=minds(), gone=gone)
    note = {"by": _name(by), "item": ref[0], "scope": "item"}
    return _begin(Erasing(wipe, [character], note, everywhere=False))


def _begin(
    erasing: Erasing, progress: Callable[[float], object] | None = None
) -> Deferred[ForgetReport]:
    return Deferred.fromCoroutine(_forget(erasing, progress))


async def _forget(erasing: Erasing, progress: Callable[[float], object] | None) -> ForgetReport:
    with closing(erasing.steps()) as steps:  # which hold turns back: not beyond what they raise
        await in_slices(steps, progress and (lambda: progress(erasing.share)))
    done = ForgetReport(erasing.totals(), erasing.clean, erasing.archives.missed)
    for where in done.unreached:  # also where a player asked, who has no business with files
        tell_staff(f"Forgetting: {where}")
    return done


def minds() -> frozenset[str]:
    """Return the ids of all assistants, and of those whose mind rests."""
    return frozenset(map(entity_id, _everybody()))


def _everybody() -> list[Any]:
    return [*all_assistants(), *resting_bodies()]


def _name(who: Any) -> str:
    return clean(who, 100) if isinstance(who, str) else entity_id(who)
