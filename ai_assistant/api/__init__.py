"""What game code and commands call: life cycle, handlers, blocks, scenes, asking, forgetting."""
