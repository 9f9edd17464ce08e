"""Scenes in the running game: who plays where, who hears it, and what it changes."""
