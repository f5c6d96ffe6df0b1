"""Where a walk through a turn phrase can go on to, guards asked now."""

from __future__ import annotations

from interpreter.pack import bits
from interpreter.program import Automaton, Env, Guards, Program
from interpreter.state import Frame, State


class Ways:
    """Where a walk can go: moves (number, positions it leads to), windows, and whether it may stop."""

    __slots__ = ("_soonest", "final", "moves", "windows")

    def __init__(self, moves: tuple[tuple[int, int], ...], windows: tuple[int, ...], final: bool) -> None:
        self.moves = moves
        self.windows = windows
        self.final = final
        self._soonest: list[tuple[int, int]] | None = None

    def soonest(self, program: Program) -> list[tuple[int, int]]:
        """The moves in the order in which ways to end a turn are tried."""
        if self._soonest is None:
            self._soonest = sorted(self.moves, key=lambda each: program.moves[each[0]].finish_rank)
        return self._soonest

    def targets(self, index: int) -> int:
        """The positions a move leads to (a mask); 0 where it is not offered."""
        for move, positions in self.moves:
            if move == index:
                return positions
        return 0


class Onward:
    """What may follow a set of positions of an automaton, guards not yet asked."""

    __slots__ = ("edges", "finals", "last_moves", "may_stop", "settled", "stops_by_itself")

    def __init__(self, automaton: Automaton, at: int) -> None:
        self.edges: list[tuple[int, int, Guards]] = []
        """Ways on: the label of the position, the position, the guards."""
        finals: dict[Guards, None] = {}
        for position in bits(at):
            self.edges += [
                (automaton.labels[edge.target], edge.target, edge.guards) for edge in automaton.edges[position]
            ]
            finals.update(dict.fromkeys(automaton.finals[position]))
        self.may_stop = () in finals
        """Whether the walk may stop, whatever guards say."""
        self.stops_by_itself = self.may_stop or any(
            label < 0 and not guards and _may_end(automaton, target) for label, target, guards in self.edges
        )
        """Whether it may, at once or after windows in which nobody acts."""
        self.last_moves = [
            label for label, target, guards in self.edges if label >= 0 and not guards and _may_end(automaton, target)
        ]
        """The moves after which it may, if they are offered whatever guards say."""
        self.finals: list[Guards] = [guards for guards in finals if guards]
        self.settled: Ways | None = None
        """The answer where no guard has to be asked."""
        if not any(guards for _, _, guards in self.edges) and (self.may_stop or not self.finals):
            self.settled = self._ways([(label, target) for label, target, _ in self.edges], self.may_stop)

    @staticmethod
    def _ways(open_edges: list[tuple[int, int]], final: bool) -> Ways:
        moves: dict[int, int] = {}
        windows: list[int] = []
        for label, target in open_edges:
            if label < 0:
                windows.append(target)
            else:
                moves[label] = moves.get(label, 0) | 1 << target
        return Ways(tuple(moves.items()), tuple(dict.fromkeys(windows)), final)

    def ways(self, automaton: Automaton, env: Env) -> Ways:
        """The answer in a position; each guard is asked once, and only where it makes a difference."""
        known: dict[int, bool] = {}
        open_edges: list[tuple[int, int]] = []
        for label, target, guards in self.edges:
            if not guards or _hold(automaton, guards, known, env):
                open_edges.append((label, target))
        final = self.may_stop
        for guards in self.finals:
            final = final or _hold(automaton, guards, known, env)
        return self._ways(open_edges, final)


def _may_end(automaton: Automaton, position: int) -> bool:
    """Whether the walk may stop in a position, or after windows that follow it, whatever guards say."""
    todo = [position]
    seen = 0
    while todo:
        at = todo.pop()
        if () in automaton.finals[at]:
            return True
        seen |= 1 << at
        todo += [
            edge.target
            for edge in automaton.edges[at]
            if automaton.labels[edge.target] < 0 and not edge.guards and not seen >> edge.target & 1
        ]
    return False


def _hold(automaton: Automaton, guards: Guards, known: dict[int, bool], env: Env) -> bool:
    """Whether all guards have their wanted value."""
    for number, wanted in guards:
        value = known.get(number)
        if value is None:
            value = known[number] = bool(automaton.guards[number](env))
        if value != wanted:
            return False
    return True


def onward(automaton: Automaton, at: int) -> Onward:
    """What may follow a set of positions (a mask); worked out once for each."""
    found = automaton.onward.get(at)
    if found is None:
        found = automaton.onward[at] = Onward(automaton, at)
    return found


def ways(program: Program, state: State, frame: Frame) -> Ways:
    """What the phrase offers to whoever walks `frame`, guards asked now."""
    automaton = program.automata[frame.automaton]
    found = onward(automaton, frame.at)
    return found.settled or found.ways(automaton, Env(program, state, frame.seat))
