"""The REST API at `/ai/api/`, for scripts and other programs; see `docs/rest.md`."""
