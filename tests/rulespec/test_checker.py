"""Whole sheets: those of the family are clean, planted faults are found at their place, and parts are laid together."""

from __future__ import annotations

import pytest

from rulespec.expressions import And, Compare, HasRank, Number, People, Person
from rulespec.loader import check_text
from rulespec.model import UNBOUNDED, Range
from rulespec.vocabulary import ENTRIES, RESERVED
from tests.rulespec import sheets
from tests.rulespec.sheets import ALL, FOLDER, checked, place, problems, small, text_of


@pytest.mark.parametrize("name", ALL)
def test_bundled_sheets_are_clean(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    sheet, found = sheets.check_text(text, name)
    assert found == []
    assert (sheet is None) == ("\nabstract: yes\n" in text)


# sheet, text, what it is replaced by, code, where the mistake is to be shown (behind the bar)
FAULTS = [
    ("carousel", "knock:\n    does", "knokc:\n    does", "unknown-word", "play then may |knock"),
    ("carousel", "points of hand <= 5", "points of hnad <= 5", "unknown-word", "points of |hnad"),
    ("carousel", "points of hand <= 5", "points of hand <> 5", "phrase-syntax", "hand <|> 5"),
    ("carousel", "points of hand <= 5", "cards in hand <= 5", "wrong-type", "if: |cards in hand"),
    ("carousel", "points of hand <= 5", "number of hand <= 5", "wrong-type", "number of |hand <= 5"),
    ("carousel", "points of hand <= 5", "points of hand", "wrong-type", "if: |points of hand"),
    ("carousel", "points of hand <= 5", "points of ender <= 5", "wrong-type", "if: |points of ender"),
    ("carousel", "points of hand <= 5", "it is joker", "no-it", "if: |it is"),
    ("carousel", "winners: differences", "winers: differences", "unknown-word", "|winers: differences"),
    ("carousel", "after knock", "after knocking", "unknown-word", "after |knocking"),
    ("carousel", "last-turns are over", "hand is over", "wrong-type", "hand is |over"),
    ("carousel", "keeps its name or", "keeps its hat or", "unknown-word", "keeps |its hat"),
    ("carousel", "jokers: 1 if players", "jokers: 1 if round", "not-yet-known", "1 if |round"),
    ("carousel", "jokers: 1 if players", "jokers: 1 if score", "no-player", "1 if |score"),
    ("carousel", "    joker: 25\n", "", "uncounted-card", None),
    ("carousel", "  hand: 10\n", "  hands: 10\n", "unknown-word", "|hands: 10"),
    (
        "carousel",
        "lay: play then may knock",
        "lay: play then (knock or (pass if stock is dry))",
        "empty-alternative",
        "or |(pass if",
    ),
    ("carousel", "(lay or pass or (draw", "(may lay or pass or (draw", "empty-alternative", "(|may lay"),
    ("carousel", "lay: play then may knock", "lay: play then may lay", "phase-contains-itself", "may |lay"),
    ("carousel", "  blocked: none", "  blokced: none", "nothing-to-remove", "|blokced"),
    ("carousel", "stands-for: a named card", "stands-for: any card", "wrong-choice", "|any card"),
    ("carousel", "turn: draw then (", "trun: draw then (", "unknown-key", "|trun"),
    ("romme-playgridia", "before discard", "before pass", "unreached-move", "before |pass"),
    ("romme-playgridia", "within: out", "within: outt", "unknown-word", "within: |outt"),
    ("romme-playgridia", "= one-deal else some", "= one-dael else some", "unknown-word", "= |one-dael"),
    ("romme-playgridia", "natural: 2+", "natural: 5+", "impossible-meld", "natural: |5+"),
    ("romme-playgridia", "  drawing: draw or", "  unused: draw\n  drawing: draw or", "unreached", "|unused"),
    ("romme-playgridia", "seconds: 45", "speed: 1 or 2\n  seconds: 45", "unreached", "|speed"),
    ("romme-playgridia", "use-it: taken is", "use-it: tkaen is", "unknown-word", "|tkaen"),
    ("romme-playgridia", "losers of points of hand", "losers of hand", "wrong-type", "losers of |hand"),
    ("romme-playgridia", "  opening-points: 40", "  opening-points: 40\n  opening-points: 41", "double-key", None),
    ("romme-500", "it is not taken unless", "it is not hand unless", "wrong-type", "is not |hand"),
    ("romme-500", "- points of hand\n  endings", "- hand\n  endings", "wrong-type", "laid - |hand"),
    (
        "romme-500",
        "  discard:\n    only: it is not taken unless hand is empty",
        "  discard: {only: it is not taken}",
        "phrase-in-braces",
        "only: |it is",
    ),
    (
        "gin",
        "times refuse by anyone this round = turn",
        "times reject by anyone this round = turn",
        "unknown-word",
        None,
    ),
    ("gin", "wins: nobody", "wins: nobdoy", "unknown-word", "|nobdoy"),
    ("tonk", "set hit to 0", "set hits to 0", "unknown-word", "set |hits"),
    ("tonk", "not-hit: hit = 0", "not-hit: hit = everyone", "wrong-type", "hit = |everyone"),
    ("tonk", "losers to winners: stake", "losers to stake: stake", "wrong-type", "losers to |stake"),
    ("tonk", "set hit of owner of it", "set hit of owner of hand", "wrong-type", "hit of |owner of hand"),
    ("indian-21", "whose it is sound", "whose it is soun", "unknown-word", "it is |soun)"),
    ("indian-21", "number of dublees in it = 0", "number of hand in it = 0", "wrong-type", "of |hand in it = 0"),
    ("vatikan", "opened-before or", "opened or", "always-holds", "opening: |opened or"),
    ("tahiti", "rearrange with singles", "rearrange with single", "unknown-word", "with |single\n"),
    ("carousel", "    2-10: pips", "    2-J: pips", "rows-overlap", None),
    ("shanghai", "3, 3, 3, 1", "3, 3, 3, 2", "packets-differ", "|packets"),
    ("samba", "0-1499: 50", "0-1500: 50", "table-overlap", None),
    ("romme-playgridia", "  hand: 13", "  hand: 18", "deal-too-large", "hand: |18"),
    ("manipulation", "10-K: 10\n", "11-K: 10\n", "no-such-rank", "|11-K"),
    ("cookbook/nothing-that-fits", "accepts it", "accepts hand", "wrong-type", "accepts |hand"),
    (
        "cookbook/three-to-the-left",
        "passed of left of you",
        "discards of left of you",
        "belongs-to-nobody",
        "|discards of left",
    ),
    ("cookbook/draw-two-keep-one", "under stock", "under stack", "unknown-word", "under |stack"),
    ("cookbook/dead-deal-again", "void: yes", "void: no", "wrong-choice", "void: |no"),
    ("cookbook/eights-skip", "next: left of left of you", "next: left of it", "no-it", "left of |it"),
    (
        "cookbook/three-in-a-row",
        "then add 1 to",
        "then draw 1 from stock then add 1 to",
        "books-only",
        "|draw 1",
    ),
    ("cookbook/loser-deals", "most points of hand", "most hand", "wrong-type", "with most |hand"),
    (
        "cookbook/joker-last-doubles",
        "2 if thrown is joker else 1",
        "thrown is joker",
        "wrong-type",
        "joker-last: |thrown",
    ),
]


@pytest.mark.parametrize(("name", "old", "new", "code", "at"), FAULTS, ids=[f"{f[0]}: {f[2]}"[:60] for f in FAULTS])
def test_a_planted_fault_is_found_at_its_place(name: str, old: str, new: str, code: str, at: str | None) -> None:
    text = text_of(name)
    assert old in text
    text = text.replace(old, new, 1)
    found = [problem for problem in check_text(text, "s.yaml", FOLDER).diagnostics if problem.severity == "error"]
    hits = [problem for problem in found if problem.code == code and problem.span.file == "s.yaml"]
    assert hits, found
    if at is not None:
        assert (hits[0].span.line, hits[0].span.column) == place(text, at)


ANALYSED = ("uncounted-card", "rows-overlap", "packets-differ", "table-overlap", "deal-too-large")
SEVERAL_PLACES = ("knock:\n    does", "  hand: 10\n")
ONE_MESSAGE = [fault for fault in FAULTS if fault[3] not in ANALYSED and fault[1] not in SEVERAL_PLACES]


@pytest.mark.parametrize(("name", "old", "new"), [fault[:3] for fault in ONE_MESSAGE])
def test_one_mistake_makes_one_message(name: str, old: str, new: str) -> None:
    text = text_of(name).replace(old, new, 1)
    found = check_text(text, "s.yaml", FOLDER).diagnostics
    assert len([problem for problem in found if problem.severity == "error"]) == 1


def test_all_mistakes_are_found_in_one_run() -> None:
    text = small(
        deal="  hand: 7 if round = 1 elze 8\n  pile: 3",
        turn="draw then (may meld or discard)",
        moves="  discard:\n    only: hand\n    if: tkaen is joker\n  meld:\n    duty: taken is on the table by tkae",
        game="  ends: score >= 100\n  wins: everyone with least scor\n",
    )
    codes = sorted(problem.code for problem in problems(text))
    assert codes == sorted(
        [
            "phrase-syntax",  # elze
            "unknown-word",  # pile
            "empty-alternative",
            "wrong-type",  # only: hand
            "unknown-word",  # tkaen
            "unreached-move",  # taken, which no move names that the turn reaches
            "unknown-word",  # tkae
            "no-player",  # whose score
            "unknown-word",  # scor
        ]
    )


# ------------------------------------------------------------ laying together


def test_every_adds_to_each_meld_and_move() -> None:
    sheet = checked(
        small(
            melds="""\
  every:
    natural: 2+
    cards: 3-5
    needs:
      red: some card in it is red
  set:
    cards: 3-4
    same: rank
  run:
    consecutive: rank
    same: suit
    needs: number of cards in it >= 3
""",
            moves="""\
  every:
    only:
      keep-one: hand is not empty
    if:
      quiet: round > 0
  discard:
    only: it is not taken
""",
        )
    )
    kinds = {kind.name: kind for kind in sheet.melds}
    assert kinds["set"].cards == Range(3, 4)
    assert kinds["run"].cards == Range(3, 5)
    assert kinds["set"].natural == kinds["run"].natural == Range(2, UNBOUNDED)
    assert [need.path for need in kinds["run"].needs] == ["melds.run.needs.rule", "melds.run.needs.red"]
    moves = {move.name: move for move in sheet.moves}
    assert set(moves) == {"draw", "take", "meld", "lay-off", "discard"}
    assert [only.path for only in moves["discard"].only] == ["discard.only.rule", "discard.only.keep-one"]
    assert [only.path for only in moves["meld"].only] == ["meld.only.keep-one"]
    assert [if_.path for if_ in moves["draw"].before] == ["draw.if.rule", "draw.if.quiet"]


ENDINGS = """\
  wins: everyone
  scores:
    everyone: 1
  times: 2
  endings:
    out:
      when: hand is empty
      scores:
        everyone:
          extra: 5
        losers: 3
    smooth:
      within: out
      when: opened-this-turn
      wins: ender
      times:
        more: 3
    smoothest:
      within: smooth
      when: round = 1
    dry: turn is over and stock is dry
"""


def test_an_ending_is_laid_over_the_round_and_over_what_it_is_within() -> None:
    endings = {ending.name: ending for ending in checked(small(round=ENDINGS)).round.endings}
    assert list(endings) == ["smoothest", "smooth", "out", "dry"]
    assert [condition.name for condition in endings["smoothest"].when] == ["out", "smooth", "smoothest"]
    assert isinstance(endings["out"].wins, People)
    for name in ("smooth", "smoothest"):
        wins = endings[name].wins
        assert isinstance(wins, Person)
        assert wins.role == "ender"
        assert [amount.name for amount in endings[name].times] == ["rule", "more"]
    lines = [[amount.name for amount in line.amounts] for line in endings["smoothest"].scores]
    assert lines == [["rule", "extra"], ["rule"]]
    assert [[amount.name for amount in line.amounts] for line in endings["dry"].scores] == [["rule"]]


def test_a_circle_of_endings_is_reported_once() -> None:
    text = small(
        round="""\
  wins: ender
  endings:
    one:
      within: two
      when: hand is empty
    two:
      within: one
      when: round = 1
"""
    )
    found = problems(text)
    assert [problem.code for problem in found] == ["ending-within-itself"]
    assert (found[0].span.line, found[0].span.column) == place(text, "within: |two")


def test_a_round_that_nobody_wins_is_reported() -> None:
    text = small(round="  endings:\n    out: hand is empty\n    again:\n      when: stock is dry\n      void: yes\n")
    found = problems(text)
    assert [(problem.code, problem.span.line) for problem in found] == [("no-winner", place(text, "|out: hand")[0])]


def test_a_void_ending_books_nothing() -> None:
    text = small(
        round="""\
  wins: ender
  scores:
    losers: 1
  endings:
    out: hand is empty
    again:
      when: turn is over and stock is dry
      void: yes
"""
    )
    again = checked(text).round.endings[1]
    assert (again.void, again.wins, again.scores) == (True, None, ())


def test_the_deal_goes_hands_first_and_the_table_last() -> None:
    sheet = checked(
        small(
            zones="  foot: {of: player, seen-by: owner}\n  well: {of: table, seen-by: everyone}",
            deal="  well: 2 as wellspring\n  discards: 1 as upcard\n  foot: 3\n  hand: 7",
            round="  wins: ender\n  endings:\n    out: hand is empty and foot is empty and upcard is red\n",
        )
    )
    assert [(line.zone, line.named) for line in sheet.deal.lines] == [
        ("hand", None),
        ("foot", None),
        ("well", "wellspring"),
        ("discards", "upcard"),
    ]


def test_inherited_rows_for_ranks_that_are_not_in_the_deck_are_left_out() -> None:
    sheet, found = sheets.check_text(
        "rulespec: 1\nid: short\nextends: gin\nname: {en: Short}\ndeck:\n  order: A 5-9 J Q K\ndeal:\n  hand: 7\n"
    )
    assert found == []
    assert sheet is not None
    rows = [row.card for row in sheet.values.everywhere]
    assert [row.ranks for row in rows if isinstance(row, HasRank)] == [
        ("J", "Q", "K"),
        ("5", "6", "7", "8", "9"),
        ("A",),
    ]


def test_abstract_sheets_are_only_parsed() -> None:
    text = "rulespec: 1\nid: half\nabstract: yes\nturn: fly then land\ngame:\n  ends: nonsense is nonsense\n"
    assert sheets.check_text(text) == (None, [])
    _, found = sheets.check_text(text.replace("fly then land", "fly land"))
    assert [problem.code for problem in found] == ["phrase-syntax"]


def test_what_the_sheet_says_of_itself_is_taken_over() -> None:
    sheet, _ = sheets.check_text(text_of("gin-one-deal"))
    assert sheet is not None
    assert sheet.ancestors == ("gin", "standard")
    assert sheet.name["de"] == "Gin Rommé, eine Gabe"
    assert len(sheet.hash) == 64
    assert sheet.words["knock"] == {"en": "knock", "de": "klopfen", "nl": "kloppen"}
    assert sheet.players == Range(2, 2)


def test_all_conditions_of_a_special_ending_are_kept_apart() -> None:
    sheet, _ = sheets.check_text(text_of("gin"))
    assert sheet is not None
    big = sheet.round.endings[0]
    assert (big.name, big.within) == ("big", "gin")
    assert [condition.path for condition in big.when] == [
        "round.endings.knocked.when",
        "round.endings.gin.when",
        "round.endings.big.when",
    ]
    assert isinstance(big.when[0].expr, And)
    last = big.when[-1].expr
    assert isinstance(last, Compare)
    assert isinstance(last.right, Number)


def test_every_word_of_the_vocabulary_is_reserved() -> None:
    assert set(ENTRIES) < RESERVED


# ------------------------------------------------------------ what was once refused only at play, or not at all


def test_the_top_of_what_is_no_pile_is_refused_where_it_is_written() -> None:
    text = small(moves="  discard:\n    if: top of laid is not joker\n")
    (found,) = problems(text)
    assert (found.code, (found.span.line, found.span.column)) == ("wrong-type", place(text, "if: |top of laid"))


def test_a_table_looked_up_by_a_rank_is_told_to_use_the_place() -> None:
    tables = "  worth by rank of top of discards:\n    1-13: 5\n"
    text = small(tables=tables, game="  ends: worth > 5\n  wins: everyone with least score\n")
    (found,) = problems(text)
    assert (found.code, (found.span.line, found.span.column)) == ("wrong-type", place(text, "by |rank of top"))
    assert '"place of top of discards"' in found.help


def test_rows_of_ranks_are_told_that_a_table_has_numbers() -> None:
    tables = "  worth by place of top of discards:\n    A-10: 5\n    J-K: 10\n"
    text = small(tables=tables, game="  ends: worth > 5\n  wins: everyone with least score\n")
    found = problems(text)
    assert [problem.code for problem in found] == ["wrong-range", "wrong-range"]
    assert all("by its place" in problem.help for problem in found)


def test_opened_always_holds_after_a_swap() -> None:
    moves = "  swap:\n    only: opened\n"
    text = small(moves=moves, turn="draw then may swap then discard")
    (found,) = problems(text)
    assert (found.code, found.help) == ("always-holds", 'say "opened-before"')


def test_opened_need_not_hold_after_any_melds() -> None:
    moves = "  spread:\n    does: lay any melds\n    only: opened\n"
    checked(small(moves=moves, turn="draw then may spread then discard"))


def test_a_misspelt_yes_is_told_once_at_the_option() -> None:
    text = small(options="  strict: jo or yes\n", moves="  discard:\n    if: strict\n")
    (found,) = problems(text)
    assert (found.span.line, found.span.column) == place(text, "strict: |jo or yes")
    assert found.help == 'did you mean "no"?'


def test_an_option_of_words_is_no_condition() -> None:
    text = small(options="  strict: ja or nein\n", moves="  discard:\n    if: strict\n")
    (found,) = problems(text)
    assert '"strict = ja"' in found.help
