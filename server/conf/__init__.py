"""What the demo game tells Evennia: settings, the first build, the connection screen."""
