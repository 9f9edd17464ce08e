"""The prompt: its components, what is put into them, and how all of it stays inside a budget."""
