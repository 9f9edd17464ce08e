"""Worked changes: each file adds one thing to the package, whole, as CONTRIBUTING.md shows it."""
