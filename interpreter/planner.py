"""The computer player `planner`: as `greedy`, but it keeps what may still become a group, counting the cards that are
not yet seen, thinks of what it gives the next player and of being caught with wild cards, and tries folding first."""

from __future__ import annotations

from random import Random
from typing import Final

from interpreter.deliberating import best_of
from interpreter.greedy import GreedyBot, brings_groups, kinds_of
from interpreter.holding import contract
from interpreter.moves import Move
from interpreter.program import FOLD, Action, MoveProgram
from interpreter.prospects import CAUGHT, Prospects, prospects
from interpreter.view import UNSEEN, SeatView

MOST_CARDS: Final = 14
"""With more cards in the hand playing on takes too long to think about folding."""
WORLDS: Final = 3
"""Positions in which folding is compared with going on."""


class PlannerBot(GreedyBot):
    """See the module."""

    def __init__(self, random: Random, thinks: bool = True) -> None:
        super().__init__(random, thinks)
        self._last: tuple[SeatView, Prospects] | None = None

    def prospects(self, view: SeatView) -> Prospects:
        """What is known about the cards to come, worked out once for a view."""
        if self._last is None or self._last[0] is not view:
            self._last = view, prospects(view)
        return self._last[1]

    def keeps(self, view: SeatView) -> dict[int, float]:
        """What each card may become, less what it costs to hold it, and what throwing it gives the next player.

        What an opening asks for, and a hand that is all in groups, is weighed as by `greedy`.
        """
        found = self.prospects(view)
        keeping = found.keeping(view.hand) if contract(view) is None else None
        if keeping is not None:
            return keeping
        scale = 10 / max(1.0, found.average)
        dangers = found.dangers(view.hand)
        return {card: worth + scale * dangers[card] for card, worth in super().keeps(view).items()}

    def wants(self, view: SeatView, rule: MoveProgram, action: Action, cards: tuple[int, ...]) -> bool:
        """Many cards are taken where more of them come into groups than are left over; one, if it would not be thrown
        back."""
        if len(cards) > 1 and UNSEEN not in cards:
            return brings_groups(view, cards)
        return super().wants(view, rule, action, cards) and not (len(cards) == 1 and self._throws_back(view, cards[0]))

    def _throws_back(self, view: SeatView, card: int) -> bool:
        """Whether a card, once in the hand, would be what is least worth keeping there, or its twin would."""
        worth = self.prospects(view).keeping(view.hand | 1 << card) if contract(view) is None else None
        if worth is None:
            return False
        points, face = view.hand_points, view.program.pack.face
        return face[min(worth, key=lambda c: (worth[c], -points[c], c))] == face[card]

    def spends_wild(self, view: SeatView) -> bool:
        """Wild cards are laid off as soon as somebody else is almost out, before they count against their holder."""
        return super().spends_wild(view) or self.prospects(view).caught > CAUGHT

    def choose(self, view: SeatView) -> Move:
        """Folds where that does better than going on; else as `greedy`, with its own judgement of cards."""
        move = super().choose(view)
        folds = [view.program.moves[k] for k in view.legal_moves.kinds() if k >= 0]
        folds = [rule for rule in folds if FOLD in kinds_of(rule)]
        if not self.thinks or not folds or view.hand.bit_count() > MOST_CARDS:
            return move
        moves = [move, *(m for rule in folds for m in view.legal_moves.of(rule.index))]
        if len(moves) < 2:
            return move
        return best_of(view, moves, self.random, GreedyBot(self.random, thinks=False), WORLDS)
