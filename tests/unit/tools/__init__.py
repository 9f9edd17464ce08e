"""The tools and what governs them."""
