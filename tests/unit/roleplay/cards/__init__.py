"""Tests of `roleplay.cards`."""
