"""Character cards in a running game: from the shell, by command, and out again over telnet."""

import json

from ai_assistant.roleplay.cards import card_from_bytes, card_to_bytes, read_card
from tests.unit.roleplay.decks import card


def test_a_card_lives_speaks_and_leaves_again(village):
    """Read beside the running game, it greets by its card, and is exported as it came."""
    folder = village.root / "server" / "cards"
    folder.mkdir(exist_ok=True)
    raw = card(19, 3)
    raw["data"]["first_mes"] = "Ink and paper to you."
    (folder / "quill.png").write_bytes(card_to_bytes(read_card(raw)))
    (folder / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
    with village.owner() as owner:
        owner.ask("ai/import broken.png", "cut short")
        owner.ask("ai/import quill.png", "Quill is here and listens")
        owner.ask("say hello quill", "^Quill says")
        owner.ask("ai/lore quill = key0", "entry 0")
        owner.ask("ai/export quill = again.png", "again.png")
        owner.ask("ai/delete quill", "Delete Quill")
        owner.ask("Quill", "Quill is gone")
    assert card_from_bytes((folder / "again.png").read_bytes()).raw == raw


def test_a_folder_from_the_shell(village):
    """`evennia ai_import` makes them all; after a reload they live and answer."""
    folder = village.root / "more"
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps(card(19, 2)))
    assert "1/1 a.json: Quill" in village.process.evennia("ai_import", str(folder), "--dry-run")
    told = village.process.evennia("ai_import", str(folder), "--room", "#2")
    assert "1 file, none refused" in told
    village.reload()
    with village.owner() as owner:
        owner.ask("say hello quill", "^Quill says")
        owner.ask("ai/delete quill", "Delete Quill")
        owner.ask("Quill", "Quill is gone")
