"""Run the command line as ``python -m cptools``."""

from cptools.cli.entry import command

command()
