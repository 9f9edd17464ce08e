"""What `ai` does about character cards and lorebooks: import, export, prototypes, and looking."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from evennia.prototypes.prototypes import PermissionError as Protected
from evennia.prototypes.prototypes import ValidationError
from twisted.internet import reactor
from twisted.internet.defer import Deferred, execute

from ai_assistant import conf
from ai_assistant.api import card_exchange
from ai_assistant.api.handlers import store_of
from ai_assistant.commands.command_base import SHOWN, AICommand, braced
from ai_assistant.core.errors import AssistantError
from ai_assistant.core.readers import OPEN
from ai_assistant.core.text import clean
from ai_assistant.game.identity import name_of
from ai_assistant.roleplay.cards.card import Version
from ai_assistant.roleplay.lorebook import Lorebook, Scan, activate, in_mind
from ai_assistant.runtime.assembly import in_thread
from ai_assistant.storage import lorebooks
from ai_assistant.storage.lorebooks import CharacterShelf, world_book

_VERSIONS: dict[str, Version] = {"v1": 1, "v2": 2, "v3": 3}


class CardVerbs(AICommand):
    """The switches import, export, prototype and lore of the command `ai`."""

    def do_import(self) -> None:
        """List the folder, or import one file of it."""
        if not self.lhs:
            self._show_folder()
            return
        onto = self.wanted(self.rhs) if self.rhs else None
        if onto is None and not self.caller.location:
            raise AssistantError("You are nowhere; an assistant needs a room to live in.")
        self._read(card_exchange.find_file(self.lhs), lambda read: self._imported(read, onto))

    def _show_folder(self) -> None:
        names = card_exchange.files()
        shown = "  ".join(braced(clean(one, 60)) for one in names[: 5 * SHOWN])
        more = f" … and {len(names) - 5 * SHOWN} more" if len(names) > 5 * SHOWN else ""
        if not names:
            raise AssistantError(f"Put cards (.json, .png) into {conf.settings.CARDS} first.")
        self.show(f"In {conf.settings.CARDS}: {shown}{more}")

    def _imported(self, read: card_exchange.Read, onto: Any) -> None:
        if read.card is None:
            if not self.may("Admin"):
                raise AssistantError("Only Admins may import a lorebook: all assistants read it.")
            name = card_exchange.import_book(read)
            self.msg(f"All assistants know the lorebook |w{name}|n now: {_told(read.book)}.")
            return
        if onto is None:
            onto = card_exchange.import_card(read, location=self.caller.location)
            self.msg(f"{name_of(onto)} is here and listens. Say |whello {name_of(onto)}|n.")
        elif onto.pk is None:
            raise AssistantError("That assistant is gone by now.")
        else:
            card_exchange.put_card(read, onto)
            self.msg(_named(name_of(onto), read.name))
        if read.book:
            self.msg(f"With a lorebook: {_told(read.book)}.")

    def do_export(self) -> None:
        """Write the card of an assistant into the folder."""
        character = self.wanted(self.lhs)
        words = (self.rhs or "").split(None, 1)
        version = _VERSIONS.get(words[0].lower()) if words else None
        file = (self.rhs or "").strip() if version is None else "".join(words[1:])
        card = card_exchange.exported(character, version)
        path = card_exchange.write_card(
            card, file or f"{card_exchange.file_name(name_of(character))}.json"
        )
        self.msg(f"{name_of(character)} is in {conf.settings.CARDS}/{path.name} (v{card.version}).")

    def do_prototype(self) -> None:
        """Save a prototype of a card's character."""
        if not self.lhs:
            raise AssistantError("Usage: ai/prototype <file>")
        self._read(card_exchange.find_file(self.lhs), self._prototyped)

    def _prototyped(self, read: card_exchange.Read) -> None:
        try:
            key = card_exchange.make_prototype(read)
        except (ValidationError, Protected) as error:
            raise AssistantError(f"Evennia refuses the prototype: {error}") from error
        self.msg(f"Builders make one by |wspawn {key}|n now.")

    def _read(self, path: Path, then: Callable[[card_exchange.Read], None]) -> None:
        """Read a file beside the game, then go on with what is in it."""
        started = _aside(lambda: card_exchange.read_file(path))
        started.addCallback(then)
        started.addErrback(self.failed)

    # -- lorebooks

    def do_lore(self) -> None:
        """List lorebooks, delete one, or tell what comes to mind by some words."""
        verb, _, name = (self.rhs or "").strip().partition(" ")
        if not self.lhs and verb == "delete":
            self._delete(name)
        elif not self.lhs:
            rows = [(name, _told(world_book(name))) for name in lorebooks.world_books()]
            empty = "There are no lorebooks of the world yet: ai/import <file> brings one."
            self.show(self.table(("Lorebook", "What is in it"), rows) if rows else empty)
        elif self.rhs:
            self._would_fire(self.wanted(self.lhs), self.rhs)
        else:
            self._show_books(self.wanted(self.lhs))

    def _delete(self, name: str) -> None:
        if not self.may("Admin"):
            raise AssistantError("Only Admins may do that.")
        proper = card_exchange.find_book(name)
        card_exchange.drop_book(proper)
        self.msg(f"The lorebook {proper} is gone.")

    def _show_books(self, character: Any) -> None:
        rows = [
            (entry.name or entry.key, _when(entry), entry.order, entry.content)
            for book in CharacterShelf(character).books()
            for entry in book.entries
        ]
        empty = f"{name_of(character)} has no lorebook."
        titles = ("Entry", "Comes by", "Order", "What it says")
        self.show(self.table(titles, rows) if rows else empty)

    def _would_fire(self, character: Any, words: str) -> None:
        shelf = CharacterShelf(character)
        books = shelf.books()
        stands = in_mind(store_of(character).read("lore"), books, lambda label: label == OPEN)
        scan = Scan(
            messages=[clean(words, 1000)],
            tags=shelf.tags(),
            seed=words,
            count=stands.count + 1,
            sticky=stands.sticky,
            resting=stands.resting,
        )
        rows = [(one.entry.name or one.entry.key, one.why) for one in activate(books, scan)]
        empty = f"Nothing comes to {name_of(character)}'s mind."
        self.show(self.table(("Entry", "Why"), rows) if rows else empty)


def _aside(call: Callable[[], Any]) -> Deferred[Any]:
    """Return the result of a call made in a thread; at once where no reactor runs."""
    running = getattr(reactor, "running", False)
    return in_thread(call) if running else execute(call)


def _named(name: str, card: str) -> str:
    """Say what became of an assistant that was given a card: its name in the world stays."""
    if name.casefold() == card.casefold():
        return f"{name} has the persona of the card now."
    return (
        f"{name} has the persona of the card now, and keeps its name; "
        f"it is told that it is known as {card}. |wname {name} = {card}|n renames it."
    )


def _told(book: Lorebook | None) -> str:
    entries = book.entries if book else ()
    constant = sum(one.constant for one in entries)
    dumb = sum(not (one.keys or one.constant) for one in entries)
    parts = [f"{len(entries)} entries", f"{constant} constant" if constant else ""]
    parts.append(f"{dumb} that nothing brings to mind" if dumb else "")
    return ", ".join(filter(None, parts))


def _when(entry: Any) -> str:
    if not entry.enabled:
        return "switched off"
    return "always" if entry.constant else ", ".join(entry.keys) or "nothing"
