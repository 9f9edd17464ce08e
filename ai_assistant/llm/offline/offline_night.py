"""The night of the offline model: facts by the small reader, feelings by manners."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ai_assistant.core.contracts import Json
from ai_assistant.core.model_records import ModelRequest
from ai_assistant.language.small_reader import Statement, held, read_line, read_note
from ai_assistant.language.talk_signs import manner_of

NOTE = "note"
_SPOKEN = frozenset({"say", "whisper", "page", "channel"})
_ENOUGH_HINTS = 2
_WEIGHTS = {"threat": -2, "insult": -1, "thanks": 1, "praise": 1}  # how a line treats one


@dataclass(slots=True)
class _Stated:
    """A fact with the lines that show it, and what was known that it replaces.

    `is_own`: they said it of themselves, or the character noted it.
    """

    who: str
    fact: Statement
    is_own: bool
    lines: list[str] = field(default_factory=list)
    replaces: list[str] = field(default_factory=list)

    def row(self) -> Json:
        """Return it in the form of the job's answer."""
        said = {"fact": self.fact.fact, "quote": self.fact.quote, "ended": self.fact.ended}
        said |= {"about": self.who, "lines": self.lines, "replaces": self.replaces}
        return {**said, "type": self.fact.type}

    @property
    def counts(self) -> bool:
        """Does it hold against what is known? Only one's own word does, and no end of nothing."""
        if not self.is_own:
            return not (self.fact.ended or self.replaces)
        return bool(self.replaces) or not self.fact.ended


def consolidated(request: ModelRequest) -> str:
    """Answer the job `consolidate`: what the lines state in plain words, of the people given.

    Asked to mend, it has nothing to add.
    """
    sections = {part.key: part.rows for part in request.sections}
    if "mend" in sections:
        return json.dumps({"facts": [], "people": []})
    names = {str(row["who"]): str(row["name"]) for row in sections.get("people", ())}
    me = next((str(row["name"]) for row in sections.get("me", ())), "")
    lines = sections.get("lines", ())
    told = _agreed(_stated(lines, names, me))
    for new in told:
        _compare(new, sections.get("known", ()), names[new.who])
    facts = [new.row() for new in told if new.counts]
    return json.dumps({"facts": facts, "people": _treated(lines, names)}, ensure_ascii=False)


def _stated(lines: Iterable[Json], names: Mapping[str, str], me: str) -> Iterator[_Stated]:
    borne = Counter(names.values())
    handles = {name: who for who, name in names.items() if borne[name] == 1}
    for row in lines:
        says, who = str(row.get("says", "")), str(row.get("who", ""))
        facts: Sequence[Statement] = ()
        if row.get("kind") == NOTE:
            who = str(row.get("about", ""))
            facts = read_note(says, about=names[who]) if who in names else ()
        elif row.get("kind") in _SPOKEN and who in names:
            facts = read_line(says, who=names[who], people=tuple(handles), me=me)
        for fact in facts:
            is_own = fact.about == names[who]
            yield _Stated(who if is_own else handles[fact.about], fact, is_own, [str(row["id"])])


def _agreed(stated: Iterable[_Stated]) -> list[_Stated]:
    """Return what holds at the end of the lines: the same once, of one slot the last word.

    What others say of somebody does not stand against their own word.
    """
    told: list[_Stated] = []
    for new in stated:
        theirs = [old for old in told if old.who == new.who]
        same = next((old for old in theirs if old.fact.says(new.fact)), None)
        if same:
            same.lines += [line for line in new.lines if line not in same.lines]
            same.fact = new.fact if same.fact.hint and not new.fact.hint else same.fact
            continue
        older = [old for old in theirs if new.fact.replaces(old.fact)]
        if new.is_own or not any(old.is_own for old in older):
            told = [*(old for old in told if old not in older), new]
    return [kept for kept in told if not kept.fact.hint or len(kept.lines) >= _ENOUGH_HINTS]


def _compare(told: _Stated, known: Iterable[Json], name: str) -> None:
    """Note which known facts a new one replaces, and say in their words what is known already."""
    for row in known:
        text = str(row.get("fact", "")).rstrip(".")
        if row.get("who") != told.who:
            continue
        for old in held(text, about=name) or (Statement(name, text, ""),):
            if told.fact.says(old):
                told.fact = replace(told.fact, fact=str(row["fact"]))
            elif told.fact.replaces(old):
                told.replaces.append(str(row["id"]))


def _treated(lines: Iterable[Json], names: Mapping[str, str]) -> list[Json]:
    found: dict[str, list[tuple[str, str]]] = {}
    for row in lines:
        who = str(row.get("who", ""))
        if row.get("kind") not in _SPOKEN or row.get("to") != "me" or who not in names:
            continue
        if manner := manner_of(str(row.get("says", ""))):
            found.setdefault(who, []).append((str(row["id"]), manner))
    judged: list[Json] = []
    for who, some in found.items():
        if total := max(-2, min(2, sum(_WEIGHTS[manner] for _, manner in some))):
            line, why = max(some, key=lambda pair: _WEIGHTS[pair[1]] * total)
            judged.append({"who": who, "treated": total, "line": line, "reason": why})
    return judged
