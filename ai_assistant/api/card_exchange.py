"""Character cards, lorebooks, whole assistants; only to read a file is work for a thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from evennia.prototypes.prototypes import save_prototype

from ai_assistant import conf
from ai_assistant.api import lifecycle
from ai_assistant.api.handlers import record_audit
from ai_assistant.api.portraits import bare_picture, folder, keep_portrait
from ai_assistant.api.whole import mind_files
from ai_assistant.core.contracts import Json
from ai_assistant.core.errors import AssistantError, CardError
from ai_assistant.core.text import clean
from ai_assistant.game.identity import CARD_ATTRIBUTE
from ai_assistant.memory.blocks.rules import json_length
from ai_assistant.memory.parts import digest
from ai_assistant.roleplay.cards import (
    Card,
    card_of,
    card_to_bytes,
    in_version,
    json_to_bytes,
    persona_of,
    read_card,
)
from ai_assistant.roleplay.cards.card import Version
from ai_assistant.roleplay.cards.card_files import json_from_bytes
from ai_assistant.roleplay.cards.card_persona import FROM_CARD
from ai_assistant.roleplay.cards.png import MAX_PICTURE
from ai_assistant.roleplay.lorebook import Lorebook, is_book, read_book
from ai_assistant.runtime.assembly import PERSONA
from ai_assistant.storage import lorebooks, npc_id

CARDS = (".json", ".png")
SUFFIXES = (*CARDS, mind_files.SUFFIX)
LONGEST_NAME = 200
"""Bytes of a file's name, less than any file system takes."""
MAX_PERSONA = 60_000
"""Characters of a persona that came from a card, as JSON."""


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """What was in a file: a card with its book, a lorebook of the world, or a whole assistant."""

    file: str
    """Its name, without the folder."""
    card: Card | None = None
    """None for a lorebook."""
    persona: Json | None = None
    """What the card says of who it is, as a persona block; None for a lorebook."""
    book: Lorebook | None = None
    """The card's own, or the lorebook of the world."""
    raw: Json | None = None
    """The whole file, to be given back one day."""
    picture: bytes = b""
    """What it shows, where it is one; without the card."""
    whole: Json | None = None
    """An assistant with all it knows; then there is neither card nor book."""

    @property
    def name(self) -> str:
        """The name of the character, or of the lorebook: the file's, where it has none."""
        if self.whole:
            return str(self.whole["name"])
        if self.card:
            return self.card.name
        return (self.book.name if self.book else "") or clean(Path(self.file).stem, 60)


# -- files


def files(place: Path | None = None, suffixes: tuple[str, ...] = SUFFIXES) -> list[str]:
    """Return the names of the files in a folder, else ours, that end so: cards, lorebooks …"""
    place = place or folder()
    found = place.iterdir() if place.is_dir() else ()
    return sorted(path.name for path in found if path.suffix.lower() in suffixes)


def file_name(name: str) -> str:
    """Return a plain file name for the card of somebody, without its ending."""
    return "".join(sign if sign.isalnum() else "_" for sign in name.lower()).strip("_") or "card"


def find_file(name: str, kind: str = "card or lorebook", ends: Sequence[str] = SUFFIXES) -> Path:
    """Return a file of the folder, with or without its ending; raises `CardError`."""
    place = folder()
    for ending in ("", *ends):
        path = inside(place, f"{name.strip()}{ending}")
        if path.suffix.lower() in ends and path.is_file():
            return path
    raise CardError(f"There is no {kind} '{clean(name, 60)}' in {conf.settings.CARDS}.")


def inside(place: Path, name: str) -> Path:
    """Return the path of a file in a folder; raises `CardError` for any other place."""
    try:
        path = (place / name).resolve()
        short = len(name.encode()) <= LONGEST_NAME
        if path.parent == place and short and not name.startswith("."):
            return path
    except (OSError, ValueError):
        pass
    raise CardError(f"'{clean(name, 60)}' is no file of {conf.settings.CARDS}.")


def read_file(path: Path) -> ImportedFile:
    """Return what is in a file. Raises `CardError` saying what is wrong with it."""
    try:
        is_whole = path.suffix.lower() == mind_files.SUFFIX
        most = mind_files.MAX_PACKED if is_whole else MAX_PICTURE
        if path.stat().st_size > most:
            raise CardError(f"The file has more than {most} bytes.")
        return read_bytes(path.read_bytes(), path.name)
    except OSError as error:
        raise CardError(f"The file cannot be read ({type(error).__name__}).") from error


def read_bytes(data: bytes, file: str) -> ImportedFile:
    """Return what is in the bytes of a file of that name. Raises `CardError` as `read_file`."""
    if data.startswith(mind_files.MAGIC):
        return ImportedFile(file, whole=mind_files.unpacked(data))
    raw = json_from_bytes(data)
    if is_book(raw):
        book = read_book(raw, origin=digest(file.lower(), 8))
        return ImportedFile(file, book=book, raw=raw)
    card = read_card(raw)
    persona = persona_of(card)
    if json_length(persona) > MAX_PERSONA:
        raise CardError(f"It describes the character in more than {MAX_PERSONA} characters.")
    book = read_book(card.book, "card") if card.book else None
    return ImportedFile(file, card, persona, book, picture=bare_picture(data))


# -- into the game


def import_card(
    read: ImportedFile, *, location: Any, config: Json | None = None, by: str = ""
) -> Any:
    """Create and start the character of a card in a room; returns it. `by` is for the record.

    `config` is what differs from the defaults of `agent.config.OPTIONS`. Raises `AssistantError`,
    and creates nothing, where the name is taken, or card or `config` do not fit.
    """
    if read.name.casefold() in {mind.key.casefold() for mind in lifecycle.all_assistants()}:
        raise AssistantError(f"There is an assistant named {read.name} already.")
    character = lifecycle.create_assistant(
        read.name, location=location, persona={"name": read.name}, config=config, by=by
    )
    try:
        put_card(read, character, by=by)
    except AssistantError:
        character.delete()
        raise
    if read.card and read.card.nickname:
        character.aliases.add(read.card.nickname)
    return character


def put_card(read: ImportedFile, character: Any, *, by: str = "") -> None:
    """Give an assistant a card's persona, lorebook and picture. Raises `CardError` for a book."""
    if read.card is None or read.persona is None:
        kind = "whole assistant" if read.whole else "lorebook"
        raise CardError(f"{read.file} is a {kind}, not a card.")
    owner = npc_id(character)
    old = lifecycle.read_persona(character)
    kept = {name: value for name, value in old.value.items() if name not in FROM_CARD}
    book = {"book": read.book.to_json()} if read.book and read.book.entries else {}
    if read.picture:
        keep_portrait(character, read.picture)
    source = {"raw": read.card.raw, "file": read.file}
    told = {"file": read.file, "version": read.card.version, "by": by}
    with transaction.atomic():  # the persona last: the running mind has it at once
        record_audit(character, "CardImported", told)
        written = [(owner, lorebooks.CARD, source), (owner, lorebooks.BOOK, book)]
        lorebooks.write_books(written, by=by)
        lorebooks.make_room(owner, PERSONA, MAX_PERSONA * 2)
        persona = {**kept, **read.persona}
        lifecycle.write_persona(character, persona, expected_version=old.version)


def import_book(read: ImportedFile, *, by: str) -> str:
    """Keep a lorebook for all, in place of one of its name; returns that, or raises `CardError`."""
    if read.book is None or read.raw is None:
        raise CardError(f"{read.file} is a card, not a lorebook.")
    value = {"book": read.book.to_json(), "raw": read.raw, "file": read.file}
    lorebooks.write_books([(lorebooks.EVERYBODY, lorebooks.world_label(read.name), value)], by=by)
    return read.name


def drop_book(name: str, *, by: str) -> None:
    """Remove a lorebook of the world; raises `CardError` naming those that exist."""
    label = lorebooks.world_label(find_book(name))
    lorebooks.write_books([(lorebooks.EVERYBODY, label, {})], by=by)


def find_book(name: str) -> str:
    """Return the proper name of a lorebook of the world; raises `CardError` naming them."""
    known = {book.casefold(): book for book in lorebooks.world_books()}
    if found := known.get(name.strip().casefold()):
        return found
    there_are = ", ".join(known.values()) or "none yet"
    raise CardError(f"There is no lorebook '{clean(name, 60)}'; there are: {there_are}.")


# -- out of the game


def exported(character: Any, version: Version | None = None) -> Card:
    """Return the card of an assistant, what was changed since it came included."""
    kept = lorebooks.book_value(npc_id(character), lorebooks.CARD)
    card = read_card(kept["raw"]) if kept else None
    made = card_of(lifecycle.read_persona(character).value, card)
    return in_version(made, version) if version else made


def write_card(card: Card, file: str, picture: bytes = b"") -> Path:
    """Write a card into the folder, into a picture that is there, else this; raises `CardError`."""
    place = folder()
    path = inside(place, file)
    if path.suffix.lower() not in CARDS:
        raise CardError(f"The name of the file ends in {' or '.join(CARDS)}.")
    try:
        place.mkdir(parents=True, exist_ok=True)
        now = path.read_bytes() if path.is_file() else b""
        if now:
            old = read_card(json_from_bytes(now))
            if old.name.casefold() != card.name.casefold():
                raise CardError(f"{path.name} is the card of {old.name}; choose another name.")
        as_png = path.suffix.lower() == ".png"
        path.write_bytes(card_to_bytes(card, now or picture) if as_png else json_to_bytes(card.raw))
    except OSError as error:
        raise CardError(f"The file cannot be written ({type(error).__name__}).") from error
    return path


def place_of_whole(file: Path | str) -> Path:
    """Return where a whole assistant goes, in the folder or at a path. Raises `CardError`."""
    path = inside(folder(), file) if isinstance(file, str) else file
    if path.suffix.lower() != mind_files.SUFFIX:
        raise CardError(f"The name of the file ends in {mind_files.SUFFIX}.")
    return _free(path)


def new_file(file: str, data: bytes) -> str:
    """Write any other file into the folder; returns its name. Raises `CardError` as `write_new`."""
    return write_new(_free(inside(folder(), file)), data).name


def write_new(path: Path, data: bytes) -> Path:
    """Write a file that is not there yet. Raises `CardError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(data)
    except OSError as error:
        raise CardError(f"The file cannot be written ({type(error).__name__}).") from error
    return path


def _free(path: Path) -> Path:
    if path.exists():
        raise CardError(f"There is a file {path.name} already; choose another name.")
    return path


def make_prototype(read: ImportedFile) -> str:
    """Save a prototype from which builders spawn the character of a card; returns its key. Raises
    `CardError` for what is no card, and for a file whose name is not plain text."""
    if read.card is None:
        raise CardError(f"{read.file} is a lorebook, not a card.")
    if clean(read.file) != read.file:
        raise CardError("Give the file a plain name first.")
    save_prototype(
        {
            "prototype_key": (key := f"card_{file_name(read.name)}"),
            "prototype_desc": f"{read.name}, from the card {read.file}",
            "prototype_tags": ["ai_assistant"],
            "typeclass": conf.settings.TYPECLASS,
            "key": read.name,
            CARD_ATTRIBUTE: read.file,
        }
    )
    return key


def awaken(character: Any) -> None:
    """Give one that was spawned from it mind and card; `AssistantError` where the file is gone."""
    read = read_file(find_file(character.attributes.get(CARD_ATTRIBUTE)))
    lifecycle.adopt(character, persona={"name": character.key})
    put_card(read, character)
