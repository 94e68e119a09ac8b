"""The glob tool: find files by name."""
