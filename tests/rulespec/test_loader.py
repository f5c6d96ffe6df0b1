from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulespec
from rulespec.diagnostics import RulesheetError, has_errors
from rulespec.loader import bundled, check_file, check_text, load, load_text

GOOD = """\
rulespec: 1
id: sample
name: {en: Sample}
players: 2
deal:
  hand: 7
  discards: 1
melds:
  set:
    cards: 3-4
    same: rank
values:
  hand:
    A: 1
    2-10: pips
    J-K: 10
turn: (draw or take) then any number of meld then discard
moves:
  discard:
    only: it is not taken
round:
  wins: everyone with least points of hand
  scores:
    losers: points of hand
  endings:
    out: hand is empty
    exhausted: turn is over and stock is dry
game:
  ends: round = 1
  wins: everyone with least score
"""


@pytest.mark.parametrize("variant", bundled())
def test_every_bundled_sheet_loads(variant: str) -> None:
    checked = check_file(variant)
    assert not has_errors(checked.diagnostics)
    if checked.written is not None and checked.written.abstract is None:
        assert checked.sheet is not None
        assert checked.sheet.id == variant
        assert checked.sheet.ancestors[-1] == "standard"


def test_a_file_is_loaded_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "sample.yaml"
    path.write_text(GOOD, encoding="utf-8")
    assert load(path).id == "sample"
    assert load(str(path)).id == "sample"


def test_a_text_is_loaded() -> None:
    sheet = load_text(GOOD)
    assert (sheet.id, sheet.name, sheet.ancestors) == ("sample", {"en": "Sample"}, ("standard",))
    assert len(sheet.hash) == 64


def test_a_sheet_extends_the_one_beside_it(tmp_path: Path) -> None:
    (tmp_path / "sample.yaml").write_text(GOOD, encoding="utf-8")
    child = tmp_path / "child.yaml"
    child.write_text("rulespec: 1\nid: child\nextends: sample\ndeal:\n  hand: 9\n", encoding="utf-8")
    sheet = load(child)
    assert sheet.ancestors == ("sample", "standard")
    assert sheet.hash != load(tmp_path / "sample.yaml").hash


@pytest.mark.parametrize(
    ("name", "words", "help"),
    [
        ("romme-50", 'no bundled sheet "romme-50"', "romme-500"),
        ("nowhere.yaml", "no such file", ""),
        ("../up/nowhere", "no such file", ""),
        ("a\0b", "no such file", ""),
        ("x" * 5000 + ".yaml", "cannot be read", ""),
    ],
)
def test_what_is_not_there_is_a_diagnostic(name: str, words: str, help: str) -> None:
    checked = check_file(name)
    assert checked.sheet is None
    (found,) = checked.diagnostics
    assert words in found.message
    assert help in found.help


def test_a_folder_is_no_sheet(tmp_path: Path) -> None:
    (found,) = check_file(tmp_path).diagnostics
    assert found.code == "no-such-sheet"


def test_a_file_of_another_name_than_its_id_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "other.yaml"
    path.write_text(GOOD, encoding="utf-8")
    checked = check_file(path)
    assert [(found.code, found.severity) for found in checked.diagnostics] == [("wrong-id", "warning")]
    assert checked.sheet is not None


def test_load_raises_with_every_error() -> None:
    with pytest.raises(RulesheetError) as caught:
        load_text(GOOD.replace("players: 2", "plaers: 2").replace("hand is empty", "hnad is empty"))
    assert [found.code for found in caught.value.diagnostics] == ["unknown-key", "unknown-word"]
    assert "sheet.yaml:4:1" in str(caught.value)


def test_an_abstract_sheet_cannot_be_loaded() -> None:
    with pytest.raises(RulesheetError, match="abstract"):
        load_text("rulespec: 1\nid: family\nabstract: yes\n")


def test_one_run_tells_mistakes_of_yaml_shape_and_phrases() -> None:
    text = (
        GOOD.replace("players: 2", "players: 2\nplayers: 3")
        .replace("    same: rank", "    smae: rank")
        .replace("it is not taken", "it is not tkaen")
        .replace("    out: hand is empty", "    out: hand is: empty")
    )
    checked = check_text(text)
    codes = [found.code for found in checked.diagnostics]
    assert codes == ["double-key", "unknown-key", "unknown-word", "yaml-syntax"]
    assert checked.sheet is None


def test_a_sheet_that_is_no_yaml_has_its_source_for_excerpts() -> None:
    checked = check_text("turn: [draw\n", "x.yaml")
    assert checked.tree is None
    assert checked.sources["x.yaml"].line(1) == "turn: [draw"


MARKS = "{ } [ ] : # ' | & * ! ( ) - + , . = < > none it hand of is not or and then may if 7 QS red A"


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_spoilt_sheet_is_never_a_crash(data: st.DataObject) -> None:
    text = GOOD
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 8))
        mark = data.draw(st.sampled_from([*MARKS.split(), '"', "\n", "\n  ", ""]))
        text = text[:place] + mark + text[place + cut :]
    checked = check_text(text)
    abstract = checked.written is not None and checked.written.abstract is not None
    assert checked.sheet is not None or has_errors(checked.diagnostics) or abstract


def test_the_package_offers_its_public_names() -> None:
    assert set(rulespec.__all__) == {
        *("Checked", "Diagnostic", "RulesheetError", "bundled"),
        *("check_file", "check_text", "load", "load_text"),
    }
    assert all(callable(getattr(rulespec, name)) for name in rulespec.__all__)
    with pytest.raises(AttributeError, match="lead"):
        rulespec.lead  # noqa: B018
