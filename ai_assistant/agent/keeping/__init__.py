"""What is kept of a turn: who was met, what was said, and the shorter form of long talks."""
