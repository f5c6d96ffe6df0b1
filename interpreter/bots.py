"""Computer players. Each is given a seat's view and answers with one of its legal moves; none knows a game.

`greedy` sorts kinds of moves by what their actions do (go down, lay, take, draw, put away) and weighs cards by the
meld rules of the sheet; `random` takes any legal move.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Protocol, cast

from interpreter.moves import DONE, LaidOff, Meld, Move
from interpreter.pack import bits
from interpreter.program import (
    DIG,
    DRAW,
    FOLD,
    LAY_MELDS,
    LAY_OFF,
    PASS,
    PUT,
    REARRANGE,
    RETURN,
    SWAP,
    TAKE_ALL,
    TAKE_ANY,
    TAKE_TOP,
    MoveProgram,
)  # fmt: skip
from interpreter.view import UNSEEN, SeatView

LOOK_AT = 200
"""Legal moves of one kind that are weighed against each other."""
DEEPEST_DIG = 6
"""Most cards `greedy` takes from a pile at once."""
WILD_WORTH = 40
"""How much a wild card in the hand is worth keeping, in points."""


class Bot(Protocol):
    """A computer player."""

    def choose(self, view: SeatView) -> Move:
        """One of the legal moves of the view, which has at least one."""
        ...


class RandomBot:
    """A kind of move at random, then one of the first `LOOK_AT` legal moves of it."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def choose(self, view: SeatView) -> Move:
        """Any legal move."""
        kinds = list(view.offered())
        name = self.random.choice(kinds)
        index = DONE if name == "done" else view.program.move_index(name)
        return self.random.choice(list(islice(view.legal_moves.of(index), LOOK_AT)))


class GreedyBot:
    """Opens, lays and lays off what it can, keeps wild cards, takes what fits, throws the least useful card."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def choose(self, view: SeatView) -> Move:
        """The move of the first kind, in the order below, that is worth making."""
        kinds = view.legal_moves.kinds()
        rules = [m for m in view.program.moves if m.index in kinds]
        for plan in (_lay_out, _go_down, _lay, _take, _draw, _put, _give_back, _pass, _other):
            for rule in rules:
                move = plan(view, rule)
                if move is not None:
                    return move
            if plan is _lay and DONE in kinds:
                return Move(DONE)
        return next(iter(view.legal_moves))


def _kinds(rule: MoveProgram) -> frozenset[int]:
    return frozenset(a.kind for a in rule.actions)


# ------------------------------------------------------------ going down and laying


def _lay_out(view: SeatView, rule: MoveProgram) -> Move | None:
    """Lay the whole hand at once, where that can be done."""
    if _kinds(rule) != {LAY_MELDS}:
        return None
    left, melds = view.rules.melds.best(view.hand, (1,) * view.program.pack.size)
    if left or not melds or len(melds) > rule.actions[0].most:
        return None
    move = Move(rule.index, (melds,))
    return move if move in view.legal_moves else None


def _go_down(view: SeatView, rule: MoveProgram) -> Move | None:
    """Put a card away and show everything: with the least left in the hand."""
    if not {PUT, LAY_MELDS} <= _kinds(rule):
        return None

    def left(move: Move) -> int:
        return sum(view.hand_points[card] for card in bits(view.hand & ~_leaving(move)))

    for move in sorted(_best_shown(view, rule), key=left):
        if move in view.legal_moves:
            return move
    return min(islice(view.legal_moves.of(rule.index), LOOK_AT), key=left, default=None) if _odd(rule) else None


def _odd(rule: MoveProgram) -> bool:
    """Whether a move to go down is anything else than one card put away and then groups."""
    return [a.kind for a in rule.actions] != [PUT, LAY_MELDS] or rule.actions[0].most != 1


def _best_shown(view: SeatView, rule: MoveProgram) -> list[Move]:
    """For each card that can be put away, the groups that leave the fewest points of the others."""
    if _odd(rule):
        return []
    found = []
    for card in bits(view.hand):
        _, melds = view.rules.melds.best(view.hand & ~(1 << card), view.hand_points)
        found.append(Move(rule.index, ((card,), melds)))
    return found


def _leaving(move: Move) -> int:
    """The cards a move takes out of the hand."""
    found = 0
    for choice in move.choices:
        if isinstance(choice, LaidOff):
            found |= sum(1 << c for c in choice.cards)
        elif isinstance(choice, tuple):
            for part in choice:
                if isinstance(part, Meld):
                    found |= part.mask
                elif isinstance(part, int):
                    found |= 1 << part
    return found


def _lay(view: SeatView, rule: MoveProgram) -> Move | None:
    kinds = _kinds(rule)
    if kinds == {REARRANGE}:
        return view.legal_moves.best_play(rule.index, view.hand_points)
    if PUT in kinds or not kinds & {LAY_MELDS, LAY_OFF, SWAP}:
        return None
    if kinds == {LAY_MELDS}:
        return _lay_melds(view, rule)
    wild = view.rules.wild
    last = view.hand.bit_count() <= 2
    due = sum(mask for duty in view.duties for mask in duty.named) and view.duties

    def gain(move: Move) -> int:
        leaving = _leaving(move)
        if SWAP in kinds:
            return 1
        if leaving & wild and not (last or due):
            return -1
        return 1 + sum(view.hand_points[c] for c in bits(leaving))

    best = max(islice(view.legal_moves.of(rule.index), LOOK_AT), key=gain, default=None)
    return best if best is not None and gain(best) > 0 else None


def _lay_melds(view: SeatView, rule: MoveProgram) -> Move | None:
    """Everything that can be laid without wild cards; else with them; else whatever is legal and worth most."""
    most = rule.actions[0].most
    for hand in dict.fromkeys((view.hand & ~view.rules.wild, view.hand)):
        worth = [10 + view.hand_points[card] for card in range(view.program.pack.size)]
        _, melds = view.rules.melds.best(hand, worth)
        if not melds:
            continue
        chosen = melds if most > 1 else (max(melds, key=lambda m: _value(view, m)),)
        move = Move(rule.index, (chosen,))
        if move in view.legal_moves:
            return move
    moves = (m for m in islice(view.legal_moves.of(rule.index), LOOK_AT) if m.choices[0])
    return max(
        moves, key=lambda m: sum(_value(view, meld) for meld in cast(tuple[Meld, ...], m.choices[0])), default=None
    )


def _value(view: SeatView, meld: Meld) -> int:
    wild = view.rules.wild
    return sum(10 + view.hand_points[c] - (WILD_WORTH if wild >> c & 1 else 0) for c in meld.cards)


# ------------------------------------------------------------ taking and drawing


def _take(view: SeatView, rule: MoveProgram) -> Move | None:
    """Take from a pile if the card looked for makes a group with the hand or fits one on the table."""
    kinds = _kinds(rule)
    if not kinds & {TAKE_TOP, TAKE_ALL, TAKE_ANY, DIG} or kinds & {LAY_MELDS, LAY_OFF}:
        return None
    best: tuple[int, Move] | None = None
    for move in islice(view.legal_moves.candidates(rule.index), LOOK_AT):
        for action, choice in zip(rule.actions, move.choices, strict=True):
            if action.kind not in (TAKE_TOP, TAKE_ALL, TAKE_ANY, DIG):
                continue
            zone = view.program.zones[action.pile]
            if zone.of != "table" or zone.slot < 0:
                continue
            pile = view.piles[zone.slot]
            wanted = choice if isinstance(choice, int) else pile[-1] if pile else UNSEEN
            if wanted == UNSEEN:
                continue
            taken = len(pile) - pile.index(wanted) if action.kind == DIG else 1
            if taken > DEEPEST_DIG or not _fits(view, wanted) or (taken == 1 and _least_useful(view, wanted)):
                continue
            worth = view.hand_points[wanted] - taken
            if (best is None or worth > best[0]) and move in view.legal_moves:
                best = worth, move
    return best[1] if best is not None else None


def _fits(view: SeatView, card: int) -> bool:
    """Whether a card would make a group with the hand, with at most one wild card, or fits a group on the table."""
    if view.rules.wild >> card & 1:
        return True
    melds, wild = view.rules.melds, view.rules.wild
    if view.opened >> (view.seat % view.program.sides) & 1 and any(melds.accepts(g.meld, card) for g in view.groups):
        return True
    hand = view.hand & ~wild | (view.hand & wild & -(view.hand & wild))
    return next(melds.groups(hand | 1 << card, None, 1 << card), None) is not None


def _least_useful(view: SeatView, card: int) -> bool:
    """Whether a card would be the first to be thrown away, once it is in the hand."""
    usefulness = _usefulness(view, view.hand | 1 << card)
    return all(usefulness[card] <= usefulness[other] for other in usefulness)


def _draw(view: SeatView, rule: MoveProgram) -> Move | None:
    if DRAW not in _kinds(rule) or _kinds(rule) & {TAKE_TOP, TAKE_ALL, TAKE_ANY, DIG}:
        return None
    return next(view.legal_moves.of(rule.index), None)


# ------------------------------------------------------------ putting away


def _put(view: SeatView, rule: MoveProgram) -> Move | None:
    """Put away the least useful cards."""
    if PUT not in _kinds(rule):
        return None
    if len(rule.actions) == 1 and rule.actions[0].least == rule.actions[0].most == 1:
        usefulness = _usefulness(view, view.hand)
        for card in sorted(bits(view.hand), key=lambda c: (usefulness[c], -view.hand_points[c], c)):
            move = Move(rule.index, ((card,),))
            if move in view.legal_moves:
                return move
        return None
    usefulness = _usefulness(view, view.hand)
    moves = islice(view.legal_moves.of(rule.index), LOOK_AT)
    return min(moves, key=lambda m: sum(usefulness.get(c, 0) for c in bits(_leaving(m))), default=None)


def _usefulness(view: SeatView, hand: int) -> dict[int, int]:
    """How much each card of a hand is worth keeping: of groups, then of pairs that may become one, less its points."""
    pack, wild, melds = view.program.pack, view.rules.wild, view.rules.melds
    grouped = 0
    for meld in melds.groups(hand & ~wild):
        grouped |= meld.mask
    found: dict[int, int] = {}
    for card in bits(hand):
        if wild >> card & 1:
            found[card] = 1000
            continue
        links = sum(_linked(view, card, other) for other in bits(hand & ~wild & ~(1 << card)))
        accepted = 3 if any(melds.accepts(g.meld, card) for g in view.groups) else 0
        copies = pack.cards_of_face[pack.face[card]] & hand
        spare = copies & (copies - 1) and card != (copies & -copies).bit_length() - 1
        found[card] = (
            (100 if grouped >> card & 1 and not spare else 0) + 10 * (links + accepted) - view.hand_points[card]
        )
    return found


def _linked(view: SeatView, one: int, two: int) -> int:
    """2 for neighbours in a suit, 1 for the next but one, or for the same rank in another suit."""
    pack = view.program.pack
    first, second = pack.face[one], pack.face[two]
    if first == second or pack.joker_face in (first, second):
        return 0
    if pack.face_rank[first] == pack.face_rank[second]:
        return 1
    if pack.face_suit[first] != pack.face_suit[second]:
        return 0
    gap = min(
        abs(a - b) for a in pack.rank_places[pack.face_rank[first]] for b in pack.rank_places[pack.face_rank[second]]
    )
    return max(0, 3 - gap)


def _give_back(view: SeatView, rule: MoveProgram) -> Move | None:
    return next(view.legal_moves.of(rule.index), None) if RETURN in _kinds(rule) else None


def _pass(view: SeatView, rule: MoveProgram) -> Move | None:
    """A move that does nothing, rather than one that must take what nobody wants."""
    return next(view.legal_moves.of(rule.index), None) if _kinds(rule) == {PASS} else None


def _other(view: SeatView, rule: MoveProgram) -> Move | None:
    """Anything else but giving up, in the order of the sheet."""
    return None if FOLD in _kinds(rule) else next(view.legal_moves.of(rule.index), None)


BOTS: dict[str, Callable[[Random], Bot]] = {"greedy": GreedyBot, "random": RandomBot}
"""Computer players by name; each is made with its own random stream."""
