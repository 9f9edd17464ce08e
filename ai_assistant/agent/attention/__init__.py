"""What to attend to: classification, queue, energy, budget, and what a turn may do."""
