"""The demo game's commands: Evennia's own, and those of the assistants."""
