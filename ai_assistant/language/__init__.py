"""All that knows a language: one data file per language, and what reads them."""
