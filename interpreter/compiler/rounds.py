"""Endings and lines of scores to code."""

from __future__ import annotations

from interpreter.compiler.doings import compile_actions
from interpreter.compiler.expressions import ExpressionCompiler
from interpreter.compiler.slots import Slots
from interpreter.program import Check, Code, EndingProgram, ScoreProgram
from interpreter.state import NOBODY
from rulespec import expressions as ex
from rulespec import model
from rulespec.reasoning.walk import conjuncts


def compile_endings(
    endings: tuple[model.Ending, ...], slots: Slots, code: ExpressionCompiler
) -> tuple[EndingProgram, ...]:
    """Endings in the order they are tried; a condition that several share is compiled once."""
    compiled: dict[int, Code] = {}

    def shared(expr: ex.Expr) -> Code:
        if id(expr) not in compiled:
            compiled[id(expr)] = code(expr)
        return compiled[id(expr)]

    def asked(ending: model.Ending) -> list[ex.Expr]:
        return [part for condition in ending.when for part in conjuncts(condition.expr)]

    return tuple(
        EndingProgram(
            ending.name,
            tuple(Check(c.path, shared(c.expr), c.text) for c in ending.when),
            any(isinstance(part, ex.TurnIsOver) for part in asked(ending)),
            next((slots.moves[part.move] for part in asked(ending) if isinstance(part, ex.After)), NOBODY),
            code.players(ending.wins) if ending.wins is not None else None,
            compile_lines(ending.scores, code),
            tuple(code(a.expr) for a in ending.times),
            compile_actions(ending.does, slots, code),
            ending.void,
        )
        for ending in endings
    )


def compile_lines(lines: tuple[model.ScoreLine, ...], code: ExpressionCompiler) -> tuple[ScoreProgram, ...]:
    """Lines of scores or bonus."""
    return tuple(
        ScoreProgram(
            code.players(line.players),
            code.players(line.to) if line.to is not None else None,
            tuple(code(a.expr) for a in line.amounts),
        )
        for line in lines
    )
