"""What is made from the request models and committed: see `cptools.generate.__main__`."""
