"""Planning: goals and projects, which goal is the most urgent, and how one is broken down."""

from ai_assistant import memory as _memory  # noqa: F401 - it gathers our parts, so it goes first
