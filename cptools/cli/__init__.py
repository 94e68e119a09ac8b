"""The two doors: JSON on stdin for harnesses, flags for people."""
