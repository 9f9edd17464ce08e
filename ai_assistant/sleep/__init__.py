"""Sleep: what a character makes of its day when nobody talks to it; begin with `night.py`."""
