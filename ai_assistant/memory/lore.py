"""When entries of lorebooks came to mind: what sticks, rests and waits is counted from here.

Messages are counted for each label of readers. So what came up in a whisper is in mind, or rests,
only where the whisper itself may be used.
"""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.contracts import Json
from ai_assistant.memory.parts import Part

MAX_LABELS = 50
MAX_MARKS = 200


def empty_lore() -> Json:
    """Return the state of somebody to whom nothing came to mind yet."""
    return {"talks": [], "marks": []}


def mark(lore: Json, *, readers: str, messages: int, entries: Sequence[str]) -> None:
    """Note that so many messages passed under a label, at whose begin these entries came to mind.

    The oldest marks, and the talks longest silent, are forgotten first.
    """
    talk = next((one for one in lore["talks"] if one["readers"] == readers), None)
    talk = talk or {"readers": readers, "messages": 0}
    marks = [
        one for one in lore["marks"] if one["readers"] != readers or one["entry"] not in entries
    ]
    marks += [{"entry": one, "readers": readers, "at": talk["messages"]} for one in entries]
    talk["messages"] += messages
    talks = [one for one in lore["talks"] if one["readers"] != readers]
    lore["talks"] = [*talks, talk][-MAX_LABELS:]
    kept = {one["readers"] for one in lore["talks"]}
    lore["marks"] = [one for one in marks if one["readers"] in kept][-MAX_MARKS:]


LORE = Part(
    name="lore",
    attribute="lore",
    where="script",
    empty=empty_lore,
    steps={"mark": mark},
)
