"""The edit tool."""
