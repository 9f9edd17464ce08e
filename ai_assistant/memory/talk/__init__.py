"""Talk as it goes on: the stream, the conversation with each one, and its summaries."""
