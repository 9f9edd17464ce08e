"""The memory blocks: who may write them, their shapes, what is shown."""
