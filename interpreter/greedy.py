"""The computer player `greedy`: lays what it can, takes what fits, throws the least useful card.

It sorts kinds of moves by what their actions do (call the round, lay, take, draw, put away) and weighs cards by the
meld rules of the sheet and by what an opening asks for. It knows no game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Final, cast

from interpreter.calling import worth_calling
from interpreter.deliberating import best_of
from interpreter.holding import fits, least_useful, usefulness
from interpreter.imagining import after_move
from interpreter.moves import DONE, LaidOff, Meld, Move, Swapped
from interpreter.pack import bits, mask_of
from interpreter.program import (
    ADD,
    DIG,
    DRAW,
    FOLD,
    LAY_MELDS,
    LAY_OFF,
    PASS,
    PUT,
    REARRANGE,
    RETURN,
    SET,
    SWAP,
    TAKE_ALL,
    TAKE_ANY,
    TAKE_TOP,
    Action,
    MoveProgram,
)
from interpreter.view import UNSEEN, SeatView

LOOK_AT: Final = 200
"""Legal moves of one kind that are weighed against each other."""
DEEPEST_DIG: Final = 6
"""Most cards taken from a pile at once without counting what groups they make."""
WILD_WORTH: Final = 40
"""How much a wild card in the hand is worth keeping, in points."""
NEARLY_OUT: Final = 2
"""With so few cards in the hand, asking whether one may go out is thought about."""
LITTLE: Final = 1.5
"""So many average cards are little to be left with."""
TAKES: Final = frozenset({TAKE_TOP, TAKE_ALL, TAKE_ANY, DIG})

Plan = Callable[["GreedyBot", SeatView, MoveProgram], Move | None]
"""A move of this kind if it is worth making."""


def kinds_of(rule: MoveProgram) -> frozenset[int]:
    """What the actions of a move do, its bookkeeping left out."""
    return rule.doings


class GreedyBot:
    """Opens, lays and lays off what it can, keeps wild cards, takes what fits, throws the least useful card, and calls
    the round where it is likely to do well by it."""

    def __init__(self, random: Random, thinks: bool = True) -> None:
        self.random = random
        self.thinks = thinks
        """Whether it looks at positions that may be the real one before it calls, folds or answers."""

    def choose(self, view: SeatView) -> Move:
        """The move of the first plan that is worth making."""
        kinds = view.legal_moves.kinds()
        rules = [view.program.moves[k] for k in sorted(kinds) if k not in (DONE, view.program.undo)]
        move = self._answer(view, rules, DONE in kinds) if self.thinks else None
        if move is not None:
            return move
        for plan in PLANS:
            for rule in rules:
                move = plan(self, view, rule)
                if move is not None:
                    return move
            if plan is _take and DONE in kinds:
                return self._rid_of(view, rules) or Move(DONE)
        return next(iter(view.legal_moves))

    def keeps(self, view: SeatView) -> dict[int, float]:
        """What each card of the hand is worth keeping; the one worth least is put away first."""
        return dict(usefulness(view, view.hand))

    def wants(self, view: SeatView, rule: MoveProgram, action: Action, cards: tuple[int, ...]) -> bool:  # noqa: ARG002
        """Whether cards of a pile are worth having, the first of which is looked for: one that fits; of many, what they
        bring into groups."""
        if len(cards) == 1:
            return fits(view, cards[0]) and not least_useful(view, cards[0])
        if action.kind == DIG and len(cards) <= DEEPEST_DIG:
            return fits(view, cards[0])
        return UNSEEN not in cards and brings_groups(view, cards)

    def spends_wild(self, view: SeatView) -> bool:
        """Whether wild cards are laid off: where few cards are left."""
        return view.hand.bit_count() <= NEARLY_OUT

    def calls(self, view: SeatView, move: Move) -> bool:
        """Whether to call the round by a move that leaves cards in the hand."""
        return worth_calling(view, move, self.random, GreedyBot(self.random, thinks=False))

    def calls_cheaply(self, view: SeatView, rule: MoveProgram, move: Move) -> bool:
        """The same without thinking about the others: whether little is left, compared with what cards count."""
        if rule.lays:
            return True
        points = view.hand_points
        left, _ = view.rules.melds.best(view.hand & ~leaving(move), points)
        return left <= LITTLE * sum(points) / len(points)

    def _rid_of(self, view: SeatView, rules: list[MoveProgram]) -> Move | None:
        """In the player's own turn, where one may stop as well: a card of no group that counts is put on a pile of the
        table."""
        if view.seat != view.mover:
            return None
        for rule in rules:
            if rule.calls or len(rule.actions) != 1 or kinds_of(rule) != {PUT}:
                continue
            if view.program.zones[rule.actions[0].pile].of != "table":
                continue
            move = put_away(self, view, rule)
            if move is not None and leaving(move) & self._loose(view):
                return move
        return None

    def _loose(self, view: SeatView) -> int:
        """The cards of the hand that count something and are in no group, where groups hold the most points."""
        points = view.hand_points
        _, melds = view.rules.melds.best(view.hand, points)
        grouped = 0
        for meld in melds:
            grouped |= meld.mask
        return mask_of([card for card in bits(view.hand & ~grouped) if points[card] > 0])

    def _answer(self, view: SeatView, rules: list[MoveProgram], may_stop: bool) -> Move | None:
        """Where nothing is to be done with cards, or going out may have to be allowed first: what does best in
        positions that may be the real one."""
        words = [rule for rule in rules if kinds_of(rule) <= {PASS} and not rule.calls]
        cards = len(words) < len(rules)
        if not words or (cards and view.hand.bit_count() > NEARLY_OUT):
            return None
        moves = [Move(rule.index, (None,) * len(rule.actions)) for rule in words]
        moves = [move for move in moves if move in view.legal_moves and (not cards or self._asks(view, move))]
        if cards and moves:
            moves.append(GreedyBot(self.random, thinks=False).choose(view))
        elif may_stop and moves:
            moves.append(Move(DONE))
        if len(moves) < 2:
            return moves[0] if moves else None
        turn = view.turn_number
        return best_of(
            view,
            moves,
            self.random,
            GreedyBot(self.random, thinks=False),
            until=lambda state: state.turn_number != turn,
        )

    def _asks(self, view: SeatView, move: Move) -> bool:
        """Whether somebody else is to answer after a move, in the middle of the turn."""
        after = after_move(view.program, view.possible(self.random), move)
        return after.to_act != view.seat and after.turn_number == view.turn_number


# ------------------------------------------------------------ calling the round, going down


def _lay_out(bot: GreedyBot, view: SeatView, rule: MoveProgram) -> Move | None:  # noqa: ARG001
    """Lay the whole hand at once, where that can be done."""
    if kinds_of(rule) != {LAY_MELDS}:
        return None
    left, melds = view.rules.melds.best(view.hand, (1,) * view.program.pack.size)
    if left or not melds or len(melds) > rule.actions[0].most:
        return None
    move = Move(rule.index, (melds, *(None,) * (len(rule.actions) - 1)))
    return move if move in view.legal_moves else None


def _call(bot: GreedyBot, view: SeatView, rule: MoveProgram) -> Move | None:
    """Call the round, where the hand is likely to be good enough."""
    if not rule.calls:
        return None
    move = next(_calls(bot, view, rule), None)
    if move is None:
        return None
    if not view.hand & ~leaving(move):
        return move
    if not bot.thinks:
        return move if bot.calls_cheaply(view, rule, move) else None
    return move if bot.calls(view, move) else None


def _calls(bot: GreedyBot, view: SeatView, rule: MoveProgram) -> Iterator[Move]:
    """Legal moves of a kind that calls the round, good ones first."""
    kinds = kinds_of(rule)
    if LAY_MELDS in kinds and PUT in kinds:
        move = _put_and_shown(view, rule, not bot.thinks)
        if move is not None:
            yield move
    elif kinds == {LAY_MELDS}:
        move = _lay_melds(view, rule)
        if move is not None:
            yield move
    elif kinds == {PUT}:
        move = put_away(bot, view, rule)
        if move is not None:
            yield move
    elif FOLD not in kinds:
        yield from islice(view.legal_moves.of(rule.index), 1)


def _go_down(bot: GreedyBot, view: SeatView, rule: MoveProgram) -> Move | None:
    """Put a card away and lay groups, where that does not call the round."""
    return None if rule.calls or not {PUT, LAY_MELDS} <= kinds_of(rule) else _put_and_shown(view, rule, not bot.thinks)


def _put_and_shown(view: SeatView, rule: MoveProgram, quick: bool) -> Move | None:
    """Put a card away and show everything: with the least left in the hand."""

    def left(move: Move) -> int:
        return sum(view.hand_points[card] for card in bits(view.hand & ~leaving(move)))

    if rule.aims:
        return view.legal_moves.best_laying(rule.index, view.hand_points)
    if [action.kind for action in rule.actions if action.kind not in (ADD, SET)] == [PUT, LAY_MELDS]:
        for move in sorted(_best_shown(view, rule, quick), key=left):
            if move in view.legal_moves:
                return move
        return None
    return min(islice(view.legal_moves.of(rule.index), LOOK_AT), key=left, default=None)


def _best_shown(view: SeatView, rule: MoveProgram, quick: bool) -> list[Move]:
    """A card that can be put away, and the groups that leave the fewest points of the others.

    Of the cards no group holds the dearest leaves least; only a dearer one of a group may leave less, which is
    not looked at where it has to be `quick`.
    """
    points, best = view.hand_points, view.rules.melds.best
    _, melds = best(view.hand, points)
    loose = view.hand
    for meld in melds:
        loose &= ~meld.mask
    dearest = max(bits(loose), key=lambda card: (points[card], -card), default=-1)
    books = (None,) * (len(rule.actions) - 2)
    found = [Move(rule.index, ((dearest,), melds, *books))] if dearest >= 0 else []
    dearer = [c for c in bits(view.hand & ~loose) if dearest < 0 or (not quick and points[c] > points[dearest])]
    found += [Move(rule.index, ((card,), best(view.hand & ~(1 << card), points)[1], *books)) for card in dearer]
    return found


def leaving(move: Move) -> int:
    """The cards a move takes out of the hand."""
    found = 0
    for choice in move.choices:
        if isinstance(choice, LaidOff):
            found |= mask_of(choice.cards)
        elif isinstance(choice, Swapped):
            found |= 1 << choice.card
        elif isinstance(choice, tuple):
            for part in choice:
                if isinstance(part, Meld):
                    found |= part.mask
                elif isinstance(part, int):
                    found |= 1 << part
    return found


# ------------------------------------------------------------ laying


def _lay(bot: GreedyBot, view: SeatView, rule: MoveProgram) -> Move | None:
    kinds = kinds_of(rule)
    if kinds == {REARRANGE}:
        return view.legal_moves.best_play(rule.index, view.hand_points)
    if rule.calls or PUT in kinds or not kinds & {LAY_MELDS, LAY_OFF, SWAP}:
        return None
    if kinds == {LAY_MELDS}:
        return _lay_melds(view, rule)
    wild = view.rules.wild
    spends = bot.spends_wild(view)
    due = any(mask for duty in view.duties for mask in duty.named)

    def gain(move: Move) -> int:
        gone = leaving(move)
        if SWAP in kinds:
            return 1
        if gone & wild and not (spends or due):
            return -1
        return 1 + sum(view.hand_points[c] for c in bits(gone))

    best = max(islice(view.legal_moves.of(rule.index), LOOK_AT), key=gain, default=None)
    return best if best is not None and gain(best) > 0 else None


def _lay_melds(view: SeatView, rule: MoveProgram) -> Move | None:
    """Everything that can be laid without wild cards; else with them; else what the move asks for; else whatever is
    legal and worth most."""
    most = rule.actions[0].most
    books = (None,) * (len(rule.actions) - 1)
    worth = [10 + view.hand_points[card] for card in range(view.program.pack.size)]
    for hand in dict.fromkeys((view.hand & ~view.rules.wild, view.hand)):
        _, melds = view.rules.melds.best(hand, worth)
        if not melds:
            continue
        chosen = melds if most > 1 else (max(melds, key=lambda m: _value(view, m)),)
        move = Move(rule.index, (chosen, *books))
        if move in view.legal_moves:
            return move
    worth = [1 if view.rules.wild >> card & 1 else 10 + view.hand_points[card] for card in range(len(worth))]
    found = view.legal_moves.best_laying(rule.index, worth)
    if found is not None:
        return found
    moves = (m for m in islice(view.legal_moves.of(rule.index), LOOK_AT) if m.choices[0])
    return max(
        moves, key=lambda m: sum(_value(view, meld) for meld in cast(tuple[Meld, ...], m.choices[0])), default=None
    )


def _value(view: SeatView, meld: Meld) -> int:
    wild = view.rules.wild
    return sum(10 + view.hand_points[c] - (WILD_WORTH if wild >> c & 1 else 0) for c in meld.cards)


# ------------------------------------------------------------ taking and drawing


def _take(bot: GreedyBot, view: SeatView, rule: MoveProgram) -> Move | None:
    """Take from a pile if the card looked for makes a group with the hand or fits one on the table."""
    kinds = kinds_of(rule)
    if not kinds & TAKES or kinds & {LAY_MELDS, LAY_OFF}:
        return None
    best: tuple[int, Move] | None = None
    for move in islice(view.legal_moves.candidates(rule.index), LOOK_AT):
        for action, choice in zip(rule.actions, move.choices, strict=True):
            cards = _taken(view, action, choice) if action.kind in TAKES else ()
            if not cards or not bot.wants(view, rule, action, cards):
                continue
            worth = view.hand_points[cards[0]] - len(cards)
            if (best is None or worth > best[0]) and move in view.legal_moves:
                best = worth, move
    return best[1] if best is not None else None


def _taken(view: SeatView, action: Action, choice: object) -> tuple[int, ...]:
    """The cards an action takes from a pile of the table, the one that is looked for first; none if it is not seen."""
    zone = view.program.zones[action.pile]
    pile = view.piles[zone.slot] if zone.of == "table" and zone.slot >= 0 else ()
    if not pile:
        return ()
    wanted = choice if isinstance(choice, int) else pile[-1]
    if wanted == UNSEEN or wanted not in pile:
        return ()
    others: tuple[int, ...] = ()
    if action.kind == DIG:
        others = pile[pile.index(wanted) + 1 :]
    elif action.kind == TAKE_ALL:
        others = pile[:-1]
    return (wanted, *others)


def brings_groups(view: SeatView, cards: tuple[int, ...]) -> bool:
    """Whether more of many cards would come into groups than be left over."""
    points = [10 + worth for worth in view.hand_points]
    before, _ = view.rules.melds.best(view.hand, points)
    after, _ = view.rules.melds.best(view.hand | mask_of(cards), points)
    brought = before + sum(points[card] for card in cards) - after
    return brought > 0 and after - before <= brought


def _draw(bot: GreedyBot, view: SeatView, rule: MoveProgram) -> Move | None:  # noqa: ARG001
    if DRAW not in kinds_of(rule) or kinds_of(rule) & TAKES:
        return None
    return next(view.legal_moves.of(rule.index), None)


# ------------------------------------------------------------ putting away, and the rest


def _put(bot: GreedyBot, view: SeatView, rule: MoveProgram) -> Move | None:
    """Put away the least useful cards."""
    return None if rule.calls or PUT not in kinds_of(rule) else put_away(bot, view, rule)


def put_away(bot: GreedyBot, view: SeatView, rule: MoveProgram) -> Move | None:
    """The move of this kind that puts away what is least worth keeping."""
    worth = bot.keeps(view)
    first, books = rule.actions[0], (None,) * (len(rule.actions) - 1)
    if first.kind == PUT and not any(action.kind == PUT for action in rule.actions[1:]) and first.least == first.most:
        least = sorted(bits(view.hand), key=lambda c: (worth[c], -view.hand_points[c], c))
        for at in range(len(least) if first.most == 1 else 1):
            move = Move(rule.index, (tuple(sorted(least[at : at + first.most])), *books))
            if move in view.legal_moves:
                return move
        if first.most == 1:
            return None
    moves = islice(view.legal_moves.of(rule.index), LOOK_AT)
    return min(moves, key=lambda m: sum(worth.get(c, 0) for c in bits(leaving(m))), default=None)


def _give_back(bot: GreedyBot, view: SeatView, rule: MoveProgram) -> Move | None:  # noqa: ARG001
    return next(view.legal_moves.of(rule.index), None) if RETURN in kinds_of(rule) else None


def _pass(bot: GreedyBot, view: SeatView, rule: MoveProgram) -> Move | None:  # noqa: ARG001
    """A move that does nothing, rather than one that must take what nobody wants."""
    return next(view.legal_moves.of(rule.index), None) if kinds_of(rule) == {PASS} else None


def _other(bot: GreedyBot, view: SeatView, rule: MoveProgram) -> Move | None:  # noqa: ARG001
    """Anything else but giving up, in the order of the sheet."""
    return None if FOLD in kinds_of(rule) else next(view.legal_moves.of(rule.index), None)


PLANS: tuple[Plan, ...] = (_lay_out, _call, _go_down, _lay, _take, _draw, _put, _give_back, _pass, _other)
