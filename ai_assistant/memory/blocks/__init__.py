"""The memory blocks (seed `memory_blocks`): who may write them, their shapes, what is shown."""
