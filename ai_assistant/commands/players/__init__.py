"""The commands of players: pages, scenes, and what is remembered of oneself."""
