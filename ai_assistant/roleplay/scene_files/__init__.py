"""A scene as files: its card, and what is told of who knows what."""
