"""Search: an index of memories, and how well each of them answers a query."""
