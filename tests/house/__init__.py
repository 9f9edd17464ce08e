"""What holds for the source as a whole: rooms, words, public names, docs; `make lint` runs it."""
