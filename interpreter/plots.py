"""Plots as drawings (SVG) for a page of HTML: bars, means with intervals, histograms; the values on axes are round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from math import ceil, floor, log10

from interpreter.measures import Estimate
from interpreter.report import estimate_parts, interval

WIDTH = 640
ROW = 24
LEFT = 230
RIGHT = 150
"""Room for the names and for the figures beside a plot, in pixels; `ROW` is the height of a line of it."""
TALL = 130
"""Height of a histogram above its axis."""
MOST_BARS = 50
STYLE = """\
svg { max-width: 100%; height: auto }
svg text { fill: var(--ink); font-size: 13px }
svg text.tick { fill: var(--faint); font-size: 11px }
.bar { fill: var(--bar) }
.whisker { stroke: var(--bar); stroke-width: 2 }
.axis { stroke: var(--line) }
.mark { stroke: var(--mark); stroke-dasharray: 4 3 }
"""


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Two or more round values from one not above `low` to one not below `high`, at most so many and two: 1, 2 or 5
    times a power of ten apart."""
    wide = high - low or abs(high) or 1.0
    power = 10.0 ** floor(log10(wide / most))
    step = next(factor * power for factor in (1, 2, 5, 10, 20) if wide / (factor * power) <= most - 1)
    first = floor(low / step)
    return [number * step for number in range(first, max(ceil(high / step), first + 1) + 1)]


def bars(shares: Mapping[str, float]) -> str:
    """A bar for each share."""
    inside = ""
    for row, (name, share) in enumerate(shares.items()):
        long = share * (WIDTH - LEFT - 60)
        inside += _name(row, name)
        inside += f'<rect class="bar" x="{LEFT}" y="{row * ROW + 4}" width="{long:.1f}" height="{ROW - 8}"/>'
        inside += _text(LEFT + long + 6, row * ROW + 17, f"{100 * share:.1f}%")
    return _drawing(len(shares) * ROW, inside, "shares")


def intervals(rows: Iterable[tuple[str, Estimate]], share: bool, mark: float | None = None) -> str:
    """Means as dots with their intervals as lines, all to one scale, and a dashed line at `mark`."""
    rows = list(rows)
    if not rows:
        return ""
    ends = [end for _, e in rows for end in (*interval(e, share), e.mean)] + ([] if mark is None else [mark])
    values = ticks(min(ends), max(ends))
    scale = (WIDTH - LEFT - RIGHT) / (values[-1] - values[0])

    def at(value: float) -> float:
        return LEFT + (value - values[0]) * scale

    bottom = len(rows) * ROW
    inside = "".join(_tick(at(value), bottom, _label(value, values, share)) for value in values)
    if mark is not None:
        inside += f'<line class="mark" x1="{at(mark):.1f}" y1="0" x2="{at(mark):.1f}" y2="{bottom}"/>'
    for row, (name, estimate) in enumerate(rows):
        y = row * ROW + ROW / 2
        low, high = interval(estimate, share)
        inside += (
            f'{_name(row, name)}<line class="whisker" x1="{at(low):.1f}" y1="{y}" x2="{at(high):.1f}" y2="{y}"/>'
            f'<circle class="bar" cx="{at(estimate.mean):.1f}" cy="{y}" r="4"/>'
        )
        inside += _text(WIDTH - RIGHT + 16, y + 5, "{} ({})".format(*estimate_parts(estimate, share)))
    return _drawing(bottom + 18, inside, "means and 95% intervals")


def histogram(cases: Mapping[int, int], what: str) -> str:
    """How often each value came, in at most fifty bars."""
    if not cases:
        return ""
    low, high = min(cases), max(cases)
    step = (high - low) // MOST_BARS + 1
    heights = [sum(cases.get(v, 0) for v in range(start, start + step)) for start in range(low, high + 1, step)]
    wide = (WIDTH - 40) / len(heights)
    inside = ""
    for n, count in enumerate(heights):
        tall = (TALL - 10) * count / max(heights)
        inside += f'<rect class="bar" x="{20 + n * wide + 1:.1f}" y="{TALL - tall:.1f}" '
        inside += f'width="{max(wide - 2, 1):.1f}" height="{tall:.1f}"/>'
    for value in ticks(low, high, 8):
        if low <= value <= high and value == int(value):
            x = 20 + ((value - low) // step + 0.5) * wide
            inside += _text(x, TALL + 16, f"{value:.0f}", 'class="tick" text-anchor="middle"')
    return _drawing(TALL + 22, inside, f"rounds by number of {what}")


def _label(value: float, values: list[float], share: bool) -> str:
    """A value of an axis with as many decimals as tell it from the next."""
    scale = 100 if share else 1
    decimals = max(0, -floor(log10((values[1] - values[0]) * scale) + 1e-9))
    return f"{scale * value:.{decimals}f}" + ("%" if share else "")


def _drawing(height: float, inside: str, label: str) -> str:
    size = f'viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}"'
    return f'<svg {size} role="img" aria-label="{escape(label)}">{inside}</svg>'


def _text(x: float, y: float, text: str, how: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {how}>{escape(text)}</text>'


def _name(row: int, name: str) -> str:
    return _text(LEFT - 8, row * ROW + 17, name[:32], 'text-anchor="end"')


def _tick(x: float, bottom: float, label: str) -> str:
    line = f'<line class="axis" x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{bottom}"/>'
    return line + _text(x, bottom + 14, label, 'class="tick" text-anchor="middle"')
