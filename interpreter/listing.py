"""A program as text a person can read: cards, slots, moves with their actions, automata, endings."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.figures import counted
from interpreter.program import (
    ADD,
    AT_ONCE,
    BEFORE,
    BY,
    DIG,
    DRAW,
    FOLD,
    LAY_MELDS,
    LAY_OFF,
    PASS,
    PUT,
    PUT_EVERY,
    REARRANGE,
    RETURN,
    SET,
    SWAP,
    TAKE_ALL,
    TAKE_ANY,
    TAKE_TOP,
    TURN_UP,
    WHO_EACH_OTHER,
    WHO_EACH_WHOSE,
    WHO_FIRST_OTHER,
    WHO_NEXT,
    WHO_PARTNER,
    Action,
    Automaton,
    Check,
    DutyRule,
    Program,
)

VERBS = {
    DRAW: "draw", TAKE_TOP: "take-top", TAKE_ALL: "take-all", TAKE_ANY: "take-any", DIG: "dig", PUT: "put",
    PUT_EVERY: "put-every", RETURN: "return", LAY_MELDS: "lay-melds", LAY_OFF: "lay-off", SWAP: "swap",
    REARRANGE: "rearrange", TURN_UP: "turn-up", PASS: "pass", FOLD: "fold", ADD: "add", SET: "set",
}  # fmt: skip
WINDOWS = {
    WHO_EACH_OTHER: "each other player",
    WHO_FIRST_OTHER: "first other player",
    WHO_NEXT: "next player",
    WHO_PARTNER: "partner",
    WHO_EACH_WHOSE: "each player whose",
}
PILES = (DRAW, TAKE_TOP, TAKE_ALL, TAKE_ANY, DIG, PUT, PUT_EVERY, RETURN, TURN_UP)


def program_text(program: Program) -> str:
    """The whole program, one thing a line; the same program gives the same text."""
    return "\n".join(_lines(program)) + "\n"


def _lines(program: Program) -> Iterator[str]:
    pack = program.pack
    yield f"program {program.sheet_id}, {counted(program.players, 'player')}, {counted(program.sides, 'side')}"
    for name, value in program.options.items():
        said = ("yes" if value else "no") if isinstance(value, bool) else value
        yield f"option {name} = {said}"
    order = " ".join(pack.ranks[r] for r in pack.place_rank) + (", round the corner" if pack.round_the_corner else "")
    yield f"deck {pack.size} cards: {pack.packs} x ({order}) x ({' '.join(pack.suits)}) + {pack.jokers} jokers"
    for zone in program.zones:
        slot = "hands" if zone.slot < 0 else f"pile {zone.slot}"
        yield f"zone {zone.name}: {slot}, of {zone.of}, seen by {zone.seen_by}"
    for tally in program.tallies:
        yield f"tally {tally.name}: slots {tally.slot}-{tally.slot + tally.size - 1}, of {tally.of}, for {tally.lasts}"
    for number, named in enumerate(program.named):
        yield f"named {number}: {named}{', for the round' if program.named_in_deal >> number & 1 else ''}"
    yield f"groups {', '.join(program.kind_names)}"
    for move in program.moves:
        yield f"move {move.index} {move.name}: {' then '.join(_action(program, a) for a in move.actions)}"
        yield from _checks("if", move.before)
        yield from _checks("only", move.only)
        for number in move.duties:
            duty = program.duties[number]
            yield f"  duty {number} {duty.path}: {duty.text} [{_deadline(program, duty)}]"
    for rule in program.automatic:
        yield f"automatic {rule.name}: {' then '.join(_action(program, a) for a in rule.actions)}"
    for number, automaton in enumerate(program.automata):
        yield f"automaton {number} {automaton.name}"
        yield from _automaton(program, automaton)
    for ending in program.endings:
        yield f"ending {ending.name}{', void' if ending.void else ''}"
        yield from _checks("when", ending.when)
    for extra in program.extras:
        yield f"extra turns {extra.name}: automaton {extra.automaton}"


def _checks(key: str, checks: tuple[Check, ...]) -> Iterator[str]:
    for check in checks:
        yield f"  {key} {check.path}: {check.text}"


def _deadline(program: Program, duty: DutyRule) -> str:
    if duty.deadline in (BEFORE, BY):
        return f"{'before' if duty.deadline == BEFORE else 'by'} {program.moves[duty.move].name}"
    return "at once" if duty.deadline == AT_ONCE else "before turn ends"


def _action(program: Program, action: Action) -> str:
    words = [VERBS[action.kind]]
    if action.kind == PUT:
        words.append("all" if action.most < 0 else str(action.least) if action.least == action.most else "any")
    if action.kind in (TAKE_TOP, TURN_UP) and action.least != 1:
        words.append(str(action.least))
    if action.kind == PUT and action.flag:
        words.append("face-down")
    if action.kind in PILES:
        words.append(f"{'under ' if action.under else ''}{program.zones[action.pile].name}")
    if action.kind in (ADD, SET):
        words.append(program.tallies[action.pile].name if action.pile >= 0 else "score")
    if action.kind == LAY_MELDS and (action.least, action.most) != (1, 1):
        words.append(f"{action.least}+")
    if action.kind == REARRANGE:
        words += ["melds"] * action.flag + ([f"with {program.zones[action.pile].name}"] if action.pile >= 0 else [])
    if action.named >= 0:
        words.append(f"as {program.named[action.named]}" if action.kind != RETURN else program.named[action.named])
    return " ".join(words)


def _automaton(program: Program, automaton: Automaton) -> Iterator[str]:
    def label(position: int) -> str:
        if position == 0:
            return "start"
        window = automaton.windows[position]
        if window is not None:
            return f"{WINDOWS[window.who]} (automaton {window.automaton})"
        return program.moves[automaton.labels[position]].name

    def guarded(guards: tuple[tuple[int, bool], ...]) -> str:
        return "".join(f" {'if' if wanted else 'if not'} {automaton.places[number]}" for number, wanted in guards)

    for position in range(len(automaton.labels)):
        ways = [f"{edge.target}{guarded(edge.guards)}" for edge in automaton.edges[position]]
        ways += [f"end{guarded(guards)}" for guards in automaton.finals[position]]
        yield f"  {position} {label(position)} -> {', '.join(ways)}"
