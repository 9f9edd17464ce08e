"""What is told of a scene: its card and report as files, and what the audit log has of its life."""
