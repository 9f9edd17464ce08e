"""The turn: what is heard, thought, done and remembered."""
