"""What a character does on its own: its goals, its walks, and when it holds back."""
