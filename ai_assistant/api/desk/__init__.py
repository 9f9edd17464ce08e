"""What owners do at their desk: watch the money, try things out, and mark what went wrong."""
