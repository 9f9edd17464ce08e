"""The benches: what a reply costs, and what a crowd does to the game. See README.md."""
