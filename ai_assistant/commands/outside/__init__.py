"""What commands do for programs outside of the game: tokens of the API."""
