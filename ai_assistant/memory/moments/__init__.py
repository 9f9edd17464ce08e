"""Moments: how a state changed from commit to commit, and what it was at any of them."""
