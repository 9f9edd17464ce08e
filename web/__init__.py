"""The village's website and web client; both work without the internet."""
