"""How an assistant takes a turn: classification, scheduling, the prompt, the loop, the limits."""
