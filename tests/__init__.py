"""All tests: the core alone, the shell inside Evennia, and real games end to end."""
