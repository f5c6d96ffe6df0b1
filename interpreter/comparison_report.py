"""What a comparison found, for people (plain text) and for programs (plain values for JSON)."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.comparison import FEWEST_GAMES, Compared, ComparisonResult, Difference
from interpreter.figures import counted
from interpreter.measures import Estimate, is_share, said
from interpreter.record import option_text
from interpreter.report import estimate_json, estimate_text
from interpreter.tuning import TuningResult

FAIRNESS = "first_player_wins"
LENGTHS = {
    "turns_per_round": ("rounds are", "turn"),
    "rounds_per_game": ("games are", "round"),
    "decisions_per_round": ("rounds take", "decision"),
}


def to_json(result: ComparisonResult) -> dict[str, object]:
    """The result as plain values, in a fixed order."""
    return {
        "seed": result.seed,
        "bots": list(result.bots),
        "deals": result.deals,
        "wanted": result.wanted,
        "broken": result.broken,
        "programs": [_program_json(compared) for compared in result.programs],
        "verdict": list(verdict(result)),
    }


def _program_json(compared: Compared) -> dict[str, object]:
    program = compared.program
    return {
        "label": compared.label,
        "sheet": program.sheet_id,
        "sheet_hash": program.sheet_hash,
        "players": program.players,
        "options": program.options,
        "capped": compared.capped,
        "measures": {name: estimate_json(estimate, is_share(name)) for name, estimate in compared.measures.items()},
        "differences": {
            name: {**(estimate_json(difference.estimate) or {}), "clear": difference.clear}
            for name, difference in compared.differences.items()
        },
    }


def to_text(result: ComparisonResult) -> str:
    """The comparison as people read it, ending with a line break."""
    parts = [_heading(result), list(verdict(result))]
    parts += [_table(result, number) for number in range(1, len(result.programs))]
    return "\n\n".join("\n".join(f"  {line}".rstrip() for line in part) for part in parts if part)[2:] + "\n"


def _heading(result: ComparisonResult) -> list[str]:
    first = result.programs[0]
    of = f" of {result.wanted}" if result.deals < result.wanted else ""
    labels = " against ".join(compared.label for compared in result.programs)
    lines = [
        f"{labels}, {counted(first.program.players, 'player')}",
        f"the same {counted(result.deals, 'deal')}{of} under each, seed {result.seed}",
        "players: " + ("all " + result.bots[0] if len(set(result.bots)) == 1 else ", ".join(result.bots) + " by turns"),
    ]
    for compared in result.programs:
        options = ", ".join(f"{name}={option_text(value)}" for name, value in compared.program.options.items())
        lines.append(f"{compared.label}: {options or 'no options'}, sheet {compared.program.sheet_hash[:12]}")
        if compared.capped:
            lines.append(f"WARNING: {counted(compared.capped, 'game')} of {compared.label} had to be stopped")
    if result.broken:
        lines.append(
            f"FAULT: {counted(result.broken, 'deal')} left out by a mistake of rulespec: {result.faults[0].text}"
        )
    return lines


def verdict(result: ComparisonResult) -> Iterator[str]:
    """The clear differences in plain sentences, each program against the first; those of moves stand in the table
    alone. Then what could not be told."""
    first = result.programs[0]
    for compared in result.programs[1:]:
        yield f"{compared.label} against {first.label}:"
        if result.deals < FEWEST_GAMES:
            yield f"  fewer than {FEWEST_GAMES} deals tell nothing; play more"
            continue
        clear = {name: found for name, found in compared.differences.items() if found.clear}
        for name, found in clear.items():
            if not name.startswith(("seats.", "moves.")):
                yield "  " + _sentence(name, found.estimate, first.measures.get(name))
        if not clear:
            yield "  no difference detected"
        elif FAIRNESS not in clear and FAIRNESS in compared.differences:
            yield "  no difference in fairness detected"


def _sentence(name: str, estimate: Estimate, before: Estimate | None) -> str:
    """`rounds are 2.1 turns shorter (1.8 to 2.4)`."""
    low, high = sorted((abs(estimate.low), abs(estimate.high)))
    size = abs(estimate.mean)
    if name in LENGTHS:
        what, unit = LENGTHS[name]
        how = ("longer" if estimate.mean > 0 else "shorter") if what.endswith("are") else _more(estimate)
        return f"{what} {size:.1f} {unit}s {how} ({low:.1f} to {high:.1f})"
    scale, unit = (100, " points of a hundred") if is_share(name) else (1, "")
    text = f"{said(name)}: {scale * size:.1f}{unit} {_more(estimate)} ({scale * low:.1f} to {scale * high:.1f})"
    if before is not None and before.mean:
        text += f", {100 * size / before.mean:.0f}% {_more(estimate)} than before"
    return text


def _more(estimate: Estimate) -> str:
    return "more" if estimate.mean > 0 else "less"


def _table(result: ComparisonResult, number: int) -> list[str]:
    """Every measure of two programs side by side; a star marks what is clear."""
    first, second = result.programs[0], result.programs[number]
    rows = [
        (*compared_values(name, first, second), estimate_text(found.estimate, is_share(name), "+") + marked(found))
        for name, found in listed(first, second)
    ]
    wide = max((len(cells[0]) for cells in rows), default=0)
    left = max(len(first.label), 8)
    right = max(len(second.label), 8)
    head = f"{'':<{wide}}  {first.label:>{left}}  {second.label:>{right}}  difference, 95% interval"
    return [head, *(f"{a:<{wide}}  {b:>{left}}  {c:>{right}}  {d}" for a, b, c, d in rows)]


def listed(first: Compared, second: Compared) -> Iterator[tuple[str, Difference]]:
    """What two programs are compared by, with their difference: all but the move `done` where nobody had to say it."""
    for name, found in second.differences.items():
        both = (compared.measures.get(name) for compared in (first, second))
        if name != "moves.done" or any(estimate is not None and estimate.mean for estimate in both):
            yield name, found


def compared_values(name: str, first: Compared, second: Compared) -> tuple[str, str, str]:
    """A measure in words, and its value in both."""
    one, two = (_value(compared.measures.get(name), is_share(name)) for compared in (first, second))
    return said(name), one, two


def marked(found: Difference) -> str:
    """A star where a difference is clear."""
    return " *" if found.clear else ""


def _value(estimate: Estimate | None, share: bool) -> str:
    if estimate is None:
        return "-"
    return f"{100 * estimate.mean:.1f}%" if share else f"{estimate.mean:.2f}"


# ------------------------------------------------------------ tuning


def tuned_json(result: TuningResult) -> dict[str, object]:
    """The search for a value as plain values."""
    return {
        "measure": result.measure,
        "target": result.target,
        "best": result.best,
        "seed": result.seed,
        "bots": list(result.bots),
        "broken": result.broken,
        "tried": [
            {
                "value": one.label,
                "games": one.games,
                "open": one.open,
                **(estimate_json(one.estimate, is_share(result.measure)) or {}),
            }
            for one in result.tried
        ],
    }


def tuned_text(result: TuningResult) -> str:
    """The search for a value as people read it, ending with a line break."""
    share = is_share(result.measure)
    wide = max(len(one.label) for one in result.tried)
    target = f"{100 * result.target:g}%" if share else f"{result.target:g}"
    lines = [f"{said(result.measure)}: wanted {target}, seed {result.seed}", ""]
    for one in result.tried:
        found = estimate_text(one.estimate, share) if one.estimate is not None else "never counted"
        mark = " <- nearest" if one.label == result.best else "" if one.open else "   surely not the nearest"
        lines.append(f"  {one.label:<{wide}}  {found}  ({counted(one.games, 'game')}){mark}")
    rivals = [one.label for one in result.tried if one.open and one.label != result.best]
    lines.append("")
    if result.best is None:
        lines.append("no value gave anything to measure")
    elif rivals:
        lines.append(f"{result.best} comes nearest; with more games it may turn out to be {' or '.join(rivals)}")
    else:
        lines.append(f"{result.best} comes nearest")
    if result.broken:
        lines.append(f"FAULT: {counted(result.broken, 'deal')} left out by a mistake of rulespec")
    return "\n".join(lines) + "\n"
