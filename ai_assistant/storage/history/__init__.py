"""The past of every state: written with each commit, read for any moment, kept in bounds."""
