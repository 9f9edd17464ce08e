"""Characters with a mind for Evennia games. Importing this package starts nothing."""

__version__ = "0.1.0"
