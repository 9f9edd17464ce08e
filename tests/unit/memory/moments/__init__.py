"""Tests of the past of states."""
