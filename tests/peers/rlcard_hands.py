"""Hands of gin judged by RLCard and by `gin-one-deal`: points left over, cards to knock with, cards to go gin with.

Each hand has eleven cards, which a player holds after the first draw. Some are any cards of the deck; others are of few
neighbouring ranks or of few suits, so that they hold many groups and there are many ways to lay them.

Where all eleven cards lie in groups RLCard means to put away the first card of a long one, but has the cards of a group
in no order, and so may name one out of the middle of a run. A card that only RLCard names is passed over, and counted,
where RLCard's own count of the ten cards left says that they are too many points.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from rlcard.games.gin_rummy.judge import get_going_out_cards
from rlcard.games.gin_rummy.utils.melding import get_best_meld_clusters
from rlcard.games.gin_rummy.utils.utils import get_card, get_deadwood_count

from interpreter.game import Game
from interpreter.pack import Pack
from interpreter.program import Program
from tests.peers.gin_moves import put_away, showing_of
from tests.peers.sheet import program_of

LIMIT = 10
SIZE = 11
KEPT = 5
"""Differences that are printed in full."""


@dataclass
class Counts:
    """What was compared."""

    hands: int = 0
    counts: int = 0
    """Hands of ten whose points left over were compared."""
    able: int = 0
    """Hands of eleven with which one can knock, and (`going`) go gin."""
    going: int = 0
    cards: int = 0
    """Cards to knock or to go gin with."""
    refuted: int = 0
    """Cards that RLCard names against its own count."""
    differences: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def same(self, kind: str, hand: list[str], theirs: Any, ours: Any) -> None:
        """Note whether both say the same of a hand."""
        if theirs != ours:
            self.differences[kind] += 1
            if len(self.examples) < KEPT:
                self.examples.append(f"{kind} of {' '.join(hand)}: theirs {theirs}, ours {ours}")

    def report(self) -> str:
        """All of it as text."""
        lines = [
            f"{self.hands} hands of eleven: {self.able} can knock, {self.going} can go gin, with {self.cards} cards",
            f"{self.counts} hands of ten counted",
            f"cards RLCard names against its own count: {self.refuted}",
            f"differences: {sum(self.differences.values())}",
            *(f"  {kind}: {count}" for kind, count in self.differences.most_common()),
            *self.examples,
        ]
        return "\n".join(lines)


def compare(hands: range) -> Counts:
    """Judge hands of these numbers in both."""
    program = program_of()
    cards = _ids(program.pack)
    counts = Counts()
    for index in hands:
        random = Random(f"hands/{index}")
        hand = _hand(random, program.pack)
        _judge(counts, program, hand, [cards[card] for card in hand], random)
    return counts


def _ids(pack: Pack) -> dict[int, Any]:
    """A card of ours to one of theirs."""
    theirs = {f"{'10' if card.rank == 'T' else card.rank}{card.suit}": card for card in map(get_card, range(52))}
    return {card: theirs[pack.face_text(pack.face[card])] for card in range(pack.size)}


def _hand(random: Random, pack: Pack) -> list[int]:
    """Eleven cards: any, of a few neighbouring ranks, or of a few suits."""
    kind = random.randrange(3)
    cards = list(range(pack.size))
    if kind == 1:
        width = random.randint(3, 6)
        low = random.randrange(len(pack.ranks) - width + 1)
        cards = [card for card in cards if low <= pack.face_rank[card] < low + width]
    elif kind == 2:
        suits = random.sample(range(len(pack.suits)), random.randint(1, 2))
        cards = [card for card in cards if pack.face_suit[card] in suits]
    return random.sample(cards, SIZE)


def _judge(counts: Counts, program: Program, hand: list[int], theirs: list[Any], random: Random) -> None:
    pack = program.pack
    names = [pack.face_text(pack.face[card]) for card in hand]
    text = dict(zip(map(str, theirs), names, strict=True))
    counts.hands += 1
    game = _drawn(program, hand, random)
    assert game.state.hands[0] == sum(1 << card for card in hand)
    named = [{text[str(card)] for card in cards} for cards in get_going_out_cards(theirs, LIMIT)]
    left = {text[str(card)]: _least([other for other in theirs if other is not card]) for card in theirs}
    knocking = {name for name in set().union(*named) if left[name] <= LIMIT}
    going = {name for name in named[1] if not left[name]}
    counts.refuted += len(set().union(*named) - knocking) + len(named[1] - going)
    moves = [(put_away(move), showing_of(move)) for move in game.legal_moves.of(program.move_index("knock"))]
    ours = {pack.face_text(pack.face[card]) for card, _ in moves}
    whole = sum(1 << card for card in hand)
    gin = {pack.face_text(pack.face[card]) for card, shown in moves if shown.cards[1] == whole & ~(1 << card)}
    counts.same("cards to knock with", names, sorted(knocking), sorted(ours))
    counts.same("cards to go gin with", names, sorted(going), sorted(gin))
    counts.able += bool(ours)
    counts.going += bool(gin)
    counts.cards += len(ours)
    points = game.view(0).hand_points
    for card, name in zip(hand, names, strict=True):
        counts.counts += 1
        least = game.state.rules.melds.best(whole & ~(1 << card), points)[0]
        counts.same(f"points left over without {name}", names, left[name], least)


def _least(ten: list[Any]) -> int:
    """The points that RLCard finds left over in ten cards."""
    best = get_best_meld_clusters(ten)
    return int(get_deadwood_count(ten, best[0] if best else []))


def _drawn(program: Program, hand: list[int], random: Random) -> Game:
    """A game in which the first player holds this hand after both refused the first card and he drew."""
    rest = [card for card in range(program.pack.size) if card not in hand]
    random.shuffle(rest)
    order = [card for pair in zip(hand[:10], rest[:10], strict=True) for card in pair] + [
        rest[10],
        hand[10],
        *rest[11:],
    ]
    game = Game(program, shuffles=(tuple(reversed(order)),))
    for move in ("refuse", "refuse", "draw"):
        game.play(move)
    return game
