"""The grep tool: find text in files."""
