"""The memory of a character: parts of its state, each one file of pure functions, and search."""
