"""The command line: each command reads its options, calls the library, prints, and gives an exit code.

0 fine, 1 problems found, 2 wrong usage, 3 a fault of the program itself. Results go to stdout, progress and messages to
stderr. Libraries are imported by the command that needs them, so that `--help` and completion start quickly.
"""

from cli import measuring, playing, sheets  # each adds its commands
from cli.commands import FAULT, INTERRUPTED, PROBLEMS, TERMINATED, WRONG_USAGE, main

__all__ = ["FAULT", "INTERRUPTED", "PROBLEMS", "TERMINATED", "WRONG_USAGE", "main", "measuring", "playing", "sheets"]
