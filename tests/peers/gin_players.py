"""Players of a gin that is played in two engines: by chance, by melds, or as slowly as can be."""

from __future__ import annotations

from random import Random

from interpreter.game import Game

Option = tuple[str, int]
"""The name of a move and its card; -1 for moves without one, and for a knock."""
KNOCK: Option = ("knock", -1)
PLAYERS = ("uniform", "melding", "patient")
TAKES = 49
"""Cards a patient pair takes before it draws: the last but one that the game allows."""


class Player:
    """Both players of a game.

    `uniform` chooses any option. `melding` takes what it can meld, throws what leaves the fewest points, and knocks, in
    some games at once and in others seldom, so that there is gin too. `patient` does not knock before the stock is
    used up, and takes as many cards as it may.
    """

    def __init__(self, kind: str, random: Random) -> None:
        self.kind = kind
        self.random = random
        self.eager = 0.0 if kind == "patient" else random.choice((0.7, 0.05))
        self.takes = 0
        self.taken = -1

    def choose(self, options: list[Option], game: Game) -> Option:
        """One of the options, for whoever is to act."""
        option = self._chosen(options, game)
        self.taken = self._top(game) if option[0] == "take" else -1
        self.takes += option[0] == "take" and ("draw", -1) in options
        return option

    def _chosen(self, options: list[Option], game: Game) -> Option:
        if self.kind == "uniform" or len(options) == 1 or (self.kind == "melding" and self.random.random() < 0.05):
            return self.random.choice(options)
        if KNOCK in options and self.random.random() < self.eager:
            return KNOCK
        discards = [option for option in options if option[0] == "discard" and option[1] != self.taken]
        if discards:
            hand = game.state.hands[game.state.to_act]
            left = {option: self._deadwood(game, hand & ~(1 << option[1])) for option in discards}
            return self.random.choice([option for option in discards if left[option] == min(left.values())])
        if self.kind == "patient":
            takes = self.takes < TAKES or ("done", -1) in options
            return next(option for option in options if (option[0] == "take") == takes)
        return self.random.choice(
            [option for option in options if (option[0] == "take") == self._melds(game)] or options
        )

    def _melds(self, game: Game) -> bool:
        """Whether the card that can be taken goes into a group."""
        hand, card = game.state.hands[game.state.to_act], 1 << self._top(game)
        return self._deadwood(game, hand | card) < self._deadwood(game, hand) + self._deadwood(game, card)

    def _deadwood(self, game: Game, hand: int) -> int:
        return game.state.rules.melds.best(hand, game.view(game.state.to_act).hand_points)[0]

    def _top(self, game: Game) -> int:
        slot = next(zone.slot for zone in game.program.zones if zone.name == "discards")
        return game.state.piles[slot][-1]
