"""When a phrase is asked, and what is not there to be asked then, so that it could only ever say no."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.expressions import (
    After,
    Can,
    CardProperty,
    Expr,
    GroupOf,
    IsJoinedOnlyFrom,
    IsReplaced,
    Keeps,
    Laid,
    Melds,
    Named,
    Neighbours,
    People,
    Person,
    PlayerFact,
    Table,
    Times,
    TurnIsOver,
)

OLD = (Keeps, IsReplaced, IsJoinedOnlyFrom)


@dataclass(frozen=True, slots=True)
class Moment:
    """A time at which phrases are worked out: how a message calls it, and what is not yet known then."""

    said: str
    turns: bool = True
    """Somebody's turn has begun."""
    moves: bool = True
    """A move may have been made in this round."""
    move_done: bool = True
    """It follows a move, so there is a before and an after."""
    turn_goes_on: bool = False
    """The turn cannot be at its end."""
    winners: bool = True
    named: frozenset[str] = frozenset()
    """Cards whose name can have been given by then; asked only where no move has been made."""

    def lacks(self, expr: Expr) -> str:
        """What `expr` by itself asks too early, in quotes; empty if it can be known."""
        match expr:
            case TurnIsOver() if self.turn_goes_on:
                return '"turn is over"'
            case Person(role="mover") if not self.turns:
                return '"mover"'
            case People(role="winners" | "losers" as role) if not self.winners:
                return f'"{role}"'
            case GroupOf(old=True) | Neighbours(old=True) | CardProperty(old=True) if not self.move_done:
                return '"old"'
        if isinstance(expr, OLD) and not self.move_done:
            return "how the table was before the move"
        return "" if self.moves else self._lacks_moves(expr)

    def _lacks_moves(self, expr: Expr) -> str:
        match expr:
            case After(move=move) | Can(move=move):
                return f'"{"after" if isinstance(expr, After) else "can"} {move}"'
            case Times(move=move, scope="turn" | "round" as scope):
                return f'"times {move} this {scope}"'
            case PlayerFact(name="opened" | "opened-this-turn" | "folded" as name):
                return f'"{name}"'
            case Named(name=name) if name not in self.named:
                return f'"{name}"'
            case Table():
                return '"table"'
            case Melds():
                return '"melds"'
            case Laid():
                return '"laid"'
        return ""


BEFORE_MOVE = Moment("before a move", move_done=False, turn_goes_on=True)
AFTER_MOVE = Moment("while the turn goes on", turn_goes_on=True)
WINNING = Moment("when it is worked out who wins", winners=False)


def at_the_deal(said: str, moved: bool, named: frozenset[str]) -> Moment:
    """Before the first turn; `moved` if moves may have been made even before the deal."""
    return Moment(said, turns=False, moves=moved, move_done=False, turn_goes_on=True, named=named)
