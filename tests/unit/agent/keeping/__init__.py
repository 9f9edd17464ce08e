"""Tests of `agent.keeping`."""
