"""Languages: what their data files say, and how code reads words and days by them."""
