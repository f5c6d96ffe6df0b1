"""What one seat may see: a projection built from who sees each zone. Computer players get this, never the position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING, Final

from interpreter.attempting import own_duties
from interpreter.finishing import candidates
from interpreter.laying import best_laying
from interpreter.legality import names_of, offer_of
from interpreter.moves import Group, Move
from interpreter.native import mypyc_attr
from interpreter.notation import move_text
from interpreter.pack import bits, mask_of
from interpreter.plays import best_play
from interpreter.program import SEES_ALL, SEES_NOTHING, SEES_TOP, Env, MoveProgram, Program, Sight
from interpreter.state import Chance, OpenDuty, State

if TYPE_CHECKING:
    from interpreter.rules import Rules

UNSEEN: Final = -1
"""In place of a card that the seat does not see."""


@mypyc_attr(free_list_len=1)
class LegalMoves:
    """The legal moves of whoever is to act: found one after the other as they are asked for, in a fixed order."""

    def __init__(self, program: Program, state: State) -> None:
        self._program = program
        self._state = state

    def __iter__(self) -> Iterator[Move]:
        return offer_of(self._program, self._state).all()

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and bool(self._state.frames) and offer_of(self._program, self._state).allows(move)

    def kinds(self) -> tuple[int, ...]:
        """The kinds of move the turn offers now and whose `if`s hold; whether a legal one exists is not looked at."""
        return tuple(offer_of(self._program, self._state).kinds())

    def makes(self) -> list[int]:
        """The kinds of move of which a legal one exists."""
        return offer_of(self._program, self._state).makes()

    def candidates(self, index: int) -> Iterator[Move]:
        """What could be chosen for one kind of move, legal or not; `in` tells which is."""
        return candidates(self._program, self._state, self._program.moves[index])

    def of(self, index: int) -> Iterator[Move]:
        """Those of one kind of move."""
        return offer_of(self._program, self._state).of(index)

    def some(self, index: int, most: int) -> list[Move]:
        """The first of them."""
        return offer_of(self._program, self._state).some(index, most)

    def best_laying(self, index: int, weight: Sequence[int]) -> Move | None:
        """Of a kind of move that lays groups, the one whose cards, and those it puts away, weigh most."""
        return best_laying(self._program, self._state, index, weight)

    @property
    def cut_short(self) -> int:
        """How many answers were cut short by a stated bound so far in this game: where it grows, "none" is not certain
        and the best may not be."""
        return self._state.bounds.cut

    def best_play(self, index: int, weight: Sequence[int]) -> Move | None:
        """Of a kind of move that rearranges the table, the one that puts down the most cards, then the most weight."""
        return best_play(self._program, self._state, index, weight).move if self._state.frames else None


@mypyc_attr(free_list_len=1)
class SeatView:
    """A position as a seat sees it. Cards are ids; in `piles`, UNSEEN stands for each card it does not see.

    What takes long is worked out when it is asked for: the position must not be changed as long as it is looked at.
    """

    __slots__ = (
        "_hand_points", "_known", "_piles", "_seen", "_state", "dealer", "duties", "groups", "hand", "legal_moves",
        "mover", "opened", "program", "round", "rules", "seat", "to_act", "turn_number",
    )  # fmt: skip

    def __init__(self, program: Program, state: State, seat: int) -> None:
        acting = state.to_act == seat
        self.seat = seat
        self.program = program
        self._state = state
        self.hand: int = state.hands[seat]
        """Mask of its cards."""
        self.groups: tuple[Group, ...] = state.groups
        self.opened = state.opened
        self.dealer = state.dealer
        self.mover = state.mover
        self.to_act = state.to_act
        self.round = state.round
        self.turn_number = state.turn_number
        self.duties: tuple[OpenDuty, ...] = own_duties(state) if acting else ()
        self.rules: Rules = state.rules
        self.legal_moves = LegalMoves(program, state if acting else _NOBODYS)
        """Of this seat; empty while another is to act."""
        self._hand_points: tuple[int, ...] | None = None
        self._known: tuple[int, ...] | None = None
        self._piles: tuple[tuple[int, ...], ...] | None = None
        self._seen = -1

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each hand has."""
        return tuple([hand.bit_count() for hand in self._state.hands])

    @property
    def known(self) -> tuple[int, ...]:
        """Cards it knows to be in each hand (masks)."""
        if self._known is None:
            seats, shown = sight_of(self.program, self.seat).hands, self._state.shown
            hands = enumerate(self._state.hands)
            self._known = tuple([hand if seats >> seat & 1 else hand & shown for seat, hand in hands])
        return self._known

    @property
    def piles(self) -> tuple[tuple[int, ...], ...]:
        """Every other pile by slot, from the bottom to the top card."""
        if self._piles is None:
            sight = sight_of(self.program, self.seat).piles
            self._piles = tuple(
                [_seen(pile, sees, self._state.face_down) for pile, sees in zip(self._state.piles, sight, strict=True)]
            )
        return self._piles

    @property
    def scores(self) -> tuple[int, ...]:
        """By side, as `rounds_won`."""
        return tuple(self._state.scores)

    @property
    def rounds_won(self) -> tuple[int, ...]:
        """Rounds that each side won."""
        return tuple(self._state.rounds_won)

    @property
    def tallies(self) -> tuple[int, ...]:
        """By slot."""
        return tuple(self._state.tallies)

    @property
    def named(self) -> tuple[int, ...]:
        """The named cards it sees, by slot (masks)."""
        seen = self.seen
        return tuple([cards & seen for cards in self._state.named])

    @property
    def hand_points(self) -> tuple[int, ...]:
        """What each card of the deck would count in its hand."""
        if self._hand_points is None:
            state = self._state
            self._hand_points = self.rules.worth_in_hand(Env(self.program, state, self.seat), self.seat)
        return self._hand_points

    @property
    def seen(self) -> int:
        """The cards it sees or knows in a hand (a mask)."""
        if self._seen < 0:
            found = 0
            for mask in self.known:
                found |= mask
            for pile in self.piles:
                for card in pile:
                    if card != UNSEEN:
                        found |= 1 << card
            for group in self.groups:
                found |= group.meld.mask
            self._seen = found
        return self._seen

    @property
    def unseen(self) -> int:
        """The cards it does not see, wherever they are (a mask)."""
        return self.program.pack.all_cards & ~self.seen

    def has_opened(self, seat: int) -> bool:
        """Whether the side of a seat has laid cards this round."""
        return bool(self.opened >> self.program.side_of(seat) & 1)

    def aims(self, move: MoveProgram) -> list[tuple[frozenset[int], int, bool]]:
        """What the groups of a move must come to now: kinds (none: points), the number, whether exactly so many."""
        env = Env(self.program, self._state, self.seat)
        return [(aim.kinds, int(aim.number(env)) + aim.over, aim.exact) for aim in move.aims]

    def possible(self, random: Random) -> State:
        """A position that may be the real one: what the seat does not see is dealt anew. Only while it is to act."""
        return dealt_anew(self, self._state, random)

    def offered(self) -> tuple[str, ...]:
        """Names of the moves it can make."""
        return names_of(self.program, self.legal_moves.makes())

    def text(self, move: Move) -> str:
        """A move as it is written."""
        return move_text(self.program, self._state, move)

    def key(self) -> tuple[object, ...]:
        """Everything the seat sees, to compare two views."""
        return (
            self.seat, self.hand, self.hand_sizes, self.known, self.piles, self.groups, self.scores, self.rounds_won,
            self.tallies, self.opened, self.dealer, self.mover, self.to_act, self.round, self.turn_number, self.named,
            self.duties,
        )  # fmt: skip


def view_of(program: Program, state: State, seat: int) -> SeatView:
    """The projection of a position for one seat."""
    return SeatView(program, state, seat)


def _seen(pile: tuple[int, ...], sees: int, face_down: int) -> tuple[int, ...]:
    """A pile as somebody sees it who sees so much of it."""
    if sees == SEES_ALL:
        return pile if not face_down else tuple([UNSEEN if face_down >> card & 1 else card for card in pile])
    if sees == SEES_TOP and pile:
        top = pile[-1]
        return (UNSEEN,) * (len(pile) - 1) + (UNSEEN if face_down >> top & 1 else top,)
    return (UNSEEN,) * len(pile)


def sight_of(program: Program, seat: int) -> Sight:
    """What a seat sees by the rules of the zones; worked out once for each program."""
    found = program.sights.get(seat)
    if found is None:
        found = program.sights[seat] = _sight(program, seat)
    return found


def _sight(program: Program, seat: int) -> Sight:
    side = seat % program.sides
    piles = [SEES_ALL] * program.pile_count
    hands = 1 << seat
    for zone in program.zones:
        if zone.slot < 0:
            everyone = zone.seen_by == "everyone"
            open_hands = range(program.players) if everyone else program.members[side] if zone.seen_by == "side" else ()
            hands |= mask_of(open_hands)
            continue
        owners = 1 if zone.of == "table" else program.sides if zone.of == "side" else program.players
        for owner in range(owners):
            own = owner == (side if zone.of == "side" else seat)
            own_side = owner % program.sides == side
            sees = zone.seen_by == "everyone" or (
                zone.of != "table" and ((zone.seen_by == "owner" and own) or (zone.seen_by == "side" and own_side))
            )
            piles[zone.slot + owner] = SEES_ALL if sees else SEES_TOP if zone.seen_by == "top" else SEES_NOTHING
    return Sight(hands, tuple(piles))


def dealt_anew(view: SeatView, state: State, random: Random) -> State:
    """A copy of the position in which the cards the seat does not see change places, and chance is another one.

    What comes of it follows from the view and the random stream: of the position only what everybody knows is kept.
    """
    after = state.copy()
    after.chance = Chance(f"{random.getrandbits(64)}", 0)
    after.shuffles = ()
    order = list(bits(view.unseen))
    random.shuffle(order)
    moved: list[tuple[list[int], list[int]]] = []
    down = state.face_down & ~view.unseen
    for slot, seen in enumerate(view.piles):
        hidden = [place for place, card in enumerate(seen) if card == UNSEEN]
        if not hidden:
            continue
        new = order[: len(hidden)]
        del order[: len(hidden)]
        old = [state.piles[slot][place] for place in hidden]
        pile = list(seen)
        for place, card in zip(hidden, new, strict=True):
            pile[place] = card
        after.piles[slot] = tuple(pile)
        down |= mask_of(card for was, card in zip(old, new, strict=True) if state.face_down >> was & 1)
        moved.append((old, new))
    for seat, known in enumerate(view.known):
        count = view.hand_sizes[seat] - known.bit_count()
        new = order[:count]
        del order[:count]
        after.hands[seat] = known | mask_of(new)
        # Which of the hidden cards of a hand has a name says something about it; how many have one does not.
        moved.append((sorted(bits(state.hands[seat] & ~known), key=lambda c: _names(state, c), reverse=True), new))
    after.face_down = down
    after.named = tuple(_renamed(mask, view.unseen, moved) for mask in state.named)
    after.duties = tuple(
        duty._replace(named=tuple(_renamed(mask, view.unseen, moved) for mask in duty.named)) for duty in state.duties
    )
    return after


def _names(state: State, card: int) -> tuple[int, ...]:
    """Which names a card has, in the position and in open duties."""
    masks = (*state.named, *(mask for duty in state.duties for mask in duty.named))
    return tuple(mask >> card & 1 for mask in masks)


def _renamed(mask: int, unseen: int, moved: list[tuple[list[int], list[int]]]) -> int:
    """Named cards after hidden ones changed places."""
    if not mask & unseen:
        return mask
    found = mask & ~unseen
    for old, new in moved:
        found |= mask_of(card for was, card in zip(old, new, strict=True) if mask >> was & 1)
    return found


_NOBODYS: Final = State()
