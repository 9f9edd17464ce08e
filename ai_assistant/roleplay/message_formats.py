"""The texts of scenes: message lines, enriched messages, queries, updates.

They are made here and shown; nothing ever reads its facts back out of such a text, for those are
kept beside it. What players wrote can fake neither a heading nor a day.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.text import NAME_LIMIT

WORLD = "world"
"""The reserved id under which a session's world container is kept; no character bears it."""
TIME_HEADING = "###Current time###"
RECENT_HEADING = "###Recent messages###"
MESSAGE_HEADING = "###Message###"
KNOWLEDGE_HEADING = "###Newly discovered world knowledge###"
DEEDS = frozenset({"pose", "emote"})
"""Types of lines that tell what somebody did."""
MOST_RECENT = 3
_ADDED = ("permanent", "loreKey", "characterId", "updateType", "previousLocation")
"""Metadata that some memories have, under the names that they are printed by."""
_MARKS = re.compile(r"#{3,}")
_DAY = re.compile(r"(game\s?day)\s*:", re.IGNORECASE)
_COUNTS = {1: "message", 2: "two messages", 3: "three messages"}


@dataclass(frozen=True, slots=True)
class Said:
    """A message as the formats need it."""

    name: str
    """The speaker's display name."""
    content: str
    """What was said."""
    day: int
    """The day of the game or the story."""


def container_name(session: str, character: str = WORLD) -> str:
    """Return the printed name of a container which leads nowhere."""
    return f"{session}-{character}"


def disarmed(content: str) -> str:
    """Return a text on one line, in which no heading and no game day can be faked."""
    folded = " ".join(content.split())
    return _DAY.sub(r"\1 -", _MARKS.sub("##", folded))


def message_line(name: str, content: str, day: int) -> str:
    """Return the one form in which a message is stored in the world container and shown."""
    speaker = disarmed(name).replace(":", " ")[:NAME_LIMIT]
    return f"Message: {speaker}: {disarmed(content)} GameDay: {day}"


def spoken_words(line: str) -> str:
    """Return the words of a line that is stored as a message; another text stays as it is."""
    if not line.startswith("Message: "):
        return line
    words = line.removeprefix("Message: ").partition(": ")[2]
    return words.rpartition(" GameDay: ")[0]


def update_line(what: str, day: int) -> str:
    """Return a world-state or character update as it is stored."""
    told = disarmed(what).rstrip(" .")
    return f"{told}. GameDay: {day}"


def tale_line(name: str, content: str, *, is_deed: bool) -> str:
    """Return a line as one tells it: who said what; what somebody did, with the name once.

    What happened is nobody's word, and has no name.
    """
    if name and not is_deed:
        return f"{name}: {content}"
    return content if content.startswith(name) else f"{name} {content}"


def is_deed(row: MemoryRow) -> bool:
    """Is this something that somebody did, and no words?"""
    return row.kind == "deed" or row.meta.get("type") in DEEDS


def current_time(day: int) -> str:
    """Return the section that says which day of the story it is."""
    return f"{TIME_HEADING}\nGame Day: {day}"


def enriched_row(row: MemoryRow) -> str:
    """Return a row of a character's container as its enriched message, in its sections.

    The third one is there only where something was newly learnt.
    """
    line = message_line(row.author_name, row.content, row.game_day)
    parts = [current_time(row.game_day), f"{MESSAGE_HEADING}\n{line}"]
    if knowledge := row.meta.get("knowledge"):
        parts.append("\n".join([KNOWLEDGE_HEADING, *map(disarmed, map(str, knowledge))]))
    return "\n\n".join(parts)


def metadata_of(row: MemoryRow) -> Json:
    """Return a row's metadata by their printed names."""
    meta = row.meta
    known: Json = {
        "speaker": meta.get("speaker", row.author),
        "participants": list(meta.get("participants", ())),
        "isSpeaker": bool(meta.get("is_speaker")),
        "location": row.location,
        "gameDay": row.game_day,
        "type": meta.get("type", row.kind),
        "timestamp": row.learned_at,
    }
    return known | {key: meta[key] for key in _ADDED if key in meta}


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """A character's question to its own container.

    Where words are compared, headings and a question that is always the same would drown what was
    said (decisions.md, "Search"): there its parts stand alone.
    """

    text: str
    """The whole question, of which vectors are made."""
    words: str
    """What is answered: its words are compared."""
    around: str = ""
    """What was said around that; its words count a little."""


def recall_query(
    day: int, answered: Sequence[Said], character: str, *, earlier: Sequence[Said] = ()
) -> RecallQuery:
    """Return the question that a memory search is asked.

    `answered` is what the character answers, `earlier` what was said before, both oldest first; of
    all of it the last three stand in the question. Without any there is no section of them.
    """
    newest = [*earlier, *answered][-MOST_RECENT:]
    parts = [current_time(day)]
    if newest:
        lines = (message_line(said.name, said.content, said.day) for said in newest)
        parts.append("\n".join([RECENT_HEADING, *lines]))
    asked = _COUNTS.get(len(newest), _COUNTS[MOST_RECENT])
    parts.append(
        f"What are the relevant memories that are not in the recent {asked} "
        f"to construct {disarmed(character)}'s message?"
    )
    before = newest[: max(0, len(newest) - len(answered))]
    answer, around = (" ".join(said.content for said in lines) for lines in (answered, before))
    return RecallQuery("\n\n".join(parts), answer, around)
