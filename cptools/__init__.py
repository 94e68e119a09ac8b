"""cptools: the eight tools that coding agents have built in, as plain commands."""

__version__ = "0.1.0"
