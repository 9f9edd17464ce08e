"""Tests of `agent.delegation`."""
