"""Tests of `memory.talk`."""
