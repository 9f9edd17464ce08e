"""All that knows a language; what a language needs stands in one data file per language."""
