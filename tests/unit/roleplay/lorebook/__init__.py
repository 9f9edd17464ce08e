"""Tests of `roleplay.lorebook`."""
