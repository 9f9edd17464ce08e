"""Lists of a block whose items carry readers: adding, editing by words, and summarising them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.readers import OPEN
from ai_assistant.language.words import sentences
from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import rules
from ai_assistant.memory.parts import Step

MAX_CONTENT = 400
"""Characters of one item."""
KEPT_SHARE = 0.5
"""The share of a full list that stays as it is when the older rest is summarised."""
MAX_SUMMARY = 600
"""Characters of what takes the place of the older items."""


def add(state: Json, name: str, item: Json) -> bool:
    """Append an item unless the same words stand there under its label; False: no room.

    Where there is none, nothing is added and a summary is asked for.
    """
    if knows(state, name, item["content"], item["readers"]):
        return True
    if not has_room(state, name, item):
        labelled.request_compaction(state)
        return False
    state[name].append(item)
    return True


def knows(state: Json, name: str, content: str, readers: str) -> bool:
    """Do exactly these words stand there, under exactly this label?"""
    return any(entry["content"] == content for entry in labelled.under(state[name], readers))


def has_room(state: Json, name: str, item: Json) -> bool:
    """Would one more item fit?"""
    return rules.fits(state, lambda draft: draft[name].append(item))


def edit(state: Json, name: str, *, old: str, new: str, kind: str, more: Json) -> list[MemoryRow]:
    """Give the one item with these whole words new ones; the old become a row of that kind.

    Without new words it goes. Nothing happens where it is not there, or where the new words find
    no room. `more` holds its label, and the fields that change along with the words.
    """
    under = labelled.under(state[name], more["readers"])
    found = [entry for entry in under if entry["content"] == old]
    if not found:
        return []
    authors = [entry.get("author", "") for entry in (found[0], more)]
    edited = {**found[0], **more, "content": new, "author": labelled.joint_author(authors)}

    def swap(draft: Json) -> None:
        at = draft[name].index(found[0])
        draft[name][at : at + 1] = [edited] if new else []

    if new and not rules.fits(state, swap):
        labelled.request_compaction(state)
        return []
    swap(state)
    return [labelled.as_row(found[0], kind)]


def insert(state: Json, name: str, item: Json, *, after: str) -> bool:
    """Put an item behind the one with these words (``""``: first); at the end where it is gone."""
    if knows(state, name, item["content"], item["readers"]) or not add(state, name, item):
        return False
    items = state[name]
    same = [entry["content"] for entry in items[:-1]]
    if not after or after in same:
        items.insert(same.index(after) + 1 if after else 0, items.pop())
    return True


def steps_of(name: str, kind: str) -> tuple[Step, Step, Step, Step]:
    """Return the steps of a list of lines: add, insert, edit, and settle by a summary.

    What an edit or a summary takes the place of becomes memory rows of that kind.
    """

    def add_item(
        block: Json, *, content: str, at: float, readers: str = OPEN, author: str = ""
    ) -> None:
        add(block, name, labelled.item(content, at=at, readers=readers, author=author))

    def insert_item(
        block: Json, *, content: str, after: str, at: float, readers: str = OPEN, author: str = ""
    ) -> None:
        item = labelled.item(content, at=at, readers=readers, author=author)
        insert(block, name, item, after=after)

    def edit_item(
        block: Json, *, old: str, new: str, at: float, readers: str = OPEN, author: str = ""
    ) -> list[MemoryRow]:
        more = labelled.item(new, at=at, readers=readers, author=author)
        return edit(block, name, old=old, new=new, kind=kind, more=more)

    def settle_items(
        block: Json,
        *,
        gone: Sequence[str],
        summary: str,
        at: float,
        readers: str = OPEN,
        author: str = "",
    ) -> list[MemoryRow]:
        item = labelled.item(summary, at=at, readers=readers, author=author)
        as_row = partial(labelled.as_row, kind=kind)
        return settle(block, name, gone=gone, item=item, as_row=as_row)

    return add_item, insert_item, edit_item, settle_items


# -- summarising


def older(items: Sequence[Json]) -> list[Json]:
    """Return the older part of a list under one label, which a summary is to replace."""
    return list(items[: len(items) - max(1, round(KEPT_SHARE * len(items)))])


def digest_of(items: Sequence[Json], limit: int = MAX_SUMMARY) -> str:
    """Return a summary of items by rule: the beginning of each, as far as there is room."""
    share = max(24, limit // max(1, len(items)) - 2)
    parts = [_beginning(item["content"], share) for item in items]
    return _beginning("Earlier: " + "; ".join(parts), limit)


def shortened(text: str, limit: int) -> str:
    """Return whole sentences of a text, in its order, that fit into so many characters.

    The first of each paragraph come before the others; the beginning, where not even one fits.
    """
    paragraphs = [sentences(paragraph) for paragraph in text.split("\n")]
    placed = [
        (number, at, sentence)
        for number, some in enumerate(paragraphs)
        for at, sentence in enumerate(some)
    ]
    kept: list[tuple[int, int, str]] = []
    for number, at, sentence in sorted(placed, key=lambda found: (found[1] > 0, *found[:2])):
        if sum(len(words) + 1 for _, _, words in kept) + len(sentence) <= limit:
            kept.append((number, at, sentence))
    lines = (
        [words for n, _, words in sorted(kept) if n == paragraph]
        for paragraph in range(len(paragraphs))
    )
    return "\n".join(" ".join(line) for line in lines if line) or _beginning(text, limit)


def _beginning(text: str, length: int) -> str:
    text = text.removeprefix("Earlier: ").rstrip(".") if length < MAX_SUMMARY else text
    if len(text) <= length:
        return text
    return (text[: length - 1].rpartition(" ")[0] or text[: length - 1]) + "…"


def settle(
    state: Json,
    name: str,
    *,
    gone: Sequence[str],
    item: Json,
    as_row: Callable[[Json], MemoryRow],
) -> list[MemoryRow]:
    """Replace the items with these words, under the label of `item`, by it; return their rows.

    Only what is still there goes, and its authors are authors of the summary as well. A summary
    that is longer than what it replaces is left out.
    """
    items = state[name]
    replaced = [
        entry for entry in labelled.under(items, item["readers"]) if entry["content"] in gone
    ]
    if not replaced:
        return []
    at = items.index(replaced[0])
    state[name] = [entry for entry in items if entry not in replaced]
    authors = labelled.joint_author(
        [item["author"], *(entry.get("author", "") for entry in replaced)]
    )
    if len(item["content"]) < labelled.size(replaced):
        state[name].insert(at, {**item, "author": authors})
    rules.settled(state)
    return [as_row(entry) for entry in replaced]
