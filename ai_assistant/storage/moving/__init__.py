"""A whole game moves from one database to another: between SQLite and PostgreSQL, and back."""
