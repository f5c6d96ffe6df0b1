"""Whether other engines say the same of gin: games beside OpenSpiel, hands beside RLCard (the extra `peers`).

    python -m benchmarks.peer_rules games [N] [--first I] [--players uniform|melding|patient] [--rules NAME]
    python -m benchmarks.peer_rules hands [N] [--first I]

Prints what was compared and every difference; the exit code is 1 where there was one. How it is compared:
`tests/peers/openspiel_gin.py` and `tests/peers/rlcard_hands.py`.
"""

from __future__ import annotations

import argparse
import sys
from importlib.metadata import version

import interpreter.compiler  # noqa: F401  (first: the compiled core needs this order)
from tests.peers.gin_players import PLAYERS


def main() -> int:
    """Compare what the command line says."""
    parser = argparse.ArgumentParser(description="gin beside other engines")
    parser.add_argument("what", choices=("games", "hands"))
    parser.add_argument("number", type=int, nargs="?", default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--players", choices=PLAYERS, default="uniform")
    parser.add_argument("--rules", default="common")
    chosen = parser.parse_args()
    numbers = range(chosen.first, chosen.first + chosen.number)
    if chosen.what == "games":
        from tests.peers import openspiel_gin  # noqa: PLC0415  (each needs its own package)

        print(f"open_spiel {version('open_spiel')}, {chosen.players} players, {chosen.rules} rules")
        games = openspiel_gin.compare(numbers, chosen.players, chosen.rules)
        print(games.report())
        return 1 if games.differences else 0
    from tests.peers import rlcard_hands  # noqa: PLC0415

    print(f"rlcard {version('rlcard')}")
    hands = rlcard_hands.compare(numbers)
    print(hands.report())
    return 1 if hands.differences else 0


if __name__ == "__main__":
    sys.exit(main())
