"""Look-up tables have one row for every number that can be looked up."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from rulespec import expressions as ex
from rulespec.diagnostics import Diagnostic
from rulespec.model import UNBOUNDED, LookupTable, Range
from rulespec.reasoning.known import Known
from rulespec.reasoning.numbers import ANYTHING, Between, hull
from rulespec.reasoning.study import Study
from rulespec.reasoning.walk import reached


def check_tables(study: Study) -> list[Diagnostic]:
    """Compares rows with each other and with the bounds of the key."""
    found: list[Diagnostic] = []
    for table in study.sheet.tables:
        overlaps = list(_overlaps(table))
        found += overlaps or _coverage(study, table)
    return found


def _overlaps(table: LookupTable) -> Iterator[Diagnostic]:
    place = {value.span: number for number, (_, value) in enumerate(table.rows)}
    first, *later = sorted(table.rows, key=lambda row: (row[0].low, row[0].high))
    for row in later:
        if row[0].low <= first[0].high:
            (one, value), (two, other) = sorted((first, row), key=lambda each: place[each[1].span])
            at = _row(Range(max(one.low, two.low), min(one.high, two.high)))
            message = f'the rows {_row(one)} and {_row(two)} of "{table.name}" overlap at {at}'
            yield Diagnostic("table-overlap", "error", message, other.span, "", ((value.span, "the other row"),))
        first = max(first, row, key=lambda each: each[0].high)


def _coverage(study: Study, table: LookupTable) -> Iterator[Diagnostic]:
    key = _key(study, table)
    if key is None:
        return
    rows = sorted((_between(row) for row, _ in table.rows), key=lambda row: row.low)
    gaps: list[Between] = []
    at = key.low
    for row in rows:
        if row.low > at:
            gaps.append(Between(at, min(row.low - 1, key.high)))
        at = max(at, row.high + 1)
    if at <= key.high and at != inf:
        gaps.append(Between(at, key.high))
    gaps = [gap for gap in gaps if gap.low <= gap.high and gap.low in key]
    if gaps:
        missing = _said(gaps[0])
        message = f'"{table.name}" has no row for {missing}, though its key {_range(key)}'
        yield Diagnostic("table-gap", "error", message, table.span, f"add a row `{_as_row(gaps[0])}: …`")
    for written, value in table.rows:
        if key.meet(_between(written)) is None and study.own(value.span):
            message = f'"{table.name}" is never asked for {_row(written)}: its key {_range(key)}'
            yield Diagnostic("row-never-reached", "warning", message, value.span)


def _key(study: Study, table: LookupTable) -> Between | None:
    """The bounds of the key, where they follow from the sheet; None where a tally or a hand decides."""
    for part in reached(study.sheet, table.key, ex.Expr):
        if isinstance(part, ex.Tally | ex.Count | ex.Points | ex.Aggregate | ex.CardProperty | ex.Times):
            return None
    bounds = []
    for setting in study.tables(table.key, study.sheet.game.ends):
        known = setting.known()
        rounds = study.rounds(known)
        bounds.append(study.judge.number(table.key, Known(players=known.players, options=known.options, round=rounds)))
    return hull(bounds)


def _between(row: Range) -> Between:
    return Between(-inf if row.low <= -UNBOUNDED else row.low, inf if row.high >= UNBOUNDED else row.high)


def _row(row: Range) -> str:
    return f'"{_as_row(_between(row))}"'


def _as_row(numbers: Between) -> str:
    if numbers.low == -inf:
        return f"below {int(numbers.high) + 1}"
    if numbers.high == inf:
        return f"{int(numbers.low)}+"
    return str(int(numbers.low)) if numbers.low == numbers.high else f"{int(numbers.low)}-{int(numbers.high)}"


def _said(numbers: Between) -> str:
    if numbers.low == -inf:
        return f"numbers below {int(numbers.high) + 1}"
    if numbers.high == inf:
        return f"{int(numbers.low)} and more"
    return _as_row(numbers)


def _range(key: Between) -> str:
    if key == ANYTHING:
        return "has no bounds"
    low = "" if key.low == -inf else f"from {int(key.low)} "
    return f"goes {low}on" if key.high == inf else f"goes {low}to {int(key.high)}"
