"""Compaction: the older lines of a talk are folded into a short summary, without a model.

Folding always succeeds, and folding twice changes nothing more. Folded lines wait in the summary
until a model puts them together; if there are more than a model could read, the oldest leave and
are counted. Every line also stays a row of the container, where recall finds it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.times import HOUR, epoch, iso
from ai_assistant.language.words import LETTERS_A_TOKEN, clipped, extent
from ai_assistant.memory.parts import digest

MOST_TOKENS, KEPT_TOKENS = 2500, 1600
"""From so many tokens on a talk is folded, to so many: more than the usual window takes. The sooner
a talk is folded, the sooner a model puts together what left the window."""
STALE = HOUR
"""Seconds of silence after which a talk is over."""
MAX_RECORD = 1200
"""Characters of what a model put together: it begins a summary, and no later line displaces it."""
LONGEST_LINE, SHORTENED = 600, 120
"""Letters of a folded line, and of the oldest ones where all together have more than ``ROOM``."""
ROOM = 16_000
MOST_FOLDED = 160
"""Lines that are folded since, and lines of which the summary knows the ids: as many as the stream
has entries. They and the record are what a small model can read at once."""
_BEGINNING = len("- assistant: ")
"""Characters of a folded line that say which side spoke."""
ENOUGH_FOR_A_MODEL = 5
"""Lines that must have been folded before a model is asked to put them together."""


def keep_in_size(talk: Json, *, at: float) -> None:
    """Fold a talk that has grown too long, far enough to keep it in size for a while."""
    contents = [message["content"] for message in talk["messages"]]
    if extent("".join(contents)) // LETTERS_A_TOKEN + len(contents) <= MOST_TOKENS:
        return  # together they count for no less than one by one
    sizes = [extent(content) // LETTERS_A_TOKEN + 1 for content in contents]
    if sum(sizes) > MOST_TOKENS:
        keep = sum(size <= KEPT_TOKENS for size in accumulate(reversed(sizes)))
        fold_talk(talk, at=at, keep=keep)


def fold_talk(talk: Json, *, at: float, keep: int = 0) -> None:
    """Fold all but the newest `keep` lines into the summary; answers leave with their questions."""
    messages = talk["messages"]
    count = _whole_exchanges(messages, max(0, len(messages) - keep))
    older = messages[:count]
    if not older:
        return
    talk["messages"] = messages[len(older) :]
    record, lines = _parts(talk)
    made = [(line, message) for message in older if (line := bullet(message))]
    lines += [line for line, _ in made]
    kept = _in_room(lines[-MOST_FOLDED:])
    talk["summary"] = "\n".join([*record, *kept])
    talk["rolled"] = len(kept)
    talk["older"] = talk.get("older", 0) + len(lines) - len(kept)
    marks = [{name: said.get(name, "") for name in ("id", "timestamp")} for _, said in made]
    talk["summed"] = [*talk.get("summed", ()), *marks][-MOST_FOLDED:]
    talk["last_compaction"] = iso(at)


def _whole_exchanges(messages: Sequence[Json], count: int) -> int:
    """Return how many lines to fold, `count` at least, so that no answer stays without its line."""
    is_answered = any(message["role"] != "assistant" for message in messages[:count])
    while is_answered and count < len(messages) and messages[count]["role"] == "assistant":
        count += 1
    return count


def _in_room(lines: Sequence[str]) -> list[str]:
    """Return the lines, the oldest shortened as far as they do not all fit into `ROOM`."""
    over = sum(map(extent, lines)) - ROOM
    kept = [*lines]
    for place, line in enumerate(lines):
        if over <= 0:
            break
        kept[place] = clipped(line, SHORTENED + _BEGINNING)
        over -= extent(line) - extent(kept[place])
    return kept


def bullet(message: Mapping[str, Any]) -> str:
    """Return a line of talk as a line of summary, with its role; a very long one is cut."""
    words = clipped(" ".join(str(message["content"]).split()), LONGEST_LINE)
    return f"- {message['role']}: {words}" if words else ""


def _parts(talk: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the lines that a model made of the talk, and those folded since."""
    lines = talk["summary"].split("\n") if talk["summary"] else []
    since = max(0, len(lines) - talk.get("rolled", 0))
    return lines[:since], lines[since:]


def _marks(talk: Mapping[str, Any], lines: Sequence[str]) -> tuple[list[Json], list[Json]]:
    """Return the ids and times of the lines that the record covers, and of `lines`, folded since.

    Older states hold fewer of them: the first lines have none then.
    """
    known = [*talk.get("summed", ())]
    covered = max(0, len(known) - len(lines))
    since = known[covered:]
    return known[:covered], [*[{}] * (len(lines) - len(since)), *since]


def record_of(talk: Mapping[str, Any]) -> tuple[list[str], list[Json]]:
    """Return what a model made of the talk, and the ids and times of the lines that it covers."""
    folded = talk.get("summed", ())
    return _parts(talk)[0], [*folded[: max(0, len(folded) - talk.get("rolled", 0))]]


def unsummarised(talk: Mapping[str, Any], held: Collection[str] = ()) -> Iterator[Json]:
    """Yield the lines that no model has summarised, as messages: folded lines, then the rest.

    Lines whose ids are in `held` stand elsewhere and are left out.
    """
    lines = _parts(talk)[1]
    for line, mark in zip(lines, _marks(talk, lines)[1], strict=True):
        if mark.get("id", "") not in held:
            yield {"id": "", "timestamp": "", **mark, **_said(line)}
    for message in talk["messages"]:
        if message.get("id", "") not in held:
            yield {"id": "", "timestamp": "", **message}


def _said(line: str) -> Json:
    role, _, words = line.removeprefix("- ").partition(": ")
    return {"role": role, "content": words}


def is_stale(talk: Mapping[str, Any], now: float, max_age: float = STALE) -> bool:
    """Has nobody spoken for `max_age` seconds? `now` in seconds since the epoch."""
    last = max(talk["last_message"], talk["started"])
    return bool(last) and now - epoch(last) > max_age


def take_lines_back(talk: Json, *, ids: Collection[str]) -> None:
    """Remove the lines with these ids, folded ones too; what a model made of them stays.

    Questions in these lines go as well, and so does a topic that was taken from them.
    """
    gone = [said for said in talk["messages"] if said["id"] in ids]
    talk["messages"] = [said for said in talk["messages"] if said["id"] not in ids]
    record, lines = _parts(talk)
    older, since = _marks(talk, lines)
    kept = [line for line, mark in zip(lines, since, strict=True) if mark.get("id") not in ids]
    talk["summary"], talk["rolled"] = "\n".join([*record, *kept]), len(kept)
    talk["summed"] = [mark for mark in (*older, *since) if mark and mark["id"] not in ids]
    said = " ".join(line["content"] for line in gone)
    open_ones = talk["context"]["unresolved_questions"]
    talk["context"]["unresolved_questions"] = [asked for asked in open_ones if asked not in said]
    if talk["topic"].removesuffix("…") in said and not talk["topic_given"]:
        talk["topic"] = ""


def close(talk: Json, *, at: float) -> None:
    """End a talk: fold all of it, clear its topic, context and kits, and keep its promises."""
    fold_talk(talk, at=at, keep=0)
    talk["topic"], talk["topic_given"], talk["started"] = "", False, ""
    talk["context"] = {"mentioned_items": [], "unresolved_questions": []}
    talk["kits"] = []


def to_summarise(talk: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the prior summary and the lines folded since, for a model to put together.

    There are no lines if too few were folded to be worth a call.
    """
    record, lines = _parts(talk)
    return "\n".join(record), lines if len(lines) >= ENOUGH_FOR_A_MODEL else []


def by_name(line: str, name: str, own: str) -> str:
    """Return a line of a summary with a name for the role; the character's is `own`."""
    side, _, words = line.removeprefix("- ").partition(": ")
    who = {"user": name, "assistant": own}.get(side, "")
    return f"{who}: {words}" if who else line


def summary_of(talk: Mapping[str, Any], name: str, own: str) -> str:
    """Return the whole summary of a talk with the names of both; the character's is `own`."""
    return "\n".join(by_name(line, name, own) for line in talk["summary"].split("\n"))


def version_of(talk: Mapping[str, Any]) -> str:
    """Return the version of a summary: `replace_summary` applies only to the one it was made of."""
    return digest(f"{talk['summary']}\n{talk.get('rolled', 0)}")


def replace_summary(talk: Json, *, expected: str, summary: str) -> None:
    """Replace the folded lines by a model's summary, unless they changed since `expected`."""
    if version_of(talk) == expected:
        talk["summary"], talk["rolled"] = summary, 0
