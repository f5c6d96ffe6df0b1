"""Reports as one HTML page that needs nothing else: tables, and plots as drawings inside the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from interpreter.comparison import Compared, ComparisonResult, Difference
from interpreter.comparison_report import compared_values, listed, marked, verdict
from interpreter.figures import counted
from interpreter.measures import Estimate, is_share, said
from interpreter.plots import STYLE as PLOT_STYLE
from interpreter.plots import bars, histogram, intervals
from interpreter.record import option_text
from interpreter.report import SHOWN, estimate_parts, never_used, spread_text, wins_text
from interpreter.simulation import SimulationResult

STYLE = """\
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --bar: #4477aa; --mark: #cc3311; --line: #ddd;
  --faint: #777 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eee; --paper: #1b1b1b; --bar: #66aadd; --mark: #ff7755; --line: #444; --faint: #999 }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: .5rem 0 }
td, th { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid var(--line) }
td:first-child, th:first-child { text-align: left }
pre { white-space: pre-wrap }
.warning { color: var(--mark); font-weight: bold }
"""


def simulation_page(result: SimulationResult, places: Mapping[str, str] | None = None) -> str:
    """The report of a simulation as a page; `places` tell where in the sheet stands what was never used, as for
    `report.to_text`."""
    title = f"{result.name.get('en', result.sheet)}, {counted(result.players, 'player')}"
    options = ", ".join(f"{name}={option_text(value)}" for name, value in result.options.items())
    seats = {f"seat {number}": seat for number, seat in enumerate(result.seats, 1)}
    even = sum(seat.win_share for seat in result.seats) / max(len(result.seats), 1)
    wins = [(name, Estimate(seat.win_share, *seat.ci95)) for name, seat in seats.items()]
    scores = [(name, wins_text(seat), f"{seat.mean_score:.1f}") for name, seat in seats.items()]
    parts = [
        _paragraph(
            f"{counted(result.games, 'game')}, {counted(result.rounds, 'round')}, seed {result.seed}; "
            f"players: {', '.join(result.bots)}; {options or 'no options'}; sheet {result.sheet_hash[:12]}, "
            f"engine {result.version}"
        ),
        _warning(result),
        "<h2>Who wins</h2>",
        intervals(wins, share=True, mark=even) if result.games else "",
        _paragraph("The dashed line is an even share.") if result.games else "",
        _table(("", "games won", "mean score"), scores),
        "<h2>How rounds end</h2>",
        bars({name: rounds / max(result.rounds, 1) for name, rounds in result.ends.items()}),
        "<h2>How long rounds are</h2>",
        histogram(result.turns, "turns"),
        _paragraph(f"Turns in a round: {spread_text(result.turns_per_round)}."),
        _paragraph(f"Rounds in a game: {spread_text(result.rounds_per_game)}."),
        "<h2>What is done</h2>",
        _moves(result),
        *(_paragraph(f"{line[0].upper()}{line[1:]}.") for line in never_used(result, places or {})),
        "<h2>On average</h2>",
        _measures(result.measures),
        _paragraph("Played by computer players; people may play otherwise. The intervals allow for chance alone."),
    ]
    return _page(title, parts)


def comparison_page(result: ComparisonResult) -> str:
    """A comparison as a page: the verdict, the tables, and a plot of every measure that is not nought everywhere."""
    first, *others = result.programs
    tables = []
    for second in others:
        head = ("", first.label, second.label, "difference", "95% interval")
        rows = (_compared(name, first, second, found) for name, found in listed(first, second))
        tables.append(_table(head, rows))
    plots = []
    for name in (name for name in first.measures if not name.startswith("seats.")):
        estimates = [(c.label, e) for c in result.programs if (e := c.measures.get(name)) is not None]
        if any(estimate.mean for _, estimate in estimates):
            plots += [f"<h3>{escape(said(name))}</h3>", intervals(estimates, is_share(name))]
    parts = [
        _paragraph(
            f"the same {counted(result.deals, 'deal')} under each, seed {result.seed}; "
            f"players: {', '.join(result.bots)}"
        ),
        f"<pre>{escape(chr(10).join(verdict(result)))}</pre>",
        "<h2>Side by side</h2>",
        *tables,
        _paragraph("A star marks a difference that is not due to chance."),
        "<h2>Measure by measure</h2>",
        *plots,
    ]
    return _page(" against ".join(compared.label for compared in result.programs), parts)


def _page(title: str, parts: Iterable[str]) -> str:
    body = "\n".join(part for part in parts if part)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{STYLE}{PLOT_STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
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


def _compared(name: str, first: Compared, second: Compared, found: Difference) -> tuple[str, ...]:
    mean, between = estimate_parts(found.estimate, is_share(name), "+")
    return (*compared_values(name, first, second), mean, between + marked(found))


def _moves(result: SimulationResult) -> str:
    rounds = max(result.rounds, 1)
    rows = (
        (use.name, f"{use.times / rounds:.2f}", f"{100 * use.rounds / rounds:.1f}%", f"{use.turn:.1f}")
        for use in result.moves
        if use.times
    )
    return _table(("move", "a round", "in rounds", "mean turn"), rows)


def _measures(measures: Mapping[str, Estimate | None]) -> str:
    rows = []
    for name in SHOWN:
        estimate = measures.get(name)
        if estimate is not None:
            rows.append((said(name), *estimate_parts(estimate, is_share(name))))
    return _table(("", "mean", "95% interval"), rows)
