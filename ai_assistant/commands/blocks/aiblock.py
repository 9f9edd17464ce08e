"""The command `aiblock`: staff see, edit and take back what stands in the memory blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ai_assistant.api import blocks, lifecycle
from ai_assistant.api.handlers import store_of
from ai_assistant.commands import shown
from ai_assistant.commands.blocks import block_edits
from ai_assistant.commands.blocks.custom_blocks import WORLD, CustomBlocks
from ai_assistant.commands.blocks.meant_blocks import (
    Meant,
    last_versions,
    line_readers,
    undo_last_change,
    version_figures,
    version_rows,
)
from ai_assistant.commands.choosing import Choice, choose, find_person
from ai_assistant.commands.command_base import braced, switch
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.tables import as_it_stands
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import typed_number
from ai_assistant.core.times import iso
from ai_assistant.game.identity import name_of
from ai_assistant.memory.blocks import rules, visible
from ai_assistant.memory.blocks.old_blocks import LAYOUT, THREE
from ai_assistant.storage import block_rows as table
from ai_assistant.storage import bodies_of, npc_id, read_block

_STORED = (rules.SOCIAL, rules.STATUS)


class CmdAIBlock(CustomBlocks):
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
      aiblock/undo <assistant> = <block> [<version>]    bring back what stood
                                               there before, or at a version
      aiblock/limit <assistant> = <block> <characters>
      aiblock/create <assistants> = <block>    one of the game's own: of one
                                               assistant, shared, or of 'world'
      aiblock/join <assistant> = <block>       let it share one that is shared
      aiblock/leave <assistant> = <block>      and no longer
      aiblock/delete <assistant> = <block>     one of the game's own, for good
      aiblock/share <assistant> = <other>      make both bodies of one character
      aiblock/part <assistant>                 let it be by itself again

      aiblock/import <assistant> [= now]       make the six of its older blocks;
                                               without 'now' only tell how
      aiblock/keep <assistant>                 use the older ones as they are

    The blocks are persona, private, shared_social, global_knowledge, status and
    tasks, and those of the game's own. For private add a person: private@alice.
    The blocks of everybody are those of 'world'.

    To edit: persona has its fields, status any; shared_social takes 'fact' and
    'talk' (of several), global_knowledge 'event', 'lore' and 'place', a block of
    the game's own 'line'. A text with '->' in it replaces words by others;
    nothing after it takes the line out. Private and tasks are views: mend them
    with aimem, airel and aigoal. The older blocks are the Attributes persona,
    human and locations.

    Builders look, Admins change; what they change is put on record and can be
    undone.

    Examples:
      aiblock/show marrek = private@alice
      aiblock/visible marrek = alice      aiblock/readers marrek = private@alice
      aiblock/edit marrek = shared_social fact: The bridge is out.
      aiblock/edit marrek = shared_social fact: is out -> is mended
      aiblock/edit marrek = shared_social talk: Alice, Bob: the market fire
      aiblock/edit world = global_knowledge place: The mill - It burnt down.
      aiblock/history marrek = shared_social  aiblock/undo marrek = shared_social
      aiblock/create marrek, tansy = watch
      aiblock/edit marrek = watch line: Nobody passes after dark.
      aiblock/join bram = watch           aiblock/leave bram = watch
      aiblock/delete marrek = watch       aiblock/limit marrek = status 2000
      aiblock/share bram = marrek         aiblock/part bram
      aiblock/import tansy = now          aiblock/keep tansy

    """

    key = "aiblock"
    aliases = ["aiblocks"]

    # -- looking

    @switch("", takes=1)
    def _list(self) -> None:
        if self.lhs:
            self._table(self._owner())
            return
        self._table(None)
        rows = []
        for npc in lifecycle.all_assistants():
            others = [name_of(body) for body in bodies_of(npc_id(npc)) if body != npc]
            store = store_of(npc)
            sizes = [rules.json_length(rules.value_of(store.read(label))) for label in _STORED]
            rows.append((name_of(npc), *sizes, ", ".join(others)))
        self.show_table(("Assistant", *_STORED, "Shares them with"), rows)

    def _table(self, npc: Any) -> None:
        rows = []
        for label in _labels(npc):
            meant = block_named(npc, label)
            block = read_block(meant.row, meant.owner)
            size = "a view" if meant.is_view else rules.json_length(block.value)
            when = shown.minute(iso(block.updated)) if block.updated else ""
            limit = "" if meant.is_view else block.limit
            rows.append((label, size, limit, block.version or "", when))
        title = f"|c{name_of(npc) if npc else 'Everybody'}|n"
        titles = ("Block", "Characters", "Limit", "Version", "Written")
        self.msg(f"{title}\n{self.table(titles, rows)}\n")

    @switch("show")
    def _show(self) -> None:
        meant = self._meant()
        value = meant.value()
        lines = [f"|w{meant}|n", *(shown.block_lines(value) or ["  It is empty."])]
        if words := visible.visible_form({meant.kind: value}):
            lines += ["|wAs the model sees it|n", as_it_stands(words)]
        self.show(lines)

    @switch("visible", named=True)
    def _visible(self, npc: Any) -> None:
        person = find_person(npc, self.rhs)[0] if self.rhs else None
        self.show(as_it_stands(blocks.visible(npc, person)))

    @switch("readers")
    def _readers(self) -> None:
        meant = self._meant()
        rows = line_readers(meant)
        told = [self.table(("Readers", "Lines"), rows)] if rows else []
        told += [] if meant.is_view else ["Everything else in it is open."]
        self.show(told or f"The {meant} is empty.")

    @switch("history")
    def _history(self) -> None:
        meant = self._meant(stored=True)
        titles = ("Version", "When", "Writer", "By", "What", "Characters")
        kept = last_versions(meant)
        rows = version_rows(kept)
        self.show_table(titles, rows, f"The {meant} was never written.")
        if figures := version_figures(meant, kept):
            told = [(row[0], words) for row, words in zip(rows, figures, strict=True)]
            self.show_table(("Version", "What turns came to by it"), told)

    # -- changing

    @switch("edit", "Admin")
    def _edit(self) -> None:
        name, _, rest = (self.rhs or "").partition(" ")
        field, _, text = rest.partition(":")
        meant = self._meant(name, stored=True)
        told = block_edits.edit(
            meant.npc, meant.label, field.strip().lower(), text.strip(), by=self.caller.key
        )
        self.msg(f"The {meant}: {told}")

    @switch("undo", "Admin")
    def _undo(self) -> None:
        name, _, number = (self.rhs or "").rpartition(" ")
        wanted = typed_number(number) if name else 0
        meant = self._meant(name if wanted else None, stored=True)
        version = undo_last_change(meant, by=self.caller.key, wanted=wanted)
        self.msg(f"The {meant} is again as it was at version {version}.")

    @switch("limit", "Admin")
    def _limit(self) -> None:
        name, _, number = (self.rhs or "").rpartition(" ")
        meant = self._meant(name, stored=True)
        least, most = table.LEAST_LIMIT, table.MOST_LIMIT
        if not (number.isdecimal() and least <= int(number) <= most):
            raise Misused(f"A limit is from {least} to {most}. Usage:")
        table.set_limit(meant.row, meant.owner, int(number))
        self.msg(f"The {meant} may hold {number} characters.")

    @switch("share", "Admin")
    def _share(self) -> None:
        body, npc = self.wanted(self.lhs), self.wanted(self.rhs or "")
        blocks.embody(body, npc)
        self.msg(f"{name_of(body)} is a body of the character that {name_of(npc)} is.")

    @switch("part", "Admin", named=True, takes=1)
    def _part(self, body: Any) -> None:
        blocks.part_ways(body)
        self.msg(f"{name_of(body)} is a character by itself again.")

    @switch("import", "Admin", named=True)
    def _import(self, npc: Any) -> None:
        word = (self.rhs or "").lower()
        if word not in ("", "now"):
            raise Misused
        report = blocks.import_old_layout(npc, dry_run=not word, by=self.caller.key)
        hint = "" if word else f"\nTo do it: |waiblock/import {name_of(npc)} = now|n"
        self.show(braced(str(report)) + hint)

    @switch("keep", "Admin", named=True, takes=1)
    def _keep(self, npc: Any) -> None:
        old = blocks.keep_old_layout(npc)
        lifecycle.configure(npc, LAYOUT, THREE, by=name_of(self.caller))
        self.msg(
            f"{name_of(npc)} uses its older blocks: {len(old.people)} people, {len(old.places)} "
            f"places. Back to the six: ai/config {name_of(npc)} = {LAYOUT} six"
        )

    # -- which one

    def _owner(self) -> Any:
        """Return the assistant that was typed, or None for the world."""
        return None if self.lhs.casefold() == WORLD else self.wanted(self.lhs)

    def _meant(self, name: str | None = None, *, stored: bool = False) -> Meant:
        """Return the block that was typed. Raises `AssistantError` where there is no such."""
        meant = block_named(self._owner(), (self.rhs or "") if name is None else name)
        if stored:
            meant.must_be_stored()
        if meant.label == rules.PRIVATE and not meant.person:
            raise AssistantError("With whom? Add a person, such as private@alice.")
        return meant


def block_named(npc: Any, typed: str) -> Meant:
    """Return a block of an assistant, or with None of the world. Raises `AssistantError`."""
    name, _, person = typed.partition("@")
    label = choose(name, "block", [Choice(label, label) for label in _labels(npc)])
    owner = npc_id(npc) if npc else table.EVERYBODY
    if label == rules.GLOBAL:
        owner = table.EVERYBODY
    elif label not in rules.SIX:
        owner = table.custom_blocks(owner)[label]
    who = find_person(npc, person)[0] if person and npc else ""
    return Meant(npc, label, owner, table.row_label(label), who)


def _labels(npc: Any) -> Iterator[str]:
    if npc is None:
        yield rules.GLOBAL
        yield from table.custom_blocks(table.EVERYBODY)
    else:
        yield from rules.SIX
        yield from table.custom_blocks(npc_id(npc))
