"""Run the command line as ``python -m cptools``."""

from cptools.cli.main import command

command()
