"""Tests of `memory.people`."""
