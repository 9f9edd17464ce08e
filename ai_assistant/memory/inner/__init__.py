"""What a character keeps to itself: journal, notebook, facts at hand, guidelines, counts."""
