"""A sheet under study: what the checks share, worked out once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from math import inf

from rulespec import expressions as ex
from rulespec.expressions import Type
from rulespec.inheritance import Resolved
from rulespec.model import Rulesheet
from rulespec.reader import MapNode
from rulespec.reasoning.hand_limit import most_in_hand
from rulespec.reasoning.judge import Judge
from rulespec.reasoning.known import Known, Setting, Value
from rulespec.reasoning.numbers import Between
from rulespec.reasoning.settings import settings, ways_to_choose
from rulespec.reasoning.story import Node, Story, tell
from rulespec.reasoning.stuck import stuck_nodes
from rulespec.reasoning.walk import disjuncts, reached
from rulespec.source import NOWHERE, Span

MOST_STORIES = 48
"""Above so many choices of options, their stories are not told one by one."""
MOST_OF_CHECK = 100_000
"""So many judgements one check may take for all tables."""
LATE = 10_000
"""No rule of the first turns speaks of a turn with this number."""


@dataclass(frozen=True, slots=True)
class Told:
    """A story with the options chosen for it."""

    options: dict[str, Value]
    known: Known
    story: Story
    stuck: list[Node]
    """Nodes where a turn can neither go on nor stop."""


class Study:
    """One checked sheet; `resolved` is its text and what it extends, for places of keys."""

    def __init__(self, sheet: Rulesheet, resolved: Resolved | None = None) -> None:
        self.sheet = sheet
        self.tree = None if resolved is None else resolved.tree
        self.inherited = None if resolved is None else resolved.inherited
        self.judge = Judge(sheet)

    # -------------------------------------------------------- places

    def key(self, *path: str) -> Span:
        """Where a key of the sheet stands; the nearest key above where it is not written."""
        node, span = self.tree, NOWHERE if self.tree is None else self.tree.span
        for name in path:
            found = next((key for key in node.entries if key == name), None) if node is not None else None
            if node is None or found is None:
                break
            below = node.entries[found]
            span, node = found.span, below if isinstance(below, MapNode) else None
        return span

    def own(self, *spans: Span) -> bool:
        """Whether the sheet itself, not one it extends, wrote any of this."""
        return self.tree is None or any(span.file == self.tree.span.file for span in spans)

    # -------------------------------------------------------- tables

    def tables(self, *parts: object) -> Iterator[Setting]:
        """Every number of players with every choice of the options that these parts read, as far as there is time: a
        check that judges much at each looks at fewer."""
        begun = self.judge.asked
        for setting in settings(self.sheet, parts):
            yield setting
            if self.judge.asked - begun > MOST_OF_CHECK:
                return

    # -------------------------------------------------------- how long a game is

    @cached_property
    def players(self) -> Between:
        return Between(self.sheet.players.low, self.sheet.players.high)

    def rounds(self, known: Known) -> Between:
        """Which numbers rounds have: up to the last one, or without end where a tie there means another."""
        one_more = self.sheet.game.tie == "another round" and self.sheet.game.wins.type is not Type.PLAYER
        return Between(1, inf if one_more else self.last_round(known))

    def last_round(self, known: Known) -> float:
        """The round after which the game ends for certain, unless it is tied; infinite if there is none."""
        last = inf
        for part in disjuncts(self.chosen(self.sheet.game.ends, known)):
            match self.chosen(part, known):
                case ex.Compare(op="=" | ">=" | ">" as op, left=ex.Fact(name="round"), right=right):
                    last = min(last, self.judge.number(right, known).high + (op == ">"))
        return last if last >= 1 else inf

    def chosen(self, expr: ex.Expr, known: Known) -> ex.Expr:
        """The branch of an `if … else` that is known to be taken."""
        while isinstance(expr, ex.IfElse) and (holds := self.judge.truth(expr.condition, known)) is not None:
            expr = expr.then if holds else expr.otherwise
        return expr

    # -------------------------------------------------------- stories

    @cached_property
    def stories(self) -> list[Told]:
        """The story of a round for every choice of the options that decide what can be done."""
        return self._stories(loose=False)

    def late_story(self, told: Told) -> Story:
        """The same story where every turn has a number so high that what belongs to the first turns is over."""
        return tell(self.sheet, self.judge, told.known, Between(LATE, inf))

    @cached_property
    def loose_stories(self) -> list[Told]:
        """The same, with options of one value taken as open."""
        single = {option.name for option in self.sheet.options if len(option.values) == 1}
        read = {value.name for value in reached(self.sheet, self._acted, ex.OptionValue)}
        return self._stories(loose=True) if single & read else self.stories

    def _stories(self, loose: bool) -> list[Told]:
        told: list[Told] = []
        for options in self._chosen(loose):
            known = Known(players=self.players, options=options, loose=loose)
            known = replace(known, hand_limit=most_in_hand(self.sheet, self.judge, known))
            story = tell(self.sheet, self.judge, known)
            told.append(Told(options, known, story, stuck_nodes(self.sheet, self.judge, story)))
        return told

    def _chosen(self, loose: bool) -> list[dict[str, Value]]:
        """Every choice of the options that decide what can be done, but for numbers; of a sheet with too many, one
        choice that leaves them open."""
        read = {value.name for value in reached(self.sheet, self._acted, ex.OptionValue)}
        options = {
            option.name: option.values
            for option in self.sheet.options
            if option.name in read and option.type is not Type.NUMBER and not (loose and len(option.values) == 1)
        }
        chosen = list(islice(ways_to_choose(options, MOST_STORIES), MOST_STORIES + 1))
        return chosen if len(chosen) <= MOST_STORIES else [{}]

    @cached_property
    def _acted(self) -> tuple[object, ...]:
        """The parts of the sheet that decide what can be done in a round."""
        sheet = self.sheet
        endings = tuple(ending.when for ending in sheet.round.endings)
        return (sheet.turn, sheet.moves, sheet.automatic, sheet.stock, endings, sheet.round.extra_turns)
