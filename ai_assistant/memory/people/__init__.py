"""What a character knows of people: profiles, traits, and how it feels about them."""
