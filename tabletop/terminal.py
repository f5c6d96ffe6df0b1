"""A terminal, or a pipe in its place, as the person's side of a table."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from interpreter.files import write_new, write_whole
from interpreter.game import Game
from interpreter.record import record_of
from tabletop.picture import fitted, visible, with_letters, with_symbols
from tabletop.session import TimeUp

COLOURS = {"♠": "34", "♥": "31", "♦": "33", "♣": "32"}
"""ANSI colours of the four suits: blue, red, yellow, green."""
_SUITED = re.compile(r"\b(?:[AJQK]|\d{1,2})([♠♥♦♣])")


@dataclass
class Terminal:
    """Reads lines from stdin and writes to stdout; colours and completion only where somebody sits at both."""

    bots: tuple[str, ...] = ()
    """Who plays the seats, kept with a saved game."""
    kept: Path | None = None
    """The file in which this game was kept last; it alone may be written over."""

    def __post_init__(self) -> None:
        self.person = sys.stdin.isatty() and sys.stdout.isatty()
        """Whether somebody sits here, or a script."""
        self._colours = self.person and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self._symbols = "utf" in (sys.stdout.encoding or "").lower()
        self._words: tuple[str, ...] = ()
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")  # a key that is no letter must not end the game
        if self.person:
            self._complete()

    @property
    def width(self) -> int:
        """Columns of the terminal."""
        return shutil.get_terminal_size((80, 24)).columns

    def ask(self, prompt: str, words: tuple[str, ...], seconds: float | None = None) -> str | None:
        """A line of the person; None at the end of the input or on Ctrl-C. Raises TimeUp after `seconds`, where the
        system has alarms."""
        self._words = words
        try:
            if self.person:
                with _alarm(seconds):
                    return input(prompt)
            line = sys.stdin.readline()
        except (EOFError, KeyboardInterrupt):
            print()  # noqa: T201
            return None
        except TimeUp:
            print()  # noqa: T201
            raise
        if not line:
            return None
        self.tell(prompt + line.rstrip("\n"))
        return line

    def tell(self, text: str) -> None:
        """Write a text, wrapped where the terminal is narrow; cards with symbols and colours where it shows them."""
        shown = "\n".join(line for part in text.split("\n") for line in fitted(visible(part), self.width))
        shown = with_symbols(shown) if self._symbols else shown
        if self._colours:
            shown = _SUITED.sub(lambda card: f"\033[{COLOURS[card[1]]}m{card[0]}\033[0m", shown)
        print(shown, flush=True)  # noqa: T201

    def save(self, path: str, game: Game) -> str:
        """Keep the game in a new file, or in the one it was kept in before; says what became of it."""
        if not path and self.kept is None:
            return "say in which file, as in `save evening.game`"
        file = Path(path) if path else self.kept
        assert file is not None, "one of both is there"
        text = record_of(game, self.bots).to_text()
        try:
            if self.kept is not None and file.resolve() == self.kept.resolve():
                write_whole(file, text)
            else:
                write_new(file, text)
        except FileExistsError:
            return f'"{file}" is there already and not from this game; choose another name'
        except (OSError, ValueError) as error:  # ValueError: a character that no file name can hold
            return f'"{file}" cannot be written: {getattr(error, "strerror", None) or error}'
        self.kept = file
        return f"kept in {file}; go on later with --load {shlex.quote(str(file))}"

    def _complete(self) -> None:
        """Let the Tab key complete what can be said."""
        with contextlib.suppress(ImportError):
            import readline  # noqa: PLC0415

            def candidate(text: str, state: int) -> str | None:
                before = readline.get_line_buffer()[: readline.get_begidx()]
                found = completions(self._words, before, text)
                return found[state] if state < len(found) else None

            readline.set_completer_delims(" ")  # a name like `lay-off` is one word
            readline.set_completer(candidate)
            readline.parse_and_bind("tab: complete")


def completions(words: tuple[str, ...], before: str, text: str) -> list[str]:
    """What can stand for `text` behind `before`: the next word of each line that begins so, and what can come anywhere
    (`… to`); capitals and symbols do not matter."""
    said = [_plain(word) for word in before.split()]
    found: dict[str, None] = {}
    for line in words:
        parts = line.split()
        if parts[0] == "…":
            nexts = parts[1:]
        elif [_plain(part) for part in parts[: len(said)]] == said:
            nexts = parts[len(said) :]
        else:
            continue
        if nexts and _plain(nexts[0]).startswith(_plain(text)):
            found[nexts[0]] = None
    return list(found)


def _plain(text: str) -> str:
    return with_letters(text).casefold()


@contextlib.contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Raise TimeUp after so many seconds, where the system can."""
    if seconds is None or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_number: int, _frame: object) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
