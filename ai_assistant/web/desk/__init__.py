"""The pages of the owner's desk: money, and what is tried out."""
