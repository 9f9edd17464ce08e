"""The demo game's server side: its configuration, and what `make` calls to run and check it."""
