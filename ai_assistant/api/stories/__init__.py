"""Stories as they are kept outside of a game, and put right in it: reports, cards and takes."""
