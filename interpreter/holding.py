"""What the cards of a hand are worth keeping for: groups, pairs that may become one, and what an opening asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from interpreter.meld_kinds import Kind
from interpreter.melds import MeldRules
from interpreter.pack import Pack, bits, mask_of
from interpreter.program import LAY_MELDS, MoveProgram
from interpreter.view import SeatView

WILD: Final = 1000
"""What a wild card is worth keeping."""
GROUPED: Final = 100
"""What a card is worth keeping that a group of the hand holds, or that an opening waits for."""


# ------------------------------------------------------------ openings


class Pattern(NamedTuple):
    """The shape of a smallest group: it needs `need` cards, each of another mask of `places` (of a lone mask, any)."""

    places: tuple[int, ...]
    need: int

    def covered(self, hand: int) -> int:
        """The cards of the hand that fill places of it, as a mask."""
        if len(self.places) == 1:
            return mask_of(list(bits(hand & self.places[0]))[: self.need])
        filled = [hand & place for place in self.places]
        return mask_of([(mask & -mask).bit_length() - 1 for mask in filled if mask][: self.need])


def _patterns(pack: Pack, kind: Kind) -> Iterator[Pattern]:
    """The smallest groups of a kind, without wild cards; none of a kind that fixes neither rank nor order."""
    allowed = kind.of if kind.of is not None else pack.all_cards
    need = kind.cards[0]
    faces = [mask & allowed for mask in pack.cards_of_face[: pack.joker_face]]
    suits = range(len(pack.suits))
    if kind.consecutive:
        places = len(pack.place_rank)
        for start in range(places if pack.round_the_corner else places - need + 1):
            ranks = [pack.place_rank[(start + step) % places] for step in range(need)]
            if "suit" in kind.same:
                yield from (Pattern(tuple(faces[pack.face_of(rank, suit)] for rank in ranks), need) for suit in suits)
            else:
                yield Pattern(tuple(mask_of_rank(pack, rank) & allowed for rank in ranks), need)
    elif kind.one_rank:
        for rank in range(len(pack.ranks)):
            of_rank = tuple(faces[pack.face_of(rank, suit)] for suit in suits)
            if "suit" in kind.same:
                yield from (Pattern((mask,), need) for mask in of_rank)
            elif "suit" in kind.different:
                yield Pattern(of_rank, need)
            else:
                yield Pattern((mask_of_rank(pack, rank) & allowed,), need)


def mask_of_rank(pack: Pack, rank: int) -> int:
    """All cards of a rank."""
    found = 0
    for suit in range(len(pack.suits)):
        found |= pack.cards_of_face[pack.face_of(rank, suit)]
    return found


def patterns(rules: MeldRules) -> tuple[tuple[Pattern, ...], ...]:
    """By kind, the patterns of its smallest groups."""
    found: tuple[tuple[Pattern, ...], ...] | None = rules.notes.get("patterns")
    if found is None:
        found = rules.notes["patterns"] = tuple(tuple(_patterns(rules.pack, kind)) for kind in rules.kinds)
    return found


class Contract(NamedTuple):
    """How many groups of which kinds a move asks for before a side may lay anything, or may end the round."""

    move: MoveProgram
    wanted: tuple[tuple[frozenset[int], int], ...]

    def progress(self, rules: MeldRules, hand: int) -> tuple[int, int]:
        """The cards of a hand that do most for it (a mask), and how many more are missing, wild cards counted."""
        held = hand & ~rules.wild
        by_kind = patterns(rules)
        left = [(kinds, number) for kinds, number in self.wanted if number > 0]
        used = missing = 0
        while left:
            best: tuple[float, int, int, int] | None = None
            for at, (kinds, _) in enumerate(left):
                for kind in kinds:
                    for pattern in by_kind[kind]:
                        covered = pattern.covered(held)
                        count = covered.bit_count()
                        if best is None or count / pattern.need > best[0]:
                            best = count / pattern.need, at, covered, pattern.need - count
            if best is None:
                break
            _, at, covered, lacking = best
            held &= ~covered
            used |= covered
            missing += lacking
            kinds, number = left[at]
            left[at : at + 1] = [(kinds, number - 1)] if number > 1 else []
        return used, max(0, missing - (hand & rules.wild).bit_count())

    def nearly(self, rules: MeldRules, hand: int, card: int) -> int:
        """How many cards of the hand stand in one wanted group with a card, itself included; at most what it needs."""
        most = 0
        for kinds, _ in self.wanted:
            for kind in kinds:
                for pattern in patterns(rules)[kind]:
                    if any(place >> card & 1 for place in pattern.places):
                        most = max(most, pattern.covered(hand).bit_count())
        return most


def contract(view: SeatView) -> Contract | None:
    """What the side still has to bring, of several ways the nearest; None where no number of groups is asked for."""
    opened = view.has_opened(view.seat)
    found: list[Contract] = []
    for move in view.program.moves:
        if not move.aims or not move.lays or (opened and not move.calls):
            continue
        wanted = tuple((kinds, number) for kinds, number, _ in view.aims(move) if kinds and number > 0)
        if wanted:
            found.append(Contract(move, wanted))
    if len(found) < 2:
        return found[0] if found else None
    return min(found, key=lambda each: each.progress(view.rules.melds, view.hand)[1])


def barred(view: SeatView) -> frozenset[int]:
    """The kinds of group that no move lays as far as its conditions are looked at: each asks for none of them."""
    every: list[frozenset[int]] = []
    for move in view.program.moves:
        if LAY_MELDS in move.doings:
            none = [kinds for kinds, number, exact in view.aims(move) if exact and number == 0] if move.aims else []
            every.append(frozenset().union(*none))
            if not every[-1]:
                break
    return frozenset.intersection(*every) if every else frozenset()


# ------------------------------------------------------------ single cards


def fits(view: SeatView, card: int) -> bool:
    """Whether a card would make a group with the hand, with at most one wild card, fits a group on the table, or
    brings an opening nearer."""
    if view.rules.wild >> card & 1:
        return True
    melds, wild = view.rules.melds, view.rules.wild
    if view.has_opened(view.seat) and any(melds.accepts(g.meld, card) for g in view.groups):
        return True
    asked = contract(view)
    if asked is not None:
        return asked.progress(melds, view.hand | 1 << card)[1] < asked.progress(melds, view.hand)[1]
    hand = view.hand & ~wild | (view.hand & wild & -(view.hand & wild))
    return next(melds.groups(hand | 1 << card, None, 1 << card), None) is not None


def least_useful(view: SeatView, card: int) -> bool:
    """Whether a card would be the first to be thrown away, once it is in the hand."""
    worth = usefulness(view, view.hand | 1 << card)
    return all(worth[card] <= worth[other] for other in worth)


def usefulness(view: SeatView, hand: int) -> dict[int, int]:
    """How much each card of a hand is worth keeping: of groups, then of pairs that may become one, less its points."""
    pack, wild, melds = view.program.pack, view.rules.wild, view.rules.melds
    asked = contract(view)
    planned = asked.progress(melds, hand)[0] if asked is not None else 0
    grouped = 0
    natural = hand & ~wild
    without = barred(view)
    for meld in melds.groups(natural):
        if meld.kind not in without:
            grouped |= meld.mask
    neighbours = links(melds)
    points = view.hand_points
    found: dict[int, int] = {}
    for card in bits(hand):
        if wild >> card & 1:
            found[card] = WILD
            continue
        accepted = 30 if any(melds.accepts(g.meld, card) for g in view.groups) else 0
        if asked is not None:
            near = 8 * asked.nearly(melds, natural, card)
            kept = GROUPED if planned >> card & 1 else 20 if grouped >> card & 1 else 0
            found[card] = kept + near + accepted // 2 - points[card]
            continue
        next_to, near_to = neighbours[pack.face[card]]
        linked = 2 * (natural & next_to).bit_count() + (natural & near_to).bit_count()
        copies = pack.cards_of_face[pack.face[card]] & hand
        spare = copies & (copies - 1) and card != (copies & -copies).bit_length() - 1
        kept = GROUPED if grouped >> card & 1 and not spare else 0
        found[card] = kept + 10 * linked + accepted - points[card]
    return found


def links(rules: MeldRules) -> tuple[tuple[int, int], ...]:
    """By face, its neighbours in the suit, and the next but one there and the same rank in other suits (masks)."""
    found: tuple[tuple[int, int], ...] | None = rules.notes.get("links")
    if found is None:
        found = rules.notes["links"] = tuple(_links(rules.pack, face) for face in range(rules.pack.joker_face + 1))
    return found


def _links(pack: Pack, face: int) -> tuple[int, int]:
    next_to = near_to = 0
    for other in range(pack.joker_face):
        if face in (other, pack.joker_face):
            continue
        if pack.face_rank[other] == pack.face_rank[face]:
            near_to |= pack.cards_of_face[other]
        elif pack.face_suit[other] == pack.face_suit[face]:
            gap = _gap(pack, face, other)
            next_to |= pack.cards_of_face[other] if gap == 1 else 0
            near_to |= pack.cards_of_face[other] if gap == 2 else 0
    return next_to, near_to


def _gap(pack: Pack, one: int, two: int) -> int:
    """How many places two faces of a suit are apart at least."""
    places = pack.rank_places
    return min(abs(a - b) for a in places[pack.face_rank[one]] for b in places[pack.face_rank[two]])
