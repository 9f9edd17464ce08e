"""What `ai` does about character cards and lorebooks: import, export, prototypes, and looking."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import astuple
from typing import Any

from evennia.prototypes.prototypes import PermissionError as Protected
from evennia.prototypes.prototypes import ValidationError
from twisted.internet.defer import Deferred

from ai_assistant import conf
from ai_assistant.api import card_exchange
from ai_assistant.api.handlers import record_audit
from ai_assistant.api.lore_books import (
    book_changes,
    books_of,
    card_book,
    edit_entry,
    entry_rows,
    find_entry,
    undo_book,
    would_fire,
)
from ai_assistant.api.portraits import portrait_of
from ai_assistant.api.whole import mind_files, whole_exchange
from ai_assistant.commands.command_base import (
    AICommand,
    braced,
    let_edit,
    must_edit,
    must_hold,
    switch,
)
from ai_assistant.commands.help_topics import Misused
from ai_assistant.commands.shown import minute
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.text import clean, counted
from ai_assistant.game.identity import entity_id, name_of
from ai_assistant.roleplay.cards.card import Version
from ai_assistant.roleplay.lorebook import Lorebook
from ai_assistant.roleplay.lorebook.entry_fields import (
    as_typed,
    entry_values,
    typed_value,
)
from ai_assistant.runtime.assembly import beside
from ai_assistant.storage import lorebooks
from ai_assistant.storage.lorebooks import world_book
from ai_assistant.storage.whole_minds import count_rows

_VERSIONS: dict[str, Version] = {"v1": 1, "v2": 2, "v3": 3}
FILES = 100
"""So many files of the folder are listed."""
TELLS_EVERY = 1_000
"""Memories between two lines that say how far it is."""


def folder_listed(kind: str, names: list[str]) -> str:
    """Return what files there are in the folder of cards. Raises `AssistantError` for none."""
    if not names:
        raise AssistantError(f"Put {kind} into {conf.settings.CARDS} first.")
    listed = "  ".join(braced(clean(name, 60)) for name in names[:FILES])
    more = f" … and {len(names) - FILES} more" if len(names) > FILES else ""
    return f"In {conf.settings.CARDS}: {listed}{more}"


class CardVerbs(AICommand):
    """
    The switches import, export, prototype and lore of the command `ai`.

    """

    @switch("import", writes="text")
    def _import(self) -> None:
        if not self.lhs:
            self.show(folder_listed("cards (.json, .png)", card_exchange.files()))
            return
        onto = self.wanted(self.rhs) if self.rhs else None
        if onto is None and not self.caller.location:
            raise AssistantError("You are nowhere; an assistant needs a room to live in.")
        self._read(lambda read: self._imported(read, onto))

    def _imported(self, read: card_exchange.ImportedFile, onto: Any) -> None:
        if read.whole is not None:
            self._import_whole(read.whole, onto)
            return
        if read.card is None:
            must_hold(self.caller, "Admin")  # all assistants read it
            name = card_exchange.import_book(read, by=name_of(self.caller))
            self.msg(f"All assistants know the lorebook |w{name}|n now: {_told(read.book)}.")
            return
        if onto is None:
            onto = card_exchange.import_card(
                read, location=self.caller.location, by=name_of(self.caller)
            )
            let_edit(onto, self.caller)
            self.msg(f"{name_of(onto)} is here and listens. Say |whello {name_of(onto)}|n.")
        elif onto.pk is None:
            raise AssistantError("That assistant is gone by now.")
        else:
            must_edit(self.caller, onto)  # the file was read meanwhile
            card_exchange.put_card(read, onto, by=name_of(self.caller))
            name, told = name_of(onto), "has the persona of the card now"
            if name.casefold() != read.name.casefold():  # its name in the world stays
                told += (
                    f", and keeps its name; it is told that it is known as {read.name}. "
                    f"|wname {name} = {read.name}|n renames it"
                )
            self.msg(f"{name} {told}.")
        if read.book:
            self.msg(f"With a lorebook: {_told(read.book)}.")

    def _import_whole(self, whole: Json, onto: Any) -> None:
        must_hold(self.caller, "Admin")  # it brings what others said in confidence
        if onto is not None:
            raise AssistantError("A whole assistant is made anew: give the file alone.")
        whole_exchange.check_may_live(len(whole["rows"]), "|wevennia ai_import <file>|n")
        by, place = name_of(self.caller), self.caller.location
        self.msg(f"{clean(whole['name'])} comes, with all it knows; the game goes on meanwhile.")

        def told(made: Any) -> None:
            let_edit(made, self.caller)
            self.msg(f"{name_of(made)} is here, with all that {whole['name']} knew.")

        coming = whole_exchange.import_in_slices(
            whole, location=place, by=by, progress=self._how_far
        )
        Deferred.fromCoroutine(coming).addCallback(told).addErrback(self.failed)

    def _export_whole(self, character: Any, file: str) -> None:
        must_edit(self.caller, character)
        rows, instead = count_rows(entity_id(character)), "|wevennia ai_export <name> <file>|n"
        whole_exchange.check_may_live(rows, instead)
        file = file or f"{card_exchange.file_name(name_of(character))}{mind_files.SUFFIX}"
        path = card_exchange.place_of_whole(file)

        def told(_: object) -> None:
            record_audit(character, "AssistantExported", {"by": name_of(self.caller)})
            self.msg(f"All of {name_of(character)} is in {conf.settings.CARDS}/{file}.")

        going = whole_exchange.export_in_slices(
            character, lambda data: card_exchange.write_new(path, data), self._how_far
        )
        Deferred.fromCoroutine(going).addCallback(told).addErrback(self.failed)

    def _how_far(self, done: int, of: int) -> None:
        if not done % TELLS_EVERY and done < of:
            self.msg(f"{done:,} of {of:,} memories …")

    @switch("export", "Admin", named=True, writes="")
    def _export(self, character: Any) -> None:
        first, _, rest = (self.rhs or "").partition(" ")
        if first.lower() == "whole":
            self._export_whole(character, rest.strip())
            return
        version = _VERSIONS.get(first.lower())
        file = rest.strip() if version else self.rhs
        file = file or f"{card_exchange.file_name(name_of(character))}.json"
        card = card_exchange.exported(character, version)
        path = card_exchange.write_card(card, file, portrait_of(character))
        self.msg(f"{name_of(character)} is in {conf.settings.CARDS}/{path.name} (v{card.version}).")

    @switch("prototype", takes=1)
    def _prototype(self) -> None:
        if not self.lhs:
            raise Misused

        def make(read: card_exchange.ImportedFile) -> None:
            try:
                key = card_exchange.make_prototype(read)
            except (ValidationError, Protected) as error:
                raise AssistantError(f"Evennia refuses the prototype: {error}") from error
            self.msg(f"Builders make one by |wspawn {key}|n now.")

        self._read(make)

    def _read(self, then: Callable[[card_exchange.ImportedFile], None]) -> None:
        """Read the file that was named in a thread, then go on with what is in it."""
        reading = beside(card_exchange.read_file, card_exchange.find_file(self.lhs))
        reading.addCallback(then).addErrback(self.failed)

    # -- lorebooks

    @switch("lore")
    def _lore(self) -> None:
        verb, _, named = (self.rhs or "").partition(" ")
        if self.lhs:
            character = self.wanted(self.lhs)
            if verb in ("show:", "edit:"):
                self._entry("", named, is_edited=verb == "edit:", whose=character)
            else:
                self._would_fire(character, self.rhs) if self.rhs else self._show_books(character)
        elif not verb:
            rows = [(book, _told(world_book(book))) for book in lorebooks.world_books()]
            nothing = "There are no lorebooks of the world yet: ai/import <file> brings one."
            self.show_table(("Lorebook", "What is in it"), rows, nothing)
        elif verb not in ("delete", "show", "edit", "log", "undo"):
            raise Misused
        else:
            must_hold(self.caller, "Admin")
            if verb in ("log", "undo"):
                self._book_changes(named if verb == "undo" else "")
                return
            book, rest = _first_of(lorebooks.world_books(), named)
            proper = card_exchange.find_book(book)
            if verb != "delete":
                self._entry(proper, rest, is_edited=verb == "edit")
                return
            card_exchange.drop_book(proper, by=self.caller.key)
            self.msg(f"The lorebook {proper} is gone.")

    def _book_changes(self, undone: str) -> None:
        """Show what was done to lorebooks, or take back the latest change of one."""
        if undone:
            name = undo_book(undone, by=self.caller.key)
            self.msg(f"Of the lorebook {name} the latest change was taken back.")
            return
        rows = [(minute(one.at), one.book, one.what, one.by) for one in book_changes()]
        nothing = "Nothing was done to lorebooks that is on record."
        self.show_table(("When", "Lorebook", "What", "By"), rows, nothing)

    def _entry(self, book: str, typed: str, *, is_edited: bool, whose: Any = None) -> None:
        """Show an entry of a lorebook, or of `whose` card, field by field, or write a field."""
        must_hold(self.caller, "Admin")
        read = world_book(book) if whose is None else card_book(whose)
        named, rest = _first_of([entry.name or entry.key for entry in read.entries], typed)
        entry = find_entry(book, named, whose)
        field, colon, text = rest.partition(":")
        if not is_edited:
            rows = [(name, as_typed(value)) for name, value in entry_values(entry).items()]
            self.show_table(("Field", "Value"), rows, "")
            return
        if not colon:
            raise Misused
        name = field.strip().lower().replace(" ", "_")
        value = typed_value(name, text.strip())
        if whose is not None:
            must_edit(self.caller, whose)
        edit_entry(book, entry, {name: value}, by=self.caller.key, whose=whose)
        told = as_typed(getattr(find_entry(book, entry.key, whose), name))
        self.msg(f"{book or name_of(whose)}, {named}: {name} is now {told or 'empty'}.")

    def _show_books(self, character: Any) -> None:
        rows = [astuple(row)[:-1] for row in entry_rows(books_of(character))]
        titles = ("Entry", "Comes by", "Order", "What it says")
        self.show_table(titles, rows, f"{name_of(character)} has no lorebook.")

    def _would_fire(self, character: Any, words: str) -> None:
        rows = would_fire(character, words)
        self.show_table(("Entry", "Why"), rows, f"Nothing comes to {name_of(character)}'s mind.")


def _first_of(names: Iterable[str], typed: str) -> tuple[str, str]:
    """Return with which of some names a text begins, and what follows after its colon."""
    for name in sorted(names, key=len, reverse=True):
        if found := re.match(rf"{re.escape(name)}\s*(:|\Z)", typed, re.IGNORECASE):
            return name, typed[found.end() :].strip()
    first, _, rest = typed.partition(":")
    return first, rest.strip()


def _told(book: Lorebook | None) -> str:
    entries = book.entries if book else ()
    constant = sum(entry.constant for entry in entries)
    dumb = sum(not (entry.keys or entry.constant) for entry in entries)
    parts = [counted(len(entries), "entry", "entries"), f"{constant} constant" if constant else ""]
    parts.append(f"{dumb} that nothing brings to mind" if dumb else "")
    return ", ".join(filter(None, parts))
