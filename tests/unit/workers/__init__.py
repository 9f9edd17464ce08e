"""What workers are asked."""
