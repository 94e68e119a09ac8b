"""The write tool."""
