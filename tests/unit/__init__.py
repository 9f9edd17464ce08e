"""Tests of the core: no database, no Evennia, no waiting."""
