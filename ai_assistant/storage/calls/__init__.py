"""Model calls on disk: what was sent and answered, packed; the figures of each; what it drew on."""
