"""What an assistant perceived, did and felt before what it has at hand: read from its past."""

from __future__ import annotations

from ai_assistant.core.contracts import Json
from ai_assistant.core.times import epoch
from ai_assistant.memory.people.profiles import PROFILE
from ai_assistant.memory.talk.stream import STREAM
from ai_assistant.storage.history import past

LATER = (8, 4, 2, 1)
"""So many commits after a time the stream has what was heard by then and waited for its turn: fewer
where so much came with them that what was before has left it."""


def lines_before(assistant: str, at: float, line: str = "") -> list[Json]:
    """Return what an assistant had perceived and done by a time, as its stream was, oldest first.

    With the id of a line of that time it is what came before that. Nothing where that is longer ago
    than states are kept. Any thread may ask. Raises `StoreError`.
    """
    last = past.moment_by(assistant, at) or 0
    for count in LATER:
        seq = past.change_after(assistant, STREAM.name, last, count)
        entries = (past.state_at(assistant, STREAM.name, "", seq) or STREAM.shape)["entries"]
        ids = [entry["id"] for entry in entries]
        before = ids.index(line) if line in ids else len(ids)
        if found := [one for one in entries[:before] if epoch(one["timestamp"]) <= at]:
            return found
    return []


def profile_before(assistant: str, person: str, at: float) -> Json | None:
    """Return what an assistant held about somebody by a time; None where that is not known.

    Any thread may ask. Raises `StoreError`.
    """
    return past.state_at(assistant, PROFILE.name, person, past.moment_by(assistant, at) or 0)
