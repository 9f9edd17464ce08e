"""Tests of `agent.turn`."""
