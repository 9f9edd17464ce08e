"""The commands of staff: one for each noun, all beginning with `ai`."""
