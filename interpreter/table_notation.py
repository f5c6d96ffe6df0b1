"""A whole new table as text to groups of physical cards: which of twins lies where, and what wild cards stand for."""

from __future__ import annotations

from itertools import product

from interpreter.errors import MoveSyntaxError
from interpreter.moves import Group, Meld
from interpreter.pack import bits
from interpreter.program import Program
from interpreter.state import State

Written = list[tuple[int, int | None, int]]
"""The cards of a group as written: face, what it stands for if that is said, and which of its twins it is (0: any)."""

MAX_READINGS = 200


def read_table(
    program: Program, state: State, groups: tuple[Group, ...], pile: tuple[int, ...], hand: int, written: list[Written]
) -> list[tuple[Meld, ...]]:
    """The tables a text can mean: of `groups` (rearranged), cards of `hand` and of `pile`.

    A group written as it lies keeps its cards; of other twins those go together that lay together. Where the text needs
    cards that are not there, ids stand for them that no rule will accept. Raises MoveSyntaxError for too many readings.
    """
    chosen = _share_out(program, state, groups, pile, hand, written)
    each: list[list[Meld]] = []
    count = 1
    for cards, said in zip(chosen, written, strict=True):
        old = next((g.meld for g in groups if g.meld.cards == cards and _as_said(g.meld, said)), None)
        names = [name for _, name, _ in said]
        found = [old] if old is not None else state.rules.melds.readings(cards, names)
        if not found:
            stands = tuple(program.pack.face[c] if n is None else n for c, n in zip(cards, names, strict=True))
            found = [Meld(0, cards, stands, -1)]
        each.append(found)
        count *= len(found)
    if count > MAX_READINGS:
        raise MoveSyntaxError("say what the wild cards stand for, as in JK=6H")
    return list(product(*each))


def _as_said(meld: Meld, said: Written) -> bool:
    return all(name is None or name == stands for (_, name, _), stands in zip(said, meld.names, strict=True))


def _share_out(
    program: Program, state: State, groups: tuple[Group, ...], pile: tuple[int, ...], hand: int, written: list[Written]
) -> list[tuple[int, ...]]:
    """Physical cards for each written group: untouched groups their own, then by the group they came from."""
    face = program.pack.face
    free: dict[int, list[int]] = {}
    home = {card: index for index, group in enumerate(groups) for card in group.meld.cards}
    for card in (*home, *bits(hand), *pile):
        free.setdefault(face[card], []).append(card)
    chosen: list[list[int] | None] = [None] * len(written)
    for number, said in enumerate(written):
        for group in groups:
            same = [face[c] for c in group.meld.cards] == [f for f, _, _ in said] and _as_said(group.meld, said)
            same = same and all(
                copy in (0, program.pack.copy_number(c)) for c, (_, _, copy) in zip(group.meld.cards, said, strict=True)
            )
            if same and all(c in free[face[c]] for c in group.meld.cards):
                chosen[number] = list(group.meld.cards)
                for card in group.meld.cards:
                    free[face[card]].remove(card)
                break
    for number, said in enumerate(written):
        if chosen[number] is None:
            chosen[number] = _gather(program, state, said, free, home, hand)
    return [tuple(cards) for cards in chosen if cards is not None]


def _gather(
    program: Program, state: State, said: Written, free: dict[int, list[int]], home: dict[int, int], hand: int
) -> list[int]:
    """Cards for one group: those of the table before others, and those of the group most others lay in."""
    wanted = [f for f, _, _ in said]
    votes: dict[int, int] = {}
    for face in set(wanted):
        for card in free.get(face, ()):
            if card in home:
                votes[home[card]] = votes.get(home[card], 0) + 1
    found: list[int] = []
    for face, name, copy in said:
        pool = free.get(face, [])
        pool.sort(
            key=lambda c: (
                copy not in (0, program.pack.copy_number(c)),
                c not in home,
                -_stands(state, c, name),
                -votes.get(home.get(c, -1), 0),
                not hand >> c & 1,
                c,
            )
        )
        if pool:
            found.append(pool.pop(0))
        else:
            mask = program.pack.cards_of_face[face]
            if not mask:
                raise MoveSyntaxError(f"there is no {program.pack.face_text(face)} in this deck")
            found.append((mask & -mask).bit_length() - 1)
    return found


def _stands(state: State, card: int, name: int | None) -> int:
    """1 for a wild card that stood for what is written."""
    index = state.group_of(card)
    if index < 0 or name is None:
        return 0
    meld = state.groups[index].meld
    return int(meld.names[meld.cards.index(card)] == name)
