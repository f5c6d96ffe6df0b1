"""What is taken as known while a phrase is judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import Literal

from rulespec.diagnostics import counted
from rulespec.reasoning.numbers import ONE_OR_MORE, SOME_OR_NONE, Between

Value = int | bool | str
End = Literal["", "low", "high", "inside"]


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card as it can be told from others of the deck; a joker has rank "JK" and no suit. `end` says where in a run
    it lies: at an end, inside, or "" outside groups."""

    rank: str
    suit: str
    end: End = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Bounds and facts; what is left out may be anything. Sizes and what a player has done are those of *you*."""

    players: Between = ONE_OR_MORE
    options: Mapping[str, Value] = field(default_factory=dict)
    loose: bool = False
    """Whether options of which the sheet leaves one value are taken as open: a sheet that extends it may open them."""
    round: Between = ONE_OR_MORE
    turn_number: Between = SOME_OR_NONE
    idle_turns: Between = SOME_OR_NONE
    score: Between | None = None
    """Of every side."""
    sizes: Mapping[str, Between] = field(default_factory=dict)
    """How many cards lie in zones; `hand` is yours."""
    hand_limit: float = inf
    """How many cards a hand holds at most."""
    dry: bool | None = None
    opened: bool | None = None
    opened_this_turn: bool | None = None
    mover: bool | None = None
    """Whether you are the mover."""
    seat: Literal["", "left of dealer", "dealer", "other"] = ""
    leaving: bool = True
    """Whether anybody may leave the game."""
    last: str | None = None
    """The last move of the turn, "" if there is none yet."""
    times: Mapping[str, Between] = field(default_factory=dict)
    """How often the mover has made moves this turn."""
    turn_over: bool | None = None
    over: Mapping[str, bool] = field(default_factory=dict)
    """Which extra turns are over."""
    face: CardFace | None = None
    """The card the phrase is about."""
    wild: bool | None = None
    """Whether that card is wild; None where only its class says so."""
    you: bool = True
    """Whether `you` is the one whose sizes and deeds are known; in a definition it is the player it is asked of."""
    bare: bool = True
    """Whether bare words are yours; behind `over`, `with` and `whose` they are somebody else's."""

    def elsewhere(self) -> Known:
        """Inside a phrase that looks at things one by one: bare words and `it` are of something unknown."""
        return replace(self, bare=False, face=None)

    def before_play(self) -> Known:
        """Only what does not change during a round."""
        return Known(
            players=self.players,
            options=self.options,
            loose=self.loose,
            round=self.round,
            score=self.score,
            wild=self.wild,
        )


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to set the table."""

    players: int
    options: Mapping[str, Value] = field(default_factory=dict)

    def known(self) -> Known:
        return Known(players=Between(self.players, self.players), options=self.options)

    def __str__(self) -> str:
        chosen = [f"{name} = {said(value)}" for name, value in self.options.items()]
        return " and ".join([counted(self.players, "player"), *chosen])


def said(value: Value) -> str:
    """A value of an option as it is written in a sheet."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
