"""Commands about what happened: turns and silences, model calls, states as they were, errors."""
