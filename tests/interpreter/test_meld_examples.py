"""Groups as the rules of the games tell of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from interpreter.melds import Kind, MeldRules, StandsFor
from interpreter.moves import Meld
from interpreter.pack import Pack
from interpreter.recent import Recent

MANY = 1_000_000
HIGH_OR_LOW = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


class Game:
    """Meld rules that are asked in the notation of cards."""

    def __init__(
        self,
        *kinds: Kind,
        order: tuple[str, ...] = HIGH_OR_LOW,
        corner: bool = False,
        packs: int = 2,
        jokers: int = 4,
        wild: str = "JK",
        stands_for: StandsFor = StandsFor.PLACE,
    ) -> None:
        self.pack = Pack(order, corner, ("S", "H", "D", "C"), packs, jokers)
        self.rules = MeldRules(self.pack, kinds, self.every(wild), stands_for)

    def every(self, ranks: str) -> int:
        """All cards of these ranks, `JK` among them, or of these faces."""
        wanted = {self.pack.parse_face(word) for word in ranks.split()}
        return sum(
            1 << card
            for card, face in enumerate(self.pack.face)
            if face in wanted or self.pack.face_of(self.pack.face_rank[face], -1) in wanted - {self.pack.joker_face}
        )

    def read(self, text: str) -> tuple[list[int], list[int | None]]:
        """Different cards for each word, and the names said in `JK=7H`."""
        cards: list[int] = []
        names: list[int | None] = []
        for word in text.split():
            written, _, name = word.partition("=")
            face = self.pack.parse_face(written)
            cards.append(next(c for c in range(self.pack.size) if self.pack.face[c] == face and c not in cards))
            names.append(self.pack.parse_face(name) if name else None)
        return cards, names

    def mask(self, text: str) -> int:
        return sum(1 << card for card in self.read(text)[0])

    def text(self, meld: Meld) -> str:
        face = self.pack.face
        return " ".join(
            self.pack.face_text(face[card]) + (f"={self.pack.face_text(name)}" if name != face[card] else "")
            for card, name in zip(meld.cards, meld.names, strict=True)
        )

    def readings(self, text: str, kind: int | None = None) -> list[str]:
        return [self.text(meld) for meld in self.rules.readings(*self.read(text), kind)]

    def meld(self, text: str) -> Meld:
        (meld,) = self.rules.readings(*self.read(text))
        return meld

    def why_not(self, text: str) -> str | None:
        return self.rules.why_not(None, *self.read(text))

    def lay_offs(self, group: str, hand: str, count: int = 1) -> list[str]:
        """What a group becomes by cards of a hand. Both are read together, so that no card is in both."""
        cards, names = self.read(f"{group} {hand}")
        size = len(group.split())
        (meld,) = self.rules.readings(cards[:size], names[:size])
        hand_mask = sum(1 << card for card in cards[size:])
        return [self.text(after) for after, _ in self.rules.lay_offs(meld, hand_mask, count)]

    def swaps(self, group: str, hand: str) -> list[str]:
        cards, names = self.read(f"{group} {hand}")
        size = len(group.split())
        (meld,) = self.rules.readings(cards[:size], names[:size])
        hand_mask = sum(1 << card for card in cards[size:])
        return [self.text(after) for _, _, after in self.rules.swaps(meld, hand_mask)]

    def groups(self, hand: str, must: str = "") -> list[str]:
        return [self.text(meld) for meld in self.rules.groups(self.mask(hand), must=self.mask(must))]


def kind(
    name: str,
    *,
    index: int = 0,
    cards: tuple[int, int] = (3, 4),
    natural: tuple[int, int] = (1, MANY),
    wild: tuple[int, int] = (0, MANY),
    same: str = "",
    different: str = "",
    consecutive: bool = False,
    of: int | None = None,
    apart: int | None = None,
    needs: tuple[tuple[str, Callable[[Meld], bool]], ...] = (),
) -> Kind:
    return Kind(
        index, name, cards, natural, wild, frozenset(same.split()), frozenset(different.split()), consecutive, of,
        apart, needs,
    )  # fmt: skip


def set_and_run(
    natural: tuple[int, int] = (1, MANY), wild: tuple[int, int] = (0, MANY), apart: int | None = None
) -> tuple[Kind, Kind]:
    """Sets of three or four different suits; runs of three to thirteen."""
    return (
        kind("set", natural=natural, wild=wild, same="rank", different="suit"),
        kind("run", index=1, cards=(3, 13), natural=natural, wild=wild, same="suit", consecutive=True, apart=apart),
    )


JOKERS_OF_TWO_PACKS = 0b1111 << 104


@pytest.fixture
def playgridia() -> Game:
    """Two packs, four jokers; two natural cards in a group, no two jokers side by side in a run."""
    return Game(*set_and_run(natural=(2, MANY), apart=JOKERS_OF_TWO_PACKS))


@pytest.fixture
def austrian() -> Game:
    """Two packs, six jokers; two natural cards in a group."""
    return Game(*set_and_run(natural=(2, MANY)), jokers=6)


@pytest.fixture
def romme_500() -> Game:
    """One pack, two jokers that stand for a named card, one natural card in a group."""
    return Game(*set_and_run(wild=(0, 2)), packs=1, jokers=2, stands_for=StandsFor.NAMED)


def test_playgridia_groups(playgridia: Game) -> None:
    for text in ("7S 7H 7D", "5H 6H 7H", "AC 2C 3C", "QS KS AS", "7S 7H JK JK", "5H JK 7H JK 9H"):
        assert playgridia.why_not(text) is None
        assert len(playgridia.readings(text)) == 1
    for text, broken in {
        "7S 7S 7D": "melds.set.different",
        "7S 7H": "melds.set.cards",
        "7S 7H 7D 7C JK": "melds.set.cards",
        "7S JK JK": "melds.set.natural",
        "5H JK JK 8H": "melds.run.apart",
        "KS AS 2S": "melds.run.consecutive",
        "5H 6H 8H": "melds.run.consecutive",
        "5H 6D 7H": "melds.run.same",
        "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS": "melds.run.cards",
    }.items():
        assert playgridia.why_not(text) == broken
        assert playgridia.readings(text) == []


def test_all_thirteen_cards_with_the_ace_at_either_end(playgridia: Game) -> None:
    low = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"
    high = "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS"
    assert playgridia.readings(low) == [low]
    assert playgridia.readings(high) == [high]
    assert sorted(playgridia.readings("KS QS JS 10S 9S 8S 7S 6S 5S 4S 3S 2S AS")) == sorted([low, high])
    assert playgridia.lay_offs(low, "AS") == []


def test_a_joker_in_a_run_stands_for_its_place_and_in_a_set_for_any_missing_suit(playgridia: Game) -> None:
    assert playgridia.readings("5H JK 7H") == ["5H JK=6H 7H"]
    assert playgridia.readings("JK QS KS") == ["JK=JS QS KS"]
    assert playgridia.readings("QS KS JK") == ["QS KS JK=AS"]
    assert playgridia.readings("7S JK 7H") == ["7S 7H JK=7"]
    assert playgridia.readings("JK=4H 5H 6H") == ["JK=4H 5H 6H"]
    assert playgridia.readings("5H 6H JK=4H") == ["JK=4H 5H 6H"]
    assert playgridia.readings("7S 7H JK=7C") == []


def test_the_natural_card_that_fits_the_place_takes_it(playgridia: Game) -> None:
    assert playgridia.swaps("5H JK 7H", "6H 6D 4H 8H") == ["5H 6H 7H"]
    assert playgridia.swaps("7S 7H JK", "7S 7H 7D 7C 8D JK") == ["7S 7H 7D", "7S 7H 7C"]
    assert playgridia.swaps("7S 7H JK JK", "7D 7C") == ["7S 7H 7D JK=7", "7S 7H 7C JK=7"]


def test_laying_off_on_sets_and_runs(playgridia: Game) -> None:
    assert playgridia.lay_offs("7S 7H 7D", "7S 7C 8C JK") == ["7S 7H 7D 7C", "7S 7H 7D JK=7"]
    assert playgridia.lay_offs("7S 7H JK", "7D 7S") == ["7S 7H 7D JK=7"]
    assert playgridia.lay_offs("7S 7H 7D 7C", "7S JK") == []
    assert playgridia.lay_offs("2C 3C 4C", "AC 5C 6C AD") == ["AC 2C 3C 4C", "2C 3C 4C 5C"]
    assert playgridia.lay_offs("JC QC KC", "AC 2C") == ["JC QC KC AC"]
    assert playgridia.lay_offs("QC KC AC", "2C JD") == []
    assert playgridia.lay_offs("5H 6H JK", "JK 8H") == ["JK=4H 5H 6H JK=7H", "5H 6H JK=7H 8H"]
    assert playgridia.lay_offs("5H 6H 7H", "4H 8H 9H 3S", 2) == ["4H 5H 6H 7H 8H", "5H 6H 7H 8H 9H"]


def test_a_group_accepts_a_card_that_it_does_not_hold(playgridia: Game) -> None:
    meld = playgridia.meld("7S 7H 7D")
    accepted = playgridia.rules.accepted(meld)
    assert accepted == playgridia.every("7C JK")
    for card in range(playgridia.pack.size):
        assert playgridia.rules.accepts(meld, card) == (accepted >> card & 1 == 1)
    assert not any(playgridia.rules.accepts(playgridia.meld("5H 6H JK"), card) for card in playgridia.read("5H JK")[0])


def test_austrian_groups(austrian: Game) -> None:
    for text in ("10S 10H 10D", "AS AH AD AC", "8D 9D 10D", "10C JC QC", "AC 2C 3C", "QC KC AC"):
        assert austrian.why_not(text) is None
    assert austrian.why_not("10D 10C 10D") == "melds.set.different"
    assert austrian.why_not("KC AC 2C") == "melds.run.consecutive"
    assert austrian.why_not("AC JK JK") == "melds.set.natural"
    assert austrian.why_not("8D JK JK JD") is None
    assert austrian.lay_offs("7C 8C 9C", "10C JC 9C") == ["7C 8C 9C 10C"]
    assert austrian.lay_offs("7C 8C 9C 10C", "JC") == ["7C 8C 9C 10C JC"]
    assert austrian.lay_offs("10S 10H 10D", "10S 10H 10D") == []


def test_a_joker_of_500_is_named_and_stays_what_it_is(romme_500: Game) -> None:
    assert romme_500.readings("7S 7H JK") == ["7S 7H JK=7D", "7S 7H JK=7C"]
    assert romme_500.readings("7S 7H JK=7C") == ["7S 7H JK=7C"]
    assert romme_500.readings("7S 7H JK=7S") == []
    assert romme_500.readings("7S JK JK", 0) == ["7S JK=7H JK=7D", "7S JK=7H JK=7C", "7S JK=7D JK=7C"]
    assert romme_500.readings("7S JK JK", 1) == ["7S JK=8S JK=9S"]
    assert romme_500.readings("5H JK 7H") == ["5H JK=6H 7H"]
    assert romme_500.readings("5H 7H JK=6H") == ["5H JK=6H 7H"]
    assert romme_500.lay_offs("7S 7H JK=7D", "7D 7C") == ["7S 7H 7C JK=7D"]
    assert romme_500.swaps("7S 7H JK=7D", "7D 7C") == ["7S 7H 7D"]
    assert romme_500.why_not("JK=5H JK=6H") == "melds.run.cards"


def test_at_least_one_card_of_a_group_is_natural() -> None:
    carousel = Game(*set_and_run(), stands_for=StandsFor.NAMED)
    assert carousel.why_not("JK=5H JK=6H JK=7H") == "melds.run.natural"
    assert carousel.readings("JK JK JK") == []


def test_a_joker_slides_when_its_real_card_is_laid() -> None:
    kalooki = Game(*set_and_run(apart=JOKERS_OF_TWO_PACKS), stands_for=StandsFor.ANY_PLACE)
    assert kalooki.lay_offs("5H 6H JK=7H", "7H") == ["JK=4H 5H 6H 7H", "5H 6H 7H JK=8H"]
    assert kalooki.lay_offs("5H JK=6H 7H", "6H 3H") == ["JK=4H 5H 6H 7H", "5H 6H 7H JK=8H"]
    assert kalooki.lay_offs("AH 2H JK=3H", "3H") == ["AH 2H 3H JK=4H"]
    assert kalooki.lay_offs("5H 6H 7H", "JK") == ["JK=4H 5H 6H 7H", "5H 6H 7H JK=8H"]


def test_round_the_corner() -> None:
    boathouse = Game(*set_and_run(), order=HIGH_OR_LOW[:-1], corner=True, packs=1, jokers=0)
    assert boathouse.readings("KS AS 2S") == ["KS AS 2S"]
    assert boathouse.groups("QS KS AS 2S") == ["QS KS AS", "QS KS AS 2S", "KS AS 2S"]
    assert boathouse.lay_offs("KS AS 2S", "QS 3S 4S") == ["QS KS AS 2S", "KS AS 2S 3S"]
    assert boathouse.why_not("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS") is None
    assert len(boathouse.groups("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS")) == 13 * 11


def test_no_place_is_taken_twice() -> None:
    run = kind("run", cards=(3, 6), same="suit", consecutive=True)
    game = Game(run, order=("A", "2", "3", "4", "5"), corner=True)
    assert game.why_not("AS 2S 3S 4S 5S AS") == "melds.run.consecutive"
    assert game.groups("AS 2S 3S 4S 5S AS", must="AS AS") == []
    assert game.lay_offs("AS 2S 3S 4S 5S", "AS JK") == []


def test_a_wild_two_is_natural_in_its_own_place() -> None:
    deuces = Game(*set_and_run(), wild="JK 2")
    (twos,) = deuces.rules.readings(*deuces.read("2H 2S 2D"), 0)
    assert deuces.text(twos) == "2S 2H 2D"
    assert deuces.rules.wild_in(twos) == 0
    assert deuces.readings("2H 2S 2D", 1) == ["2H=AS 2S 2D=3S", "2H 2S=3H 2D=4H"]
    assert deuces.readings("AH 2H 3H") == ["AH 2H 3H"]
    assert deuces.readings("AH 2S 3H", 1) == ["AH 2S=2H 3H"]
    assert deuces.readings("2H 3H 2H", 1) == ["2H 3H 2H=4H"]
    assert deuces.readings("2H 2H 2S", 0) == ["2S 2H 2H=2"]


def test_a_wild_two_is_not_natural_in_a_kind_that_has_no_twos() -> None:
    canasta = kind("set", cards=(3, 7), natural=(2, MANY), wild=(0, 2), same="rank")
    pack = Game(canasta, wild="JK 2")
    game = Game(replace(canasta, of=pack.every("4 5 6 7 8 9 10 J Q K A")), wild="JK 2")
    assert pack.readings("2S 2D JK") == ["2S 2D JK=2"]
    assert game.readings("2S 2D JK") == []
    assert game.why_not("2S 2D 2H") == "melds.set.of"
    assert game.readings("7S 7D 2D") == ["7S 7D 2D=7"]
    assert game.groups("2S 2D 2H JK 7S 7D") == game.groups("2S 2D 2H JK 7S 7D", must="7S 7D")


def test_a_wild_two_laid_off_in_its_own_place_is_natural() -> None:
    deuces = Game(*set_and_run(), wild="JK 2")
    assert deuces.lay_offs("3H 4H 5H", "2H") == ["2H 3H 4H 5H", "3H 4H 5H 2H=6H"]
    assert deuces.lay_offs("2S 2D JK=2", "2H") == ["2S 2H 2D JK=2"]


def test_a_wild_two_stays_wild_where_it_had_to_be() -> None:
    wild_needed = Game(kind("set", wild=(1, 2), same="rank", different="suit"), wild="JK 2")
    (group,) = wild_needed.rules.readings(*wild_needed.read("2S 2D 2H=2"))
    (joker,) = wild_needed.read("JK")[0]
    after = [meld for meld, _ in wild_needed.rules.lay_offs(group, 1 << joker)]
    assert [wild_needed.text(meld) for meld in after] == ["2S 2D 2H=2 JK=2"]


def test_the_first_natural_card_of_a_run_says_the_suit_of_new_wild_cards() -> None:
    game = Game(kind("run", cards=(2, 5), natural=(0, MANY), same="suit", consecutive=True))
    assert "JK=5 JK=6 7H JK=8H" in game.lay_offs("JK=5 JK=6", "7H JK", 2)
    assert game.readings("JK=5 JK=6") == ["JK=5 JK=6"]


def test_a_rank_at_both_ends_of_a_run_is_two_places() -> None:
    game = Game(kind("run", cards=(4, 4), same="suit", consecutive=True), order=("A", "2", "3", "A"))
    assert game.readings("AS 2S 3S AS") == ["AS 2S 3S AS"]
    assert game.swaps("JK 2S 3S JK", "AS") == ["AS 2S 3S JK=AS", "JK=AS 2S 3S AS"]


def test_wild_cards_alone_stand_for_no_card() -> None:
    wild_meld = kind("wild-meld", cards=(3, 7), natural=(0, 0), of=0)
    game = Game(wild_meld, wild="JK 2")
    assert game.readings("2S JK 2H") == ["2S=JK 2H=JK JK"]
    assert game.readings("2S JK 3H") == []
    assert game.why_not("2S JK 3H") == "melds.wild-meld.natural"
    assert game.groups("2S 2S JK 7H") == ["2S=JK 2S=JK JK"]


def test_a_flush_takes_its_jokers() -> None:
    flush = kind("flush", cards=(5, 5), wild=(0, 1), same="suit")
    game = Game(flush)
    assert game.groups("2H 5H 9H KH JK 3S") == ["2H 5H 9H KH JK"]
    assert game.groups("2H 5H 9H JK JK 3S") == []
    assert game.why_not("2H 5H 9H KS JK") == "melds.flush.same"


def test_a_pair_of_equal_cards_fixes_the_suit_of_its_joker() -> None:
    pair = kind("pair", cards=(2, 2), same="rank suit")
    assert Game(pair).groups("7H 7H 7S JK") == ["7S JK=7S", "7H 7H", "7H JK=7H"]
    assert Game(pair, stands_for=StandsFor.NAMED).groups("7H 7S JK") == ["7S JK=7S", "7H JK=7H"]


def test_jokers_that_are_not_wild_are_a_rank_of_their_own() -> None:
    persian = Game(*set_and_run(), order=HIGH_OR_LOW[1:], packs=1, wild="")
    assert persian.groups("JK JK JK 7S 7H") == ["JK JK JK"]
    assert persian.readings("5H JK 7H") == []
    pairs = Game(kind("pair", cards=(2, 2), same="rank suit"), wild="2", stands_for=StandsFor.NAMED)
    assert pairs.groups("JK JK") == ["JK JK"]
    flush = Game(kind("flush", cards=(3, 5), same="suit"), wild="")
    assert flush.lay_offs("2H 5H 9H", "JK KS KH") == ["2H 5H 9H KH", "JK 2H 5H 9H"]


def test_a_run_of_one_colour() -> None:
    game = Game(kind("run", cards=(3, 5), same="colour", consecutive=True), jokers=1)
    assert game.groups("5H 6D 7H 6S") == ["5H 6D 7H"]
    assert game.readings("5H JK 7D") == ["5H JK=6 7D"]
    assert game.why_not("5H 6S 7H") == "melds.run.same"


def test_needs_are_asked_last() -> None:
    asked: list[int] = []

    def allowed(meld: Meld) -> bool:
        asked.append(len(meld.cards))
        return len(meld.cards) == 4

    game = Game(kind("set", same="rank", needs=(("melds.set.needs.allowed", allowed),)))
    assert game.why_not("7S 7H") == "melds.set.cards"
    assert asked == []
    assert game.groups("7S 7H 7D") == []
    assert game.why_not("7S 7H 7D") == "melds.set.needs.allowed"
    assert game.groups("7S 7H 7D 7C") == ["7S 7H 7D 7C"]
    assert game.why_not("7S 7H 7D 7C") is None


def test_twins_are_one_choice_unless_marked(playgridia: Game) -> None:
    hand = playgridia.mask("7H 7H 8H 9H")
    first, second = playgridia.read("7H 7H")[0]
    assert [meld.cards[0] for meld in playgridia.rules.groups(hand)] == [first]
    assert [meld.cards[0] for meld in playgridia.rules.groups(hand, must=1 << second)] == [second]
    assert [meld.cards[0] for meld in playgridia.rules.groups(hand, marked=1 << second)] == [first, second]


def test_two_groups_share_twins_out() -> None:
    game = Game(*set_and_run(), jokers=0)
    hand = game.mask("7H 7H 8H 9H 7S 7D")
    pairs = list(game.rules.arrangements(hand, 2))
    assert [[game.text(meld) for meld in melds] for melds in pairs] == [["7S 7H 7D", "7H 8H 9H"]]
    assert pairs[0][0].mask & pairs[0][1].mask == 0


def test_the_same_group_may_be_laid_twice() -> None:
    game = Game(*set_and_run(), jokers=0)
    (sets,) = game.rules.arrangements(game.mask("7S 7H 7D 7S 7H 7D"), 2)
    assert [game.text(meld) for meld in sets] == ["7S 7H 7D", "7S 7H 7D"]
    assert sets[0].mask & sets[1].mask == 0


def test_arrangements_hold_what_they_must(playgridia: Game) -> None:
    hand = playgridia.mask("5H 6H 7H 7S 7D KS KH KD")
    seven = playgridia.mask("7H")
    found = {
        frozenset(playgridia.text(meld) for meld in melds) for melds in playgridia.rules.arrangements(hand, must=seven)
    }
    run, sevens, kings = "5H 6H 7H", "7S 7H 7D", "KS KH KD"
    assert found == {frozenset(melds) for melds in ([run], [sevens], [run, kings], [sevens, kings])}
    assert list(playgridia.rules.arrangements(hand, must=playgridia.mask("2C"))) == []
    assert () in playgridia.rules.arrangements(hand)
    assert all(len(melds) == 1 for melds in playgridia.rules.arrangements(hand, 1, 1))


def test_deadwood_is_the_least_that_can_be_left() -> None:
    gin = Game(*set_and_run(), order=HIGH_OR_LOW[:-1], packs=1, jokers=0)
    points = [min(gin.pack.face_rank[face] + 1, 10) for face in gin.pack.face]
    # The seven of hearts belongs to the run: the set of sevens would leave 5 and 6 of hearts.
    left, melds = gin.rules.best(gin.mask("5H 6H 7H 7S 7D 7C KS KH KD 2C"), points)
    assert left == 2
    assert {gin.text(meld) for meld in melds} == {"5H 6H 7H", "7S 7D 7C", "KS KH KD"}
    assert gin.rules.best(gin.mask("AS 3D 9C"), points) == (1 + 3 + 9, ())


def test_what_was_found_is_forgotten_when_there_is_too_much_of_it() -> None:
    squares = Recent[int, int](3)
    for number in range(100):
        squares.put(number, number * number)
        assert squares.get(0) == 0
    assert squares.get(99) == 99 * 99
    assert squares.get(50) is None
    assert len(squares.young) + len(squares.old) <= 6


def test_large_answers_filled_the_memory_as_each_counted_for_one() -> None:
    rows = Recent[int, tuple[int, ...]](100, len)
    for number in range(100):
        rows.put(number, (number,) * 40)
        assert sum(len(row) for kept in (rows.young, rows.old) for row in kept.values()) <= 240
