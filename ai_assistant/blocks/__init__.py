"""The memory blocks from the game's side: personas, bodies, and one small API for game code."""
