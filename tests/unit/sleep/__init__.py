"""Nights, piece by piece."""
