"""What a character does of its own accord: its goals, its walks, and when it holds back."""
