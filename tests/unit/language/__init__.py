"""Tests of what knows a language."""
