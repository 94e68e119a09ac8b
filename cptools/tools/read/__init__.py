"""Read a file or list a folder."""
