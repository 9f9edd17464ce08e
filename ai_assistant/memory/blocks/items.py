"""Lists of a block whose items carry readers; a game's own blocks are one such list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ai_assistant.core.contracts import Json, MemoryRow
from ai_assistant.core.errors import BlockRefused
from ai_assistant.core.readers import OPEN
from ai_assistant.memory import labelled
from ai_assistant.memory.blocks import rules
from ai_assistant.memory.importance import score_importance_heuristic
from ai_assistant.memory.parts import Part, Step
from ai_assistant.memory.phrases import gist

MAX_CONTENT = 400
"""Characters of one item."""
KEPT_SHARE = 0.5
"""The share of a full list that stays as it is when the older rest is summarised."""
MAX_SUMMARY = 600
"""Characters of what takes the place of the older items."""
LONGEST_TOLD = 120
"""Characters that a summary by rule tells of one item, unless its first sentence is longer."""
BRIEF = "brief"
"""What it tells of an item that is not to be told in the item's own words."""
EARLIER, JOIN = "Earlier: ", "; "
"""With this it begins, and this stands between what it tells."""


@dataclass(frozen=True, slots=True)
class LineList:
    """A list in a block. A step changes only items with exactly its label."""

    part: str
    """The part of the state that the block is."""
    name: str
    """The key of the list in the block."""
    kind: str
    """The kind of the memory rows that give way to other words."""
    container: str = ""
    """The container of these rows; empty for that of the character."""

    def steps(self) -> dict[str, Step]:
        """Return the steps that change the list, except `insert`."""
        return {
            "add_line": self.add,
            "edit_line": self.edit,
            "settle": self.settle,
            "request_compaction": labelled.request_compaction,
        }

    def knows(self, block: Json, content: str, readers: str) -> bool:
        """Has the list these words already, under exactly this label?"""
        kept = labelled.under(block[self.name], readers)
        return any(entry["content"] == content for entry in kept)

    def has_room(self, block: Json, item: Json) -> bool:
        """Is there room for one more item?"""
        return rules.fits(block, lambda draft: draft[self.name].append(item))

    def add(
        self, block: Json, *, content: str, at: float, readers: str = OPEN, author: str = ""
    ) -> None:
        """Append an item unless it is there; without room, only ask for a summary."""
        if self.knows(block, content, readers):
            return
        item = labelled.item(content, at=at, readers=readers, author=author)
        if self.has_room(block, item):
            block[self.name].append(item)
        else:
            labelled.request_compaction(block)

    def insert(
        self,
        block: Json,
        *,
        content: str,
        after: str,
        at: float,
        readers: str = OPEN,
        author: str = "",
    ) -> None:
        """Put an item after the one with these words, first for ``""``, else at the end."""
        same = [entry["content"] for entry in block[self.name]]
        self.add(block, content=content, at=at, readers=readers, author=author)
        items = block[self.name]
        if len(items) > len(same) and (not after or after in same):
            items.insert(same.index(after) + 1 if after else 0, items.pop())

    def edit(
        self, block: Json, *, old: str, new: str, at: float, readers: str = OPEN, author: str = ""
    ) -> list[MemoryRow]:
        """Replace an item's words, if there is room; empty words remove it. Return the old item."""
        under = labelled.under(block[self.name], readers)
        found = next((entry for entry in under if entry["content"] == old), None)
        if found is None:
            return []
        authors = labelled.joint_author([found.get("author", ""), author])
        edited = found | labelled.item(new, at=at, readers=readers, author=authors)
        is_done = rules.swap_item(block, self.name, found, edited if new else None)
        return [self._row(found)] if is_done else []

    def settle(
        self,
        block: Json,
        *,
        gone: Sequence[str],
        summary: str,
        at: float,
        readers: str = OPEN,
        author: str = "",
    ) -> list[MemoryRow]:
        """Replace the items with these words by a summary, if that is shorter than they are.

        Only items that are still there go; their authors become authors of the summary as well.
        """
        items = block[self.name]
        under = labelled.under(items, readers)
        replaced = [entry for entry in under if entry["content"] in gone]
        if not replaced:
            return []
        place = items.index(replaced[0])
        block[self.name] = [entry for entry in items if entry not in replaced]
        if len(summary) < labelled.size(replaced):
            authors = [author, *(entry.get("author", "") for entry in replaced)]
            joint = labelled.joint_author(authors)
            item = labelled.item(summary, at=at, readers=readers, author=joint)
            block[self.name].insert(place, item)
        rules.settled(block)
        return [self._row(entry) for entry in replaced]

    def _row(self, item: Json) -> MemoryRow:
        return replace(labelled.item_as_row(item, self.kind), container=self.container)


@dataclass(frozen=True, slots=True)
class Replacement:
    """The whole words of one item, before and after a change."""

    item: Json
    """The item as it is."""
    new: str
    """All of its words, once replaced."""


def replacement(items: Sequence[Json], old: str, new: str, field: str = "content") -> Replacement:
    """Return the one item that holds `old`, with `new` in its place.

    Only `items` are searched. Raises `BlockRefused` if `old` is in none of them, or occurs more
    than once: only what is meant without a doubt is changed.
    """
    if not old.strip():
        raise BlockRefused("Say which words are to be replaced.")
    found = [entry for entry in items if old in entry[field]]
    times = sum(entry[field].count(old) for entry in found)
    if not times:
        raise BlockRefused("These words are not there, or not to be changed in this company.")
    if times > 1:
        raise BlockRefused(f"These words stand there {times} times: give more of the line.")
    return Replacement(found[0], " ".join(found[0][field].replace(old, new).split()))


def line_before(items: Sequence[Json], readers: str, line: int) -> str:
    """Return the words before a line (counted from 1) of this label; raises `BlockRefused`."""
    mine = labelled.under(items, readers)
    if not 1 <= line <= len(mine) + 1:
        raise BlockRefused(f"There are {len(mine)} lines; give a line from 1 to {len(mine) + 1}.")
    return str(mine[line - 2]["content"]) if line > 1 else ""


def older(items: Sequence[Json]) -> list[Json]:
    """Return the older part of a list under one label, which a summary will replace."""
    return list(items[: len(items) - max(1, round(KEPT_SHARE * len(items)))])


def digest_of(items: Sequence[Json]) -> str:
    """Return a summary of items by rule: whole sentences of the most important, in their order.

    Of equally important items the newest are kept. A sentence without room is left out, not cut. An
    earlier summary among the items counts like the others.
    """
    told = [text for item in items for text in _told(item.get(BRIEF) or item["content"])]
    weights = [(score_importance_heuristic(text, "direct"), at) for at, text in enumerate(told)]
    room, kept = MAX_SUMMARY - len(EARLIER), dict[int, str]()
    for _, place in sorted(weights, reverse=True):
        words = gist(told[place], LONGEST_TOLD, MAX_CONTENT).rstrip(".")
        if len(words) + len(JOIN) <= room:
            kept[place] = words
            room -= len(words) + len(JOIN)
    return EARLIER + JOIN.join(kept[place] for place in sorted(kept))


def _told(content: str) -> list[str]:
    told = content.removeprefix(EARLIER)
    return [content] if told == content else told.split(JOIN)


# -- blocks of the game's own, beside the six: lines that all, or some, characters have at hand


CUSTOM_BLOCK, LINES = "custom_block", "lines"
"""The part that such a block is, by its label, and its one list."""
BLOCK_LINES = LineList(part=CUSTOM_BLOCK, name=LINES, kind="block_line")
CUSTOM = Part(
    name=CUSTOM_BLOCK,
    attribute=CUSTOM_BLOCK,
    shape={LINES: [], "needs_compaction": False, "limit": rules.DEFAULT_LIMIT, "type": "private"},
    steps=rules.signed_steps(
        CUSTOM_BLOCK, BLOCK_LINES.steps() | {"insert_line": BLOCK_LINES.insert}
    ),
    keyed=True,
    where="block",
)
