"""The computer player `planner`: as `greedy`, but it keeps what may still become a group, counting the cards that are
not yet seen, thinks of what it gives the next player, and tries calling and folding before it does so."""

from __future__ import annotations

from interpreter.deliberating import best_of
from interpreter.greedy import GreedyBot, kinds_of
from interpreter.holding import contract
from interpreter.moves import Move
from interpreter.pack import bits
from interpreter.program import DRAW, FOLD, Action, MoveProgram
from interpreter.prospects import prospects
from interpreter.view import SeatView

DRAWN = 6
"""Cards that might be drawn, to compare one that can be taken with."""
WORLDS = 6
"""Positions in which calling, or folding, is compared with going on."""


class PlannerBot(GreedyBot):
    """See the module."""

    def keeps(self, view: SeatView) -> dict[int, float]:
        """What each card may become, less what it costs to hold it, and what throwing it gives the next player."""
        found = prospects(view)
        if contract(view) is None:
            return found.keeping()
        scale = 10 / max(1.0, found.average)
        dangers = found.dangers(view.hand)
        return {card: worth + scale * dangers[card] for card, worth in super().keeps(view).items()}

    def wants(self, view: SeatView, rule: MoveProgram, action: Action, cards: tuple[int, ...]) -> bool:
        """One card is taken where it does more for the hand than a card of the stock is likely to do."""
        wild = view.rules.wild >> cards[0] & 1
        more = any(other.kind == DRAW for other in rule.actions)
        if len(cards) > 1 or wild or more or contract(view) is not None:
            return super().wants(view, rule, action, cards)
        found = prospects(view)
        unseen = list(bits(found.unseen))
        drawn = self.random.sample(unseen, min(DRAWN, len(unseen)))
        if not drawn:
            return super().wants(view, rule, action, cards)
        expected = sum(found.best_after(view.hand | 1 << card) for card in drawn) / len(drawn)
        return found.best_after(view.hand | 1 << cards[0]) > expected

    def calls(self, view: SeatView, move: Move) -> bool:
        """Whether calling the round does better than going on."""
        usual = _GoingOn(self.random, thinks=False).choose(view)
        moves = [move, usual]
        return best_of(view, moves, self.random, GreedyBot(self.random, thinks=False), WORLDS) == move

    def choose(self, view: SeatView) -> Move:
        """Folds where that does better than going on; else as `greedy`, with its own judgement of cards."""
        move = super().choose(view)
        folds = [view.program.moves[k] for k in view.legal_moves.kinds() if k >= 0]
        folds = [rule for rule in folds if FOLD in kinds_of(rule)]
        if not self.thinks or not folds:
            return move
        moves = [move, *(m for rule in folds for m in view.legal_moves.of(rule.index))]
        if len(moves) < 2:
            return move
        return best_of(view, moves, self.random, GreedyBot(self.random, thinks=False), WORLDS // 2)


class _GoingOn(GreedyBot):
    """Never calls a round while something else can be done."""

    def calls_cheaply(self, view: SeatView, rule: MoveProgram, move: Move) -> bool:  # noqa: ARG002
        return False
