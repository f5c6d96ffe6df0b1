"""Groups: everything found is compared with a finder that tries everything; examples are those of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import NamedTuple

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from interpreter.melds import Kind, MeldRules, StandsFor
from interpreter.moves import Meld
from interpreter.pack import Pack, bits
from tests.interpreter.meld_oracle import Oracle, least_left

MANY = 1_000_000


class Case(NamedTuple):
    """Rules, and a hand."""

    rules: MeldRules
    oracle: Oracle
    hand: int
    marked: int

    def __repr__(self) -> str:
        pack = self.rules.pack
        cards = " ".join(f"{card}={pack.text(card)}" for card in bits(self.hand))
        order = f"{pack.place_rank}{' round' * pack.round_the_corner} {pack.suits} {pack.packs}+{pack.jokers}"
        masks = f"marked {self.marked:b} wild {self.rules.wild:b}"
        return f"{cards} {masks} {order} {self.rules.stands_for} {self.rules.kinds}"


def even_ranks(pack: Pack) -> Callable[[Meld], bool]:
    """A condition that no range can say: it may hold of a group and not of the larger one."""
    return lambda meld: sum(pack.face_rank[name] for name in meld.names) % 2 == 0


def random_class(random: Random, pack: Pack) -> int:
    """Some ranks, perhaps the jokers."""
    ranks = random.sample(range(len(pack.ranks)), random.randint(0, 3))
    mask = sum(cards for face, cards in enumerate(pack.cards_of_face) if pack.face_rank[face] in ranks)
    return mask | random.choice([0, pack.cards_of_face[pack.joker_face]])


def random_kind(random: Random, pack: Pack, index: int) -> Kind:
    """A run, a set or a kind of neither shape, with any conditions."""
    shape = random.choice(["run", "run", "set", "set", "loose"])
    words = ["rank", "suit", "colour"]
    if shape == "run":
        same = random.choice([{"suit"}, {"suit"}, {"suit"}, {"colour"}, set[str]()])
    elif shape == "set":
        same = {"rank", *random.choice([[], [], [], ["suit"], ["colour"]])}
    else:
        same = set(random.sample(["suit", "colour"], random.choice([0, 1, 1])))
    least, fewest_natural = random.choice([1, 2, 2, 3]), random.choice([0, 1, 1, 2])
    needs = ((f"melds.kind-{index}.needs.even", even_ranks(pack)),)
    return Kind(
        index=index,
        name=f"kind-{index}",
        cards=(least, random.randint(least, 6)),
        natural=(fewest_natural, random.choice([MANY, MANY, MANY, fewest_natural, 2])),
        wild=(random.choice([0, 0, 0, 0, 1]), random.choice([MANY, MANY, MANY, 0, 1, 2])),
        same=frozenset(same),
        different=frozenset(random.choices([[], ["suit"], random.sample(words, 1)], [3, 2, 1])[0]),
        consecutive=shape == "run",
        of=random_class(random, pack) if random.random() < 0.15 else None,
        apart=random_class(random, pack) if random.random() < 0.25 else None,
        needs=needs if random.random() < 0.15 else (),
    )


def random_hand(random: Random, pack: Pack, wild: int, size: int, most_wild: int) -> int:
    """Cards most of which are near one another, so that there are groups among them."""
    rank, suit = random.randrange(len(pack.ranks)), random.randrange(len(pack.suits))

    def weight(card: int) -> float:
        face = pack.face[card]
        near = pack.face_rank[face] == rank, pack.face_suit[face] == suit, bool(wild & 1 << card)
        return random.random() * (1 + 2 * sum(near))

    hand = 0
    for card in sorted(range(pack.size), key=weight, reverse=True):
        if hand.bit_count() < size and not (wild & 1 << card and (hand & wild).bit_count() == most_wild):
            hand |= 1 << card
    return hand


@st.composite
def cases(draw: st.DrawFn, most_cards: int = 7, most_wild: int = 3, with_group: bool = False) -> Case:
    """Rules and a hand, evenly spread: hypothesis only keeps the seed."""
    random = draw(st.randoms(use_true_random=True))
    while True:
        places = random.choice(["A2345", "A23456", "A234A"])
        suits = random.choice([("S", "H", "D"), ("S", "H", "D", "C"), ("S", "C"), ("H", "tile-blue", "tile-grey")])
        corner = places == "A2345" and random.random() < 0.4
        pack = Pack(tuple(places), corner, suits, random.choice([1, 2]), random.choice([0, 1, 2, 2]))
        jokers = pack.cards_of_face[pack.joker_face]
        twos = sum(pack.cards_of_face[pack.face_of(1, suit)] for suit in range(random.choice([1, 2, len(suits)])))
        wild = random.choice([0, jokers, jokers, jokers | twos, twos])
        kinds = [random_kind(random, pack, index) for index in range(random.choice([1, 2, 2]))]
        stands_for = random.choice(list(StandsFor))
        hand = random_hand(random, pack, wild, random.randint(2, most_cards), most_wild)
        marked = random_hand(random, pack, 0, random.choice([0, 0, 1, 2]), 0) & hand
        rules, oracle = MeldRules(pack, kinds, wild, stands_for), Oracle(pack, kinds, wild, stands_for)
        if not with_group or any(True for _ in rules.groups(hand)):
            return Case(rules, oracle, hand, marked)


def same_once(found: Sequence[object], expected: Iterable[object]) -> None:
    """Nothing is missing, nothing is too much, nothing comes twice."""
    assert set(found) == set(expected)
    assert len(found) == len(set(found))


searches = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@searches
@given(cases())
def test_groups_are_all_groups(case: Case) -> None:
    rules, oracle, hand, marked = case
    for kind in rules.kinds:
        found = list(rules.groups(hand, kind.index, marked=marked))
        expected = {oracle.key(kind, said, start, marked) for said, start in oracle.groups(hand, kind)}
        same_once([oracle.key_of(meld, marked) for meld in found], expected)
        assert all(rules.may_be_laid(meld) for meld in found)


@searches
@given(cases(), st.integers(0, 6), st.integers(0, 6))
def test_groups_with_cards_that_must_be_in_it(case: Case, one: int, other: int) -> None:
    rules, oracle, hand, marked = case
    cards = oracle.cards_of(hand)
    assume(cards)
    must = 1 << cards[one % len(cards)] | 1 << cards[other % len(cards)]
    for kind in rules.kinds:
        found = list(rules.groups(hand, kind.index, must, marked))
        expected = {
            oracle.key(kind, said, start, marked)
            for said, start in oracle.groups(hand, kind)
            if not must & ~sum(1 << card for card, _ in said)
        }
        same_once([oracle.key_of(meld, marked) for meld in found], expected)
        assert all(meld.mask & must == must for meld in found)


@searches
@given(cases(most_cards=6, most_wild=2), st.integers(0, 2), st.integers(1, 3), st.integers(0, 6))
def test_arrangements_are_all_sets_of_groups(case: Case, least: int, most: int, one: int) -> None:
    rules, oracle, hand, marked = case
    cards = oracle.cards_of(hand)
    must = 1 << cards[one] if one < len(cards) else 0
    assume(sum(len(oracle.groups(hand, kind)) for kind in rules.kinds) < 60)
    expected = {
        tuple(sorted((oracle.key(*group, marked) for group in groups), key=repr))
        for groups in oracle.arrangements(hand, most)
        if least <= len(groups) and (not must or any(1 << card == must for _, said, _ in groups for card, _ in said))
    }
    found = list(rules.arrangements(hand, least, most, must, marked))
    same_once([tuple(sorted((oracle.key_of(meld, marked) for meld in melds), key=repr)) for melds in found], expected)
    for melds in found:
        held = sum(meld.mask for meld in melds)
        assert held & must == must
        assert not held & ~hand
        assert held.bit_count() == sum(len(meld.cards) for meld in melds)
        assert all(rules.fits(meld) for meld in melds)


@searches
@given(cases(most_cards=6, most_wild=2), st.lists(st.integers(0, 12), min_size=3, max_size=3))
def test_best_leaves_the_fewest_points(case: Case, points: list[int]) -> None:
    rules, oracle, hand, _ = case
    assume(sum(len(oracle.groups(hand, kind)) for kind in rules.kinds) < 60)
    counts = [points[face % 3] for face in rules.pack.face]
    left, melds = rules.best(hand, counts)
    assert left == least_left(oracle, hand, counts.__getitem__)
    held = sum(meld.mask for meld in melds)
    assert held.bit_count() == sum(len(meld.cards) for meld in melds)
    assert left == sum(counts[card] for card in oracle.cards_of(hand & ~held))
    assert all(rules.fits(meld) for meld in melds)
    assert rules.best(hand, counts.__getitem__) == (left, melds)


def laid_group(case: Case, which: int) -> Meld:
    """A group of the case's hand, to be laid off on."""
    melds = list(case.rules.groups(case.hand))
    return melds[which % len(melds)]


@searches
@given(
    cases(most_cards=5, with_group=True),
    st.integers(0, MANY),
    st.integers(1, 2),
    st.lists(st.integers(0, MANY), max_size=5),
)
def test_lay_offs_are_all_a_group_can_become(case: Case, which: int, count: int, more: list[int]) -> None:
    rules, oracle, _, marked = case
    meld = laid_group(case, which)
    hand = (case.hand | sum({1 << card % rules.pack.size for card in more})) & ~meld.mask
    expected = set()
    for said, start, new in oracle.lay_offs(meld, hand, count):
        added = tuple(sorted(oracle.alike(card, marked) for card in oracle.cards_of(new)))
        expected.add((oracle.key(rules.kinds[meld.kind], said, start, marked), added))
    found = list(rules.lay_offs(meld, hand, count, marked))
    keys = [
        (oracle.key_of(after, marked), tuple(sorted(oracle.alike(card, marked) for card in added)))
        for after, added in found
    ]
    same_once(keys, expected)
    for after, added in found:
        assert set(after.cards) == {*meld.cards, *added}
        assert not sum(1 << card for card in added) & ~hand
    if count == 1:
        for card in range(rules.pack.size):
            assert rules.accepts(meld, card) == any(True for _ in oracle.lay_offs(meld, 1 << card, 1))


@searches
@given(cases(with_group=True), st.integers(0, MANY), st.lists(st.integers(0, MANY), max_size=6))
def test_swaps_put_a_natural_card_in_the_place_of_a_wild_one(case: Case, which: int, more: list[int]) -> None:
    rules, oracle, _, marked = case
    meld = laid_group(case, which)
    hand = (case.hand | sum({1 << card % rules.pack.size for card in more})) & ~meld.mask
    kind = rules.kinds[meld.kind]
    expected = {
        (oracle.alike(wild, marked), oracle.alike(card, marked), oracle.key(kind, said, meld.start, marked))
        for wild, _, card, said in oracle.swaps(meld, hand)
    }
    found = list(rules.swaps(meld, hand, marked))
    keys = [
        (oracle.alike(wild, marked), oracle.alike(card, marked), oracle.key_of(after, marked))
        for wild, card, after in found
    ]
    same_once(keys, expected)
    for wild, card, after in found:
        assert after.mask == meld.mask & ~(1 << wild) | 1 << card


@searches
@given(cases(most_cards=5), st.randoms(use_true_random=True), st.booleans())
def test_readings_are_all_groups_of_just_these_cards(case: Case, random: Random, some_said: bool) -> None:
    rules, oracle, hand, _ = case
    groups = list(rules.groups(hand))
    meld = random.choice([*groups, Meld(0, tuple(bits(hand)), (), -1)])
    hand, cards = meld.mask, list(meld.cards)
    if random.random() < 0.7:
        random.shuffle(cards)
    names: list[int | None] = [None] * len(cards)
    for at, card in enumerate(cards):
        if some_said and meld.names and rules.wild_in(meld) >> card & 1 and random.random() < 0.7:
            names[at] = meld.names[meld.cards.index(card)]
    said_of = {card: name for card, name in zip(cards, names, strict=True) if name is not None}
    marked = sum(1 << card for card in said_of)
    for kind in rules.kinds:
        whole = [
            (said, start)
            for said, start in oracle.groups(hand, kind)
            if len(said) == len(cards) and all(said_of.get(card, name) == name for card, name in said)
        ]
        if kind.consecutive:
            row = [oracle.alike(card, marked) for card in cards]
            whole = [
                (said, start) for said, start in whole if [oracle.alike(card, marked) for card, _ in said] == row
            ] or whole
        expected = {oracle.key(kind, said, start, marked) for said, start in whole}
        found = rules.readings(cards, names, kind.index)
        same_once([oracle.key_of(meld, marked) for meld in found], expected)
        assert (rules.why_not(kind.index, cards, names) is None) == bool(found)


@searches
@given(cases(with_group=True), st.integers(0, MANY), st.integers(0, MANY), st.integers(0, MANY), st.integers(-1, 5))
def test_a_group_fits_if_the_definition_says_so(case: Case, which: int, at: int, name: int, start: int) -> None:
    rules, oracle, _, _ = case
    meld = laid_group(case, which)
    faces = len(rules.pack.face_rank)
    names = list(meld.names)
    names[at % len(names)] = name % faces
    for changed in (
        meld._replace(names=tuple(names)),
        meld._replace(cards=meld.cards[::-1], names=meld.names[::-1]),
        meld._replace(start=start),
        meld._replace(kind=at % len(rules.kinds)),
        meld._replace(cards=meld.cards[1:], names=meld.names[1:]),
    ):
        kind = rules.kinds[changed.kind]
        if not changed.cards:
            continue
        said = tuple(zip(changed.cards, changed.names, strict=True))
        expected = oracle.may_lie(kind, said, changed.start)
        assert rules.fits(changed) == expected
        assert (rules.why_not(changed.kind, changed) is None) == expected
        in_order = changed == oracle.meld(kind, said, changed.start if kind.consecutive else -1)
        assert rules.may_be_laid(changed) == (in_order and oracle.may_be_laid(kind, said, changed.start))
