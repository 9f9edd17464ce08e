"""The vocabulary: records, ports, labels, cleaned text and errors."""
