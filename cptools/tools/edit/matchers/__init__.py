"""The tolerant tiers of an edit, one file a kind, one function a rule."""
