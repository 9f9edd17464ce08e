"""Old days: talk of long ago is folded into a summary a day, the oldest first, slice by slice."""

from __future__ import annotations

from itertools import takewhile

from ai_assistant.agent.mind import Mind
from ai_assistant.core.contracts import Json, NewRow
from ai_assistant.memory.inner.sleep_state import unread_after
from ai_assistant.roleplay.day_summaries import fold_days, is_young, whole_days
from ai_assistant.roleplay.play import Play
from ai_assistant.roleplay.scene import GAME
from ai_assistant.sleep.tidying import evidence_of
from ai_assistant.sleep.work import Work

SLICE = 200
"""Rows of one piece of work."""


async def fold_old_days(mind: Mind, sleep: Json) -> Work | None:
    """Fold the next days that lie further back than `fold_days_back`; None when none is left.

    In the game, and in the scene that it plays in, each by the day of its own story.
    """
    back = mind.config["fold_days_back"]
    now = mind.plays(None)
    sessions = (GAME, now.session, now.member_of)
    plays = {play.session: play for play in map(mind.plays, sessions)}
    done = {session: sleep.get("folded", {}).get(session, 0) for session in plays}
    for play in plays.values() if back else ():
        if work := _slice(mind, sleep, play, done):
            return work
    return None


def _slice(mind: Mind, sleep: Json, play: Play, done: dict[str, int]) -> Work | None:
    """Return the next piece of a session's days.

    What was not read yet waits for the next night; what a view rests on stays as it is.
    """
    before = play.day - mind.config["fold_days_back"]
    rows = mind.store.rows.after(done[play.session], SLICE, play.session)
    known = (row for row in rows if row.id <= unread_after(sleep))
    old = list(takewhile(lambda row: not is_young(row, before), known))
    some = whole_days(old, more=len(old) == SLICE)
    if not some:
        return None
    evidence = evidence_of(mind)
    foldable = (row for row in some if row.id not in evidence)
    folded = fold_days(foldable, before, mind.clock.now())
    told = {"days": len(folded.summaries), "lines": len(folded.archived)}
    return Work(
        "days",
        rows=folded.summaries,
        archived=folded.archived,
        told=told if folded.summaries else {},
        undo={
            "summaries": [NewRow(place) for place in range(len(folded.summaries))],
            "archived": folded.archived,
        },
        marks={"folded": {**done, play.session: some[-1].id}},
    )
