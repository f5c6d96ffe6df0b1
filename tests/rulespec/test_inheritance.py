from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rulespec.characters import BAD
from rulespec.diagnostics import Diagnostic
from rulespec.inheritance import Resolved, canonical, meaning_hash, resolve, scalar
from rulespec.reader import MapNode, Node, Text, read_text
from rulespec.shelf import PRELUDE, bundled, find, known
from rulespec.source import NOWHERE, Span

Write = Callable[..., Resolved]
Data = dict[str, "str | Data"]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes sheets beside one another, `id` and version put in front, and resolves the first."""

    def write(**sheets: str) -> Resolved:
        texts = {name.replace("_", "-"): text for name, text in sheets.items()}
        for name, text in texts.items():
            (tmp_path / f"{name}.yaml").write_text(f"rulespec: 1\nid: {name}\n{text}", encoding="utf-8")
        first = next(iter(texts))
        reading = read_text((tmp_path / f"{first}.yaml").read_text(encoding="utf-8"), f"{first}.yaml")
        assert reading.diagnostics == ()
        resolved = resolve(reading, tmp_path)
        assert resolved is not None
        return resolved

    return write


def data(node: Node) -> str | Data:
    if isinstance(node, MapNode):
        return {str(key): data(value) for key, value in node.entries.items()}
    assert isinstance(node, Text)
    return str(node)


def at(tree: MapNode, path: str) -> Node | None:
    node: Node | None = tree
    for step in path.split("."):
        node = node.entries.get(Text(step, NOWHERE)) if isinstance(node, MapNode) else None
    return node


def said(tree: MapNode, path: str) -> str | Data | None:
    node = at(tree, path)
    return None if node is None else data(node)


def only(resolved: Resolved) -> Diagnostic:
    assert len(resolved.diagnostics) == 1, resolved.diagnostics
    return resolved.diagnostics[0]


# ------------------------------------------------------------ laying over


def test_a_sheet_without_extends_extends_the_prelude(write: Write) -> None:
    resolved = write(mine="turn: draw\n")
    assert resolved.ancestors == ("standard",)
    assert resolved.complete
    assert said(resolved.tree, "deck.packs") == "1"
    assert said(resolved.tree, "turn") == "draw"


def test_maps_merge_key_by_key_and_anything_else_replaces(write: Write) -> None:
    resolved = write(
        child="extends: parent\nmoves:\n  knock:\n    if: points of hand <= 10\nplayers: 2\n",
        parent="players: 2-4\nmoves:\n  knock:\n    does: pass\n    if: points of hand <= 5\n",
    )
    assert resolved.diagnostics == ()
    assert resolved.ancestors == ("parent", "standard")
    assert said(resolved.tree, "moves.knock") == {"does": "pass", "if": {"rule": "points of hand <= 10"}}
    assert said(resolved.tree, "players") == "2"


def test_a_named_condition_is_added_beside_a_lone_one(write: Write) -> None:
    resolved = write(mine="moves:\n  draw:\n    if:\n      late: turn-number > 4\n")
    assert said(resolved.tree, "moves.draw.if") == {"rule": "stock is not dry", "late": "turn-number > 4"}


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("moves:\n  a:\n    only: x\n", "moves.a.only", {"rule": "x"}),
        ("moves:\n  a:\n    duty: x\n", "moves.a.duty", {"rule": "x"}),
        ("moves:\n  every:\n    only: x\n", "moves.every.only", {"rule": "x"}),
        ("moves:\n  a:\n    does: x\n", "moves.a.does", "x"),
        ("melds:\n  set:\n    needs: x\n", "melds.set.needs", {"rule": "x"}),
        ("melds:\n  set:\n    of: x\n", "melds.set.of", "x"),
        ("round:\n  endings:\n    out: x\n", "round.endings.out", {"when": "x"}),
        ("round:\n  endings:\n    out:\n      times: 2\n", "round.endings.out.times", {"rule": "2"}),
        (
            "round:\n  endings:\n    out:\n      scores:\n        losers: 2\n",
            "round.endings.out.scores.losers",
            {"rule": "2"},
        ),
        ("round:\n  times: 2\n", "round.times", {"rule": "2"}),
        ("round:\n  scores:\n    losers to winners: 2\n", "round.scores.losers to winners", {"rule": "2"}),
        ("game:\n  bonus:\n    winners: 2\n", "game.bonus.winners", {"rule": "2"}),
        ("values:\n  hand:\n    A: 1\n", "values.hand.A", "1"),
        ("define:\n  cards:\n    only: x\n", "define.cards.only", "x"),
    ],
)
def test_a_lone_phrase_gets_the_name_of_its_entry(write: Write, text: str, path: str, expected: str | Data) -> None:
    assert said(write(mine=text).tree, path) == expected


def test_none_removes_what_is_inherited(write: Write) -> None:
    resolved = write(mine="moves:\n  draw:\n    if: none\n  pass: none\nround:\n  next: none\n")
    assert resolved.diagnostics == ()
    assert said(resolved.tree, "moves.draw") == {"does": "draw 1 from stock"}
    assert said(resolved.tree, "moves.pass") is None
    assert said(resolved.tree, "round.next") is None
    assert said(resolved.tree, "round.starts") == "left of dealer"


def test_a_quoted_none_is_a_word(write: Write) -> None:
    resolved = write(mine="options:\n  joker: 'none'\n")
    assert resolved.diagnostics == ()
    assert said(resolved.tree, "options.joker") == "none"


def test_removing_what_is_not_there_is_an_error_with_the_nearest_key(write: Write) -> None:
    found = only(write(mine="moves:\n  dicsard: none\n"))
    assert (found.code, str(found.span)) == ("nothing-to-remove", "mine.yaml:4:3")
    assert '"moves.dicsard"' in found.message
    assert found.help == 'did you mean "discard"?'


def test_removing_inside_what_is_new_is_an_error(write: Write) -> None:
    assert only(write(mine="moves:\n  knock:\n    if: none\n")).code == "nothing-to-remove"


def test_every_key_and_value_keeps_the_place_of_who_wrote_it(write: Write) -> None:
    tree = write(mine="moves:\n  draw:\n    if: x is y\n").tree
    phrase = at(tree, "moves.draw.if.rule")
    assert isinstance(phrase, Text)
    assert phrase.span == Span("mine.yaml", 5, 9, 5, 15)
    does = at(tree, "moves.draw.does")
    assert isinstance(does, Text)
    assert does.span.file == "rulespec/standard.yaml"
    moves = at(tree, "moves")
    assert isinstance(moves, MapNode)
    files = {str(key): key.span.file for key in moves.entries}
    assert files["draw"] == "mine.yaml"
    assert files["discard"] == "rulespec/standard.yaml"


def test_inherited_endings_keep_their_order_and_new_ones_come_last(write: Write) -> None:
    resolved = write(
        child="extends: parent\nround:\n  endings:\n    new: c\n    second: d\n",
        parent="round:\n  endings:\n    first: a\n    second: b\n",
    )
    endings = said(resolved.tree, "round.endings")
    assert isinstance(endings, dict)
    assert list(endings) == ["first", "second", "new"]
    assert endings["second"] == {"when": "d"}


def test_head_keys_are_not_inherited(write: Write) -> None:
    resolved = write(child="extends: parent\n", parent="abstract: yes\nnotes: hello\n")
    assert said(resolved.tree, "abstract") is None
    assert said(resolved.tree, "id") == "child"
    assert said(resolved.tree, "notes") == "hello"


def test_a_value_reported_as_missing_does_not_hide_the_inherited_one(tmp_path: Path) -> None:
    reading = read_text("rulespec: 1\nid: mine\nplayers:\n", "mine.yaml")
    resolved = resolve(reading, tmp_path)
    assert resolved is not None
    assert said(resolved.tree, "players") == "2-4"


# ------------------------------------------------------------ chains


def test_an_unknown_parent_names_the_nearest(write: Write) -> None:
    resolved = write(child="extends: parnet\n", parent="turn: draw\n")
    found = only(resolved)
    assert (found.code, str(found.span)) == ("unknown-parent", "child.yaml:3:10")
    assert found.help == 'did you mean "parent"?'
    assert not resolved.complete


@pytest.mark.parametrize("parent", ["../parent", "/etc/passwd", "parent.yaml", "Parent", ".", "a/b"])
def test_a_path_is_no_id(write: Write, parent: str) -> None:
    assert only(write(child=f"extends: {parent}\n", parent="turn: draw\n")).code == "unknown-parent"


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("rulespec: 1\nid: outside\nnotes: private\n", encoding="utf-8")
    folder = tmp_path / "sheets"
    folder.mkdir()
    (folder / "outside.yaml").symlink_to(outside)
    assert find("outside", folder) is None
    assert find("outside", tmp_path) is not None


def test_a_circle_is_shown_as_a_chain(tmp_path: Path) -> None:
    for name, parent in (("a", "b"), ("b", "c"), ("c", "b")):
        (tmp_path / f"{name}.yaml").write_text(f"rulespec: 1\nid: {name}\nextends: {parent}\n", encoding="utf-8")
    reading = read_text((tmp_path / "a.yaml").read_text(encoding="utf-8"), str(tmp_path / "a.yaml"))
    resolved = resolve(reading, tmp_path)
    assert resolved is not None
    found = only(resolved)
    assert found.code == "extends-circle"
    assert "a -> b -> c -> b" in found.message
    assert found.span.file.endswith("c.yaml")


def test_a_chain_is_at_most_eight_long(write: Write) -> None:
    sheets = {f"s{number}": f"extends: s{number + 1}\n" for number in range(9)}
    fits = {name: text for name, text in sheets.items() if int(name[1:]) < 7} | {"s7": "turn: draw\n"}
    assert write(**fits).ancestors == (*(f"s{number}" for number in range(1, 8)), "standard")
    too_many = {name: text for name, text in sheets.items() if int(name[1:]) < 8} | {"s8": "turn: draw\n"}
    assert only(write(**too_many)).code == "extends-depth"


def test_mistakes_of_a_parent_are_told_in_its_own_file(write: Write) -> None:
    found = only(write(child="extends: parent\n", parent="turn: draw\nturn: pass\n"))
    assert found.code == "double-key"
    assert found.span.file.endswith("parent.yaml")
    assert found.span.line == 4


def test_a_parent_that_is_no_yaml_leaves_the_sheet_incomplete(write: Write) -> None:
    resolved = write(child="extends: parent\nturn: draw\n", parent="turn: [draw\n")
    assert only(resolved).code == "yaml-syntax"
    assert not resolved.complete
    assert said(resolved.tree, "turn") == "draw"


def test_the_sources_of_the_whole_chain_are_given(write: Write) -> None:
    resolved = write(child="extends: parent\n", parent="turn: draw\n")
    assert sorted(Path(name).name for name in resolved.sources) == ["child.yaml", "parent.yaml", "standard.yaml"]


def test_beside_comes_before_bundled(tmp_path: Path) -> None:
    variant = bundled()[0]
    (tmp_path / f"{variant}.yaml").write_text(f"rulespec: 1\nid: {variant}\nnotes: mine\n", encoding="utf-8")
    here, there = find(variant, tmp_path), find(variant, None)
    assert here is not None
    assert there is not None
    assert here[0].source.name == str(tmp_path / f"{variant}.yaml")
    assert there[0].source.name == f"variants/{variant}.yaml"


def test_the_prelude_is_always_the_bundled_one(tmp_path: Path) -> None:
    (tmp_path / "standard.yaml").write_text("rulespec: 1\nid: standard\n", encoding="utf-8")
    found = find(PRELUDE, tmp_path)
    assert found is not None
    assert found[0].source.name == "rulespec/standard.yaml"
    assert PRELUDE in known(tmp_path)


def test_scenario_files_are_no_sheets(tmp_path: Path) -> None:
    (tmp_path / "mine.test.yaml").write_text("sheet: mine\n", encoding="utf-8")
    assert "mine.test" not in known(tmp_path)
    assert all("." not in name for name in bundled())


# ------------------------------------------------------------ text and hash

BASE = "turn: draw then discard\nmoves:\n  knock:\n    does: pass\n    if: x\n"
ENDINGS = "round:\n  endings:\n    a: x\n    b: y\n"


@pytest.mark.parametrize(
    "text",
    [
        "# a comment\nturn:   draw then discard # another\nmoves:\n  knock:\n    does: pass\n    if: x\n",
        "moves:\n  knock:\n    if: x\n    does: pass\nturn: draw then discard\n",
        "turn: draw  then   discard\nmoves:\n  knock:\n    does: pass\n    if: x\n",
        "turn: 'draw then discard'\nmoves:\n  knock:\n    does: pass\n    if:\n      rule: x\n",
        "name: {en: Mine}\nnotes: x\nsources: y\nreadings: z\nwords:\n  knock: {de: klopfen}\n" + BASE,
        "extends: standard\n" + BASE,
    ],
)
def test_what_does_not_change_the_meaning_does_not_change_the_hash(write: Write, text: str) -> None:
    assert meaning_hash(write(mine=text).tree) == meaning_hash(write(other=BASE).tree)


@pytest.mark.parametrize(
    "text",
    [
        BASE.replace("if: x", "if: y"),
        BASE.replace("if: x", "only: x"),
        BASE.replace("knock", "knocking"),
        BASE + "players: 2\n",
        BASE + "round:\n  next: none\n",
    ],
)
def test_what_changes_the_meaning_changes_the_hash(write: Write, text: str) -> None:
    assert meaning_hash(write(mine=text).tree) != meaning_hash(write(other=BASE).tree)


def test_the_order_of_endings_changes_the_hash(write: Write) -> None:
    other = "round:\n  endings:\n    b: y\n    a: x\n"
    assert meaning_hash(write(mine=ENDINGS).tree) != meaning_hash(write(other=other).tree)


def test_an_inherited_line_written_again_does_not_change_the_hash(write: Write) -> None:
    again = BASE + "deck:\n  packs: 1\n"
    assert meaning_hash(write(mine=again).tree) == meaning_hash(write(other=BASE).tree)


def test_the_resolved_text_is_a_sheet_of_the_same_meaning(write: Write) -> None:
    tree = write(mine=BASE + ENDINGS + "notes: |\n  one: two\n  three\nname: {en: \"A: B\", de: 'x'}\n").tree
    again = read_text(canonical(tree), "again.yaml")
    assert again.diagnostics == ()
    assert again.tree is not None
    assert data(again.tree) == data(tree)
    assert meaning_hash(again.tree) == meaning_hash(tree)


def test_the_resolved_text_has_the_sections_of_the_reference_in_order(write: Write) -> None:
    lines = canonical(write(mine=BASE).tree).split("\n")
    sections = [line.split(":")[0] for line in lines if line and not line.startswith(" ")]
    assert sections[:3] == ["rulespec", "id", "players"]
    assert sections.index("deck") < sections.index("turn") < sections.index("moves") < sections.index("game")


@pytest.mark.parametrize("variant", bundled())
def test_a_bundled_sheet_resolves_and_its_text_reads_back(variant: str) -> None:
    found = find(variant, None)
    assert found is not None
    resolved = resolve(*found)
    assert resolved is not None
    assert found[0].diagnostics + resolved.diagnostics == ()
    assert resolved.ancestors[-1] == PRELUDE
    again = read_text(canonical(resolved.tree), "again.yaml")
    assert again.diagnostics == ()
    assert again.tree is not None
    assert data(again.tree) == data(resolved.tree)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc", "Cf", "Zl", "Zp")), min_size=1))
@settings(max_examples=150, deadline=None)
def test_any_text_is_written_so_that_it_reads_back(text: str) -> None:
    assume(not BAD.search(text))
    for written in (f"key: {scalar(text)}\n", f"key: {{k: {scalar(text, flow=True)}}}\n"):
        reading = read_text(written, "f.yaml")
        assert reading.tree is not None
        node = at(reading.tree, "key")
        value = at(reading.tree, "key.k") if isinstance(node, MapNode) else node
        assert isinstance(value, Text)
        assert value == (text if text.strip() else "")
