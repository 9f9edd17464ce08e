"""The menu `ai/setup`: from nothing to a model that answers, and a first character."""
