"""What can go wrong once a program runs: a player's mistake, or ours."""

from __future__ import annotations

MOST_SHOWN = 200
"""Characters of what somebody wrote that a message says again; no move one can read is longer."""


def shown(text: str) -> str:
    """A text in quotes, cut where it is long, without a character that a terminal would heed."""
    return repr(text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…")


class IllegalMove(ValueError):
    """A move the rules do not allow.

    `because` names the rule, as scenarios do: `knock.if.rule`, `phase` (the turn does not offer the move),
    `unfinished` (the turn could not be ended after it), `melds.run.apart`.
    """

    def __init__(self, move: str, because: str, detail: str = "") -> None:
        super().__init__(f"{shown(move)} is not legal: {because}" + (f" ({detail})" if detail else ""))
        self.move = move
        self.because = because
        self.detail = detail


class MoveSyntaxError(ValueError):
    """A text that is no move: an unknown move or card, a group that is missing."""


class AmbiguousMove(ValueError):
    """A text that several legal moves fit; `choices` are their full texts."""

    def __init__(self, text: str, choices: tuple[str, ...]) -> None:
        super().__init__(f"{shown(text)} can mean: {', '.join(choices)}")
        self.choices = choices


class RecordError(ValueError):
    """A recorded game that cannot be read or does not belong to the sheet."""


class WorkerLost(Exception):
    """A worker process was ended from outside; what the others had finished was given on before."""

    def __init__(self) -> None:
        super().__init__("a worker process was ended from outside, often for want of memory; try fewer with --workers")


class MachineFault(Exception):
    """Our own mistake, with the place in the sheet that was being carried out. Never caught below the command line."""


class NotPlayable(Exception):
    """A checked sheet that uses something this engine cannot carry out yet; the text says what and where."""
