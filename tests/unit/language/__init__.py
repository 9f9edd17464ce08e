"""The parts of memory and the index over them."""
