"""One turn, from its opening to the last word: begin with `loop.py`."""
