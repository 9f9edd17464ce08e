"""What is known of turns: the records of those that were, and a rehearsal of the next."""
