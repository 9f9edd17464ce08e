"""What is done from the shell, while the game is down or before it is reloaded."""
