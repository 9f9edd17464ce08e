"""Workers: other processes that answer what nobody waits for. See docs/workers.md."""
