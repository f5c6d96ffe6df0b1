"""A game being played: the program, the position now, and how it came to it."""

from __future__ import annotations

from interpreter.clock import run_out
from interpreter.errors import IllegalMove
from interpreter.flow import apply, start
from interpreter.legality import names_of
from interpreter.moves import DONE, Move
from interpreter.notation import move_text, parse_move
from interpreter.program import Program
from interpreter.state import Chance, Outcome, RoundResult, State, is_seed
from interpreter.view import LegalMoves, SeatView, view_of


class Game:
    """One game, from the deal of its first round. `index` is its number in a simulation: the shuffles are a function of
    seed and index alone. `shuffles` are orders that were recorded; they are given again instead of new ones.

    Raises ValueError for a seed that no record could say.
    """

    def __init__(
        self,
        program: Program,
        seed: int | str = 0,
        index: int = 0,
        shuffles: tuple[tuple[int, ...], ...] = (),
        state: State | None = None,
    ) -> None:
        if not is_seed(str(seed)):
            raise ValueError(f"a seed is a number or a text of one line without blanks at its ends, not {seed!r}")
        self.program = program
        self.seed = seed
        self.index = index
        self.state = state if state is not None else start(program, Chance(seed, index, shuffles))
        self._past: list[tuple[State, Move]] = []
        self.bounded = 0
        """Decisions for which some answer was cut short by a stated bound, so that a play may have been missed."""
        self._cut = self.state.bounds.cut

    @property
    def to_act(self) -> int | None:
        """The seat that has to move; None when the game is over."""
        return self.state.to_act if self.state.frames else None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.state.outcome

    @property
    def rounds(self) -> tuple[RoundResult, ...]:
        """The rounds that are over."""
        return self.state.results

    @property
    def defects(self) -> tuple[str, ...]:
        """Defects of the sheet that came up: dead ends, turns or rounds without end."""
        return self.state.defects

    @property
    def capped(self) -> bool:
        """Whether the last resort had to stop the game."""
        return self.state.capped

    @property
    def shuffles(self) -> tuple[tuple[int, ...], ...]:
        """The order of every shuffle so far, the top card last."""
        return self.state.shuffles

    @property
    def legal_moves(self) -> LegalMoves:
        """Those of whoever is to act; none when the game is over."""
        return LegalMoves(self.program, self.state)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made so far."""
        return tuple(move for _, move in self._past)

    def move_texts(self, exact: bool = False) -> tuple[str, ...]:
        """The moves made so far, as they are written; `exact` tells all twins apart."""
        return tuple(move_text(self.program, state, move, exact) for state, move in self._past)

    def offered(self) -> tuple[str, ...]:
        """Names of the moves of which a legal one exists."""
        return names_of(self.program, self.legal_moves.makes())

    def play(self, move: Move | str) -> None:
        """Make a move. Raises IllegalMove, for a text MoveSyntaxError and AmbiguousMove too; nothing has changed."""
        if isinstance(move, str):
            move = self.parse(move)
        if not self.state.frames:
            raise IllegalMove("a move", "over", "the game is over")
        after = apply(self.program, self.state, move)
        self._past.append((self.state, move))
        self.state = after
        if after.bounds.cut > self._cut:
            self.bounded += 1
            self._cut = after.bounds.cut

    def can_undo(self) -> bool:
        """Whether the last move may be taken back: made in this turn, and nobody saw a new card by it."""
        if not self._past:
            return False
        before, move = self._past[-1]
        now = self.state
        same_turn = (before.round, before.turn_number, len(before.results)) == (
            now.round,
            now.turn_number,
            len(now.results),
        )
        hidden = move.move != DONE and self.program.moves[move.move].draws_hidden
        return same_turn and before.to_act == now.to_act and not hidden and before.shuffles == now.shuffles

    def undo(self) -> None:
        """Take the last move back. Raises ValueError where `can_undo` says no."""
        if not self.can_undo():
            raise ValueError("the last move cannot be taken back: another turn has begun or a new card was seen")
        self.state, _ = self._past.pop()

    def time_up(self) -> tuple[str, ...]:
        """Let the clock of whoever is to act run out; the moves that were made for him, as they are written."""
        kept = len(self._past)
        self.state, past = run_out(self.program, self._past, self.state)
        same = sum(one is other for one, other in zip(self._past[:kept], past, strict=False))
        self._past = past
        return tuple(move_text(self.program, state, move) for state, move in past[same:])

    def view(self, seat: int) -> SeatView:
        """What a seat sees."""
        return view_of(self.program, self.state, seat)

    def text(self, move: Move) -> str:
        """A move of whoever is to act, as it is written."""
        return move_text(self.program, self.state, move)

    def parse(self, text: str) -> Move:
        """The legal move a text means. Raises MoveSyntaxError, IllegalMove or AmbiguousMove."""
        return parse_move(self.program, self.state, text)
