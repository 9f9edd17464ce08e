"""How the house stands: its rooms, names, circles and sizes, and what one hello runs through."""
