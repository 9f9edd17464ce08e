"""Tests of `agent.attention`."""
