"""Other solvers of whole tables, to be held against: public ones, and an integer programme of our own for HiGHS.

They are asked about positions as `tests/data/rearrangement-positions.jsonl` has them: two packs, sets of three or four,
runs of three or more, jokers that may be renamed at will. A peer is asked only what it can express.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from itertools import combinations
from random import Random
from typing import Any

Position = dict[str, Any]
Ask = Callable[[], int]
"""A question that is set up, so that only answering it takes time: the most cards of the hand that can be put down,
-1 where the peer finds no table."""

SUITS = "SHDC"
LOW = ("A", *(str(number) for number in range(2, 11)), "J", "Q", "K")
ORDERS = {"low": LOW, "high": (*LOW[1:], "A"), "either": (*LOW, "A")}
JOKER = "JK"


@dataclass(frozen=True, slots=True)
class Peer:
    """Another solver: its name and version, which positions it can express, how it is asked for the best play and,
    where it knows that question, for any."""

    name: str
    version: str
    expresses: Callable[[Position], bool]
    best: Callable[[Position], Ask]
    any: Callable[[Position], Ask] | None = None


def jokers_in(position: Position) -> int:
    """The jokers on the table and in the hand."""
    return [*_table(position), *position["hand"]].count(JOKER)


def random_position(seed: int) -> Position:
    """A table of random groups, up to two of its cards replaced by jokers, and a random hand."""
    random = Random(seed)
    ace = random.choice(list(ORDERS))
    left = Counter({rank + suit: 2 for rank in LOW for suit in SUITS})
    jokers = random.choice((0, 0, 1, 2))
    table: list[list[str]] = []
    for _ in range(random.randrange(3, 17)):
        group = random.choice(list(_groups(ace, (3, 4, 5, 6))))
        if any(left[face] < 1 for face in group):
            continue
        left.subtract(group)
        cards = list(group)
        if jokers and random.random() < 0.4:
            at = random.randrange(len(cards))
            left[cards[at]] += 1
            cards[at] = JOKER
            jokers -= 1
        table.append(cards)
    rest = sorted(left.elements())
    hand = random.sample(rest, min(len(rest), random.randrange(1, 15)))
    return {"id": f"random-{seed}", "ace": ace, "table": table, "hand": hand + [JOKER] * min(jokers, 1)}


def peers() -> Iterator[Peer]:
    """All that are installed."""
    for find in (_highs, _rummikub_solvers, _machiavelli):
        try:
            yield from find()
        except ImportError:
            continue


def _table(position: Position) -> list[str]:
    return [card for group in position["table"] for card in group]


def _groups(ace: str, lengths: tuple[int, ...]) -> Iterator[tuple[str, ...]]:
    """Every group of natural cards, runs of some lengths."""
    for rank in LOW:
        for size in (3, 4):
            yield from (tuple(rank + suit for suit in suits) for suits in combinations(SUITS, size))
    order = ORDERS[ace]
    for suit in SUITS:
        for size in lengths:
            for start in range(len(order) - size + 1):
                yield tuple(rank + suit for rank in order[start : start + size])


# ------------------------------------------------------------ HiGHS


class Model:
    """The integer programme for one place of the ace: how often each group lies, how many natural cards of each face
    lie, and how many jokers lie as it. Runs of six and more are two.

    Rows: by face, cards in groups are cards that lie; the jokers that lie; all cards that lie. With three jokers a
    group could be all jokers, so it is for at most two.
    """

    def __init__(self, ace: str) -> None:
        self.faces = [rank + suit for rank in LOW for suit in SUITS]
        number = {face: at for at, face in enumerate(self.faces)}
        jokers, cards = len(self.faces), len(self.faces) + 1
        self.groups = 0
        self.starts: list[int] = [0]
        self.index: list[int] = []
        self.value: list[float] = []
        for group in _groups(ace, (3, 4, 5)):
            self._column([(number[face], 1.0) for face in group])
            self.groups += 1
        for face in range(len(self.faces)):
            self._column([(face, -1.0), (cards, 1.0)])
        for face in range(len(self.faces)):
            self._column([(face, -1.0), (jokers, 1.0), (cards, 1.0)])

    def _column(self, entries: list[tuple[int, float]]) -> None:
        self.index += [row for row, _ in entries]
        self.value += [value for _, value in entries]
        self.starts.append(len(self.index))

    def ask(self, position: Position, any_play: bool) -> Ask:
        """The best play, or any one."""
        import highspy  # noqa: PLC0415
        import numpy as np  # noqa: PLC0415

        table: Counter[str] = Counter(_table(position))
        hand: Counter[str] = Counter(position["hand"])
        owed = [float(table[face]) for face in self.faces]
        there = [float(table[face] + hand[face]) for face in self.faces]
        wild = float(table[JOKER] + hand[JOKER])
        faces, none, lying = len(self.faces), [0.0] * len(self.faces), float(table.total())
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = self.groups + 2 * faces, faces + 2
        lp.col_cost_ = np.array([0.0] * self.groups + [0.0 if any_play else 1.0] * (2 * faces))
        lp.col_lower_ = np.array([0.0] * self.groups + owed + none)
        lp.col_upper_ = np.array([2.0 + wild] * self.groups + there + [wild] * faces)
        lp.row_lower_ = np.array([*none, float(table[JOKER]), lying + any_play])
        lp.row_upper_ = np.array([*none, wild, lying + float(hand.total())])
        lp.integrality_ = [highspy.HighsVarType.kInteger] * lp.num_col_
        lp.sense_ = highspy.ObjSense.kMaximize
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_ = np.array(self.starts, dtype=np.int32)
        lp.a_matrix_.index_ = np.array(self.index, dtype=np.int32)
        lp.a_matrix_.value_ = np.array(self.value)
        highs = highspy.Highs()
        highs.silent()

        def ask() -> int:
            highs.passModel(lp)
            highs.run()
            if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
                return -1
            return 1 if any_play else round(highs.getInfo().objective_function_value - lying)

        return ask


def _highs() -> Iterator[Peer]:
    import highspy  # noqa: F401, PLC0415

    models = {ace: Model(ace) for ace in ORDERS}
    yield Peer(
        "HiGHS, a model of ours",
        f"highspy {version('highspy')}",
        lambda position: jokers_in(position) <= 2,
        lambda position: models[position["ace"]].ask(position, False),
        lambda position: models[position["ace"]].ask(position, True),
    )


# ------------------------------------------------------------ public solvers


def _rummikub_solvers() -> Iterator[Peer]:
    """`rummikub-solver` by its default back end and by GLPK. It knows no ace at both ends, and leaves out groups with
    a joker that could be spared, so that a joker of the table may find no place."""
    from cvxpy import installed_solvers  # noqa: PLC0415
    from rummikub_solver import MILPSolver, RuleSet, SolverMode  # noqa: PLC0415

    def peer(name: str, backend: Any) -> Peer:
        rules = {jokers: RuleSet(jokers=jokers, solver_backend=backend) for jokers in range(5)}

        def ask(position: Position) -> Ask:
            order = ORDERS[position["ace"]]
            rule_set = rules[jokers_in(position)]

            def tile(card: str) -> int:
                return 53 if card == JOKER else SUITS.index(card[-1]) * 13 + order.index(card[:-1]) + 1

            state = rule_set.new_game()
            state.initial = False
            state.add_table(*(tile(card) for card in _table(position)))
            state.add_rack(*(tile(card) for card in position["hand"]))

            def answer() -> int:
                found = rule_set.solve(state, SolverMode.TILE_COUNT)
                return 0 if found is None else len(found.tiles)

            return answer

        return Peer(name, version("rummikub-solver"), lambda position: position["ace"] != "either", ask)

    if "GLPK_MI" in installed_solvers():
        yield peer("rummikub-solver, GLPK", MILPSolver.GLPK_MI)
    yield peer(f"rummikub-solver, {RuleSet().backend.value}", None)


def _machiavelli() -> Iterator[Peer]:
    """`machiavelli`: the ace at both ends, no jokers."""
    from machiavelli.solver import Solver  # noqa: PLC0415

    def ask(position: Position) -> Ask:
        def code(card: str) -> str:
            return {"A": "1", "10": "t"}.get(card[:-1], card[:-1].lower()) + card[-1].lower()

        table = [code(card) for card in _table(position)]
        hand = [code(card) for card in position["hand"]]
        solver = Solver(quiet=True, pretty=False, color=False, emoji=False)

        def answer() -> int:
            try:
                found = solver.solve(table + hand, hand)
            except RuntimeError:
                return -1
            return -1 if found is None else sum(map(len, found)) - len(table)

        return answer

    yield Peer(
        "machiavelli",
        version("machiavelli"),
        lambda position: position["ace"] == "either" and not jokers_in(position),
        ask,
    )
