"""What a hand may become: which unseen cards would complete its groups, how soon, and what waiting for them costs."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from interpreter.holding import WILD, Pattern, barred, patterns
from interpreter.melds import MeldRules
from interpreter.pack import bits
from interpreter.view import SeatView

CAUGHT: Final = 0.55
"""Chance that what is left in the hand counts against its holder in the end; NEARLY: when another one is almost out."""
NEARLY: Final = 0.85
FEW_CARDS: Final = 3
"""With so few cards another one is almost out."""
TURNS: Final = 8.0
"""Turns a hand is expected to have at the deal."""
MEETS: Final = 1.4
"""Cards a player can have for each turn: one that is drawn, and now and then one that is thrown."""
GIVEN: Final = 0.4
"""How much of what a card may do for the next player counts against throwing it."""
MOST_LATE: Final = 0.35
"""Most that hoping for two cards at once comes to, as a chance."""
LAID_NEXT: Final = 0.95
"""Chance that a card is laid that fits a group on the table; UNOPENED: before the side may lay off."""
UNOPENED: Final = 0.35


class Shape(NamedTuple):
    """A smallest group without one of its cards: how many others it needs, each of another mask (of a lone mask,
    any)."""

    others: tuple[int, ...]
    need: int
    alike: bool


def shapes(rules: MeldRules, without: frozenset[int] = frozenset()) -> tuple[tuple[Shape, ...], ...]:
    """By face, the smallest groups its cards may be part of, barred kinds left out."""
    key = f"shapes without {sorted(without)}"
    found: tuple[tuple[Shape, ...], ...] | None = rules.notes.get(key)
    if found is None:
        every = [pattern for kind, of_kind in enumerate(patterns(rules)) if kind not in without for pattern in of_kind]
        found = tuple(
            tuple(_without(p, cards) for p in every if _holds(p, cards)) for cards in rules.pack.cards_of_face
        )
        rules.notes[key] = found
    return found


def near_faces(rules: MeldRules) -> tuple[int, ...]:
    """By face, the cards of other faces that share a smallest group with it (masks)."""
    found: tuple[int, ...] | None = rules.notes.get("near")
    if found is None:
        every = []
        for cards, each in zip(rules.pack.cards_of_face, shapes(rules), strict=True):
            near = 0
            for shape in each:
                for mask in shape.others:
                    near |= mask
            every.append(near & ~cards)
        found = rules.notes["near"] = tuple(every)
    return found


def _holds(pattern: Pattern, cards: int) -> bool:
    return any(place & cards for place in pattern.places)


def _without(pattern: Pattern, cards: int) -> Shape:
    if len(pattern.places) == 1:
        return Shape(pattern.places, pattern.need - 1, True)
    return Shape(tuple(place for place in pattern.places if not place & cards), pattern.need - 1, False)


class Prospects(NamedTuple):
    """What is known about the cards to come, from one view."""

    view: SeatView
    shapes: tuple[tuple[Shape, ...], ...]
    """By face, the groups a card may be part of."""
    unseen: int
    number: int
    """How many cards are unseen, 1 at least."""
    turns: float
    """Cards still to be had; the chance to be caught with what is left."""
    caught: float
    average: float
    """What a card of the deck counts on average."""
    fitting: int
    """Cards that fit a group on the table."""
    opened: bool
    bonus: float
    """What a card in a group is worth beside its points."""
    points: tuple[int, ...]
    """How much it counts that a card is in a group when the hand is laid out."""
    barred: frozenset[int]
    """Kinds of group that may not be laid."""

    # -------------------------------------------------------- one card

    def chance(self, card: int, among: int) -> float:
        """How likely it is that a card, held with others (a mask), comes into a group."""
        if self.fitting >> card & 1:
            return LAID_NEXT if self.opened else UNOPENED
        one = 0
        two = 0
        unseen = self.unseen
        among &= ~(1 << card)
        for others, need, alike in self.shapes[self.view.program.pack.face[card]]:
            lacking = need
            if alike:
                lacking -= (among & others[0]).bit_count()
                if lacking == 1:
                    one |= others[0] & unseen
                elif lacking == 2:
                    lives = (others[0] & unseen).bit_count()
                    two += lives * lives
                continue
            free = 0
            for mask in others:
                if mask & among:
                    lacking -= 1
                else:
                    free |= mask
            if lacking == 1:
                one |= free & unseen
            elif lacking == 2:
                most = second = 0
                for mask in others:
                    if not mask & among:
                        lives = (mask & unseen).bit_count()
                        if lives > most:
                            most, second = lives, most
                        elif lives > second:
                            second = lives
                two += most * second
        soon = 1 - math.pow(1 - min(1.0, one.bit_count() / self.number), self.turns)
        late = min(MOST_LATE, two * self.turns**2 / (2 * self.number**2))
        return 1 - (1 - soon) * (1 - late)

    def _loose(self, card: int, chance: float) -> float:
        """What a card outside the groups is worth, that comes into one with some chance."""
        return chance * self.bonus - (1 - chance) * self.caught * max(0, self.view.hand_points[card])

    # -------------------------------------------------------- a whole hand

    def worth(self, hand: int) -> float:
        """What a hand is worth: nothing for cards in groups, less for others the dearer they are and the smaller their
        chance."""
        rest = self.loose(hand)
        return self.bonus * (hand & ~rest).bit_count() + self.rest(rest, hand)

    def rest(self, rest: int, hand: int) -> float:
        """What cards outside the groups of a hand are worth; of twins, one alone may come into a group."""
        wild = self.view.rules.wild
        natural = hand & ~wild
        found = self.bonus * (rest & wild).bit_count()
        seen_faces: set[int] = set()
        for card in bits(rest & ~wild):
            face = self.view.program.pack.face[card]
            found += self._loose(card, 0.0 if face in seen_faces else self.chance(card, natural))
            seen_faces.add(face)
        return found

    def keeping(self, hand: int) -> dict[int, float] | None:
        """What each card of a hand is worth keeping, the danger of throwing it included; None where each is in a group,
        or wild.

        A loose card leaves the groups as they are, and is thrown before one of a group.
        """
        wild = self.view.rules.wild
        natural = self.loose(hand) & ~wild
        if not natural:
            return None
        dangers = self.dangers(hand)
        grouped = self.bonus * hand.bit_count()
        missed = self._missed(natural, hand & ~wild)
        found: dict[int, float] = {}
        for card in bits(hand):
            if wild >> card & 1:
                found[card] = float(WILD)
            elif natural >> card & 1:
                found[card] = missed[card] + dangers[card]
            else:
                found[card] = grouped + dangers[card]
        return found

    def _missed(self, loose: int, among: int) -> dict[int, float]:
        """By loose card, what the loose cards are worth less without it: itself, and what others hope for from it."""
        pack = self.view.program.pack
        firsts: dict[int, int] = {}
        for card in bits(loose):
            firsts.setdefault(pack.face[card], card)
        worth = {card: self._loose(card, self.chance(card, among)) for card in firsts.values()}
        near = near_faces(self.view.rules.melds)
        found: dict[int, float] = {}
        for card in bits(loose):
            face = pack.face[card]
            without = among & ~(1 << card)
            if loose & pack.cards_of_face[face] & ~(1 << card):  # its twin hopes for the same
                found[card] = self._loose(card, 0.0)
                continue
            found[card] = worth[card]
            for other in bits(loose & near[face]):
                if firsts[pack.face[other]] == other:
                    found[card] += worth[other] - self._loose(other, self.chance(other, without))
        return found

    def loose(self, hand: int) -> int:
        """The cards that are in no group when the hand is laid out at its best, wild cards among them: those help
        wherever help is needed in the end."""
        _, melds = self.view.rules.melds.best(hand & ~self.view.rules.wild, self.points, self.barred)
        for meld in melds:
            hand &= ~meld.mask
        return hand

    # -------------------------------------------------------- what is given away

    def dangers(self, hand: int) -> dict[int, float]:
        """What throwing each card may give the next player; less than nothing where that is the partner."""
        view, program = self.view, self.view.program
        after = (view.seat + 1) % program.players
        hidden = view.hand_sizes[after] - view.known[after].bit_count()
        share = min(1.0, hidden / self.number)
        ours = program.side_of(after) == program.side_of(view.seat)
        weight = (self.bonus + 2 * self.average) / max(1, program.sides - 1) * (-1 if ours else 1)
        may_lay = view.has_opened(after)
        found: dict[int, float] = {}
        for card in bits(hand):
            safe = 1.0
            for shape in self.shapes[program.pack.face[card]]:
                safe *= 1 - self._held_by_next(shape, view.known[after], share)
            fits = 0.3 if may_lay and self.fitting >> card & 1 else 0.0
            found[card] = GIVEN * weight * max(1 - safe, fits)
        return found

    def _held_by_next(self, shape: Shape, known: int, share: float) -> float:
        """How likely it is that the next player holds all others of a group."""
        if shape.alike:
            lacking = shape.need - (known & shape.others[0]).bit_count()
            live = (shape.others[0] & self.unseen).bit_count()
            chance = 1.0
            for number in range(max(0, lacking)):
                chance *= min(1.0, max(0, live - number) * share)
            return chance
        chances = sorted(
            (1.0 if mask & known else min(1.0, (mask & self.unseen).bit_count() * share) for mask in shape.others),
            reverse=True,
        )
        chance = 1.0
        for each in chances[: shape.need]:
            chance *= each
        return chance


def prospects(view: SeatView) -> Prospects:
    """What a seat can know about the cards to come."""
    program, rules = view.program, view.rules.melds
    unseen = view.unseen
    side = program.side_of(view.seat)
    others = [view.hand_sizes[s] for s in range(program.players) if program.side_of(s) != side]
    least = min(others, default=FEW_CARDS)
    taken = view.turn_number / program.players
    turns = max(1.0, min(TURNS - taken / 2, float(least)))
    fitting = 0
    for group in view.groups:
        fitting |= rules.accepted(group.meld)
    average = sum(abs(points) for points in view.hand_points) / program.pack.size
    without = barred(view)
    return Prospects(
        view,
        shapes(rules, without),
        unseen,
        max(1, unseen.bit_count()),
        turns * MEETS,
        NEARLY if least <= FEW_CARDS else CAUGHT,
        average,
        fitting,
        view.has_opened(view.seat),
        1.0 + 1.5 * average,
        tuple(10 + points for points in view.hand_points),
        without,
    )
