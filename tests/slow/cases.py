"""Small tables of the bundled sheets: few cards each and a stacked deal, so that groups are laid within a few moves.

Each case extends a sheet by a few lines, which say all that is made smaller; whatever else the sheet says stands. The
*near* cards lie on top of the stock before the deal, in an order drawn by the number of the deal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random

from interpreter.compiler import compile_sheet
from interpreter.flow import start as begin
from interpreter.game import Game as EngineGame
from interpreter.pack import Pack
from interpreter.program import Program
from interpreter.state import Chance
from rulespec.checker import check
from rulespec.inheritance import resolve
from rulespec.model import Rulesheet
from rulespec.reader import read_text
from rulespec.shape import check_shape
from tests.slow.game import Game


@dataclass(frozen=True)
class Case:
    """A sheet made small. `near`: the faces on top of the stock (a face twice: both twins)."""

    sheet: str
    changes: str
    near: str
    players: int = 2
    options: Mapping[str, int | bool | str] = field(default_factory=dict)
    deal: int = 0
    depth: int = 4

    @property
    def name(self) -> str:
        """The sheet and the number of the deal."""
        said = "".join(f",{name}={value}" for name, value in self.options.items())
        return f"{self.sheet}-{self.players}{said}-{self.deal}"


@cache
def small_sheet(base: str, changes: str) -> Rulesheet:
    """A bundled sheet with some lines changed; the analysis is left out, it would take longer than the census."""
    text = f"rulespec: 1\nid: small\nextends: {base}\nname: {{en: Small}}\n{changes}"
    resolved = resolve(read_text(text, "small.yaml"), None)
    assert resolved is not None
    written, problems = check_shape(resolved.tree, resolved.complete)
    assert written is not None, problems
    sheet, problems = check(written, resolved.ancestors, "")
    assert sheet is not None, problems
    return sheet


def stacked(pack: Pack, near: str, deal: int) -> tuple[int, ...]:
    """All cards, the near ones on top, each part in an order drawn by the number of the deal."""
    left = list(range(pack.size))
    top: list[int] = []
    for word in near.split():
        face = pack.parse_face(word)
        card = next(c for c in left if pack.face[c] == face)
        left.remove(card)
        top.append(card)
    random = Random(f"stacked/{deal}")
    random.shuffle(left)
    random.shuffle(top)
    return (*left, *top)


def both(case: Case) -> tuple[Program, EngineGame, Game]:
    """The same game for the engine and for the slow interpreter."""
    sheet = small_sheet(case.sheet, case.changes)
    program = compile_sheet(sheet, case.players, case.options)
    order = stacked(program.pack, case.near, case.deal)
    slow = Game(sheet, case.players, case.options)
    slow.chance = chance = Chance("", 0, (order,))
    return program, EngineGame(program, state=begin(program, chance)), slow


LOW = "AS 2S 3S 4S AH 2H 3H 4H AD 2D 3D 4D"
FEW = "AS 2S 3S 4S 2H 3H 2D 3D"
PICTURES = "10S JS QS KS 10H JH QH KH QD KD JD"
ENDS = "QS KS AS 2S 3S QH KH AH 2H AD KD"
CANASTA = "4S 4H 4D 5S 2S KS KH KD 3S 4C 5D 5H QS"


def opens_with(name: str, condition: str) -> str:
    """Lines that put another condition in place of the one the first groups must meet."""
    return f"moves:\n  open:\n    only:\n      {name}: {condition}\n"


CASES = (
    Case("basic-rummy", "deal:\n  hand: 4\n", LOW, deal=1, depth=6),
    Case(
        "basic-rummy",
        "deal:\n  hand: 4\n",
        ENDS,
        options={"ace": "high-or-low", "meld-first": True, "one-meld": True, "last-discard": True},
        depth=6,
    ),
    Case("gin", "deal:\n  hand: 4\n", LOW, options={"big-gin": True}, deal=2, depth=6),
    Case("gin-one-deal", "deal:\n  hand: 3\n", LOW, deal=4, depth=6),
    Case("boathouse-rum", "deal:\n  hand: 3\n", "KS AS 2S 3S 3H 3D 2H 2D AH", depth=7),
    Case("tonk", "deal:\n  hand: 4\n", LOW, options={"hit-and-hold": True}, deal=1, depth=5),
    Case("knock-rummy", "deal:\n  hand: 3\n", LOW, options={"knock-at": 10}, depth=5),
    Case(
        "persian-rummy",
        "deal:\n  hand: 3\n",
        "4S 5S 6S 7S 4H 4D 4C 5H 6H 7H 5D 6D JK JK",
        players=4,
        deal=15,
        depth=7,
    ),
    Case(
        "chinchon",
        "deal:\n  hand: 4\n",
        LOW + " JK",
        options={"wild-jokers": 2, "close-at-once": True, "add-to": "everyone", "close-at": 7},
        deal=2,
        depth=5,
    ),
    Case(
        "chinchon",
        "deal:\n  hand: 3\n",
        LOW,
        players=3,
        options={"close-at-once": True, "re-entry": True, "wild-ace": True, "limit": 50},
        deal=1,
        depth=6,
    ),
    Case("romme-500", "deal:\n  hand: 3\n", FEW + " JK AH", options={"with-jokers": True}, deal=2, depth=5),
    Case("michigan-rum", "deal:\n  hand: 3\n", FEW + " JK", options={"with-jokers": True}, deal=9, depth=6),
    Case("kaluki", "deal:\n  hand: 4\n" + opens_with("minimum", "points of played >= 30"), PICTURES + " JK", depth=7),
    Case("romme-austrian", "deal:\n  hand: 5\n", PICTURES + " JK", depth=5),
    Case("romme-playgridia", "deal:\n  hand: 5\n", PICTURES + " JK", options={"opening-points": 30}, deal=1, depth=5),
    Case(
        "zoliky",
        "deal:\n  hand: 5 if you are left of dealer else 4\n" + opens_with("minimum", "points of played >= 20"),
        PICTURES + " JK",
        options={"take-after": 0, "pure-run": False},
        depth=6,
    ),
    Case("viennese-rummy", "deal:\n  hand: 3 if you are dealer else 2\n", FEW + " JK", depth=6),
    Case(
        "liverpool-rummy",
        "deal:\n  hand: 5\n" + opens_with("contract", "number of groups in played = 1"),
        FEW + " JK AH",
        players=3,
        deal=1,
        depth=6,
    ),
    Case(
        "jamaican-kalooki",
        "deal:\n  hand: 5\n" + opens_with("contract", "number of groups in played = 1"),
        FEW + " JK JK AH",
        players=3,
        deal=2,
        depth=5,
    ),
    Case(
        "samba",
        "deal:\n  hand: 4\ntables:\n  opening-points by score:\n    0-1499: 15\n",
        "4S 4H 4D 4C 5S 6S 7S 2S 5H 5D KS KH KD 3D 3S KC 5C 6H QS 4S",
        players=4,
        deal=12,
        depth=6,
    ),
    Case(
        "hand-and-foot",
        "deal:\n  hand: 4\n  foot: 2\ntables:\n  opening-points by round:\n    1: 15\n",
        CANASTA + " 3D",
        deal=12,
        depth=6,
    ),
    Case(
        "hand-and-foot",
        "deal:\n  hand: 3\n  foot: 0\n"
        "define:\n  players:\n    enough-books: number of groups in melds >= 1\n"
        "tables:\n  opening-points by round:\n    1: 15\n",
        CANASTA + " 4S 4D KH 5H 5C 5S",
        players=4,
        deal=1,
        depth=7,
    ),
    Case(
        "indian-21",
        "deal:\n  hand: 3\nmoves:\n  declare:\n    only: number of groups in played >= 1\n"
        "  show-jokers:\n    only: number of wild cards in hand >= 1\n",
        "AS 2S 3S AS 2H AS 3H 4S 3S JK",
        players=3,
        depth=4,
    ),
    Case(
        "101-okey",
        "deal:\n  hand: 5 if you are left of dealer else 4\n"
        + opens_with("minimum", "points of played >= 12")
        + "  open-pairs:\n"
        "    only: number of pairs in played >= 1 and number of sets in played = 0 and number of runs in played = 0\n",
        "3r 4r 5r 6r 4b 5b 6b 4y 5y 4k 5k 4r 5r 6r 3b 6y 5b 4b 3r 7r",
        players=4,
        deal=2,
        depth=4,
    ),
)
"""Every sheet that does not rearrange the table, with deals in which nearly all its moves come up."""
