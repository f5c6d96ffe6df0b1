"""Chains of actions to code."""

from __future__ import annotations

from interpreter.compiler.expressions import ExpressionCompiler
from interpreter.compiler.slots import Slots
from interpreter.errors import NotPlayable
from interpreter.program import (
    ADD,
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
    Action,
    Code,
)  # fmt: skip
from rulespec import model
from rulespec.expressions import Expr, Type

TAKES = {"top": TAKE_TOP, "all": TAKE_ALL, "any": TAKE_ANY, "dig": DIG}
ANY = 10_000


def compile_actions(chain: tuple[model.Action, ...], slots: Slots, code: ExpressionCompiler) -> tuple[Action, ...]:
    """The actions of a chain. Raises NotPlayable for what the engine does not do yet."""
    return tuple(_compile(action, slots, code) for action in chain)


def _compile(action: model.Action, slots: Slots, code: ExpressionCompiler) -> Action:
    numbers = {name: number for number, name in enumerate(slots.zones)}

    def named(name: str | None) -> int:
        return slots.named[name] if name else -1

    def whose(of: Expr | None) -> Code | None:
        if of is None:
            return None
        return code(of) if of.type is Type.PLAYER else _first(code(of))

    match action:
        case model.Draw():
            return Action(DRAW, code(action.count), numbers[action.zone], whose(action.of), named(action.named))
        case model.Take():
            return Action(
                TAKES[action.what],
                None,
                numbers[action.zone],
                whose(action.of),
                named(action.named),
                least=action.count,
            )
        case model.Put():
            least, most = {"any": (1, ANY), "all": (0, -1)}.get(str(action.count), (action.count, action.count))
            return Action(
                PUT, None, numbers[action.zone], whose(action.of), named(action.named),
                int(least), int(most), action.face_down, action.under,
            )  # fmt: skip
        case model.PutEvery():
            return Action(
                PUT_EVERY, code(action.card), numbers[action.zone], whose(action.of), named(action.named),
                flag=action.face_down, under=action.under,
            )  # fmt: skip
        case model.Return():
            return Action(RETURN, None, numbers[action.zone], whose(action.of), named(action.name), under=action.under)
        case model.LayMelds():
            return Action(LAY_MELDS, least=action.least, most=min(action.most, ANY))
        case model.LayOff():
            return Action(LAY_OFF, code(action.count))
        case model.Swap():
            return Action(SWAP, named=named(action.named))
        case model.TurnUp():
            return Action(
                TURN_UP, None, numbers[action.zone], whose(action.of), named(action.named), least=action.count
            )
        case model.Pass():
            return Action(PASS)
        case model.Fold():
            return Action(FOLD)
        case model.Add() | model.SetTally():
            kind = ADD if isinstance(action, model.Add) else SET
            people = code.players(action.of) if action.of is not None else None
            tally = -1 if action.tally == "score" else list(slots.tallies).index(action.tally)
            return Action(kind, code(action.amount), tally, people)
        case model.Rearrange():
            return Action(REARRANGE, pile=numbers[action.zone] if action.zone else -1, flag=action.own)
    raise NotPlayable(f"{action.span}: this action is not played yet")


def _first(people: Code) -> Code:
    return lambda env: found[0] if (found := people(env)) else -1
