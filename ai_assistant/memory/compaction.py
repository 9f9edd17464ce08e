"""Compaction: the older lines of a talk become a few lines of summary, with no model's help.

It always succeeds, and folding twice is folding once. Nothing is lost by it but room in the prompt:
every line stays a row of the container, where recall finds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ai_assistant.contracts import Json
from ai_assistant.memory.parts import digest, epoch, iso

MOST_TOKENS, KEPT_TOKENS = 4000, 3000
"""From so many tokens on a talk is folded, to so many: more than any prompt's window takes."""
CHARS_PER_TOKEN = 4
STALE = 3600.0
"""Seconds of silence after which a talk is over (seed EP §4)."""
MAX_RECORD = 1200
"""Characters of what a model put together: it begins a summary, and no later line displaces it."""
MAX_LINES = 1600
"""Characters of the lines folded since; the oldest give way."""
MAX_SUMMARY = MAX_RECORD + MAX_LINES
LONGEST_LINE = 120
MOST_FOLDED = 160
"""Ids of folded lines that are kept: as many as the stream has entries."""
ENOUGH_FOR_A_MODEL = 5
"""Lines that must have been folded before a model is asked to put them together."""
_WHO = {"user": "They", "assistant": "I"}


def keep_in_size(talk: Json, *, at: float) -> None:
    """Fold a talk that has grown long, so far that it need not be folded again for a while."""
    left, keep = KEPT_TOKENS, 0
    if sum(map(_tokens, talk["messages"])) <= MOST_TOKENS:
        return
    for message in reversed(talk["messages"]):
        left -= _tokens(message)
        if left < 0:
            break
        keep += 1
    fold(talk, at=at, keep=keep)


def _tokens(message: Mapping[str, Any]) -> int:
    return len(message["content"]) // CHARS_PER_TOKEN + 1


def fold(talk: Json, *, at: float, keep: int = 0) -> None:
    """Turn all but the newest `keep` lines into lines of the summary; no line is there twice."""
    messages = talk["messages"]
    older = messages[: max(0, len(messages) - keep)]
    if not older:
        return
    talk["messages"] = messages[len(older) :]
    record, lines = _parts(talk)
    known = {*record, *lines}
    for message in older:
        line = bullet(message)
        if line and line not in known:
            known.add(line)
            lines.append(line)
    kept = _newest(lines, MAX_LINES)
    talk["summary"] = "\n".join([*_newest(record, MAX_RECORD), *kept])
    talk["rolled"] = len(kept)
    ids = [message["id"] for message in older if message.get("id")]
    talk["folded"] = [*talk.get("folded", ()), *ids][-MOST_FOLDED:]
    talk["last_compaction"] = iso(at)


def bullet(message: Mapping[str, Any]) -> str:
    """Return a line of talk as a line of summary: who, and the beginning of what."""
    words = " ".join(str(message["content"]).split())
    if len(words) > LONGEST_LINE:
        words = words[: LONGEST_LINE - 1]
        whole = words.rpartition(" ")[0]
        words = f"{whole if len(whole) > LONGEST_LINE // 2 else words}…"
    return f"- {_WHO.get(message['role'], 'They')}: {words}" if words else ""


def _parts(talk: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the lines of what a model put together, and those folded since."""
    lines = talk["summary"].split("\n") if talk["summary"] else []
    since = max(0, len(lines) - talk.get("rolled", 0))
    return lines[:since], lines[since:]


def _newest(lines: list[str], limit: int) -> list[str]:
    """Return the newest lines that fit."""
    kept: list[str] = []
    left = limit
    for line in reversed(lines):
        left -= len(line) + 1
        if left < 0:
            break
        kept.append(line)
    return kept[::-1]


def is_stale(talk: Mapping[str, Any], now: float, max_age: float = STALE) -> bool:
    """Has nobody spoken for `max_age` seconds? `now` in seconds since the epoch."""
    last = max(talk["last_message"], talk["started"])
    return bool(last) and now - epoch(last) > max_age


def close(talk: Json, *, at: float) -> None:
    """End a talk: all of it is folded, its topic, open ends and kits are over, promises stay."""
    fold(talk, at=at, keep=0)
    talk["topic"], talk["topic_given"], talk["started"] = "", False, ""
    talk["context"] = {"mentioned_items": [], "unresolved_questions": []}
    talk["kits"] = []


def to_summarise(talk: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the prior summary, and the lines folded since, that a model is to put together.

    No lines where there are too few to be worth it.
    """
    record, lines = _parts(talk)
    return "\n".join(record), lines if len(lines) >= ENOUGH_FOR_A_MODEL else []


def version_of(talk: Mapping[str, Any]) -> str:
    """Return what a summary must be based on to be applied."""
    return digest(f"{talk['summary']}\n{talk.get('rolled', 0)}")


def replace_summary(talk: Json, *, expected: str, summary: str) -> None:
    """Put a model's summary in the place of the lines; nothing where they changed meanwhile."""
    if version_of(talk) == expected:
        talk["summary"], talk["rolled"] = summary, 0
