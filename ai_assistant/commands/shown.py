"""How memories are shown to people: one line each, for staff with the reference to name it by.

References: ``#12`` a memory row, ``j12`` a journal entry, ``o2@Alice`` the second observation about
Alice, ``t1@Alice`` a trait, ``f3`` and ``p3`` a fact and a pattern of session memory, ``n3`` a line
of the notebook. Players name nothing, so they are shown none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ai_assistant.core.contracts import Json
from ai_assistant.core.readers import OPEN
from ai_assistant.memory.search.recall import Found
from ai_assistant.memory.talk.folding import summary_of
from ai_assistant.tools.about_people import STANCES

LINES = 10
"""Number of last lines of a talk that are shown."""
Allowed = Callable[[str], bool]
"""May the one who looks read something with this label?"""


def everything(readers: str) -> bool:
    """What staff may read."""
    return True


def minute(stamp: str) -> str:
    """Return a stored time as people write it, to the minute; empty for none."""
    return stamp[:16].replace("T", " ")


def private(readers: str) -> str:
    """Return a mark for what not everybody may read."""
    return "" if readers == OPEN else " |y(private)|n"


def heading(text: str) -> str:
    """Return a title."""
    return f"|w{text}|n"


def sections(found: Mapping[str, Sequence[str]]) -> list[str]:
    """Return lines under their titles, without the titles that have none."""
    return [line for title, lines in found.items() if lines for line in (heading(title), *lines)]


def bond_line(profile: Json, *, numbers: bool) -> str:
    """Return who somebody is to the character; players are shown no numbers."""
    bond = profile["relationship"]
    times = f"{bond['interaction_count']} exchanges"
    feeling = f"{bond['state']}, {STANCES[bond['state']]}"
    if numbers:
        feeling += f"; favorability {bond['favorability']:.2f}, resting at {bond['rest']:.2f}"
    last = minute(profile["last_interaction"]) or "never"
    return f"{feeling}. Met {profile['created'][:10] or 'never'}, {times}, the last {last}."


def traits(profile: Json, allowed: Allowed, *, refs: bool) -> list[str]:
    """Return a line for each trait that may be read; players are told the words alone."""
    return [
        (f"  |c{ref}|n {_sorted(item)}" if refs else f"  {item['value']}") + private(readers)
        for ref, item, readers in _numbered("t", profile["attributes"])
        if allowed(readers)
    ]


def _sorted(item: Json) -> str:
    return f"{item['type']}: {item['value']} |x({item['source']})|n"


def observations(profile: Json, allowed: Allowed, *, refs: bool) -> list[str]:
    """Return a line for each observation that may be read."""
    return [
        f"  {_ref(ref, refs)}{item['content']} "
        f"|x({_whence(item, refs)}{minute(item['timestamp'])})|n{private(readers)}"
        for ref, item, readers in _numbered("o", profile["observations"])
        if allowed(readers)
    ]


def _ref(ref: str, shown: bool) -> str:
    return f"|c{ref}|n " if shown else ""


def _whence(item: Json, refs: bool) -> str:
    """Say how it came to know something: players are told from whom, where that is not them."""
    told_by = item.get("told_by")
    name = told_by.get("name", "") if isinstance(told_by, dict) else told_by
    if not refs:
        return f"from {name}, " if name else ""
    return f"{item['source']} by {name}, " if name else f"{item['source']}, "


def conversations(talks: Sequence[Json], *, they: str, me: str) -> list[str]:
    """Return conversations with one person as one: what is known of each, then the last lines."""
    said = [line for talk in talks for line in talk["messages"][-LINES:]]
    known = [line for talk in talks for line in _known(talk, they, me)]
    in_order = sorted(said, key=lambda line: (line["timestamp"], line["role"] != "user"))[-LINES:]
    return [*known, *_lines(in_order, they, me)]


def conversation(talk: Json, *, they: str, me: str) -> list[str]:
    """Return what is known of one conversation: its topic, promises, questions and last lines.

    `they` and `me` are the names under which the lines of both sides are shown.
    """
    return [*_known(talk, they, me), *_lines(talk["messages"][-LINES:], they, me)]


def _known(talk: Json, they: str, me: str) -> list[str]:
    context = talk["context"]
    promised = [f"{one['action']} (priority {one['priority']})" for one in talk["pending_actions"]]
    facts = {
        "topic": talk["topic"],
        "promised": "; ".join(promised),
        "mentioned": ", ".join(context["mentioned_items"]),
        "unanswered": "; ".join(context["unresolved_questions"]),
        "summary": summary_of(talk, they, me),
    }
    return [f"  {name}: {text}" for name, text in facts.items() if text]


def _lines(said: Iterable[Json], they: str, me: str) -> list[str]:
    names = {"user": they, "assistant": me}
    return [f"    |x{names.get(one['role'], they)}:|n {one['content']}" for one in said]


def listed(letter: str, items: Iterable[Json], allowed: Allowed) -> list[str]:
    """Return a line for each item of a list that may be read, under its reference."""
    return [
        f"  |c{ref}|n {item['content']} |x({minute(item.get('timestamp', ''))})|n{private(readers)}"
        for ref, item, readers in _numbered(letter, items)
        if allowed(readers)
    ]


def _numbered(letter: str, items: Iterable[Json]) -> list[tuple[str, Json, str]]:
    return [
        (f"{letter}{number}", item, str(item.get("readers", OPEN)))
        for number, item in enumerate(items, 1)
    ]


def entry(item: Json) -> str:
    """Return one line for a journal entry, for staff."""
    tags = f" [{', '.join(item['tags'])}]" if item["tags"] else ""
    return (
        f"  |cj{item['id']}|n {minute(item['timestamp'])} |x({item['source_type']}, importance "
        f"{item['importance']})|n {item['content']}{tags}{private(item['readers'])}"
    )


def entry_for_players(item: Json) -> str:
    """Return one line for a journal entry, for whom it is about."""
    return f"  {minute(item['timestamp'])} {item['content']}{private(item['readers'])}"


def fits(one: Found) -> bool:
    """Does something found hold a word that was searched for, or mean the same?

    The character is shown what was said around it as well; people who search are not.
    """
    return bool(one.hit.why.get("line") or one.hit.why.get("dense"))


def found_for_players(one: Found) -> str:
    """Return one line for what a search found, for whom it is about."""
    who = f"{one.row.author_name}: " if one.row.author_name else ""
    return f"  {who}{one.row.content}{private(one.row.readers)}"


def found(one: Found, *, ref: str = "", explain: bool = False) -> str:
    """Return one line for what a search found, with its score and why it was chosen.

    `ref` is its reference, where one is to be shown.
    """
    row, hit = one.row, one.hit
    who = f"{row.author_name}: " if row.author_name else ""
    line = f"  {_ref(ref, bool(ref))}|w{hit.score:.2f}|n {who}{row.content}{private(row.readers)}"
    if not explain:
        return line
    why = ", ".join(f"{name} {_number(value)}" for name, value in hit.why.items())
    return f"{line}\n      |x{row.kind}; {why}|n"


def _number(value: Any) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)
