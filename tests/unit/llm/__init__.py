"""The model's rooms: profiles, wire, breaker, and the client against a fake server."""
