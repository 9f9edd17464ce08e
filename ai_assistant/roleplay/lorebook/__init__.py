"""Lorebooks: entries that come to mind by what is said, and the rules of when."""

from ai_assistant.roleplay.lorebook.activation import Fired, Scan, activate
from ai_assistant.roleplay.lorebook.entries import Book, Entry
from ai_assistant.roleplay.lorebook.reading import is_book, read_book
from ai_assistant.roleplay.lorebook.timing import Standing, standing

__all__ = [
    "Book",
    "Entry",
    "Fired",
    "Scan",
    "Standing",
    "activate",
    "is_book",
    "read_book",
    "standing",
]
