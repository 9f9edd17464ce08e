"""Commands with which staff try characters out."""
