"""What one seat may see: a projection built from who sees each zone. Computer players get this, never the position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from interpreter.errors import IllegalMove
from interpreter.laying import best_laying
from interpreter.legality import candidates, judge, legal_moves, offered_names, open_kinds, own_duties
from interpreter.moves import Group, Move
from interpreter.notation import move_text
from interpreter.pack import bits
from interpreter.piles import mask_of
from interpreter.plays import best_play
from interpreter.program import Env, MoveProgram, Program
from interpreter.state import Chance, OpenDuty, State

if TYPE_CHECKING:
    from interpreter.rules import Rules

UNSEEN = -1
"""In place of a card that the seat does not see."""


class LegalMoves:
    """The legal moves of whoever is to act: found one after the other as they are asked for, in a fixed order."""

    def __init__(self, program: Program, state: State) -> None:
        self._program = program
        self._state = state

    def __iter__(self) -> Iterator[Move]:
        return legal_moves(self._program, self._state)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Move) or not self._state.frames:
            return False
        try:
            judge(self._program, self._state, move)
        except IllegalMove:
            return False
        return True

    def kinds(self) -> tuple[int, ...]:
        """The kinds of move the turn offers now and whose `if`s hold; whether a legal one exists is not looked at."""
        return open_kinds(self._program, self._state)

    def candidates(self, index: int) -> Iterator[Move]:
        """What could be chosen for one kind of move, legal or not; `in` tells which is."""
        return candidates(self._program, self._state, self._program.moves[index])

    def of(self, index: int) -> Iterator[Move]:
        """Those of one kind of move."""
        return legal_moves(self._program, self._state, index)

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


@dataclass(frozen=True, slots=True)
class SeatView:
    """A position as a seat sees it. Cards are ids; in `piles`, UNSEEN stands for each card it does not see."""

    seat: int
    program: Program
    hand: int
    """Mask of its cards."""
    hand_sizes: tuple[int, ...]
    known: tuple[int, ...]
    """Cards it knows to be in each hand (masks)."""
    piles: tuple[tuple[int, ...], ...]
    groups: tuple[Group, ...]
    scores: tuple[int, ...]
    rounds_won: tuple[int, ...]
    tallies: tuple[int, ...]
    opened: int
    dealer: int
    mover: int
    to_act: int
    round: int
    turn_number: int
    named: tuple[int, ...]
    duties: tuple[OpenDuty, ...]
    rules: Rules
    legal_moves: LegalMoves
    """Of this seat; empty while another is to act."""
    hand_points: tuple[int, ...]
    """What each card of the deck would count in its hand."""

    @property
    def unseen(self) -> int:
        """The cards it does not see, wherever they are (a mask)."""
        seen = 0
        for mask in self.known:
            seen |= mask
        for pile in self.piles:
            for card in pile:
                if card != UNSEEN:
                    seen |= 1 << card
        for group in self.groups:
            seen |= group.meld.mask
        return self.program.pack.all_cards & ~seen

    def has_opened(self, seat: int) -> bool:
        """Whether the side of a seat has laid cards this round."""
        return bool(self.opened >> self.program.side_of(seat) & 1)

    def aims(self, move: MoveProgram) -> list[tuple[frozenset[int], int, bool]]:
        """What the groups of a move must come to now: kinds (none: points), the number, whether exactly so many."""
        env = Env(self.program, self.legal_moves._state, self.seat)
        return [(aim.kinds, int(aim.number(env)) + aim.over, aim.exact) for aim in move.aims]

    def possible(self, random: Random) -> State:
        """A position that may be the real one: what the seat does not see is dealt anew. Only while it is to act."""
        return dealt_anew(self, self.legal_moves._state, random)

    def offered(self) -> tuple[str, ...]:
        """Names of the moves it can make."""
        return offered_names(self.program, self.legal_moves._state) if self.to_act == self.seat else ()

    def text(self, move: Move) -> str:
        """A move as it is written."""
        return move_text(self.program, self.legal_moves._state, move)

    def key(self) -> tuple[object, ...]:
        """Everything the seat sees, to compare two views."""
        return (
            self.seat, self.hand, self.hand_sizes, self.known, self.piles, self.groups, self.scores, self.rounds_won,
            self.tallies, self.opened, self.dealer, self.mover, self.to_act, self.round, self.turn_number, self.named,
            self.duties,
        )  # fmt: skip


def view_of(program: Program, state: State, seat: int) -> SeatView:
    """The projection of a position for one seat."""
    side = seat % program.sides
    piles: list[tuple[int, ...]] = list(state.piles)
    for zone in program.zones:
        if zone.slot < 0:
            continue
        owners = 1 if zone.of == "table" else program.sides if zone.of == "side" else program.players
        for owner in range(owners):
            own = owner == (side if zone.of == "side" else seat)
            own_side = owner % program.sides == side
            pile = piles[zone.slot + owner]
            sees = zone.seen_by == "everyone" or (
                zone.of != "table" and ((zone.seen_by == "owner" and own) or (zone.seen_by == "side" and own_side))
            )
            if sees:
                seen = tuple(UNSEEN if state.face_down >> c & 1 else c for c in pile)
            elif zone.seen_by == "top" and pile:
                seen = (UNSEEN,) * (len(pile) - 1) + (UNSEEN if state.face_down >> pile[-1] & 1 else pile[-1],)
            else:
                seen = (UNSEEN,) * len(pile)
            piles[zone.slot + owner] = seen
    visible = {c for pile in piles for c in pile if c != UNSEEN} | {c for g in state.groups for c in g.meld.cards}
    hands = next(z for z in program.zones if z.slot < 0)
    open_hands = {s for s in range(program.players) if hands.seen_by == "everyone" or s == seat}
    if hands.seen_by == "side":
        open_hands |= set(program.members[side])
    known = tuple(hand if s in open_hands else hand & state.shown for s, hand in enumerate(state.hands))
    seen_mask = sum(1 << c for c in visible)
    for mask in known:
        seen_mask |= mask
    acting = state.to_act == seat
    return SeatView(
        seat=seat,
        program=program,
        hand=state.hands[seat],
        hand_sizes=tuple(h.bit_count() for h in state.hands),
        known=known,
        piles=tuple(piles),
        groups=state.groups,
        scores=tuple(state.scores),
        rounds_won=tuple(state.rounds_won),
        tallies=tuple(state.tallies),
        opened=state.opened,
        dealer=state.dealer,
        mover=state.mover,
        to_act=state.to_act,
        round=state.round,
        turn_number=state.turn_number,
        named=tuple(m & seen_mask for m in state.named),
        duties=own_duties(state) if acting else (),
        rules=state.rules,
        legal_moves=LegalMoves(program, state if acting else _NOBODYS),
        hand_points=state.rules.worth_in_hand(Env(program, state, seat), seat),
    )


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


_NOBODYS = State()
