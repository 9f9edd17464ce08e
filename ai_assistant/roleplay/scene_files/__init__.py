"""A scene as files: its card with its roles, and what is told of who knows what."""
