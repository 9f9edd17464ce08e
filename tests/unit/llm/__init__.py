"""The model's rooms: profiles, wire, breaker, and the fake server that stands in for a model."""
