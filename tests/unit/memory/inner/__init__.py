"""Tests of `memory.inner`."""
