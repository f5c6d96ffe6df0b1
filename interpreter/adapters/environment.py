"""A game as learning programs want it: seats act one after the other, actions are numbers, observations are numbers.

The steps follow OpenSpiel's: who is to act, which actions are legal, one action, the returns at the end. Action *i* is
the i-th legal move of the position, in the fixed order in which the engine lists them; `texts` says what each means.
"""

from __future__ import annotations

from itertools import islice

from interpreter.game import Game
from interpreter.moves import Move
from interpreter.pack import bits
from interpreter.program import Program
from interpreter.view import UNSEEN, SeatView

MOST_ACTIONS = 200
"""Legal moves of a position that are offered as actions."""


class Environment:
    """One game after the other of a program. Seats count from 0."""

    def __init__(self, program: Program, most_actions: int = MOST_ACTIONS) -> None:
        self.program = program
        self.most_actions = most_actions
        self.faces = program.pack.joker_face + 1
        """Different cards: every rank in every suit, and the joker last."""
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begin game `seed`; the same number deals the same game."""
        self.game = Game(self.program, seed=seed)
        self._list()

    @property
    def current(self) -> int | None:
        """The seat that is to act; None when the game is over."""
        return self.game.to_act

    @property
    def legal(self) -> range:
        """The actions that are legal now."""
        return range(len(self._moves))

    @property
    def texts(self) -> tuple[str, ...]:
        """What each legal action means."""
        return tuple(self.game.text(move) for move in self._moves)

    def step(self, action: int) -> None:
        """Make a move. Raises ValueError for a number that is not legal."""
        if action not in self.legal:
            raise ValueError(f"action {action} is not legal; there are {len(self._moves)}")
        self.game.play(self._moves[action])
        self._list()

    def returns(self) -> tuple[float, ...]:
        """What each seat won: its part of the win less its fair part, so that they add up to nought. Before the end,
        and in a draw, it is nought."""
        outcome = self.game.outcome
        if outcome is None or not outcome.winners:
            return (0.0,) * self.program.players
        fair = 1 / self.program.players
        return tuple((seat in outcome.winners) / len(outcome.winners) - fair for seat in range(self.program.players))

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        return len(self.observation(0))

    def observation(self, seat: int) -> list[int]:
        """What a seat sees, as numbers: how often each card is in its hand, is known in each other hand, lies in each
        pile and on the table; then the sizes of hands and piles, the scores, and who is to act."""
        view = self.game.view(seat)
        program = self.program
        order = [(seat + step) % program.players for step in range(program.players)]
        found: list[int] = []
        for other in order:
            found += self._counts(list(bits(view.known[other])))
        for pile in view.piles:
            found += self._counts([card for card in pile if card != UNSEEN])
        found += self._counts([card for group in view.groups for card in group.meld.cards])
        found += [view.hand_sizes[other] for other in order] + [len(pile) for pile in view.piles]
        found += [view.scores[program.side_of(other)] for other in order]
        found += [int(view.to_act == other) for other in order] + [view.round, view.turn_number, *self._top(view)]
        return found

    def _top(self, view: SeatView) -> list[int]:
        """The face of the top card of each pile, counted from 1; 0 where none is seen."""
        face = self.program.pack.face
        return [face[pile[-1]] + 1 if pile and pile[-1] != UNSEEN else 0 for pile in view.piles]

    def _counts(self, cards: list[int]) -> list[int]:
        counts = [0] * self.faces
        for card in cards:
            counts[self.program.pack.face[card]] += 1
        return counts

    def _list(self) -> None:
        moves = self.game.legal_moves
        self._moves: tuple[Move, ...] = tuple(islice(moves, self.most_actions)) if self.current is not None else ()
