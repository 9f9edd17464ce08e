"""Tests end to end: real servers, real telnet lines, real restarts."""
