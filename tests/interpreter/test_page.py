"""Reports as pages and tables: well formed, complete, with nothing of a sheet's text taken for markup."""

from __future__ import annotations

import csv
import functools
import sys
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from interpreter.comparison import ComparisonJob, compare
from interpreter.compiler.source import program_from
from interpreter.export import COLUMNS, MissingLibrary, open_rounds
from interpreter.measures import Estimate
from interpreter.page import comparison_page, simulation_page
from interpreter.plots import intervals, ticks
from interpreter.processes import Deadline
from interpreter.simulation import Row, SimulationJob, SimulationResult, simulate

VOID = {"meta", "line", "rect", "circle"}


class Checker(HTMLParser):
    """Sees that every tag is closed in its place, and collects the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert all(name not in ("src", "href") for name, _ in attrs), "the page needs another file"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data + "\n"


def checked(page: str) -> Checker:
    found = Checker()
    found.feed(page)
    found.close()
    assert found.open == []
    return found


@pytest.fixture(scope="module")
def result(quick: Path) -> SimulationResult:
    build = functools.partial(program_from, str(quick), 2, {})
    return simulate(SimulationJob(build, ("greedy", "random"), 3), games=30)


def test_the_page_of_a_simulation_holds_all_of_it(result: SimulationResult) -> None:
    page = checked(simulation_page(result))

    assert page.tags.count("svg") == 3
    for text in (
        "Quick, 2 players",
        "30 games, 30 rounds, seed 3",
        "seat 2",
        "dry",
        "lay-off",
        "legal moves at a decision",
    ):
        assert text in page.text


def test_a_name_is_never_markup(result: SimulationResult) -> None:
    data = {name: getattr(result, name) for name in SimulationResult.__slots__}
    sly = SimulationResult(**(data | {"name": {"en": "<script>alert(1)</script>"}, "ends": {"<b>": 30}}))

    assert "script" not in checked(simulation_page(sly)).tags
    assert "b" not in checked(simulation_page(sly)).tags


def test_a_run_without_a_game_has_a_page_too(quick: Path) -> None:
    build = functools.partial(program_from, str(quick), 2, {})
    empty = simulate(SimulationJob(build, ("greedy",) * 2, 3, deadline=Deadline(0)), games=3)

    assert "0 games, 0 rounds" in checked(simulation_page(empty)).text


def test_the_page_of_a_comparison_has_a_plot_for_each_measure(quick: Path) -> None:
    builds = tuple(functools.partial(program_from, str(quick), 2, {"rounds": rounds}) for rounds in (1, 2))
    page = checked(comparison_page(compare(ComparisonJob(builds, ("greedy",) * 2, 1), ("one", "two"), games=30)))

    assert "games are 1.0 rounds longer (1.0 to 1.0)" in page.text
    assert page.tags.count("table") == 1
    assert page.tags.count("svg") == page.tags.count("h3") >= 6


def test_the_values_of_an_axis_are_round_and_go_around_the_data() -> None:
    for low, high in ((0.31, 0.62), (0, 1), (3, 3), (0, 0), (-7.5, -7.2), (1, 98765), (0.4999, 0.5001)):
        values = ticks(low, high)

        assert values[0] <= low
        assert high <= values[-1]
        assert 2 <= len(values) <= 7
        assert all(one < two for one, two in pairwise(values))


def test_a_plot_of_what_never_varies_has_an_axis_too() -> None:
    """Its interval has no width, by which the scale was divided."""
    page = checked(intervals([("one", Estimate(1.0, 1.0, 1.0)), ("two", Estimate(1.0, 1.0, 1.0))], share=False))

    assert page.tags.count("circle") == 2


def test_the_page_tells_what_was_never_used_and_where_it_stands(result: SimulationResult) -> None:
    data = {name: getattr(result, name) for name in SimulationResult.__slots__}
    page = checked(simulation_page(SimulationResult(**(data | {"ends": {"dry": 0}})), {"endings.dry": "quick.yaml:9"}))

    assert "Endings that never came: dry (quick.yaml:9)." in page.text


ROWS: list[Row] = [(0, 1, "out", 2, "2", 5, 0, (3, -3)), (0, 2, "dry", 1, "1+2", 9, 1, (0, 0))]


def test_rounds_are_lines_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    with open_rounds(path, 2) as write:
        write(ROWS[:1])
        write([])
        write(ROWS[1:])

    with path.open(newline="") as text:
        lines = list(csv.reader(text))
    assert lines[0] == [*COLUMNS, "score_1", "score_2"]
    assert lines[1:] == [
        ["0", "1", "out", "2", "2", "5", "0", "3", "-3"],
        ["0", "2", "dry", "1", "1+2", "9", "1", "0", "0"],
    ]
    assert [each.name for each in tmp_path.iterdir()] == ["rounds.csv"]


def test_a_table_that_was_not_finished_is_not_left(tmp_path: Path) -> None:
    def broken_off() -> None:
        with open_rounds(tmp_path / "rounds.csv", 2) as write:
            write(ROWS)
            raise KeyError

    with pytest.raises(KeyError):
        broken_off()
    assert list(tmp_path.iterdir()) == []


def test_parquet_holds_the_same(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    with open_rounds(tmp_path / "rounds.parquet", 2) as write:
        write(ROWS)
    table = parquet.read_table(tmp_path / "rounds.parquet")

    assert table.column("ending").to_pylist() == ["out", "dry"]
    assert table.column("score_2").to_pylist() == [-3, 0]


def test_parquet_is_not_given_a_few_rounds_at_a_time(tmp_path: Path) -> None:
    """It notes each group of rows until the end: a hundred thousand of them took more memory than the rounds."""
    parquet = pytest.importorskip("pyarrow.parquet")
    with open_rounds(tmp_path / "rounds.parquet", 2) as write:
        for _ in range(30):
            write(ROWS)
    file = parquet.ParquetFile(tmp_path / "rounds.parquet")

    assert (file.num_row_groups, file.metadata.num_rows) == (1, 60)


def test_parquet_says_which_library_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with (
        pytest.raises(MissingLibrary, match=r"pip install 'rulespec\[parquet\]'"),
        open_rounds(tmp_path / "rounds.parquet", 2),
    ):
        pytest.fail("there is no library")
    assert list(tmp_path.iterdir()) == []
