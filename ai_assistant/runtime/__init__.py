"""Assistants as they run: begin with `assembly.py`, then `service.py`."""
