"""The database schema of the package."""
