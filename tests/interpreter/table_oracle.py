"""The best play by trying everything: every way to lay all cards of the table and some of the hand in groups."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from interpreter.finishing import proposals
from interpreter.game import Game
from interpreter.moves import Group, Meld
from interpreter.pack import bits
from interpreter.position import stand_before
from interpreter.program import Program
from interpreter.proposals import Proposals
from interpreter.state import State


def small_position(program: Program, seed: int, groups: int = 3, hand: int = 3, pile: int = 0) -> State | None:
    """A position of few ranks and suits, so that groups get in each other's way; None where chance did not give one."""
    random = Random(seed)
    state = Game(program, seed).state.copy()
    pack, rules = program.pack, state.rules.melds
    low = random.randrange(0, len(pack.ranks) - 5)
    suits = random.sample(range(len(pack.suits)), 3)
    cards = [
        card
        for card in range(pack.size)
        if pack.face[card] == pack.joker_face
        or (low <= pack.face_rank[pack.face[card]] < low + 5 and pack.face_suit[pack.face[card]] in suits)
    ]
    jokers = [card for card in cards if pack.face[card] == pack.joker_face]
    left = sum(1 << card for card in cards)
    table: list[Meld] = []
    for number in range(groups):
        among = sum(1 << card for card in random.sample(list(bits(left)), min(len(list(bits(left))), 14)))
        if number < len(jokers) and random.random() < 0.8:
            among |= left & sum(1 << card for card in jokers)
            found = [m for m in rules.groups(among) if rules.wild_in(m).bit_count() == 1]
        else:
            found = [m for m in rules.groups(among) if not rules.wild_in(m)]
        if found:
            meld = random.choice(found)
            table.append(meld)
            left &= ~meld.mask
    if not table:
        return None
    rest = random.sample(list(bits(left)), min(hand + pile, left.bit_count()))
    seat = state.to_act
    state.groups = tuple(Group(meld, 1 - seat, (1 - seat,) * len(meld.cards)) for meld in table)
    state.hands[seat] = sum(1 << card for card in rest[:hand])
    if pile:
        slot = next(zone.slot for zone in program.zones if zone.name == "singles")
        state.piles[slot] = tuple(rest[hand:])
    state.opened = random.choice((0, 1 << seat, 3))
    stand_before(program, state, program.move_index("play"))
    return state


def asked(program: Program, state: State) -> Proposals:
    """What is proposed for a position."""
    return proposals(program, state, program.moves[program.move_index("play")])


def most_cards(plays: Proposals) -> int:
    """The most cards of the hand any legal play puts down, by trying every table."""
    best = 0
    owed = sum(meld.mask for meld in plays.table)
    for table in _tables(plays, owed, owed | plays.hand | plays.pile, ()):
        played = (sum(meld.mask for meld in table) & plays.hand).bit_count()
        if played > best and plays.legal(plays.move(table), True):
            best = played
    return best


def _tables(plays: Proposals, owed: int, left: int, chosen: tuple[Meld, ...]) -> Iterator[tuple[Meld, ...]]:
    """Every set of disjoint groups that covers what is owed; more groups only behind the last one."""
    rules = plays.state.rules.melds
    if owed:
        first = owed & -owed
        for meld in rules.groups(left, None, first, left):
            yield from _tables(plays, owed & ~meld.mask, left & ~meld.mask, (*chosen, meld))
        return
    yield chosen
    for meld in rules.groups(left, None, 0, left):
        above = left & ~(((meld.mask & -meld.mask) << 1) - 1)
        yield from _tables(plays, 0, above & ~meld.mask, (*chosen, meld))
