"""Lorebooks: entries that come to mind by what is said, and the rules of when."""

from ai_assistant.roleplay.lorebook.activation import Fired, Scan, activate
from ai_assistant.roleplay.lorebook.book_files import is_book, read_book
from ai_assistant.roleplay.lorebook.entries import Entry, Lorebook
from ai_assistant.roleplay.lorebook.lore_marks import InMind, in_mind

__all__ = [
    "Entry",
    "Fired",
    "InMind",
    "Lorebook",
    "Scan",
    "activate",
    "in_mind",
    "is_book",
    "read_book",
]
