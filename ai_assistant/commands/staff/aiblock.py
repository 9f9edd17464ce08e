"""The command `aiblock`: staff see, edit and take back what stands in the memory blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ai_assistant.api import blocks
from ai_assistant.api.handlers import store_of
from ai_assistant.api.lifecycle import all_assistants
from ai_assistant.commands import shown
from ai_assistant.commands.find_person import find_person
from ai_assistant.commands.staff import block_edits, block_moves
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import NOBODY, OPEN, members
from ai_assistant.game.identity import find, name_of
from ai_assistant.memory.blocks import rules, visible
from ai_assistant.memory.parts import iso
from ai_assistant.storage import Block, bodies_of, npc_id, read_block
from ai_assistant.storage import block_rows as table

WORLD = "world"
VERSIONS = 15


@dataclass(frozen=True, slots=True)
class Meant:
    """A block that staff named: of whom (None: everybody), its row, and the person in question."""

    npc: Any
    label: str
    owner: str
    row: str
    person: str = ""

    @property
    def is_view(self) -> bool:
        """Is it a view of something that has commands of its own?"""
        return self.label in rules.VIEWS

    def read(self) -> Block:
        """Return the block as it is stored."""
        return read_block(self.row, self.owner)

    @property
    def name(self) -> str:
        """What to call it."""
        return f"{self.label} of {name_of(self.npc) if self.npc else 'the world'}"


class CmdAIBlock(block_moves.BlockMoves):
    """
    see and mend the memory blocks of the assistants

    Usage:
      aiblock                                  the blocks of all, and their sizes
      aiblock <assistant>                      the blocks of one
      aiblock/show <assistant> = <block>       as stored, and as the model sees it
      aiblock/visible <assistant> [= <person>] all of them as the model sees them
      aiblock/readers <assistant> = <block>    who may read which of its lines
      aiblock/history <assistant> = <block>    its versions, and who wrote them

      aiblock/edit <assistant> = <block> <field>: <text>
      aiblock/undo <assistant> = <block>       bring back what stood there before
      aiblock/limit <assistant> = <block> <characters>
      aiblock/share <assistant> = <other>      make both bodies of one character
      aiblock/part <assistant>                 let it be by itself again

      aiblock/import <assistant> [= now]       make the six of its older blocks;
                                               without 'now' only tell how
      aiblock/keep <assistant>                 use the older ones as they are

    The blocks are persona, private, shared_social, global_knowledge, status and
    tasks, and those of the game's own. For private add a person: private@alice.
    The blocks of everybody are those of 'world'.

    To edit: persona has its fields, status any; shared_social takes 'fact',
    global_knowledge 'event', 'lore' and 'place', a block of the game's own
    'line'. A text with '->' in it replaces words by others; nothing after it
    takes the line out. Private and tasks are views: mend them with aimem, airel
    and aigoal. The older blocks are the Attributes persona, human and locations.

    Builders look, Admins change; what they change is put on record and can be
    undone.

    Examples:
      aiblock/show marrek = private@alice
      aiblock/edit marrek = shared_social fact: The bridge is out.
      aiblock/edit marrek = shared_social fact: is out -> is mended
      aiblock/edit world = global_knowledge place: The mill - It burnt down.

    """

    key = "aiblock"
    aliases = ["aiblocks"]
    verbs = {
        "": ("do_list", "Builder"),
        "show": ("do_show", "Builder"),
        "visible": ("do_visible", "Builder"),
        "readers": ("do_readers", "Builder"),
        "history": ("do_history", "Builder"),
        "edit": ("do_edit", "Admin"),
        "undo": ("do_undo", "Admin"),
        "limit": ("do_limit", "Admin"),
        "share": ("do_share", "Admin"),
        "part": ("do_part", "Admin"),
        "import": ("do_import", "Admin"),
        "keep": ("do_keep", "Admin"),
    }

    def do_list(self) -> None:
        """List blocks with their sizes."""
        if self.lhs:
            npc = None if self._is_world(self.lhs) else self.wanted(self.lhs)
            self._table(npc)
            return
        self._table(None)
        rows = []
        for npc in all_assistants():
            others = [name_of(one) for one in bodies_of(npc_id(npc)) if one != npc]
            store = store_of(npc)
            sizes = [rules.size(rules.value_of(store.read(one))) for one in _STORED]
            rows.append((name_of(npc), *sizes, ", ".join(others)))
        if rows:
            self.show(self.table(("Assistant", *_STORED, "Shares them with"), rows))

    def _table(self, npc: Any) -> None:
        rows = []
        for label in _labels(npc):
            meant = self._block(npc, label)
            block = meant.read()
            size = "a view" if meant.is_view else rules.size(block.value)
            when = shown.minute(iso(block.updated)) if block.updated else ""
            limit = "" if meant.is_view else block.limit
            rows.append((label, size, limit, block.version or "", when))
        table_ = self.table(("Block", "Characters", "Limit", "Version", "Written"), rows)
        self.msg(f"|c{name_of(npc) if npc else 'Everybody'}|n\n{table_}\n")

    def do_show(self) -> None:
        """Show a block in both of its forms."""
        meant = self._meant()
        if meant.npc is not None and meant.label in rules.SIX:
            value = blocks.get_npc_block(meant.npc, meant.label, meant.person or None)
        else:
            value = meant.read().value
        seen = {meant.label if meant.label in rules.SIX else visible.NAME: value}
        lines = [shown.heading(meant.name), *(_stored(value) or ["  It is empty."])]
        if words := visible.visible_form(seen):
            lines += [shown.heading("As the model sees it"), as_it_stands(words)]
        self.show("\n".join(lines))

    def do_visible(self) -> None:
        """Show all blocks of an assistant as the model sees them."""
        npc = self.wanted(self.lhs)
        person = find_person(npc, self.rhs)[0] if self.rhs else None
        self.show(as_it_stands(blocks.visible(npc, person)))

    def do_readers(self) -> None:
        """Say who may read what of a block."""
        meant = self._meant()
        value = meant.read().value
        if meant.is_view and meant.npc is not None:
            counted = _labels_of_view(meant)
        else:
            items = (one for one in value.values() if isinstance(one, list))
            counted = Counter(
                one["readers"] for some in items for one in some if "readers" in (one or {})
            )
        rows = [(_who(readers), count) for readers, count in counted.items()]
        told = [self.table(("Readers", "Lines"), rows)] if rows else []
        told += [] if meant.is_view else ["Everything else in it is open."]
        self.msg("\n".join(told) or f"The {meant.name} is empty.")

    def do_history(self) -> None:
        """Show the versions of a block."""
        meant = self._meant(stored=True)
        rows = [
            (one.version, shown.minute(iso(one.at)), one.writer, _by(one.by), _did(one),
             rules.size(one.value))
            for one in table.versions(meant.row, meant.owner, VERSIONS)
        ]  # fmt: skip
        if not rows:
            raise AssistantError(f"The {meant.name} was never written.")
        self.show(self.table(("Version", "When", "Writer", "By", "What", "Characters"), rows))

    def do_edit(self) -> None:
        """Change a field or a line of a block."""
        name, _, rest = (self.rhs or "").partition(" ")
        field, _, text = rest.partition(":")
        meant = self._meant(name, stored=True)
        told = block_edits.edit(
            meant.npc, meant.label, field.strip().lower(), text.strip(), by=self.caller.key
        )
        self.msg(f"The {meant.name}: {told}")

    def do_undo(self) -> None:
        """Bring back an older version."""
        meant = self._meant(stored=True)
        if meant.label == rules.PERSONA:
            done = blocks.undo_persona(meant.npc, by=self.caller.key)
        else:
            writer = "game" if meant.label in rules.SIX else "designer"
            done = table.undo(meant.row, meant.owner, by=self.caller.key, writer=writer)
        self.msg(f"The {meant.name} is again as it was at version {done.version}.")

    def do_limit(self) -> None:
        """Give a block another limit."""
        name, _, number = (self.rhs or "").rpartition(" ")
        meant = self._meant(name, stored=True)
        if not (number.isdecimal() and 500 <= int(number) <= 100_000):
            raise AssistantError(
                "Usage: aiblock/limit <assistant> = <block> <characters>, from 500 to 100000."
            )
        table.set_limit(meant.row, meant.owner, int(number))
        self.msg(f"The {meant.name} may hold {number} characters.")

    # -- which one

    def _is_world(self, name: str) -> bool:
        return name.strip().casefold() == WORLD

    def _meant(self, name: str | None = None, *, stored: bool = False) -> Meant:
        """Return the block that was typed. Raises `AssistantError` where there is no such."""
        npc = None if self._is_world(self.lhs) else self.wanted(self.lhs)
        meant = self._block(npc, (self.rhs or "") if name is None else name)
        if stored and meant.is_view:
            view = rules.VIEWS[meant.label]
            raise AssistantError(f"That is a view of {view}: see aimem, airel and aigoal.")
        if meant.label == rules.PRIVATE and not meant.person:
            raise AssistantError("With whom? Add a person, such as private@alice.")
        return meant

    def _block(self, npc: Any, typed: str) -> Meant:
        label, _, person = typed.strip().lower().partition("@")
        labels = list(_labels(npc))
        if label not in labels:
            raise AssistantError(f"Which block? There are: {', '.join(labels)}.")
        owner = npc_id(npc) if npc else table.EVERYBODY
        row = table.row_label(label)
        if label == rules.GLOBAL:
            owner = table.EVERYBODY
        elif label not in rules.SIX:
            owner = table.custom_blocks(owner)[label]
        who = find_person(npc, person)[0] if person and npc else ""
        return Meant(npc, label, owner, row, who)


_STORED = (rules.SOCIAL, rules.STATUS)


def _labels(npc: Any) -> Iterator[str]:
    if npc is None:
        yield rules.GLOBAL
        yield from table.custom_blocks(table.EVERYBODY)
    else:
        yield from rules.SIX
        yield from table.custom_blocks(npc_id(npc))


def _stored(value: Json) -> list[str]:
    lines = []
    for name, one in value.items():
        if isinstance(one, list) and one and isinstance(one[0], dict):
            lines.append(f"  {name}:")
            for item in one:
                mark = shown.private(item.get("readers", OPEN))
                lines.append(f"    - {as_it_stands(visible.words_of(item))}{mark}")
        elif one not in ("", [], {}, None):
            lines.append(f"  {name}: {as_it_stands(str(one))}")
    return lines


def _labels_of_view(meant: Meant) -> Counter[str]:
    store = store_of(meant.npc)
    if meant.label == rules.TASKS:
        return Counter(one["readers"] for one in store.read("goals")["goals"])
    profile = store.read("profile", meant.person)
    items = (*profile["observations"], *profile["attributes"])
    return Counter(one.get("readers", NOBODY) for one in items)


def _who(readers: str) -> str:
    if readers == OPEN:
        return "everybody"
    names = [name_of(found) if (found := find(one)) else one for one in sorted(members(readers))]
    return ", ".join(names) or "nobody but itself"


def _by(by: str) -> str:
    found = find(by)
    return name_of(found) if found is not None else by


def _did(version: table.Version) -> str:
    return f"undo to {version.restores}" if version.restores else version.did
