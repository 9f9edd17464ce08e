"""Tests of cards and lorebooks."""
