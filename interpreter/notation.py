"""Moves and groups as people write them, and back.

`take`, `meld 4S 5S 6S`, `open KS KH KD / 5H 6H 7H`, `lay-off 7S on 4S 5S 6S`, `swap 6H for JK in 5H JK=6H 7H`,
`discard KD`, `knock KD / 4S 5S 6S / 9C 9D 9H`, `done`. A wild card is written with what it stands for, `JK=6H`, in a
set without a fixed suit `JK=7`. Where a hand holds twins that are not the same (one was just taken), `7H#2` is the one
of the second pack; where equal groups lie on the table, `(2)` behind one means the second of them. A group that fits
several kinds is written with its kind: `meld pure-run 4S 5S 6S`. Where cards can be laid off on a group in several
ways, what it becomes is written behind it: `lay-off AD on 2D 3D … KD making AD 2D 3D … KD`.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Final

from interpreter.actions import distinct, marked_cards
from interpreter.errors import AmbiguousMove, IllegalMove, MoveSyntaxError, shown
from interpreter.legality import judge
from interpreter.moves import DONE, Choice, LaidOff, Meld, Move, Swapped
from interpreter.pack import Pack, bits, mask_of
from interpreter.piles import cards_on
from interpreter.program import (
    DIG,
    LAY_MELDS,
    LAY_OFF,
    PUT,
    REARRANGE,
    SWAP,
    TAKE_ANY,
    Action,
    Env,
    MoveProgram,
    Program,
)
from interpreter.rearranging import stays
from interpreter.state import State
from interpreter.table_notation import read_table

_COUNTED: Final = re.compile(r"^(?P<text>.*?)\s*\((?P<number>[0-9]{1,3})\)$")
_CARD: Final = re.compile(r"^(?P<face>[^=#]+)(#(?P<copy>[0-9]{1,3}))?(=(?P<name>[^=#]+))?$")

MAX_CARDS: Final = 500
"""So many cards may be named in one part of a text."""
MAX_READINGS: Final = 2_000
"""Readings of one text that are tried; a text with more is refused as too long."""


# ------------------------------------------------------------ to text


def card_text(program: Program, card: int, name: int | None = None) -> str:
    """A card; with what it stands for, where that is not itself."""
    pack = program.pack
    text = pack.text(card)
    return text if name is None or name == pack.face[card] else f"{text}={pack.face_text(name)}"


def meld_text(program: Program, meld: Meld) -> str:
    """The cards of a group in their order: `5H JK=6H 7H`."""
    return " ".join(card_text(program, c, n) for c, n in zip(meld.cards, meld.names, strict=True))


def group_text(program: Program, state: State, index: int) -> str:
    """A group of the table; with a number behind it if others before it look the same."""
    text = meld_text(program, state.groups[index].meld)
    same = sum(meld_text(program, g.meld) == text for g in state.groups[:index])
    return f"{text} ({same + 1})" if same else text


def cards_text(program: Program, mask: int, by_rank: bool = False) -> str:
    """A set of cards, by suit and rank, or by rank and suit; jokers first."""
    pack = program.pack
    return " ".join(pack.text(card) for card in sorted(bits(mask), key=lambda card: hand_order(pack, card, by_rank)))


def hand_order(pack: Pack, card: int, by_rank: bool = False) -> tuple[int, int, int]:
    """Where a card stands among others of a hand."""
    face = pack.face[card]
    suit = pack.face_suit[face]
    return (min(suit, 0) if by_rank else suit), face, card


def move_text(program: Program, state: State, move: Move, exact: bool = False) -> str:
    """A move as it is written; `parse_move` in the same position gives it back, or one that differs only by twins
    nobody can tell apart. `exact` tells all twins apart, so that it gives back this very move."""
    if move.move == DONE:
        return "done"
    rule = program.moves[move.move]
    parts: list[str] = []
    for action, choice in zip(rule.actions, move.choices, strict=True):
        parts.extend(_choice_texts(program, state, action, choice, exact))
    return " ".join([rule.name, " / ".join(parts)]) if parts else rule.name


def _own(program: Program, state: State, card: int, exact: bool, name: int | None = None) -> str:
    """A card of the hand, told from a twin that is not the same, or from every twin."""
    hand = state.hands[state.to_act]
    pack = program.pack
    marked = marked_cards(state)
    twins = pack.cards_of_face[pack.face[card]] & hand & ~(1 << card)
    text = pack.text(card)
    if twins and (exact or any((marked >> twin & 1) or (marked >> card & 1) for twin in bits(twins))):
        text += f"#{pack.copy_number(card)}"
    return text if name is None or name == pack.face[card] else f"{text}={pack.face_text(name)}"


def _among(program: Program, card: int, others: int) -> str:
    """A card, told from its twins among `others`."""
    twins = program.pack.cards_of_face[program.pack.face[card]] & others & ~(1 << card)
    return program.pack.text(card) + (f"#{program.pack.copy_number(card)}" if twins else "")


def _of_table(program: Program, card: int, name: int, exact: bool) -> str:
    """A card of a table to be, told from every twin of the deck if that is wanted."""
    text = _among(program, card, program.pack.all_cards if exact else 0)
    return text if name == program.pack.face[card] else f"{text}={program.pack.face_text(name)}"


def _choice_texts(program: Program, state: State, action: Action, choice: Choice, exact: bool) -> Iterator[str]:
    match choice:
        case LaidOff():
            names = dict(zip(choice.meld.cards, choice.meld.names, strict=True))
            cards = " ".join(_own(program, state, c, exact, names[c]) for c in choice.cards)
            made = f" making {meld_text(program, choice.meld)}" if len(_grown(state, choice)) > 1 else ""
            yield f"{cards} on {group_text(program, state, choice.group)}{made}"
        case Swapped():
            wild = _among(program, choice.wild, state.groups[choice.group].meld.mask if exact else 0)
            yield f"{_own(program, state, choice.card, exact)} for {wild} in {group_text(program, state, choice.group)}"
        case int():
            env = Env(program, state, state.to_act)
            yield _among(program, choice, mask_of(cards_on(env, action)))
        case tuple() if action.kind == PUT:
            if action.most >= 0:
                yield " ".join(_own(program, state, card, exact) for card in choice if isinstance(card, int))
        case tuple():
            for meld in choice:
                if isinstance(meld, Meld):
                    named = zip(meld.cards, meld.names, strict=True)
                    if action.kind == REARRANGE:
                        cards = " ".join(_of_table(program, c, n, exact) for c, n in named)
                    else:
                        cards = " ".join(_own(program, state, c, exact, n) for c, n in named)
                    kinds = {m.kind for m in state.rules.melds.readings(meld.cards, meld.names)}
                    yield f"{program.kind_names[meld.kind]} {cards}" if len(kinds) > 1 else cards


def _grown(state: State, laid: LaidOff) -> set[Meld]:
    """What the group may become by the same cards standing for the same."""
    names = dict(zip(laid.meld.cards, laid.meld.names, strict=True))
    return {
        after
        for after, cards in _by_cards(state, state.groups[laid.group].meld, laid.cards)
        if all(names[card] == name for card, name in zip(after.cards, after.names, strict=True) if card in cards)
    }


def _by_cards(state: State, meld: Meld, cards: tuple[int, ...]) -> Iterator[tuple[Meld, tuple[int, ...]]]:
    """What a group becomes by just these cards, which are told from their twins, and the cards."""
    mask = mask_of(cards)
    for after, laid in state.rules.melds.lay_offs(meld, mask, len(cards), mask):
        if set(laid) == set(cards):
            yield after, laid


# ------------------------------------------------------------ from text


def parse_move(program: Program, state: State, text: str) -> Move:
    """The legal move a text means for whoever is to act.

    Raises MoveSyntaxError for what is no move, IllegalMove for one that is not legal, AmbiguousMove where several
    different ones fit.
    """
    move, refused = find_move(program, state, text)
    if move is not None and refused is None:
        return move
    assert refused is not None
    raise refused


def find_move(program: Program, state: State, text: str) -> tuple[Move | None, IllegalMove | None]:
    """The move a text means, and why it is not legal if no reading of it is. Raises as `parse_move` does otherwise."""
    words = text.split(None, 1)
    if not words:
        raise MoveSyntaxError("a move is missing")
    if words[0] == "done":
        return _judged(program, state, [Move(DONE)], text)
    rule = next((m for m in program.moves if m.name == words[0]), None)
    if rule is None:
        raise MoveSyntaxError(
            f"no move is called {shown(words[0])}; there are {', '.join(m.name for m in program.moves)}"
        )
    return _judged(
        program, state, list(_readings(program, state, rule, words[1] if len(words) > 1 else "", text)), text
    )


def _judged(program: Program, state: State, moves: list[Move], text: str) -> tuple[Move | None, IllegalMove | None]:
    legal: list[Move] = []
    refused: list[tuple[Move, IllegalMove]] = []
    for move in moves:
        try:
            judge(program, state, move)
        except IllegalMove as reason:
            refused.append((move, reason))
        else:
            legal.append(move)
    if legal:
        texts = tuple(dict.fromkeys(_unmarked(move_text(program, state, move)) for move in legal))
        if len(texts) > 1:
            raise AmbiguousMove(text, texts)
        return legal[0], None
    move, why = next(((m, r) for m, r in refused if not r.because.startswith("melds.")), refused[0])
    return move, IllegalMove(text, why.because, why.detail)


def _unmarked(text: str) -> str:
    return re.sub(r"#[0-9]+| \([0-9]+\)", "", text)


def _readings(program: Program, state: State, rule: MoveProgram, rest: str, text: str) -> Iterator[Move]:
    parts = [p.strip() for p in rest.split("/")] if rest.strip() else []
    shared = _shared(program, parts)
    options: list[list[Choice]] = []
    for number, action in enumerate(rule.actions):
        later = sum(_takes_part(a) for a in rule.actions[number + 1 :])
        if action.kind in (LAY_MELDS, REARRANGE):
            own, parts = parts[: len(parts) - later], parts[len(parts) - later :]
            if action.kind == LAY_MELDS:
                options.append(_read_melds(program, state, own, shared))
            else:
                options.append(_read_rearranged(program, state, action, own))
        elif not _takes_part(action):
            options.append([()] if action.kind == PUT else [None])
        elif not parts:
            raise MoveSyntaxError(f"{shown(text)}: what is to be chosen is missing")
        else:
            if action.kind == PUT and len(parts) == 1:
                _see_where_more_is_said(rule, number, parts[0])
            options.append(_read_choice(program, state, action, parts.pop(0), shared))
    if parts:
        raise MoveSyntaxError(f"{shown(text)}: {shown(parts[0])} is too much")
    count = 1
    for found in options:
        count *= len(found)
    if count > MAX_READINGS:
        raise MoveSyntaxError(f"{shown(text)} can be read in too many ways")
    for choices in product(*options):
        yield Move(rule.index, choices)


def _see_where_more_is_said(rule: MoveProgram, number: int, part: str) -> None:
    """Where more cards are said than can be put, and something is chosen next, that is meant: say how it is written."""
    cards, most = part.split(), rule.actions[number].most
    next_ones = rule.actions[number + 1 :]
    if len(cards) > most and any(a.kind in (LAY_MELDS, REARRANGE) or _takes_part(a) for a in next_ones):
        first, rest = " ".join(cards[:most]), " ".join(cards[most:])
        raise MoveSyntaxError(
            f"{shown(f'{rule.name} {part}')}: what is chosen next stands behind a slash, as in "
            f"{shown(f'{rule.name} {first} / {rest}')}"
        )


def _shared(program: Program, parts: list[str]) -> frozenset[int]:
    """The faces that stand in several parts of a move: each part may mean another twin."""
    found: Counter[int] = Counter()
    for part in parts if len(parts) > 1 else ():
        faces = set()
        for word in part.split():
            with contextlib.suppress(MoveSyntaxError):  # a kind of group, `on`, `for`
                faces.add(_card(program, word)[0])
        found.update(faces)
    return frozenset(face for face, count in found.items() if count > 1)


def _takes_part(action: Action) -> bool:
    return action.kind in (TAKE_ANY, DIG, LAY_OFF, SWAP) or (action.kind == PUT and action.most >= 0)


def _read_choice(program: Program, state: State, action: Action, part: str, shared: frozenset[int]) -> list[Choice]:
    hand = state.hands[state.to_act]
    if action.kind == LAY_OFF:
        cards, _, group = part.partition(" on ")
        if not group:
            raise MoveSyntaxError(f"{shown(part)}: say on which group, as in `7S on 4S 5S 6S`")
        return _read_lay_off(program, state, cards, group, shared)
    if action.kind == SWAP:
        natural, _, rest = part.partition(" for ")
        wild, _, group = rest.partition(" in ")
        if not group:
            raise MoveSyntaxError(f"{shown(part)}: say it as in `6H for JK in 5H JK=6H 7H`")
        return _read_swap(program, state, natural, wild, group, shared)
    if action.kind == PUT:
        return list(_selections(program, state, part.split(), hand, shared))
    env = Env(program, state, state.to_act)
    pile = cards_on(env, action)
    face, copy, _ = _card(program, part)
    found: list[Choice] = [c for c in pile if program.pack.face[c] == face and copy in (0, program.pack.copy_number(c))]
    return found or [_any_card(program, face)]


def _card(program: Program, text: str) -> tuple[int, int, int | None]:
    """Face, copy (0: any) and what it stands for (None: not said) of a card's text."""
    match = _CARD.match(text)
    try:
        if match is None:
            raise KeyError(text)
        face = program.pack.parse_face(match["face"])
        if face > program.pack.joker_face:
            raise KeyError(text)
        name = program.pack.parse_face(match["name"]) if match["name"] else None
    except KeyError:
        raise MoveSyntaxError(f"{shown(text)} is no card of this deck") from None
    return face, int(match["copy"] or 0), name


def _any_card(program: Program, face: int) -> int:
    mask = program.pack.cards_of_face[face]
    if not mask:
        raise MoveSyntaxError(f"there is no {program.pack.face_text(face)} in this deck")
    return (mask & -mask).bit_length() - 1


def _selections(
    program: Program, state: State, texts: list[str], hand: int, shared: frozenset[int] = frozenset()
) -> Iterator[tuple[int, ...]]:
    """Every way to take cards with these texts; cards of the hand before those that are elsewhere. Of faces in
    `shared`, which other parts of the move use too, every twin is tried. Where there are fewer cards than texts, one
    way that has a card twice, to be refused."""
    if len(texts) > MAX_CARDS:
        raise MoveSyntaxError(f"these are more than {MAX_CARDS} cards at a time")
    marked = marked_cards(state)
    wanted = [_card(program, text) for text in texts]
    faces = [face for face, _, _ in wanted]
    pools = []
    for face, copy, _ in wanted:
        mine = program.pack.cards_of_face[face] & hand
        env = Env(program, state, state.to_act)
        pool = [c for c in bits(mine) if copy in (0, program.pack.copy_number(c))]
        if face not in shared and faces.count(face) == 1 and not copy:
            pool = distinct(env, mine, marked)
        pools.append(pool or [_any_card(program, face)])
    told_apart = marked
    for face in shared:
        told_apart |= program.pack.cards_of_face[face]
    numbered_first = sorted(range(len(wanted)), key=lambda index: not wanted[index][1])
    count = 0
    for cards in _different(pools, numbered_first, told_apart) if _enough(pools, faces) else ():
        count += 1
        if count > MAX_READINGS:
            raise MoveSyntaxError("these cards can be read in too many ways")
        yield cards
    if not count:
        yield tuple(pool[0] for pool in pools)


def _enough(pools: list[list[int]], faces: list[int]) -> bool:
    """Whether there are as many cards of each face as are asked for."""
    found: dict[int, set[int]] = {}
    for pool, face in zip(pools, faces, strict=True):
        found.setdefault(face, set()).update(pool)
    return all(len(cards) >= faces.count(face) for face, cards in found.items())


def _different(pools: list[list[int]], order: list[int], told_apart: int) -> Iterator[tuple[int, ...]]:
    """Every way to take one card of each pool and none twice; of twins that are not told apart the first is enough."""
    chosen = [-1] * len(pools)

    def take(step: int, used: int) -> Iterator[tuple[int, ...]]:
        if step == len(order):
            yield tuple(chosen)
            return
        twin_tried = False
        for card in pools[order[step]]:
            alone = bool(told_apart >> card & 1)
            if used >> card & 1 or (twin_tried and not alone):
                continue
            twin_tried = twin_tried or not alone
            chosen[order[step]] = card
            yield from take(step + 1, used | 1 << card)

    return take(0, 0)


def _read_melds(program: Program, state: State, parts: list[str], shared: frozenset[int]) -> list[Choice]:
    """Every way to read groups of different cards; where there is none, one reading of each, to be refused."""
    hand = state.hands[state.to_act]
    found: list[tuple[tuple[Meld, ...], int]] = [((), hand)]
    for part in parts:
        found = [
            ((*melds, meld), left & ~meld.mask)
            for melds, left in found
            for meld in read_group(program, state, part, left, shared)
        ]
        if len(found) > MAX_READINGS:
            raise MoveSyntaxError("these groups can be read in too many ways")
    if found:
        return [melds for melds, _ in found]
    return [tuple(_read_meld(program, state, part) for part in parts)]


def _read_rearranged(program: Program, state: State, action: Action, parts: list[str]) -> list[Choice]:
    env = Env(program, state, state.to_act)
    kept = stays(env, action)
    groups = tuple(g for g in state.groups if g not in kept)
    pile = cards_on(env, action) if action.pile >= 0 else ()
    written = [[(face, name, copy) for face, copy, name in (_card(program, word) for word in p.split())] for p in parts]
    if not all(written):
        raise MoveSyntaxError("a group without cards")
    return list(read_table(program, state, groups, pile, state.hands[state.to_act], written))


def read_group(
    program: Program, state: State, text: str, hand: int, shared: frozenset[int] = frozenset()
) -> list[Meld]:
    """The valid groups a text can mean with cards of `hand`; empty if there are none. `shared` as in `_selections`."""
    kind, words = _kind_and_cards(program, text)
    if not words:
        raise MoveSyntaxError(f"{shown(text)}: a group without cards")
    names = [_card(program, word)[2] for word in words]
    found: dict[Meld, None] = {}
    for cards in _selections(program, state, words, hand, shared):
        if len(set(cards)) == len(cards):
            for meld in state.rules.melds.readings(cards, names, kind):
                found[meld] = None
    return list(found)


def _kind_and_cards(program: Program, text: str) -> tuple[int | None, list[str]]:
    """The kind of a group, where its text begins with one, and its cards, each as it is written."""
    words = text.split()
    if words and words[0] in program.kind_names:
        return program.kind_names.index(words[0]), words[1:]
    return None, words


def broken_by(program: Program, state: State, text: str, hand: int) -> str:
    """The path of the first condition that cards of `hand` break as the group a text says; empty if they break none."""
    kind, words = _kind_and_cards(program, text)
    names = [_card(program, word)[2] for word in words]
    cards = next(_selections(program, state, words, hand), ())
    return state.rules.melds.why_not(kind, cards, names) or "" if len(set(cards)) == len(cards) else ""


def _read_meld(program: Program, state: State, part: str) -> Meld:
    """A group as it is written, valid or not."""
    hand = state.hands[state.to_act]
    found = read_group(program, state, part, hand)
    if found:
        return found[0]
    kind, words = _kind_and_cards(program, part)
    cards = next(_selections(program, state, words, hand))
    said = [_card(program, word)[2] for word in words]
    names = tuple(program.pack.face[c] if n is None else n for c, n in zip(cards, said, strict=True))
    return Meld(kind or 0, cards, names, -1)


def find_group(program: Program, state: State, text: str) -> list[int]:
    """Indices of the groups of the table a text means. Raises MoveSyntaxError if there is none."""
    number = 0
    counted = _COUNTED.match(text.strip())
    if counted is not None:
        text, number = counted["text"], int(counted["number"])
    wanted = [(face, -1 if name is None else name) for face, _, name in (_card(program, w) for w in text.split())]
    named = any(name >= 0 for _, name in wanted)
    written = [_as_written(program, group.meld, named) for group in state.groups]
    found = [index for index, cards in enumerate(written) if cards == wanted]
    if not found:
        found = [index for index, cards in enumerate(written) if sorted(cards) == sorted(wanted)]
    if number:
        found = found[number - 1 : number]
    if not found:
        raise MoveSyntaxError(f"there is no group {shown(text)} on the table")
    return found


def _as_written(program: Program, meld: Meld, named: bool) -> list[tuple[int, int]]:
    """The cards of a group as a text says them: what a wild card stands for (else -1) only if the text does."""
    pack = program.pack
    return [
        (pack.face[c], n if named and n != pack.face[c] else -1) for c, n in zip(meld.cards, meld.names, strict=True)
    ]


def _read_lay_off(program: Program, state: State, cards: str, group: str, shared: frozenset[int]) -> list[Choice]:
    hand = state.hands[state.to_act]
    group, _, made = group.partition(" making ")
    wanted = [(face, name) for face, _, name in (_card(program, word) for word in made.split())]
    words = cards.split()
    names = {i: n for i, (_, _, n) in enumerate(_card(program, w) for w in words) if n is not None}
    found: list[Choice] = []
    first: LaidOff | None = None
    for index in find_group(program, state, group):
        meld = state.groups[index].meld
        for chosen in _selections(program, state, words, hand, shared):
            first = first or LaidOff(index, _meant(program, meld, chosen, names), chosen)
            for after, laid in _by_cards(state, meld, chosen):
                stands = dict(zip(after.cards, after.names, strict=True))
                meant = all(stands[chosen[i]] == n for i, n in names.items())
                if meant and (not wanted or _is_written(program, after, wanted)):
                    found.append(LaidOff(index, after, laid))
    return found or [first]


def _is_written(program: Program, meld: Meld, wanted: list[tuple[int, int | None]]) -> bool:
    """Whether a group has these cards in this order, standing for what is said of them."""
    return len(meld.cards) == len(wanted) and all(
        program.pack.face[card] == face and said in (None, name)
        for card, name, (face, said) in zip(meld.cards, meld.names, wanted, strict=True)
    )


def _meant(program: Program, meld: Meld, cards: tuple[int, ...], names: dict[int, int]) -> Meld:
    """A group with cards that do not fit it, for the rule that says why."""
    said = tuple(names.get(number, program.pack.face[card]) for number, card in enumerate(cards))
    return Meld(meld.kind, meld.cards + cards, meld.names + said, meld.start)


def _read_swap(
    program: Program, state: State, natural: str, wild: str, group: str, shared: frozenset[int]
) -> list[Choice]:
    hand = state.hands[state.to_act]
    wild_face, wild_copy, wild_name = _card(program, wild.strip())
    found: list[Choice] = []
    first: Swapped | None = None
    for index in find_group(program, state, group):
        meld = state.groups[index].meld
        for (card,) in _selections(program, state, [natural.strip()], hand, shared):
            first = first or Swapped(index, meld.cards[0], card, meld)
            for out, into, after in state.rules.melds.swaps(meld, 1 << card, 1 << card):
                stands = meld.names[meld.cards.index(out)]
                copy_fits = wild_copy in (0, program.pack.copy_number(out))
                if program.pack.face[out] == wild_face and copy_fits and into == card and wild_name in (None, stands):
                    found.append(Swapped(index, out, card, after))
    return found or [first]
