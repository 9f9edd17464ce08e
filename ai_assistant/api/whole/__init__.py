"""A whole assistant as a file: the file itself, and how one goes out of the game and comes in."""
