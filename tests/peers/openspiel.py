"""What `gin_rummy` of OpenSpiel makes of a deal, in the cards of a program: its choices, all its knocks and answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyspiel

from interpreter.pack import Pack
from tests.peers.gin_moves import Showing

GIN = pyspiel.gin_rummy
Phase = GIN.Phase
TAKE, DRAW, PASS, KNOCK, FIRST_MELD = (
    int(action)
    for action in (
        GIN.DRAW_UPCARD_ACTION,
        GIN.DRAW_STOCK_ACTION,
        GIN.PASS_ACTION,
        GIN.KNOCK_ACTION,
        GIN.MELD_ACTION_BASE,
    )
)
LONGEST = 5
"""Cards in the longest run there is an action for."""


class Cards:
    """Cards and groups of OpenSpiel as those of a pack: ids, and masks."""

    def __init__(self, pack: Pack) -> None:
        ranks = ("A", *map(str, range(2, 11)), "J", "Q", "K")
        id_of = {pack.face_text(pack.face[card]): card for card in range(pack.size)}
        self.ours = tuple(id_of[f"{rank}{suit}"] for suit in "SCDH" for rank in ranks)
        """A card of theirs to the id of ours; `theirs` the other way."""
        self.theirs = {card: number for number, card in enumerate(self.ours)}
        groups = GIN.GinRummyUtils(13, 4, 10).int_to_meld
        self.group = {FIRST_MELD + number: self.mask(group) for number, group in groups.items()}
        """An action that lays a group to the cards of it."""

    def mask(self, cards: Iterable[int]) -> int:
        """Cards of theirs as a mask of ours."""
        return sum(1 << self.ours[card] for card in cards)


class Deal:
    """One deal played by OpenSpiel. `order` are all cards of theirs, the first one dealt first: ten to each player, one
    turned up, the stock."""

    def __init__(self, game: Any, cards: Cards, order: list[int]) -> None:
        self.cards = cards
        self.state = game.new_initial_state()
        self._utils = GIN.GinRummyUtils(13, 4, 10)
        self._coming = iter(order)
        self._turn_up()

    def play(self, action: int) -> None:
        """Take an action, and the cards that chance gives after it."""
        self.state.apply_action(action)
        self._turn_up()

    def _turn_up(self) -> None:
        while self.state.is_chance_node():
            self.state.apply_action(next(self._coming))

    @property
    def phase(self) -> Any:
        """What is decided."""
        return self.state.current_phase()

    def actions(self) -> list[int]:
        """What is legal."""
        return [int(action) for action in self.state.legal_actions()]

    def hands(self) -> list[int]:
        """The hands as masks of ours."""
        return [self.cards.mask(hand) for hand in self.state.hands()]

    def hides_knock(self) -> bool:
        """Whether the count that decides about a knock is over the limit, though a card to put away with is found."""
        hand = list(self.state.hands()[self.state.current_player()])
        if self.phase == Phase.WALL:
            hand.append(self.state.upcard())
        limit = self.state.knock_card()
        return self._utils.min_deadwood(hand) > limit and bool(self._utils.legal_discards(hand, limit))

    def knocks(self) -> dict[Showing, list[int]]:
        """All ways to knock, and the actions they take: from a hand of eleven in the phase of knocking."""
        found: dict[Showing, list[int]] = {}
        for card in self.actions():
            for groups, path in self._laid(_after(self.state, card), [card], set()):
                found[Showing(self.cards.ours[card], groups)] = path
        return found

    def _laid(
        self, state: Any, path: list[int], seen: set[frozenset[int]]
    ) -> Iterator[tuple[frozenset[int], list[int]]]:
        groups = frozenset(self.cards.group[action] for action in path[1:])
        if groups in seen:
            return
        seen.add(groups)
        for action in state.legal_actions():
            if action == PASS:
                yield groups, [*path, PASS]
            else:
                yield from self._laid(_after(state, action), [*path, action], seen)

    def answers(self) -> dict[int, list[int]]:
        """All hands (masks) that an answer to a knock can leave, and actions that do."""
        found: dict[int, list[int]] = {}
        seen: set[tuple[bool, int]] = set()
        player = self.state.current_player()
        waiting: list[tuple[Any, list[int]]] = [(self.state, [])]
        while waiting:
            state, path = waiting.pop()
            hand = self.cards.mask(state.hands()[player])
            if state.is_terminal():
                found.setdefault(hand, path)
                continue
            key = (state.finished_layoffs(), hand)
            if key not in seen:
                seen.add(key)
                waiting += [(_after(state, action), [*path, action]) for action in state.legal_actions()]
        return found


def _after(state: Any, action: int) -> Any:
    copy = state.clone()
    copy.apply_action(action)
    return copy
