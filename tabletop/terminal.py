"""A terminal, or a pipe in its place, as the person's side of a table."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from interpreter.files import write_whole
from interpreter.game import Game
from interpreter.record import record_of
from tabletop.picture import with_symbols

COLOURS = {"♠": "34", "♥": "31", "♦": "33", "♣": "32"}
"""ANSI colours of the four suits: blue, red, yellow, green."""
_SUITED = re.compile(r"\b(?:[AJQK]|\d{1,2})([♠♥♦♣])")


@dataclass
class Terminal:
    """Reads lines from stdin and writes to stdout; colours and completion only where somebody sits at both."""

    bots: tuple[str, ...] = ()
    """Who plays the seats, kept with a saved game."""

    def __post_init__(self) -> None:
        self._person = sys.stdin.isatty() and sys.stdout.isatty()
        self._colours = self._person and "NO_COLOR" not in os.environ
        self._symbols = "utf" in (sys.stdout.encoding or "").lower()
        self._words: tuple[str, ...] = ()
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")  # a key that is no letter must not end the game
        if self._person:
            self._complete()

    @property
    def width(self) -> int:
        """Columns of the terminal."""
        return shutil.get_terminal_size((80, 24)).columns

    def ask(self, prompt: str, words: tuple[str, ...]) -> str | None:
        """A line of the person; None at the end of the input or on Ctrl-C."""
        self._words = words
        try:
            if self._person:
                return input(prompt)
            line = sys.stdin.readline()
        except (EOFError, KeyboardInterrupt):
            return None
        if not line:
            return None
        self.tell(prompt + line.rstrip("\n"))
        return line

    def tell(self, text: str) -> None:
        """Write a text, cards with symbols and colours where they can be shown."""
        shown = with_symbols(text) if self._symbols else text
        if self._colours:
            shown = _SUITED.sub(lambda card: f"\033[{COLOURS[card[1]]}m{card[0]}\033[0m", shown)
        print(shown, flush=True)  # noqa: T201

    def save(self, path: str, game: Game) -> str:
        """Keep the game in a file; says what became of it."""
        try:
            write_whole(Path(path), record_of(game, self.bots).to_text())
        except (OSError, ValueError) as error:  # ValueError: a character that no file name can hold
            return f'"{path}" cannot be written: {getattr(error, "strerror", None) or error}'
        return f"kept in {path}; go on later with --load {path}"

    def _complete(self) -> None:
        """Let the Tab key complete what can be said."""
        with contextlib.suppress(ImportError):
            import readline  # noqa: PLC0415

            def candidate(text: str, state: int) -> str | None:
                found = [word for word in self._words if word.startswith(text)]
                return found[state] if state < len(found) else None

            readline.set_completer(candidate)
            readline.parse_and_bind("tab: complete")
