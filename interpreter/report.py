"""What a simulation found, for people (plain text) and for programs (plain values for JSON)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter.figures import Spread, counted
from interpreter.measures import Estimate, is_share, said
from interpreter.record import option_text
from interpreter.simulation import SeatResult, SimulationResult

BAR_WIDTH = 30
SHARE_DIGITS = 6
"""Digits of shares in JSON; further ones say nothing."""
SHOWN = (
    "first_player_wins", "ender_beaten", "opened", "opening_turn", "rebuilt", "decisions_per_round",
    "choices_per_decision", "points_per_round", "lead_changes", "winner_behind",
)  # fmt: skip
"""The measures the text shows under this heading; others stand in the tables, and all of them in the JSON."""


def to_json(result: SimulationResult) -> dict[str, object]:
    """The result as plain values, in a fixed order. Everything but the last two follows from the seed."""
    return {
        "sheet": result.sheet,
        "sheet_hash": result.sheet_hash,
        "version": result.version,
        "seed": result.seed,
        "players": result.players,
        "options": result.options,
        "stopped_after": result.stop_after or None,
        "bots": list(result.bots),
        "games": result.games,
        "rounds": result.rounds,
        "seats": [_seat_json(seat) for seat in result.seats],
        "draws": result.draws,
        "ends": result.ends,
        "turns_per_round": _spread_json(result.turns_per_round),
        "rounds_per_game": _spread_json(result.rounds_per_game),
        "moves": {
            use.name: {"times": use.times, "rounds": use.rounds, "mean_turn": round(use.turn, SHARE_DIGITS)}
            for use in result.moves
        },
        "melds": result.kinds,
        "measures": {name: estimate_json(estimate, is_share(name)) for name, estimate in result.measures.items()},
        "capped": result.capped,
        "defects": {text: defect._asdict() for text, defect in result.defects.items()},
        "bounded": result.bounded,
        "broken": result.broken,
        "faults": [{"game": fault.game, "text": fault.text} for fault in result.faults],
        "wanted": result.wanted,
        "seconds": round(result.seconds, 3),
        "games_per_second": round(result.games_per_second, 3),
    }


def to_text(result: SimulationResult, places: Mapping[str, str] | None = None) -> str:
    """The report as people read it, ending with a line break.

    `places` are the files and lines of `moves.NAME`, `melds.NAME` and `endings.NAME`, to tell where stands what was
    never used.
    """
    parts = [_heading(result), _seats(result), _ends(result), _moves(result, places or {})]
    parts += [_measures(result), _length(result)]
    parts += [_faults(result)] if result.broken else []
    parts += [_warnings(result)] if result.capped or result.defects else []
    parts += [_limits(result)]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _heading(result: SimulationResult) -> Iterator[str]:
    yield f"{result.name.get('en', result.sheet)} ({result.sheet}), {counted(result.players, 'player')}"
    of = f" of {result.wanted}" if result.games + result.broken < result.wanted else ""
    yield f"  {counted(result.games, 'game')}{of}, {counted(result.rounds, 'round')}, seed {result.seed}"
    if result.options:
        yield "  options: " + ", ".join(f"{name}={option_text(value)}" for name, value in result.options.items())
    if result.stop_after:
        yield f"  the table stops after {counted(result.stop_after, 'round')} (--rounds)"
    seats = (f"{seat} {bot}" for seat, bot in enumerate(result.bots, 1))
    yield "  players: " + (f"all {result.bots[0]}" if len(set(result.bots)) == 1 else ", ".join(seats))
    yield f"  sheet {result.sheet_hash[:12]}, engine {result.version}"


def _seats(result: SimulationResult) -> Iterator[str]:
    wins = [wins_text(seat) for seat in result.seats]
    wide = max(len("wins"), *map(len, wins))
    scores = [f"{seat.mean_score:.1f}" for seat in result.seats]
    wide_score = max(len("mean score"), *map(len, scores))
    yield f"  seat  {'wins':>{wide}}   share  95% interval  {'mean score':>{wide_score}}"
    for number, (seat, won, score) in enumerate(zip(result.seats, wins, scores, strict=True), 1):
        low, high = seat.ci95
        interval = f"{100 * low:.1f}-{100 * high:.1f}%"
        yield f"  {number:>4}  {won:>{wide}}  {100 * seat.win_share:5.1f}%  {interval:>12}  {score:>{wide_score}}"
    if result.draws:
        yield f"  drawn {result.draws:>{wide}}  {100 * result.draws / result.games:5.1f}%"


def wins_text(seat: SeatResult) -> str:
    """The rounds a seat won, shared ones in part."""
    return str(seat.wins) if seat.wins.denominator == 1 else f"{float(seat.wins):.2f}"


def _ends(result: SimulationResult) -> Iterator[str]:
    yield "  how rounds ended"
    wide = max((len(name) for name in result.ends), default=0)
    wide_count = len(str(max(result.ends.values(), default=0)))
    for name, rounds in sorted(result.ends.items(), key=lambda item: -item[1]):
        share = rounds / result.rounds if result.rounds else 0.0
        bar = "#" * round(BAR_WIDTH * share)
        yield f"  {name:<{wide}}  {rounds:>{wide_count}}  {100 * share:5.1f}%  {bar}".rstrip()


def _moves(result: SimulationResult, places: Mapping[str, str]) -> Iterator[str]:
    made = [use for use in result.moves if use.times]
    wide = max((len(use.name) for use in made), default=0)
    yield f"  {'what was done':<{max(wide, 13)}}  a round  in rounds  turn"
    for use in made:
        share = f"{100 * use.rounds / result.rounds:.1f}%"
        yield f"  {use.name:<{max(wide, 13)}}  {use.times / result.rounds:7.2f}  {share:>9}  {use.turn:4.1f}"
    for line in never_used(result, places):
        yield f"  {line}"


def never_used(result: SimulationResult, places: Mapping[str, str]) -> Iterator[str]:
    """What of the sheet was never used: `endings that never came: dry (my-game.yaml:82)`; `places` as for `to_text`."""
    found = (
        ("moves never made", "moves", [use.name for use in result.moves if not use.times and use.name != "done"]),
        ("groups never laid", "melds", [name for name, groups in result.kinds.items() if not groups]),
        ("endings that never came", "endings", [name for name, rounds in result.ends.items() if not rounds]),
    )
    for what, family, names in found:
        said = (f"{name} ({place})" if (place := places.get(f"{family}.{name}")) else name for name in names)
        if names:
            yield f"{what}: {', '.join(said)}"


def _measures(result: SimulationResult) -> Iterator[str]:
    found = {name: estimate for name in SHOWN if (estimate := result.measures.get(name)) is not None}
    wide = max((len(said(name)) for name in found), default=0)
    yield f"  {'on average':<{wide}}   mean  95% interval"
    for name, estimate in found.items():
        yield f"  {said(name):<{wide}}  {estimate_text(estimate, is_share(name))}"


def estimate_text(estimate: Estimate, share: bool, sign: str = "") -> str:
    """The mean and its interval (`estimate_parts`), means one below the other by their last digit."""
    mean, between = estimate_parts(estimate, share, sign)
    return f"{mean:>7}  {between}" if share else f"{mean:>6}   {between}"


def estimate_parts(estimate: Estimate, share: bool, sign: str = "") -> tuple[str, str]:
    """`26.0%` and `18.4-35.4%`; a number that is no share has no per cent. `sign` is `+` for differences."""
    scale, unit = (100, "%") if share else (1, "")
    ends = (estimate.low, estimate.high) if sign else interval(estimate, share)
    mean, low, high = (f"{scale * value:{sign}.1f}" for value in (estimate.mean, *ends))
    return f"{mean}{unit}", f"{low}{' to ' if sign else '-'}{high}{unit}"


def interval(estimate: Estimate, share: bool) -> tuple[float, float]:
    """The ends of the interval of a mean; no share lies below nought or above one."""
    if not share:
        return estimate.low, estimate.high
    return min(max(estimate.low, 0.0), 1.0), max(min(estimate.high, 1.0), 0.0)


def _length(result: SimulationResult) -> Iterator[str]:
    yield f"  turns per round  {spread_text(result.turns_per_round)}"
    yield f"  rounds per game  {spread_text(result.rounds_per_game)}"
    if result.bounded:
        yield f"  for {counted(result.bounded, 'decision')} the search was cut short, and a play may have been missed"
    yield f"  {result.seconds:.1f} s, {result.games_per_second:.1f} games a second"


def spread_text(spread: Spread | None) -> str:
    """`8.8 on average, half up to 9, 90% from 6 to 12`."""
    if spread is None:
        return "none"
    if spread.p5 == spread.mean == spread.p95:
        return f"always {spread.p50}"
    return f"{spread.mean:.1f} on average, half up to {spread.p50}, 90% from {spread.p5} to {spread.p95}"


def _limits(result: SimulationResult) -> Iterator[str]:
    players = "computer players" if len(set(result.bots)) > 1 else f'computer players ("{result.bots[0]}")'
    yield f"  Played by {players}; people may play otherwise. The intervals allow for chance alone."


def _faults(result: SimulationResult) -> Iterator[str]:
    yield f"  FAULT: {counted(result.broken, 'game')} broke by a mistake of rulespec; please report it"
    for fault in result.faults:
        yield f"  game {fault.game}: {fault.text}"
    first = result.faults[0].game
    yield f"  where it broke: --seed {result.seed} --first {first} --games 1 --record FOLDER"


def _warnings(result: SimulationResult) -> Iterator[str]:
    yield "  WARNING: these figures may mean little, since the sheet has defects"
    if result.capped:
        yield f"  {counted(result.capped, 'game')} did not end by the rules and had to be stopped; nobody won"
    for text, defect in result.defects.items():
        which = f"game {defect.first}" if defect.games == 1 else f"{defect.games} games, the first game {defect.first}"
        yield f"  in {which}: {text}"
    first = min((defect.first for defect in result.defects.values()), default=0)
    yield f"  game {first} again, to be looked at: --seed {result.seed} --first {first} --games 1 --record FOLDER"


def _seat_json(seat: SeatResult) -> dict[str, object]:
    wins = int(seat.wins) if seat.wins.denominator == 1 else round(float(seat.wins), SHARE_DIGITS)
    return {
        "wins": wins,
        "win_share": round(seat.win_share, SHARE_DIGITS),
        "ci95": [round(end, SHARE_DIGITS) for end in seat.ci95],
        "mean_score": round(seat.mean_score, SHARE_DIGITS),
    }


def estimate_json(estimate: Estimate | None, share: bool = False) -> dict[str, object] | None:
    """A mean and its interval as plain values; None where there is none."""
    if estimate is None:
        return None
    ends = [round(end, SHARE_DIGITS) for end in interval(estimate, share)]
    return {"mean": round(estimate.mean, SHARE_DIGITS), "ci95": ends}


def _spread_json(spread: Spread | None) -> dict[str, float | int] | None:
    if spread is None:
        return None
    return {"mean": round(spread.mean, SHARE_DIGITS), "p5": spread.p5, "p50": spread.p50, "p95": spread.p95}
