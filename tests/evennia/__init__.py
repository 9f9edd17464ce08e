"""Tests of the shell, inside Evennia with a database in memory but without a reactor."""
