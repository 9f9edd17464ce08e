"""A talk with a real mind: players type their lines, any model answers, a checker judges."""
