"""The demo game's typeclasses: Evennia's own, named so that a game can grow from here."""
