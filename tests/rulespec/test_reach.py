"""What is reached, what is dropped, what is written in vain; names and words."""

from __future__ import annotations

import pytest

from rulespec.written_out import MAX_CHAIN
from tests.rulespec.sheets import check_text, checked, place, problems, small

CHILD = "rulespec: 1\nid: child\nextends: {parent}\nname: {{en: Child}}\n{body}"


def test_what_an_ancestor_declares_and_nothing_reaches_is_dropped() -> None:
    sheet = checked(small())
    assert {move.name for move in sheet.moves} == {"draw", "take", "meld", "lay-off", "discard"}
    assert sheet.definitions == ()
    assert set(sheet.words) == {"draw", "take", "meld", "lay-off", "discard", "set", "run", "out"}


def test_what_is_reached_only_by_what_is_dropped_is_dropped() -> None:
    text = CHILD.format(parent="carousel", body="turn: draw then may lay\nphases:\n  lay: play\n")
    sheet, found = check_text(text)
    assert [problem.code for problem in found] == ["unreached-move"]
    assert sheet is None
    text += "round:\n  endings:\n    knocked: none\n"
    sheet, found = check_text(text)
    assert found == []
    assert sheet is not None
    assert "knock" not in {move.name for move in sheet.moves}


@pytest.mark.parametrize(
    ("sections", "at"),
    [
        ({"options": "  speed: 1 or 2"}, "|speed"),
        ({"zones": "  well: {of: table, seen-by: everyone}"}, "|well"),
        ({"tallies": "  hits: {of: player, for: round}"}, "|hits"),
        ({"tables": "  share by players:\n    2: 3\n    3+: 4"}, "|share by"),
        ({"define": "  cards:\n    okey: it is red"}, "|okey"),
        ({"phases": "  laying: meld"}, "|laying"),
        ({"moves": "  knock:\n    does: pass"}, "|knock"),
    ],
)
def test_what_the_sheet_itself_writes_in_vain_is_reported(sections: dict[str, str], at: str) -> None:
    text = small(**sections)
    found = problems(text)
    assert [problem.code for problem in found] == ["unreached"]
    assert (found[0].span.line, found[0].span.column) == place(text, at)


def test_changing_an_unreached_thing_of_an_ancestor_is_reported() -> None:
    text = small(moves="  swap:\n    if: opened")
    found = problems(text)
    assert [problem.code for problem in found] == ["unreached"]
    assert (found[0].span.line, found[0].span.column) == place(text, "|swap")


def test_things_are_reached_by_way_of_one_another() -> None:
    sheet = checked(
        small(
            options="  much: 3 or 4",
            tables="  share by players:\n    2: much\n    3+: 4",
            define="  round:\n    amount: share + 1\n  players:\n    far: score >= amount",
            game="  ends: some player has far\n  wins: everyone with least score\n",
        )
    )
    assert [option.name for option in sheet.options] == ["much"]
    assert [table.name for table in sheet.tables] == ["share"]
    assert {definition.name for definition in sheet.definitions} == {"amount", "far"}


def test_a_slip_in_a_phrase_does_not_make_its_target_unreached() -> None:
    text = small(
        options="  target: 100 or 200",
        game="  ends: some player has score >= tagret\n  wins: everyone with least score\n",
    )
    found = problems(text)
    assert [(problem.code, problem.help) for problem in found] == [("unknown-word", 'did you mean "target"?')]


def test_a_phrase_that_cannot_be_read_reaches_the_words_in_it() -> None:
    text = small(
        options="  target: 100 or 200",
        game="  ends: some player has score >== target\n  wins: everyone with least score\n",
    )
    assert [problem.code for problem in problems(text)] == ["phrase-syntax"]


def test_moves_are_reached_by_turn_phrases_only() -> None:
    text = small(
        moves="  knock:\n    does: pass",
        round="  wins: ender\n  endings:\n    out: hand is empty\n    knocked: after knock\n",
    )
    assert sorted(problem.code for problem in problems(text)) == ["unreached", "unreached-move"]


def test_lines_of_manners_about_moves_that_are_not_reached_are_dropped() -> None:
    text = CHILD.format(parent="machiavelli", body="turn: draw or pass\n")
    sheet, found = check_text(text)
    assert found == []
    assert sheet is not None
    assert sheet.manners.private is sheet.manners.confirm is None
    text += "manners:\n  private: plya\n"
    _, found = check_text(text)
    assert [problem.code for problem in found] == ["unknown-word"]


# ------------------------------------------------------------ names


@pytest.mark.parametrize(
    ("sections", "at"),
    [
        ({"options": "  players: 1 or 2"}, "|players: 1"),
        ({"zones": "  table: {of: table, seen-by: everyone}"}, "|table:"),
        ({"phases": "  then: meld"}, "|then:"),
        ({"moves": "  discard:\n    does: put 1 on discards as it"}, "as |it"),
    ],
)
def test_words_of_the_language_are_no_names(sections: dict[str, str], at: str) -> None:
    text = small(**sections)
    found = [problem for problem in problems(text) if problem.code == "reserved-word"]
    assert [(problem.span.line, problem.span.column) for problem in found] == [place(text, at)]


@pytest.mark.parametrize(
    ("sections", "at"),
    [
        ({"options": "  draw: 1 or 2", "deal": "  hand: draw"}, "|draw: 1"),
        ({"define": "  round:\n    runs: 3", "deal": "  hand: runs"}, "|runs: 3"),
        ({"moves": "  discard:\n    does: put 1 on discards as meld"}, "as |meld"),
        ({"options": "  set: 1 or 2", "deal": "  hand: set"}, "|set:\n    cards"),
    ],
)
def test_every_name_is_declared_once(sections: dict[str, str], at: str) -> None:
    text = small(**sections)
    found = [problem for problem in problems(text) if problem.code == "double-name"]
    assert len(found) == 1
    places = [found[0].span, found[0].notes[0][0]]
    assert place(text, at) in [(span.line, span.column) for span in places]


def test_a_built_in_pile_may_be_declared_again() -> None:
    sheet = checked(small(zones="  discards: {of: table, seen-by: top}"))
    assert {zone.name: zone.seen_by for zone in sheet.zones} == {
        "stock": "nobody",
        "discards": "top",
        "hand": "owner",
    }
    assert [problem.code for problem in problems(small(zones="  hand: {of: table, seen-by: everyone}"))] != []


def test_words_call_only_what_is_there() -> None:
    text = small(
        options="  length: short or long",
        deal="  hand: 7 if length = short else 10",
        words="  short: {de: kurz}\n  meld: {de: melden}\n  loud: {de: laut}",
    )
    found = problems(text)
    assert [problem.message for problem in found] == ['words: nothing is called "loud"']


# ------------------------------------------------------------ circles and chains


@pytest.mark.parametrize(
    ("sections", "code", "at"),
    [
        ({"define": "  round:\n    one: two + 1\n    two: one + 1", "deal": "  hand: one"}, "defined-by-itself", None),
        ({"define": "  round:\n    one: one + 1", "deal": "  hand: one"}, "defined-by-itself", "one: |one"),
        (
            {"tables": "  share by players:\n    2: share\n    3+: 4", "deal": "  hand: share"},
            "defined-by-itself",
            "2: |share",
        ),
        (
            {"phases": "  laying: meld then may more\n  more: lay-off then may laying", "turn": "draw then laying"},
            "phase-contains-itself",
            None,
        ),
        (
            {"phases": "  laying: meld then may laying", "turn": "draw then laying"},
            "phase-contains-itself",
            "may |laying",
        ),
    ],
)
def test_nothing_needs_itself(sections: dict[str, str], code: str, at: str | None) -> None:
    text = small(**sections)
    found = problems(text)
    assert [problem.code for problem in found if problem.code != "unreached"] == [code]
    if at is not None:
        assert (found[0].span.line, found[0].span.column) == place(text, at)


def test_long_chains_are_refused_and_do_not_overflow() -> None:
    def chain(length: int) -> str:
        lines = "\n".join(f"    d{i}: {'(' * 9}d{i + 1} + 1{')' * 9}" for i in range(length))
        return small(define=f"  round:\n{lines}\n    d{length}: 1", deal="  hand: d0\n  discards: 1")

    assert checked(chain(MAX_CHAIN - 1)).definitions != ()
    assert [problem.code for problem in problems(chain(90))] == ["phrase-too-long"]


# ------------------------------------------------------------ what is known when the game starts


@pytest.mark.parametrize(
    ("sections", "code", "at"),
    [
        ({"deck": "  packs: round"}, "not-yet-known", "packs: |round"),
        (
            {"sides": "2 if pot = 1 else players", "tallies": "  pot: {of: table, for: game}"},
            "not-yet-known",
            "if |pot",
        ),
        ({"deck": "  packs: share", "tables": "  share by round:\n    1+: 1"}, "not-yet-known", "packs: |share"),
        (
            {"deck": "  packs: much", "define": "  round:\n    much: more\n    more: number of cards in stock"},
            "not-yet-known",
            "packs: |much",
        ),
        ({"deck": "  packs: score"}, "no-player", "packs: |score"),
    ],
)
def test_the_start_of_the_game_reads_nothing_later(sections: dict[str, str], code: str, at: str) -> None:
    text = small(**sections)
    found = problems(text)
    assert [(p.code, p.span.line, p.span.column) for p in found] == [(code, *place(text, at))]


def test_the_start_of_the_game_may_read_players_and_options_by_way_of_tables() -> None:
    sheet = checked(
        small(
            options="  big: no or yes",
            tables="  share by players:\n    2: 1\n    3+: 2 if big else 1",
            define="  round:\n    much: share + 1",
            deck="  packs: much",
        )
    )
    assert [table.name for table in sheet.tables] == ["share"]


def test_a_table_by_score_needs_somebody_whose_score_it_is() -> None:
    tables = "  floor by score:\n    below 0: 15\n    0+: 50"
    checked(small(tables=tables, moves="  meld:\n    only: points of played >= floor"))
    text = small(tables=tables, game="  ends: round = floor\n  wins: everyone with least score\n")
    assert [(p.code, p.span.column) for p in problems(text)] == [("no-player", 17)]


@pytest.mark.parametrize("cards", ["wild", "joker or natural 2", "okey"])
def test_wild_cards_are_not_named_by_being_wild(cards: str) -> None:
    text = small(
        wild=f"  cards: {cards}\n  stands-for: its place", define="  cards:\n    okey: it is red and it is wild"
    )
    found = [problem for problem in problems(text) if problem.code != "unreached"]
    assert [(p.code, p.span.line, p.span.column) for p in found] == [
        ("defined-by-itself", *place(text, f"cards: |{cards}"))
    ]


def test_narrowing_an_inherited_option_is_no_mistake() -> None:
    text = CHILD.format(parent="machiavelli", body="options:\n  unfinished: free\n")
    sheet, found = check_text(text)
    assert found == []
    assert sheet is not None
    assert sheet.options[0].values == ("free",)


@pytest.mark.parametrize(
    ("parent", "line", "help_"),
    [
        ("machiavelli", "  unfinished: drax-3", 'did you mean "draw-3"?'),
        ("gin", "  big-gin: yez", ""),
    ],
)
def test_slips_in_the_values_of_an_inherited_option_are_shown_there(parent: str, line: str, help_: str) -> None:
    text = CHILD.format(parent=parent, body=f"options:\n{line}\n")
    found = problems(text)
    assert len(found) == 1
    assert (found[0].span.line, found[0].help) == (6, help_)


@pytest.mark.parametrize("broken", ["does: put 1 on discards az thrown", "does: pt 1 on discards as thrown"])
def test_a_broken_chain_of_actions_hides_neither_its_names_nor_it(broken: str) -> None:
    text = small(
        moves=f"  discard:\n    {broken}\n    only: it is not red",
        round="  wins: ender\n  endings:\n    out: hand is empty and thrown is red\n",
    )
    assert [problem.code for problem in problems(text)] == ["phrase-syntax"]


def test_a_slip_hides_what_its_target_reaches() -> None:
    text = small(
        define="  cards:\n    upper: it is red\n  players:\n    value-cards: number of upper cards in hand",
        game="  ends: some player has value-cqrds >= 3\n  wins: everyone with least score\n",
    )
    assert [problem.code for problem in problems(text)] == ["unknown-word"]
