"""Tests of `agent.prompt`."""
