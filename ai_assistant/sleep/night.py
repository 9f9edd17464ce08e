"""A night: its stages in order, one small piece of work at a time, each saved with its mark.

Whatever ends a night in the middle (waking, a reload, a kill) costs at most the piece that was
under way: what is saved is marked as done in the same transaction, and its inputs are used up.
The commit that leaves a stage begins the next one with work; those without any are passed over.
"""

from __future__ import annotations

from collections.abc import Coroutine

from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import Change, Commit, Json
from ai_assistant.memory.inner.sleep_state import ASLEEP, COMPACTING, is_asleep
from ai_assistant.sleep.reading import read_day
from ai_assistant.sleep.reflection import file_journal, reflect, score
from ai_assistant.sleep.settle_blocks import settle_blocks
from ai_assistant.sleep.tidying import (
    fold_old_days,
    part_with_strangers,
    prune,
    settle_lists,
    summarise_talks,
    tidy_talks,
)
from ai_assistant.sleep.work import NightStage, save_work

MOST_PIECES = 5000
"""A stage that takes more pieces than this goes in circles, and is left until the next night."""
COMPACTING_STAGES: tuple[tuple[str, NightStage], ...] = (("score", score), ("file", file_journal))
DREAMING_STAGES: tuple[tuple[str, NightStage], ...] = (
    ("read", read_day),
    ("reflect", reflect),
    ("talks", tidy_talks),
    ("summaries", summarise_talks),
    ("settle", settle_lists),
    ("blocks", settle_blocks),
    ("prune", prune),
    ("strangers", part_with_strangers),
    ("days", fold_old_days),
)
STAGES = (*COMPACTING_STAGES, *DREAMING_STAGES)


async def sleep_on(mind: Mind) -> bool:
    """Do the next piece of the night's work and save it; False when there is nothing left to do.

    Raises `StoreError` where it could not be saved: it is then still to be done.
    """
    sleep = mind.store.read("sleep")
    if not is_asleep(sleep) or sleep["stage"] >= len(STAGES):
        return False
    epoch = mind.epoch
    circles = sleep["pieces"] >= MOST_PIECES
    found = None if circles else STAGES[sleep["stage"]][1](mind, sleep)
    work = await found if isinstance(found, Coroutine) else found
    stage = sleep["stage"] if work is not None else await _next_with_work(mind, sleep)
    now = mind.store.read("sleep")
    is_same = (now["mode"], now["night"], now["stage"]) == (ASLEEP, sleep["night"], sleep["stage"])
    if mind.epoch != epoch or not is_same:
        return False
    if work is not None:
        save_work(mind, sleep, work)
    else:
        _go_on(mind, sleep, stage)
    return True


async def _next_with_work(mind: Mind, sleep: Json) -> int:
    """Return the next stage that has something to do, or how many there are.

    Each look takes milliseconds, and a step of the reactor of its own.
    """
    fresh = {**sleep, "skipped": [], "pieces": 0}
    for stage in range(sleep["stage"] + 1, len(STAGES)):
        await mind.pause(0)
        if _has_work(mind, fresh, stage):
            return stage
    return len(STAGES)


def skip_stage(mind: Mind) -> None:
    """Leave the present stage until the next night. Raises `StoreError`."""
    sleep = mind.store.read("sleep")
    if is_asleep(sleep) and not work_is_done(sleep):
        _go_on(mind, sleep, sleep["stage"] + 1)


def _go_on(mind: Mind, sleep: Json, stage: int) -> None:
    begins_to_dream = sleep["phase"] == COMPACTING and stage >= len(COMPACTING_STAGES)
    at = mind.clock.now()
    step = {"at": at, "stage": stage, "dreaming": begins_to_dream}
    change = Change("sleep", "", "advance", step)
    mind.save(Commit(at=at, turn_id=sleep["night"], changes=[change]))


def _has_work(mind: Mind, sleep: Json, stage: int) -> bool:
    """Has a stage something to do? One that cannot tell has: begun, its failures count as its."""
    try:
        found = STAGES[stage][1](mind, sleep)
    except Exception:
        return True
    if isinstance(found, Coroutine):
        found.close()
    return found is not None


def work_is_done(sleep: Json) -> bool:
    """Has the night nothing left to do?"""
    return bool(sleep["stage"] >= len(STAGES))


def is_over(sleep: Json, now: float) -> bool:
    """Is the night's work done, and the time of waking come?

    `now` in seconds since the epoch. A sleep without an end of its own ends with its work.
    """
    return is_asleep(sleep) and (now >= sleep["until"] if sleep["until"] else work_is_done(sleep))
