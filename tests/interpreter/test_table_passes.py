"""The passes over the ranks of a whole table: in words of the machine as in plain Python."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from interpreter.meld_kinds import Kind
from interpreter.pack import Pack
from interpreter.table_deal import dealt
from interpreter.table_drawing import Drawn
from interpreter.table_forward import Forward
from interpreter.table_kernel import Kernel, fits, give_back, take
from interpreter.table_layers import FEW_BITS, MANY_BITS, Layers, TooManyRuns
from interpreter.table_problem import Best, Problem, Stock
from interpreter.table_runs import RunRules
from interpreter.table_shape import Shape

LOW = ("A", *(str(number) for number in range(2, 11)), "J", "Q", "K")
ORDERS = {"low": LOW, "high": (*LOW[1:], "A"), "either": (*LOW, "A")}
ANY = 99


@dataclass(frozen=True)
class Case:
    """Cards to be solved, for a shape, with what runs need."""

    shape: Shape
    stock: Stock
    rules: RunRules

    def problem(self, bits: int = FEW_BITS) -> Problem:
        return Problem(self.shape, self.stock, self.rules, Layers(self.shape, self.rules, bits))


def kind(index: int, name: str, cards: tuple[int, int], wild: int, natural: int = 1) -> Kind:
    """Sets of one rank, or runs of one suit, with so many wild cards at most and so many natural ones at least."""
    same, different = ("suit", frozenset[str]()) if name == "run" else ("rank", frozenset({"suit"}))
    return Kind(
        index, name, cards, (natural, ANY), (0, wild), frozenset({same}), different, name == "run", None, None, ()
    )


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A table made of groups, so that there is often a way to use it up, and some cards for it."""
    places = ORDERS[draw(st.sampled_from(sorted(ORDERS)))]
    pack = Pack(places, False, ("S", "H", "D", "C"), 2, 4)
    least = draw(st.integers(2, 4))
    runs = kind(1, "run", (least, 13), draw(st.sampled_from((1, ANY))))
    sets = draw(st.sampled_from((None, kind(0, "set", (3, 4), 2), kind(0, "set", (2, 4), ANY, 0))))
    shape = Shape(pack, sets, runs, True)
    table, hand, pile = ([0] * pack.joker_face for _ in range(3))
    for _ in range(draw(st.integers(0, 6))):
        if sets is not None and draw(st.booleans()):
            rank = draw(st.integers(0, 12))
            for suit in draw(st.permutations(range(4)))[: draw(st.integers(3, 4))]:
                table[pack.face_of(rank, suit)] += 1
        else:
            size = draw(st.integers(least, 6))
            start, suit = draw(st.integers(0, len(places) - size)), draw(st.integers(0, 3))
            for place in range(start, start + size):
                table[pack.face_of(pack.place_rank[place], suit)] += 1
    for counts, most in ((hand, 5), (pile, 2)):
        for face in draw(st.lists(st.integers(0, pack.joker_face - 1), max_size=most)):
            counts[face] += 1
    wild = draw(st.sampled_from(((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1))))
    worth = draw(st.sampled_from(([1] * pack.joker_face, [1 + face % 10 for face in range(pack.joker_face)])))
    demand = draw(st.dictionaries(st.integers(0, pack.joker_face - 1), st.just((1, 0)) | st.just((0, 1)), max_size=1))
    stock = Stock(table, hand, pile, worth, wild, draw(st.integers(1, 3)), demand)
    plain = RunRules(least, 0, None)
    return Case(shape, stock, draw(st.sampled_from((plain, plain, RunRules(least, 1, None), RunRules(least, 0, 1)))))


def told(found: tuple[Best | None, bool]) -> object:
    """What a pass found, in figures."""
    best, complete = found
    if best is None:
        return complete
    ways = [
        ([(way.after, way.sets, way.natural, way.wild, way.gain) for way in choice.ways], choice.wild)
        for choice in best.way
    ]
    return best.worth, ways, complete


def searches(passes: Forward | Kernel) -> list[object]:
    """What passes of several widths find, with several floors."""
    return [told(passes.search(floor, width)) for floor, width in ((0, 3), (-1, 30), (1, 30))]


@settings(max_examples=150, deadline=None)
@given(cases())
def test_words_of_the_machine_find_the_same_ways_as_plain_python(case: Case) -> None:
    try:
        plain = searches(Forward(case.problem()))
    except TooManyRuns:
        assume(False)
    problem = case.problem()
    assert fits(problem)
    kernel = take(problem)
    assert searches(kernel) == plain
    give_back(kernel)


@settings(max_examples=40, deadline=None)
@given(cases())
def test_wider_keys_find_as_good_a_table(case: Case) -> None:
    try:
        few = Forward(case.problem()).search(0, 100)[0]
    except TooManyRuns:
        assume(False)
    wide = case.problem(MANY_BITS)
    assert not fits(wide)
    many = Forward(wide).search(0, 100)[0]
    assert (None if few is None else few.worth) == (None if many is None else many.worth)


def test_pools_that_were_used_for_another_table_change_nothing() -> None:
    """The hash tables of the second grow while those of the first are still full of its keys."""
    pack = Pack(ORDERS["either"], False, ("S", "H", "D", "C"), 2, 4)
    shape = Shape(pack, kind(0, "set", (3, 4), ANY), kind(1, "run", (3, 13), ANY), True)
    nothing, each, rules = [0] * pack.joker_face, [1] * pack.joker_face, RunRules(3, 0, None)
    one = Stock([1] * pack.joker_face, nothing, nothing, each, (0, 0, 0), 1)
    two = Stock(
        [1] * pack.joker_face, [int(face % 5 == 0) for face in range(pack.joker_face)], nothing, each, (0, 1, 0), 1
    )
    kernel, sizes = Kernel(), list[int]()
    for stock in (one, two, one):
        case = Case(shape, stock, rules)
        kernel.begin(case.problem())
        plain = Forward(case.problem())
        assert told(kernel.search(0, 0)) == told(plain.search(0, 0))
        sizes.append(len(kernel.nodes))
    assert sizes[0] < 1000 < sizes[1] == sizes[2]


def test_more_than_a_word_holds_does_not_fit() -> None:
    pack = Pack(ORDERS["low"], False, ("S", "H", "D", "C"), 2, 40)
    shape = Shape(pack, None, kind(1, "run", (3, 13), ANY), True)
    nothing, each, rules = [0] * pack.joker_face, [1] * pack.joker_face, RunRules(3, 0, None)
    for worth, wild, fit in ((1, 0, True), (1 << 40, 0, False), (1, 40, False)):
        stock = Stock(nothing, each, nothing, [worth] * pack.joker_face, (0, wild, 0), 1)
        assert fits(Case(shape, stock, rules).problem()) == fit


def test_a_set_that_has_the_first_face_more_is_not_the_old_one() -> None:
    pack = Pack(ORDERS["low"], False, ("S", "H", "D", "C"), 1, 0)
    three, four = (Drawn(0, -1, faces, 0) for faces in ((1, 2, 3), (0, 1, 2, 3)))
    old = dealt(pack, [three], ([1, 2, 3],), {}, ())
    assert dealt(pack, [three], ([1, 2, 3], [0]), {}, old) == old
    assert [meld.cards for meld in dealt(pack, [four], ([1, 2, 3], [0]), {}, old)] == [(0, 1, 2, 3)]
