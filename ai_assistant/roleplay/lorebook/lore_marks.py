"""When entries of lorebooks came to mind, counted in messages.

Messages are counted for each label of readers. So what came up in a whisper is in mind, or rests,
only where the whisper itself may be used.
"""

from __future__ import annotations

from collections.abc import Sequence

from ai_assistant.core.contracts import Json
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
    talk = next((talk for talk in lore["talks"] if talk["readers"] == readers), None)
    talk = talk or {"readers": readers, "messages": 0}
    marks = [
        known
        for known in lore["marks"]
        if known["readers"] != readers or known["entry"] not in entries
    ]
    marks += [{"entry": entry, "readers": readers, "at": talk["messages"]} for entry in entries]
    talk["messages"] += messages
    talks = [other for other in lore["talks"] if other["readers"] != readers]
    lore["talks"] = [*talks, talk][-MAX_LABELS:]
    labels = {talk["readers"] for talk in lore["talks"]}
    lore["marks"] = [known for known in marks if known["readers"] in labels][-MAX_MARKS:]


LORE = Part(
    name="lore",
    attribute="lore",
    where="script",
    empty=empty_lore,
    steps={"mark": mark},
)
