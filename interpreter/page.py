"""Reports as one HTML page that needs nothing else: tables, and plots as drawings inside the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from interpreter.comparison import ComparisonResult
from interpreter.comparison_report import verdict
from interpreter.figures import counted
from interpreter.measures import Estimate, is_share, said
from interpreter.record import option_text
from interpreter.report import SHOWN, estimate_text
from interpreter.simulation import SimulationResult

WIDTH = 640
ROW = 24
LEFT = 230
"""Room for the names beside a plot, in pixels; `ROW` is the height of a line of it."""
STYLE = """\
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --bar: #4477aa; --mark: #cc3311; --line: #ccc }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eee; --paper: #1b1b1b; --bar: #66aadd; --mark: #ff7755; --line: #555 }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: .5rem 0 }
td, th { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid var(--line) }
td:first-child, th:first-child { text-align: left }
svg { max-width: 100%; height: auto }
svg text { fill: var(--ink); font-size: 13px }
.bar { fill: var(--bar) }
.whisker { stroke: var(--mark); stroke-width: 2 }
.axis { stroke: var(--line) }
.warning { color: var(--mark); font-weight: bold }
"""


def simulation_page(result: SimulationResult) -> str:
    """The report of a simulation as a page."""
    title = f"{result.name.get('en', result.sheet)}, {counted(result.players, 'player')}"
    options = ", ".join(f"{name}={option_text(value)}" for name, value in result.options.items())
    parts = [
        _paragraph(
            f"{counted(result.games, 'game')}, {counted(result.rounds, 'round')}, seed {result.seed}; "
            f"players: {', '.join(result.bots)}; {options or 'no options'}; sheet {result.sheet_hash[:12]}, "
            f"engine {result.version}"
        ),
        _warning(result),
        "<h2>Who wins</h2>",
        _intervals((f"seat {n}", Estimate(s.win_share, *s.ci95), True) for n, s in enumerate(result.seats, 1)),
        "<h2>How rounds end</h2>",
        _bars({name: rounds / max(result.rounds, 1) for name, rounds in result.ends.items()}),
        "<h2>How long rounds are</h2>",
        _histogram(result.turns, "turns"),
        "<h2>What is done</h2>",
        _table(
            ("move", "a round", "in rounds", "mean turn"),
            (
                (
                    m.name,
                    f"{m.times / max(result.rounds, 1):.2f}",
                    f"{100 * m.rounds / max(result.rounds, 1):.1f}%",
                    f"{m.turn:.1f}",
                )
                for m in result.moves
            ),
        ),
        "<h2>On average</h2>",
        _measures(result.measures),
        _paragraph("Played by computer players; people may play otherwise. The intervals allow for chance alone."),
    ]
    return _page(title, parts)


def comparison_page(result: ComparisonResult) -> str:
    """A comparison as a page: the verdict, and every measure of every program with its interval."""
    first = result.programs[0]
    names = [name for name in first.measures if not name.startswith("seats.")]
    plots = []
    for name in names:
        rows = [(c.label, e, is_share(name)) for c in result.programs if (e := c.measures.get(name)) is not None]
        if any(row[1].mean for row in rows):
            plots += [f"<h3>{escape(said(name))}</h3>", _intervals(rows)]
    parts = [
        _paragraph(
            f"the same {counted(result.deals, 'deal')} under each, seed {result.seed}; "
            f"players: {', '.join(result.bots)}"
        ),
        f"<pre>{escape(chr(10).join(verdict(result)))}</pre>",
        *plots,
    ]
    return _page(" against ".join(compared.label for compared in result.programs), parts)


def _page(title: str, parts: Iterable[str]) -> str:
    body = "\n".join(part for part in parts if part)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
        f"{body}\n</body>\n</html>\n"
    )


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _warning(result: SimulationResult) -> str:
    lines = [
        text
        for text, count in (("games did not end by the rules", result.capped), ("games broke", result.broken))
        if count
    ]
    lines += list(result.defects)
    return f'<p class="warning">{escape("; ".join(lines))}</p>' if lines else ""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    def line(cells: tuple[str, ...], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return f"<table>{line(head, 'th')}{''.join(line(row, 'td') for row in rows)}</table>"


def _measures(measures: Mapping[str, Estimate | None]) -> str:
    rows = []
    for name in SHOWN:
        estimate = measures.get(name)
        if estimate is not None:
            mean, _, interval = estimate_text(estimate, is_share(name)).strip().partition("  ")
            rows.append((said(name), mean, interval.strip()))
    return _table(("", "mean", "95% interval"), rows)


# ------------------------------------------------------------ plots


def _drawing(height: float, inside: str, label: str) -> str:
    size = f'viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}"'
    return f'<svg {size} role="img" aria-label="{escape(label)}">{inside}</svg>'


def _name(row: int, name: str) -> str:
    return f'<text x="{LEFT - 8}" y="{row * ROW + 17}" text-anchor="end">{escape(name[:32])}</text>'


def _bars(shares: Mapping[str, float]) -> str:
    """A bar for each share."""
    inside = ""
    for row, (name, share) in enumerate(shares.items()):
        long = share * (WIDTH - LEFT - 60)
        inside += (
            _name(row, name)
            + f'<rect class="bar" x="{LEFT}" y="{row * ROW + 4}" width="{long:.1f}" height="{ROW - 8}"/>'
        )
        inside += f'<text x="{LEFT + long + 6:.1f}" y="{row * ROW + 17}">{100 * share:.1f}%</text>'
    return _drawing(len(shares) * ROW, inside, "shares")


def _intervals(rows: Iterable[tuple[str, Estimate, bool]]) -> str:
    """Means as dots with their intervals as lines, all to one scale."""
    rows = list(rows)
    low = min((estimate.low for _, estimate, _ in rows), default=0.0)
    high = max((estimate.high for _, estimate, _ in rows), default=1.0)
    low, high = (min(low, 0.0), high) if low < high / 3 else (low, high)
    scale = (WIDTH - LEFT - 130) / (high - low or 1.0)
    inside = ""
    for row, (name, estimate, share) in enumerate(rows):
        left, middle, right = (LEFT + (value - low) * scale for value in (estimate.low, estimate.mean, estimate.high))
        height = row * ROW + ROW / 2
        text = f"{100 * estimate.mean:.1f}%" if share else f"{estimate.mean:.2f}"
        inside += (
            f'{_name(row, name)}<line class="axis" x1="{LEFT}" y1="{height}" x2="{WIDTH - 130}" y2="{height}"/>'
            f'<line class="whisker" x1="{left:.1f}" y1="{height}" x2="{right:.1f}" y2="{height}"/>'
            f'<circle class="bar" cx="{middle:.1f}" cy="{height}" r="4"/>'
            f'<text x="{WIDTH - 120}" y="{height + 5}">{text}</text>'
        )
    return _drawing(len(rows) * ROW, inside, "means and 95% intervals")


def _histogram(cases: Mapping[int, int], what: str) -> str:
    """How often each value came, in at most fifty bars."""
    if not cases:
        return ""
    low, high = min(cases), max(cases)
    step = (high - low) // 50 + 1
    heights = [sum(cases.get(v, 0) for v in range(start, start + step)) for start in range(low, high + 1, step)]
    wide = WIDTH / len(heights)
    inside = "".join(
        f'<rect class="bar" x="{n * wide + 1:.1f}" y="{130 - 120 * count / max(heights):.1f}" width="{wide - 2:.1f}" '
        f'height="{120 * count / max(heights):.1f}"/>'
        for n, count in enumerate(heights)
    )
    inside += f'<text x="0" y="148">{low}</text><text x="{WIDTH}" y="148" text-anchor="end">{high} {what}</text>'
    return _drawing(152, inside, f"rounds by number of {what}")
