"""Tests of cards, lorebooks and scenes."""
