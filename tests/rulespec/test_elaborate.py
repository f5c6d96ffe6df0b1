"""What phrases mean: every form of the reference, whose words are, what does not fit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lark import Tree

from rulespec.diagnostics import Diagnostic
from rulespec.elaborate import actions, data
from rulespec.elaborate.expr import card_class, expression, players, want
from rulespec.elaborate.phases import PhaseMaker
from rulespec.elaborate.scope import EARLY, NOBODY, SOMEBODY, Names, Phrase, Scope
from rulespec.expressions import Expr, Number, Truth, Type
from rulespec.model import UNBOUNDED, LookupTable, MoveItem, Option, Range
from rulespec.parser import Start, parse
from rulespec.source import NOWHERE, Span
from tests.rulespec.phrases import phrase, show

BODIES: dict[str, Expr] = {
    "okey": Truth(span=NOWHERE, type=Type.TRUTH, value=True),
    "worth": Number(span=NOWHERE, type=Type.NUMBER, value=3),
    "clean": Truth(span=NOWHERE, type=Type.TRUTH, value=True),
    "sound": Truth(span=NOWHERE, type=Type.TRUTH, value=True),
    "deadwood": Number(span=NOWHERE, type=Type.NUMBER, value=3),
    "limit": Number(span=NOWHERE, type=Type.NUMBER, value=3),
}


def names() -> Names:
    return Names(
        file="phrase.yaml",
        body_of=BODIES.get,
        table_of=lambda name: LookupTable(name, BODIES["limit"], (), NOWHERE),
        options={
            "target": Option("target", (100, 200), Type.NUMBER, NOWHERE),
            "strict": Option("strict", (False, True), Type.TRUTH, NOWHERE),
            "length": Option("length", ("one-deal", "to-200"), Type.WORD, NOWHERE),
        },
        tables=frozenset({"contract"}),
        zones={"stock": "table", "discards": "table", "hand": "player", "foot": "player", "honours": "side"},
        tallies={"hits": "player", "pot": "table"},
        definitions={
            "okey": "cards",
            "worth": "cards",
            "clean": "groups",
            "sound": "layouts",
            "deadwood": "players",
            "limit": "round",
            "endless": "round",
        },
        kinds=frozenset({"set", "run"}),
        moves=frozenset({"draw", "take", "discard", "knock", "meld", "lay-off", "pass"}),
        phases=frozenset({"laying"}),
        endings=frozenset({"out", "dry"}),
        extra_turns=frozenset({"last-turns"}),
        named={"taken": Type.CARD, "shown": Type.CARDS},
        unreached_moves=frozenset({"swap"}),
        unreached_named=frozenset({"freed"}),
        places=("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"),
        suits=("S", "H", "D", "C"),
    )


def work(words: str, start: Start) -> tuple[Phrase, Tree]:  # type: ignore[type-arg]
    text = phrase(words)
    tree = parse(text, start)
    assert isinstance(tree, Tree), tree
    return Phrase(text, names(), []), tree


MOVED = replace(SOMEBODY, played=True)
CARD = replace(MOVED, it=Type.CARD)
GROUP = replace(MOVED, it=Type.GROUP)
LAYOUT = replace(MOVED, it=Type.LAYOUT)

MEANINGS: list[tuple[Scope, str, str]] = [
    # whose words are
    (SOMEBODY, "hand is empty", "IsEmpty(Zone(hand, subject))"),
    (SOMEBODY, "points of hand of ender", "Points(Zone(hand, ender))"),
    (SOMEBODY, "points of hand of you", "Points(Zone(hand, you))"),
    (SOMEBODY, "stock is not dry", "Not(StockIsDry)"),
    (SOMEBODY, "number of cards in foot of left of left of dealer",
     "Count(Zone(foot, Beside(left, Beside(left, dealer))))"),
    (SOMEBODY, "number of cards in hand of losers", "Count(Zone(hand, People(losers, -)))"),
    (NOBODY, "some player has score >= target", "Quantified(some, People(everyone, -), "
     "Compare(>=, PlayerFact(score, subject), OptionValue(target)))"),
    (NOBODY, "number of cards in stock + pot", "Arithmetic(+, Count(Zone(stock, -)), Tally(pot, -))"),
    (SOMEBODY, "hits + hits of partner", "Arithmetic(+, Tally(hits, subject), Tally(hits, Partner(subject)))"),
    (SOMEBODY, "total over others of points of hand + 25",
     "Arithmetic(+, Aggregate(total, People(others, subject), Points(Zone(hand, subject))), 25)"),
    (SOMEBODY, "total over others of (points of hand - points of hand of you)",
     "Aggregate(total, People(others, subject), "
     "Arithmetic(-, Points(Zone(hand, subject)), Points(Zone(hand, you))))"),
    (SOMEBODY, "highest over (everyone whose score <= target) of score",
     "Aggregate(highest, Select(People(everyone, -), Compare(<=, PlayerFact(score, subject), OptionValue(target))), "
     "PlayerFact(score, subject))"),
    (SOMEBODY, "deadwood + deadwood of ender", "Arithmetic(+, Defined(deadwood, subject), Defined(deadwood, ender))"),
    (SOMEBODY, "limit", "Defined(limit, -)"),
    (SOMEBODY, "contract", "TableValue(contract)"),
    (SOMEBODY, "you is mover", "IsSame(you, mover)"),
    (SOMEBODY, "left of you is partner of dealer", "IsSame(Beside(left, you), Partner(dealer))"),
    (SOMEBODY, "number of cards in laid + number of groups in melds",
     "Arithmetic(+, Count(Laid(subject)), Count(Melds(subject)))"),
    (SOMEBODY, "ender is in winners", "IsIn(ender, People(winners, -))"),
    # facts
    (SOMEBODY, "turn is over and last-turns are over", "And([TurnIsOver ExtraTurnsAreOver(last-turns)])"),
    (SOMEBODY, "round = turn-number - idle-turns",
     "Compare(=, Fact(round), Arithmetic(-, Fact(turn-number), Fact(idle-turns)))"),
    (SOMEBODY, "stopped or players-left <= 1", "Or([Fact(stopped) Compare(<=, Fact(players-left), 1)])"),
    (SOMEBODY, "ending = out", "Compare(=, Fact(ending), Word(out))"),
    (SOMEBODY, "opened and not opened-this-turn",
     "And([PlayerFact(opened, subject) Not(PlayerFact(opened-this-turn, subject))])"),
    (EARLY, "2 if players >= 5 else 1", "IfElse(2, Compare(>=, Fact(players), 5), 1)"),
    (EARLY, "length = one-deal or strict", "Or([Compare(=, OptionValue(length), Word(one-deal)) OptionValue(strict)])"),
    (EARLY, "no", "Truth(no)"),
    (EARLY, "yes and (no or strict)", "And([Truth(yes) Or([Truth(no) OptionValue(strict)])])"),
    # moves made
    (SOMEBODY, "times knock this turn = 0", "Compare(=, Times(knock, subject, turn), 0)"),
    (NOBODY, "times pass by anyone this game", "Times(pass, -, game)"),
    (SOMEBODY, "after knock and can meld", "And([After(knock) Can(meld)])"),
    (NOBODY, "number of (everyone whose times knock this round = 1)",
     "Count(Select(People(everyone, -), Compare(=, Times(knock, subject, round), 1)))"),
    # operators
    (SOMEBODY, "opened unless hand is empty", "Or([PlayerFact(opened, subject) IsEmpty(Zone(hand, subject))])"),
    (SOMEBODY, "-3 * 2 + 7 / 2", "Arithmetic(+, Arithmetic(*, Negate(3), 2), Arithmetic(/, 7, 2))"),
    (SOMEBODY, "min(1, 2, 3) - round-up(7, 5)", "Arithmetic(-, Call(min, [1 2 3]), Call(round-up, [7 5]))"),
    (SOMEBODY, "not (opened and strict)", "Not(And([PlayerFact(opened, subject) OptionValue(strict)]))"),
    # cards
    (CARD, "it is not taken", "Not(IsSame(it, Named(taken)))"),
    (CARD, "it is red 3", "And([Trait(it, red) HasRank(it, [3])])"),
    (CARD, "it is 8", "HasRank(it, [8])"),
    (CARD, "it is 9-Q", "HasRank(it, [9 10 J Q])"),
    (CARD, "it is A", "HasRank(it, [A])"),
    (CARD, "it is S", "HasSuit(it, S)"),
    (CARD, "name of it is H", "HasSuit(CardProperty(name, it, no), H)"),
    (SOMEBODY, "number of H in hand", "Count(Select(Zone(hand, subject), HasSuit(it, H)))"),
    (CARD, "it is QS", "HasFace(it, Q, S)"),
    (CARD, "it is JK", "HasFace(it, JK, )"),
    (CARD, "it is okey", "Defined(okey, it)"),
    (CARD, "worth of it", "Defined(worth, it)"),
    (CARD, "top of discards is not joker", "Not(Trait(Top(Zone(discards, -)), joker))"),
    (CARD, "rank of it = rank of top of discards",
     "Compare(=, CardProperty(rank, it, no), CardProperty(rank, Top(Zone(discards, -)), no))"),
    (CARD, "name of it = 10H", "Compare(=, CardProperty(name, it, no), Face(10, H))"),
    (CARD, "suit of name of it = suit of it",
     "Compare(=, CardProperty(suit, CardProperty(name, it, no), no), CardProperty(suit, it, no))"),
    (CARD, "place of it + pips of it", "Arithmetic(+, CardProperty(place, it, no), CardProperty(pips, it, no))"),
    (CARD, "name of it is QS", "HasFace(CardProperty(name, it, no), Q, S)"),
    (CARD, "old group of it is set", "IsKind(GroupOf(it, yes), set)"),
    (CARD, "number of cards in old neighbours of it", "Count(Neighbours(it, yes))"),
    (CARD, "old name of it is K", "HasRank(CardProperty(name, it, yes), [K])"),
    (CARD, "taken is on the table", "IsIn(Named(taken), Table)"),
    (CARD, "it is in shown", "IsIn(it, Named(shown))"),
    (CARD, "it is replaced or it is replaced from hand", "Or([IsReplaced(it, -) IsReplaced(it, hand)])"),
    (CARD, "it is joined only from hand", "IsJoinedOnlyFrom(it, hand)"),
    (CARD, "every joker on the table (keeps its name or is replaced)",
     "Quantified(every, Select(CardsIn(Table), Trait(it, joker)), Or([Keeps(each, name) IsReplaced(each, -)]))"),
    (CARD, "every okey card on the table keeps its group",
     "Quantified(every, Select(CardsIn(Table), Defined(okey, it)), Keeps(each, group))"),
    (CARD, "some group on the table accepts it", "Quantified(some, Table, Accepts(each, it))"),
    (CARD, "no card in group of it is wild", "Quantified(no, CardsIn(GroupOf(it, no)), Trait(each, wild))"),
    (SOMEBODY, "number of red 3 in hand", "Count(Select(Zone(hand, subject), And([Trait(it, red) HasRank(it, [3])])))"),
    (SOMEBODY, "number of A in hand", "Count(Select(Zone(hand, subject), HasRank(it, [A])))"),
    (SOMEBODY, "number of ranks in hand", "CountKinds(rank, Select(Zone(hand, subject), Trait(it, natural)))"),
    (MOVED, "number of suits in runs in played",
     "CountKinds(suit, Select(CardsIn(Select(GroupsIn(Played), IsKind(it, run))), Trait(it, natural)))"),
    (SOMEBODY, "number of natural cards in hand", "Count(Select(Zone(hand, subject), Trait(it, natural)))"),
    (SOMEBODY, "number of jokers in hand", "Count(Select(Zone(hand, subject), Trait(it, joker)))"),
    (SOMEBODY, "number of (cards in hand whose it is red)", "Count(Select(Zone(hand, subject), Trait(it, red)))"),
    # groups
    (GROUP, "it is run and number of wild cards in it < 2",
     "And([IsKind(it, run) Compare(<, Count(Select(CardsIn(it), Trait(it, wild))), 2)])"),
    (GROUP, "it is in melds of mover", "IsIn(it, Melds(mover))"),
    (GROUP, "owner of it is ender", "IsSame(Owner(it), ender)"),
    (GROUP, "it is clean", "Defined(clean, it)"),
    (SOMEBODY, "number of clean groups in melds", "Count(Select(Melds(subject), Defined(clean, it)))"),
    (SOMEBODY, "number of run groups in melds", "Count(Select(Melds(subject), IsKind(it, run)))"),
    (SOMEBODY, "table is empty", "IsEmpty(Table)"),
    # layouts
    (MOVED, "number of runs in played = contract",
     "Compare(=, Count(Select(GroupsIn(Played), IsKind(it, run))), TableValue(contract))"),
    (MOVED, "natural cards in played contain a run", "Contains(Select(CardsIn(Played), Trait(it, natural)), run)"),
    (MOVED, "points of played + number of cards in rest of played",
     "Arithmetic(+, Points(Played), Count(Rest(Played)))"),
    (MOVED, "played is sound", "Defined(sound, Played)"),
    (LAYOUT, "number of groups in it = 2", "Compare(=, Count(GroupsIn(it)), 2)"),
    (SOMEBODY, "lowest over (layouts of hand whose it is sound) of points of rest of it",
     "Aggregate(lowest, Select(Layouts(Zone(hand, subject)), Defined(sound, it)), Points(Rest(it)))"),
    (SOMEBODY, "some layout of hand is sound", "Quantified(some, Layouts(Zone(hand, subject)), Defined(sound, each))"),
]  # fmt: skip


@pytest.mark.parametrize(("scope", "words", "meaning"), MEANINGS, ids=[words for _, words, _ in MEANINGS])
def test_expressions_mean(scope: Scope, words: str, meaning: str) -> None:
    p, tree = work(words, "expr")
    assert show(expression(p, tree, scope)) == meaning
    assert p.problems == []


PLAYERS: list[tuple[Scope, str, str]] = [
    (NOBODY, "left of dealer", "Beside(left, dealer)"),
    (NOBODY, "nobody", "People(nobody, -)"),
    (NOBODY, "winners except ender", "Except(People(winners, -), ender)"),
    (NOBODY, "everyone with least points of hand, ties against ender",
     "Ranked(People(everyone, -), no, Points(Zone(hand, subject)), against, ender)"),
    (NOBODY, "(everyone with most score) with least number of cards in hand",
     "Ranked(Ranked(People(everyone, -), yes, PlayerFact(score, subject), -, -), no, "
     "Count(Zone(hand, subject)), -, -)"),
    (NOBODY, "winners if length = one-deal else everyone",
     "IfElse(People(winners, -), Compare(=, OptionValue(length), Word(one-deal)), People(everyone, -))"),
    (SOMEBODY, "right of you if pot = 1 else left of you",
     "IfElse(Beside(right, you), Compare(=, Tally(pot, -), 1), Beside(left, you))"),
    (NOBODY, "everyone whose (not folded)", "Select(People(everyone, -), Not(PlayerFact(folded, subject)))"),
    (SOMEBODY, "others whose hits > hits of you",
     "Select(People(others, subject), Compare(>, Tally(hits, subject), Tally(hits, you)))"),
]  # fmt: skip


@pytest.mark.parametrize(("scope", "words", "meaning"), PLAYERS, ids=[words for _, words, _ in PLAYERS])
def test_players_are(scope: Scope, words: str, meaning: str) -> None:
    p, tree = work(words, "players")
    assert show(players(p, tree, scope)) == meaning
    assert p.problems == []


CLASSES = [
    ("joker or 2", "Or([Trait(it, joker) HasRank(it, [2])])"),
    ("low A", "And([Trait(it, low) HasRank(it, [A])])"),
    ("black 3", "And([Trait(it, black) HasRank(it, [3])])"),
    ("4-K or A", "Or([HasRank(it, [4 5 6 7 8 9 10 J Q K]) HasRank(it, [A])])"),
    ("QS", "HasFace(it, Q, S)"),
    ("card", "Truth(yes)"),
    ("natural okey", "And([Trait(it, natural) Defined(okey, it)])"),
    ("card whose place of it = round + 1", "Compare(=, CardProperty(place, it, no), Arithmetic(+, Fact(round), 1))"),
]


@pytest.mark.parametrize(("words", "meaning"), CLASSES)
def test_classes_of_cards_are_conditions_on_it(words: str, meaning: str) -> None:
    p, tree = work(words, "cardclass")
    assert show(card_class(p, tree, NOBODY)) == meaning
    assert p.problems == []


# the mistake is shown where the arrow stands; the help holds the last text
MISTAKES: list[tuple[Scope, str, str, str]] = [
    (SOMEBODY, "points of ↓hnad <= 5", "unknown-word", '"hand"'),
    (SOMEBODY, "↓round-1 = 3", "unknown-word", "minus stands between blanks"),
    (SOMEBODY, "↓round-players = 3", "unknown-word", "minus stands between blanks"),
    (SOMEBODY, "↓turn-numbr = 3", "unknown-word", 'did you mean "turn-number"?'),
    (SOMEBODY, "↓hand <= 5", "wrong-type", '"number of cards in hand" or "points of hand"'),
    (SOMEBODY, "↓cards in hand <= 5", "wrong-type", '"number of cards in hand"'),
    (SOMEBODY, "↓others = 2", "wrong-type", '"number of others"'),
    (SOMEBODY, "number of ↓hand = 2", "wrong-type", '"number of cards in hand"'),
    (SOMEBODY, "number of ↓score = 2", "wrong-type", ""),
    (SOMEBODY, "↓points of ender = 2", "wrong-type", ""),
    (SOMEBODY, "↓it is joker", "no-it", ""),
    (SOMEBODY, "hand is ↓dry", "wrong-type", '"is empty"'),
    (SOMEBODY, "hand is ↓over", "wrong-type", ""),
    (SOMEBODY, "score is ↓empty", "wrong-type", ""),
    (SOMEBODY, "length = ↓one-dael", "unknown-word", '"one-deal"'),
    (SOMEBODY, "↓length < one-deal", "wrong-type", ""),
    (SOMEBODY, "ending = ↓uot", "unknown-word", '"out"'),
    (SOMEBODY, "↓strict = yes", "wrong-type", "alone"),
    (SOMEBODY, "table is ↓red", "wrong-type", '"every card in hand is red"'),
    (SOMEBODY, "not ↓turn", "wrong-type", '"turn is over"'),
    (SOMEBODY, "↓freed is on the table", "unreached-move", ""),
    (SOMEBODY, "after ↓knocking", "unknown-word", '"knock"'),
    (SOMEBODY, "after ↓swap", "unreached-move", ""),
    (SOMEBODY, "↓knock = 1", "not-a-thing", '"after knock"'),
    (SOMEBODY, "↓laying = 1", "not-a-thing", ""),
    (SOMEBODY, "↓okey = 1", "not-a-thing", '"okey of it"'),
    (SOMEBODY, "↓red cards = 1", "not-a-thing", '"red cards in hand"'),
    (SOMEBODY, "↓played is sound", "not-yet-known", ""),
    (SOMEBODY, "points of hand of ↓giver", "no-player", '"P to Q"'),
    (NOBODY, "↓score >= 100", "no-player", '"score of dealer"'),
    (NOBODY, "score of ↓you >= 100", "no-player", ""),
    (NOBODY, "↓deadwood >= 100", "no-player", ""),
    (NOBODY, "↓times knock this round = 1", "no-player", '"by anyone"'),
    (NOBODY, "↓can knock", "no-player", ""),
    (EARLY, "1 if ↓round = 1 else 2", "not-yet-known", '"players"'),
    (EARLY, "number of cards in ↓stock", "not-yet-known", ""),
    (EARLY, "↓pot", "not-yet-known", ""),
    (EARLY, "↓score", "no-player", ""),
    (CARD, "it is ↓hand", "wrong-type", '"is in hand"'),
    (CARD, "it is ↓run", "wrong-type", ""),
    (CARD, "it is ↓blue", "unknown-word", ""),
    (CARD, "it is ↓11", "no-such-rank", "its ranks are A 2 3"),
    (CARD, "it keeps ↓its hat", "unknown-word", '"its name"'),
    (CARD, "rank of it = ↓8", "wrong-type", '"it is 8"'),
    (CARD, "↓rank of it < rank of taken", "wrong-type", "compare places"),
    (CARD, "rank of it = ↓suit of it", "wrong-type", ""),
    (CARD, "hand ↓accepts it", "wrong-type", ""),
    (CARD, "some group on the table accepts ↓hand", "wrong-type", ""),
    (
        CARD,
        "it is replaced from ↓shown",
        "wrong-type",
        '"hand"',
    ),
    (GROUP, "↓red groups in melds is empty", "wrong-type", ""),
    (GROUP, "it ↓keeps its name", "wrong-type", ""),
    (SOMEBODY, "hand contain a ↓flush", "unknown-word", ""),
    (SOMEBODY, "↓top of laid is joker", "wrong-type", 'the piles are "stock", "discards"'),
    (SOMEBODY, "↓top of hand is joker", "wrong-type", '"discards"'),
    (SOMEBODY, "↓top of shown is joker", "wrong-type", '"discards"'),
    (SOMEBODY, "↓top of red cards in discards is joker", "wrong-type", '"discards"'),
    (MOVED, "↓top of rest of played is joker", "wrong-type", '"discards"'),
    (SOMEBODY, "↓top of foot of others is joker", "several-players", "say whose"),
    (SOMEBODY, "↓score of others = 1", "several-players", '"total over others of score"'),
    (SOMEBODY, "↓stock of ender is empty", "belongs-to-nobody", '"stock" alone'),
    (SOMEBODY, "↓limit of ender = 1", "belongs-to-nobody", ""),
    (SOMEBODY, "points ↓in hand = 1", "not-a-thing", '"points of …"'),
    (SOMEBODY, "↓endless = 1", "defined-by-itself", ""),
    (SOMEBODY, "1 if opened else ↓hand", "wrong-type", ""),
    (SOMEBODY, "↓min(1) = 1", "wrong-type", ""),
    (replace(MOVED, laying=True), "↓opened or hand is empty", "always-holds", '"opened-before"'),
]


@pytest.mark.parametrize(("scope", "marked", "code", "help_"), MISTAKES)
def test_what_does_not_fit_is_shown_at_its_place(scope: Scope, marked: str, code: str, help_: str) -> None:
    words = marked.replace("↓", "")
    p, tree = work(words, "expr")
    expression(p, tree, scope)
    assert [problem.code for problem in p.problems] == [code], p.problems
    assert p.problems[0].span.column == marked.index("↓") + 1
    assert help_ in p.problems[0].help


def test_another_scope_than_after_laying_leaves_opened_alone() -> None:
    p, tree = work("some player has opened and opened-this-turn", "expr")
    expression(p, tree, replace(MOVED, laying=True))
    assert p.problems == []


def test_an_unknown_part_does_not_make_its_whole_wrong() -> None:
    p, tree = work("points of hnad <= 5 and number of cards in hand = tkaen", "expr")
    want(p, tree, SOMEBODY, Type.TRUTH)
    assert [problem.code for problem in p.problems] == ["unknown-word", "unknown-word"]


def test_every_node_has_its_own_place() -> None:
    p, tree = work("hand is empty and points of hand of ender <= 5", "expr")
    both = expression(p, tree, SOMEBODY)
    spans = [part.span for part in both.parts]  # type: ignore[attr-defined]
    assert [(span.column, span.end_column) for span in spans] == [(1, 14), (19, 47)]
    points = both.parts[1].left  # type: ignore[attr-defined]
    assert points.span == Span("phrase.yaml", 1, 19, 1, 42)
    assert points.of.of.span == Span("phrase.yaml", 1, 37, 1, 42)


# ------------------------------------------------------------ what moves do

DOES: list[tuple[str, str]] = [
    ("draw 1 from stock", "Draw(1, stock, -, -)"),
    ("draw number of cards in shown from stock", "Draw(Count(Named(shown)), stock, -, -)"),
    ("draw 2", "Draw(2, stock, -, -)"),
    ("take top of discards as taken", "Take(top, 1, discards, -, taken)"),
    ("take top 6 of discards", "Take(top, 6, discards, -, -)"),
    ("take all of foot", "Take(all, 1, foot, subject, -)"),
    ("take any of discards as taken", "Take(any, 1, discards, -, taken)"),
    ("take any with all above of discards as taken", "Take(dig, 1, discards, -, taken)"),
    ("put 3 face down on foot of left of you", "Put(3, yes, no, foot, Beside(left, you), -)"),
    ("put any under stock", "Put(any, no, yes, stock, -, -)"),
    ("put every red 3 on honours as shown",
     "PutEvery(And([Trait(it, red) HasRank(it, [3])]), no, no, honours, subject, shown)"),
    ("return taken to discards", "Return(taken, no, discards, -)"),
    ("lay a meld then lay off 1", "LayMelds(1, 1) LayOff(1)"),
    ("lay melds then lay any melds", f"LayMelds(1, {UNBOUNDED}) LayMelds(0, {UNBOUNDED})"),
    ("swap as taken then pass then fold", "Swap(taken) Pass Fold"),
    ("rearrange melds with foot", "Rearrange(yes, foot)"),
    ("turn up 1 on discards", "TurnUp(1, discards, -, -)"),
    ("add 1 to hits of others then set pot to 0", "Add(1, hits, People(others, subject)) SetTally(pot, -, 0)"),
    ("add points of played to score", "Add(Points(Played), score, subject)"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "meaning"), DOES)
def test_actions_are(words: str, meaning: str) -> None:
    p, tree = work(words, "does")
    assert " ".join(show(action) for action in actions.actions(p, tree, MOVED)) == meaning
    assert p.problems == []


BAD_DOES = [
    ("put 1 on ↓pile", "unknown-word"),
    ("put 1 on ↓stock of ender", "belongs-to-nobody"),
    ("draw ↓hand", "wrong-type"),
    ("return ↓thing to discards", "unknown-word"),
    ("rearrange with ↓pile", "unknown-word"),
    ("take top of ↓hand", "wrong-type"),
    ("draw 1 from ↓hand", "wrong-type"),
    ("put 1 on ↓hand of left of you", "wrong-type"),
    ("turn up 1 on ↓hand", "wrong-type"),
    ("return taken to ↓hand", "wrong-type"),
    ("rearrange with ↓hand", "wrong-type"),
    ("put 1 on ↓table", "wrong-type"),
    ("add 1 to ↓misses", "unknown-word"),
    ("↓add 1 to pot of ender", "belongs-to-nobody"),
    ("set hits of ↓hand to 1", "wrong-type"),
]


@pytest.mark.parametrize(("marked", "code"), BAD_DOES)
def test_actions_that_cannot_be(marked: str, code: str) -> None:
    p, tree = work(marked.replace("↓", ""), "does")
    actions.actions(p, tree, MOVED)
    assert [problem.code for problem in p.problems] == [code]
    assert p.problems[0].span.column == marked.index("↓") + 1


@pytest.mark.parametrize(
    ("words", "surely"),
    [
        ("lay a meld", True),
        ("lay off 1", True),
        ("swap as freed", True),
        ("take top of discards then swap", True),
        ("rearrange", True),
        ("lay any melds", False),
        ("lay off 0", False),
        ("lay off pot", False),
        ("put 1 on discards", False),
    ],
)
def test_a_swap_lays_a_card_and_any_melds_may_be_none(words: str, surely: bool) -> None:
    assert actions.lays(work(words, "does")[1]) is surely


@pytest.mark.parametrize(
    ("words", "it"),
    [
        ("put 1 on discards then lay any melds", Type.CARD),
        ("put any on discards", Type.CARDS),
        ("lay off 1", Type.GROUP),
        ("swap", Type.GROUP),
        ("lay off 1 then put 1 on discards", Type.CARD),
        ("draw 1", None),
    ],
)
def test_it_is_the_card_put_or_the_group_laid_off_on(words: str, it: Type | None) -> None:
    assert actions.it_type(work(words, "does")[1]) is it


def test_as_names_one_card_or_several() -> None:
    chains = {
        "take top of discards as a1": Type.CARD,
        "take top 2 of discards as a1": Type.CARDS,
        "take any with all above of discards as a1": Type.CARD,
        "draw 2 as a1": Type.CARDS,
        "draw 1 as a1": Type.CARD,
        "put 1 on discards as a1": Type.CARD,
        "put all on discards as a1": Type.CARDS,
        "swap as a1": Type.CARD,
        "turn up 1 on discards as a1": Type.CARD,
    }
    found = {words: list(actions.named_cards(work(words, "does")[1])) for words in chains}
    assert found == {words: [("a1", kind)] for words, kind in chains.items()}


@pytest.mark.parametrize(
    ("words", "deadline", "move", "cards"),
    [
        ("taken is on the table before discard", "before", "discard", ("taken",)),
        ("number of cards in group of taken >= 3 by meld", "by", "meld", ("taken",)),
        ("(shown is empty or it is in shown) at once", "at once", "", ("shown",)),
        ("hand is empty before turn ends", "before turn ends", "", ()),
    ],
)
def test_duties_have_a_deadline_and_speak_of_cards(
    words: str, deadline: str, move: str, cards: tuple[str, ...]
) -> None:
    p, tree = work(words, "duty")
    assert actions.duty(p, tree, CARD)[1:] == (deadline, move, cards)
    assert p.problems == []


# ------------------------------------------------------------ phases

PHASES = [
    ("draw", "MoveItem(draw)"),
    ("draw or take then discard", "Sequence([[Choice([MoveItem(draw) MoveItem(take)]) -] [MoveItem(discard) -]])"),
    ("may draw", "Repeat(MoveItem(draw), 0, 1)"),
    ("any number of (meld or lay-off)", f"Repeat(Choice([MoveItem(meld) MoveItem(lay-off)]), 0, {UNBOUNDED})"),
    ("up to 3 draw", "Repeat(MoveItem(draw), 0, 3)"),
    ("3 times draw", "Repeat(MoveItem(draw), 3, 3)"),
    ("laying if opened", "Sequence([[PhaseItem(laying, MoveItem(meld)) PlayerFact(opened, subject)]])"),
    ("each other player knock", "Window(each other, -, MoveItem(knock))"),
    ("first other player may knock", "Window(first other, -, Repeat(MoveItem(knock), 0, 1))"),
    ("next player knock then partner pass",
     "Sequence([[Window(next, -, MoveItem(knock)) -] [Window(partner, -, MoveItem(pass)) -]])"),
    ("each player whose (you is right of dealer) pass",
     "Window(each whose, IsSame(you, Beside(right, dealer)), MoveItem(pass))"),
]  # fmt: skip


def maker(p: Phrase) -> PhaseMaker:
    return PhaseMaker(p, lambda _: MoveItem(span=NOWHERE, name="meld"))


@pytest.mark.parametrize(("words", "meaning"), PHASES)
def test_phases_are(words: str, meaning: str) -> None:
    p, tree = work(words, "phase")
    assert show(maker(p).phase(tree, SOMEBODY)) == meaning
    assert p.problems == []


@pytest.mark.parametrize(
    ("marked", "code"),
    [
        ("draw or ↓may take", "empty-alternative"),
        ("draw or ↓(take if opened then meld)", "empty-alternative"),
        ("draw or ↓(any number of take then may meld)", "empty-alternative"),
        ("draw or ↓0 times take", "empty-alternative"),
        ("draw then ↓tkae", "unknown-word"),
        ("draw if ↓hand", "wrong-type"),
        ("draw then ↓swap", "unknown-word"),
    ],
)
def test_phases_that_cannot_be(marked: str, code: str) -> None:
    p, tree = work(marked.replace("↓", ""), "phase")
    maker(p).phase(tree, SOMEBODY)
    assert {problem.code for problem in p.problems} == {code}
    assert p.problems[0].span.column == marked.index("↓") + 1


# ------------------------------------------------------------ small data


def problems_of(words: str, start: Start) -> tuple[object, list[Diagnostic]]:
    p, tree = work(words, start)
    make = {"range": data.range_of, "tablerow": data.range_of, "order": data.order, "suits": data.suits}
    return make[start](p, tree), p.problems


@pytest.mark.parametrize(
    ("words", "numbers"),
    [("3", Range(3, 3)), ("3-4", Range(3, 4)), ("3+", Range(3, UNBOUNDED)), ("below 0", Range(-UNBOUNDED, -1))],
)
def test_ranges_are(words: str, numbers: Range) -> None:
    assert problems_of(words, "range") == (numbers, [])
    assert problems_of(words, "tablerow") == (numbers, [])


@pytest.mark.parametrize("words", ["4-3", "A-K"])
def test_ranges_that_hold_no_number(words: str) -> None:
    found, wrong = problems_of(words, "range")
    assert found is None
    assert [problem.code for problem in wrong] == ["wrong-range"]


@pytest.mark.parametrize(
    ("words", "places", "joined"),
    [
        ("A 2-10 J Q K", "A 2 3 4 5 6 7 8 9 10 J Q K", False),
        ("A 2-10 J-K A", "A 2 3 4 5 6 7 8 9 10 J Q K A", False),
        ("A 2-7 J Q K, round the corner", "A 2 3 4 5 6 7 J Q K", True),
        ("1-13", "1 2 3 4 5 6 7 8 9 10 11 12 13", False),
        ("7-10 Q A", "7 8 9 10 Q A", False),
    ],
)
def test_orders_are_written_out(words: str, places: str, joined: bool) -> None:
    assert problems_of(words, "order") == ((tuple(places.split()), joined), [])


@pytest.mark.parametrize(
    ("words", "code", "column"),
    [
        ("A 2-10 5", "double-value", 8),
        ("A 2 A 3", "double-value", 5),
        ("A 2-10 A, round the corner", "double-value", 8),
        ("A S 2", "no-such-rank", 3),
        ("K-2", "no-such-rank", 1),
    ],
)
def test_orders_that_cannot_be(words: str, code: str, column: int) -> None:
    wrong = problems_of(words, "order")[1]
    assert [(problem.code, problem.span.column) for problem in wrong] == [(code, column)]


@pytest.mark.parametrize(
    ("words", "slip", "values"),
    [("jo or yes", 1, (False, True)), ("no or yse", 7, (False, True)), ("yes or n", 8, (True, False))],
)
def test_a_slip_for_yes_or_no_is_told_at_the_option(words: str, slip: int, values: tuple[bool, bool]) -> None:
    p, tree = work(words, "options")
    option = data.option(p, phrase("strict"), tree)
    assert (option.type, option.values) == (Type.TRUTH, values)
    assert [(problem.code, problem.span.column) for problem in p.problems] == [("unknown-word", slip)]


@pytest.mark.parametrize("words", ["free or no-limit", "no or sometimes", "no or yes", "one or no", "10 or 20"])
def test_other_values_than_yes_and_no_are_left_alone(words: str) -> None:
    p, tree = work(words, "options")
    data.option(p, phrase("strict"), tree)
    assert p.problems == []


def test_suits_are_letters_or_names() -> None:
    assert problems_of("S H tile-red", "suits") == (("S", "H", "tile-red"), [])
    assert [problem.code for problem in problems_of("S A S", "suits")[1]] == ["no-such-suit", "double-value"]
