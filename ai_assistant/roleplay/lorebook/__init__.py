"""Lorebooks: entries that come to mind by what is said, and the rules of when."""

from ai_assistant.roleplay.lorebook.activation import Fired, Scan, Standing, activate, standing
from ai_assistant.roleplay.lorebook.book_files import is_book, read_book
from ai_assistant.roleplay.lorebook.entries import Book, Entry

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
