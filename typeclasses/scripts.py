"""Timers and global state."""

from evennia.scripts.scripts import DefaultScript


class Script(DefaultScript):
    """A script."""
