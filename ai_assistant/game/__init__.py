"""Between Evennia and the core: its hooks become events, and acts of the core become the game's."""
