"""Tests of the offline model: whole prompts in, tool calls out."""
