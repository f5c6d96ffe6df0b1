"""What a measurement of skill found, for people (plain text) and for programs (plain values for JSON)."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.figures import counted
from interpreter.record import option_text
from interpreter.report import estimate_json, estimate_text
from interpreter.skill import Decided, SkillResult
from interpreter.version import VERSION

SAID = {"players": "who plays better", "deal": "the cards and the seats", "rest": "everything else"}
WIDE = max(map(len, SAID.values()))


def to_json(result: SkillResult) -> dict[str, object]:
    """The result as plain values, in a fixed order; all of it follows from the seed."""
    program = result.program
    return {
        "sheet": program.sheet_id,
        "sheet_hash": program.sheet_hash,
        "version": VERSION,
        "seed": result.seed,
        "players": program.players,
        "options": program.options,
        "stopped_after": program.stop_after or None,
        "bots": list(result.bots),
        "deals": result.deals,
        "wanted": result.wanted,
        "round": _decided_json(result.of_round),
        "game": _decided_json(result.of_game),
        "capped": result.capped,
        "broken": result.broken,
        "faults": [{"deal": fault.game, "text": fault.text} for fault in result.faults],
    }


def _decided_json(found: Decided) -> dict[str, object]:
    return {
        "wins": estimate_json(found.wins),
        "better": found.better,
        "worse": found.worse,
        "decided_by": {name: estimate_json(estimate) for name, estimate in found.parts.items()},
        "to_tell": found.to_tell,
    }


def to_text(result: SkillResult) -> str:
    """The report as people read it, ending with a line break."""
    both = {"a round": result.of_round, "a game": result.of_game}
    parts = [_heading(result), _wins(result, both), _decided(both), _limits(result, both)]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _heading(result: SkillResult) -> Iterator[str]:
    program = result.program
    yield f"{program.name.get('en', program.sheet_id)} ({program.sheet_id}), {counted(program.players, 'player')}"
    of = f" of {result.wanted}" if result.deals + result.broken < result.wanted else ""
    yield f"  {result.bots[0]} against {result.bots[1]}"
    yield f"  {counted(result.deals, 'deal')}{of}, each played twice with the seats changed about, seed {result.seed}"
    if program.options:
        yield "  options: " + ", ".join(f"{name}={option_text(value)}" for name, value in program.options.items())
    if program.stop_after:
        yield f"  the table stops after {counted(program.stop_after, 'round')} (--rounds)"
    yield f"  sheet {program.sheet_hash[:12]}, engine {VERSION}"


def _wins(result: SkillResult, both: dict[str, Decided]) -> Iterator[str]:
    one, other = result.bots
    yield f"  {f'{one} wins':<{WIDE}}  share   95% interval"
    for name, found in both.items():
        yield f"  {name:<{WIDE}}  {estimate_text(found.wins, True)}"
    better, worse = result.of_game.better, result.of_game.worse
    yield f"  of the deals {one} did better on {better}, {other} on {worse}, neither on {result.deals - better - worse}"


def _decided(both: dict[str, Decided]) -> Iterator[str]:
    for name, found in both.items():
        if not found.parts:
            yield f"  {name}: nobody won any, so nothing can be told"
            continue
        yield f"  {f'{name} is decided by':<{WIDE}}  share   95% interval"
        for part, estimate in found.parts.items():
            yield f"  {SAID[part]:<{WIDE}}  {estimate_text(estimate, True)}"


def _limits(result: SkillResult, both: dict[str, Decided]) -> Iterator[str]:
    for name, found in both.items():
        if found.to_tell is None:
            yield f"  {name}: so few deals do not show which of the two is better"
        else:
            better = result.bots[found.wins.mean < 0.5]
            number = counted(found.to_tell, name.removeprefix("a "))
            yield f"  {name}: after {number} {better} is ahead in 95 of 100 matches"
    if result.capped:
        yield f"  WARNING: {counted(result.capped, 'game')} had to be stopped"
    if result.broken:
        yield f"  FAULT: {counted(result.broken, 'deal')} left out by a mistake of rulespec: {result.faults[0].text}"
    yield "  The skill is that of these two computer players; people may differ more, or less."
