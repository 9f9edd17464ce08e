"""What staff type to see and change the memory blocks, and what everybody knows."""
