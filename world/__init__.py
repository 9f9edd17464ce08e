"""The demo game's world."""
