"""Tasks that one assistant hands to another, and what comes back."""
