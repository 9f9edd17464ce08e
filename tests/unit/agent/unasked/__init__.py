"""Tests of `agent.unasked`."""
