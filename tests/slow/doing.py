"""What actions do, and everything that can be chosen for one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from interpreter.moves import LaidOff, Meld, Swapped
from rulespec import model as m
from tests.slow.meaning import everyone, holds, number, seats, value
from tests.slow.position import Choice, Doing, Group, Position, Who
from tests.slow.scene import Scene

if TYPE_CHECKING:
    from tests.slow.game import Game


class CannotBeDone(Exception):
    """An action that cannot be done in this position."""


# ------------------------------------------------------------ doing


def do(s: Scene, action: m.Action, choice: Choice) -> None:
    """Do an action in the position of a scene, which is changed."""
    match action:
        case m.Draw():
            _draw(s, action)
        case m.Take():
            _take(s, action, choice)
        case m.Put():
            assert isinstance(choice, tuple)
            _put(s, action, tuple(sorted(_hand(s))) if action.count == "all" else choice)  # type: ignore[arg-type]
        case m.PutEvery():
            _put(s, action, tuple(c for c in sorted(_hand(s)) if holds(action.card, s.about(c))))
        case m.Return():
            _return(s, action)
        case m.LayMelds():
            _lay(s, choice)  # type: ignore[arg-type]
        case m.LayOff():
            assert isinstance(choice, LaidOff)
            _grow(s, choice.group, choice.meld, choice.cards)
        case m.Swap():
            assert isinstance(choice, Swapped)
            _grow(s, choice.group, choice.meld, (choice.card,))
            _to_hand(s, (choice.wild,), action.named)
        case m.Rearrange():
            _rearrange(s, action, choice)  # type: ignore[arg-type]
        case m.TurnUp():
            _turn_up(s, action)
        case m.Fold():
            s.now.folded |= {_seat(s)}
        case m.Add() | m.SetTally():
            _count(s, action)
        case m.Pass():
            pass
        case _:
            raise NotImplementedError(type(action).__name__)


def _seat(s: Scene) -> int:
    assert s.you is not None
    return s.you.seats[0]


def _hand(s: Scene) -> frozenset[int]:
    return s.now.hands[_seat(s)]


def _doing(s: Scene) -> Doing:
    assert s.doing is not None
    return s.doing


def _pile(s: Scene, zone: str, of: object) -> tuple[str, int | None]:
    if s.game.zones[zone].of == "table":
        return zone, None
    who = value(of, s) if of is not None else s.you  # type: ignore[arg-type]
    if who is None:
        raise CannotBeDone("nobody to give cards to")
    return s.game.pile_key(zone, who)


def _name(s: Scene, name: str | None, cards: tuple[int, ...]) -> None:
    if name is not None:
        s.now.named[name] = frozenset(cards)


def _to_hand(s: Scene, cards: tuple[int, ...], name: str | None) -> None:
    s.now.hands[_seat(s)] |= set(cards)
    _name(s, name, cards)
    if cards:
        _doing(s).changed = True


def _from_hand(s: Scene, cards: tuple[int, ...]) -> None:
    if not set(cards) <= _hand(s):
        raise CannotBeDone("these cards are not in the hand")
    s.now.hands[_seat(s)] -= set(cards)


def renew(game: Game, now: Position) -> None:
    """Renew an empty stock, if there is a way, until it yields a card."""
    rule = game.sheet.stock
    while rule.how != "nothing" and not game.renewals_used_up(now) and not now.piles["stock", None]:
        now.renewed += 1
        pile = now.piles.get((rule.zone, None), ())
        if len(pile) > 1:
            now.piles[rule.zone, None] = pile[-1:]
            rest = pile[:-1]
            now.piles["stock", None] = game.shuffle(now, rest) if rule.how == "reshuffle" else rest[::-1]
        elif rule.at_most is None:
            return


def _from_top(s: Scene, pile: tuple[str, int | None], count: int) -> tuple[int, ...]:
    drawn: list[int] = []
    for _ in range(count):
        if pile[0] == "stock" and not s.now.piles[pile]:
            renew(s.game, s.now)
        if not s.now.piles.get(pile):
            break
        drawn.append(s.now.piles[pile][-1])
        s.now.piles[pile] = s.now.piles[pile][:-1]
    return tuple(drawn)


def _draw(s: Scene, action: m.Draw) -> None:
    count = number(action.count, s)
    _to_hand(s, _from_top(s, _pile(s, action.zone, action.of), count), action.named)


def _take(s: Scene, action: m.Take, choice: Choice) -> None:
    key = _pile(s, action.zone, action.of)
    pile = s.now.piles.get(key, ())
    if action.what == "top":
        if not pile:
            raise CannotBeDone("the pile is empty")
        kept, taken = pile[: -action.count], pile[-action.count :]
    elif action.what == "all":
        kept, taken = (), pile
    else:
        assert isinstance(choice, int)
        at = pile.index(choice)
        kept, taken = pile[:at], pile[at:]
        if action.what == "any":
            kept, taken = (*kept, *taken[1:]), taken[:1]
    s.now.piles[key] = kept
    _to_hand(s, taken, action.named)
    if action.what == "dig":
        _name(s, action.named, taken[:1])


def _put(s: Scene, action: m.Put | m.PutEvery, cards: tuple[int, ...]) -> None:
    key = _pile(s, action.zone, action.of)
    _from_hand(s, cards)
    pile = s.now.piles.get(key, ())
    s.now.piles[key] = (*cards, *pile) if action.under else (*pile, *cards)
    _name(s, action.named, cards)
    doing = _doing(s)
    doing.it = cards[0] if isinstance(action, m.Put) and action.count == 1 else cards
    doing.changed = doing.changed or bool(cards)


def _return(s: Scene, action: m.Return) -> None:
    key = _pile(s, action.zone, action.of)
    cards = tuple(sorted(s.now.named.get(action.name, frozenset()) & _hand(s)))
    _from_hand(s, cards)
    pile = s.now.piles.get(key, ())
    s.now.piles[key] = (*cards, *pile) if action.under else (*pile, *cards)
    s.now.duties = tuple(d for d in s.now.duties if d.seat != _seat(s) or action.name not in d.duty.names)
    doing = _doing(s)
    doing.changed = doing.changed or bool(cards)


def _laid(s: Scene, cards: tuple[int, ...]) -> None:
    _from_hand(s, cards)
    doing, side = _doing(s), _seat(s) % s.game.sides
    doing.cards |= set(cards)
    doing.changed = True
    if side not in s.now.opened:
        s.now.opened |= {side}
        s.now.opened_this_turn |= {side}


def _lay(s: Scene, melds: tuple[Meld, ...]) -> None:
    seat, doing = _seat(s), _doing(s)
    for meld in melds:
        _laid(s, meld.cards)
        group = Group(meld, seat, (seat,) * len(meld.cards))
        s.now.groups = (*s.now.groups, group)
        doing.groups = (*doing.groups, group)


def _grow(s: Scene, index: int, meld: Meld, cards: tuple[int, ...]) -> None:
    old = s.now.groups[index]
    _laid(s, cards)
    by = dict(zip(old.meld.cards, old.by, strict=True))
    group = Group(meld, old.owner, tuple(by.get(card, _seat(s)) for card in meld.cards))
    s.now.groups = (*s.now.groups[:index], group, *s.now.groups[index + 1 :])
    _doing(s).it = group


def _to_rebuild(s: Scene, action: m.Rearrange) -> tuple[Group, ...]:
    """The groups that are rearranged: all, or those of one's own side."""
    side = _seat(s) % s.game.sides
    return tuple(g for g in s.now.groups if not action.own or g.owner % s.game.sides == side)


def _rearrange(s: Scene, action: m.Rearrange, melds: tuple[Meld, ...]) -> None:
    """The proposed groups in place of those that lay there; an untouched one keeps its owner."""
    before = _to_rebuild(s, action)
    kept = tuple(g for g in s.now.groups if g not in before)
    old = {g.meld: g for g in before}
    by = {card: seat for g in before for card, seat in zip(g.meld.cards, g.by, strict=True)}
    added = {card for meld in melds for card in meld.cards} - by.keys()
    own = tuple(sorted(added & _hand(s)))
    if added - set(own):
        assert action.zone is not None
        key = _pile(s, action.zone, None)
        s.now.piles[key] = tuple(card for card in s.now.piles[key] if card not in added)
    seat, doing = _seat(s), _doing(s)
    _laid(s, own)
    new = [Group(meld, seat, tuple(by.get(card, seat) for card in meld.cards)) for meld in melds if meld not in old]
    s.now.groups = (*kept, *(old[meld] for meld in melds if meld in old), *new)
    doing.groups = (*doing.groups, *new)


def _turn_up(s: Scene, action: m.TurnUp) -> None:
    key = _pile(s, action.zone, action.of)
    turned = _from_top(s, ("stock", None), action.count)
    s.now.piles[key] = (*s.now.piles.get(key, ()), *turned)
    _name(s, action.named, turned)
    doing = _doing(s)
    doing.changed = doing.changed or bool(turned)


def _count(s: Scene, action: m.Add | m.SetTally) -> None:
    amount = number(action.amount, s)
    people = value(action.of, s) if action.of is not None else s.you
    if action.tally == "score":
        for side in sorted(s.game.sides_of(people)):
            s.now.scores[side] = amount if isinstance(action, m.SetTally) else s.now.scores[side] + amount
        return
    who = Who(seats(everyone(people)))
    for owner in s.game.owners(action.tally, who):
        before = 0 if isinstance(action, m.SetTally) else s.now.tallies[action.tally, owner]
        s.now.tallies[action.tally, owner] = before + amount


# ------------------------------------------------------------ choosing


def choices(s: Scene, action: m.Action) -> Iterator[tuple[Choice, object]]:
    """Everything that can be chosen for an action, and what it looks like: choices that differ by twins nobody can tell
    apart look alike."""
    marked = sum(1 << card for card in told_apart(s.now))
    match action:
        case m.Take(what="any" | "dig"):
            pile = s.now.piles.get(_pile(s, action.zone, action.of), ())
            for at, card in enumerate(pile[:-1] if action.what == "dig" else pile):
                yield card, at
        case m.Put():
            yield from _selections(s, action, marked)
        case m.LayMelds():
            yield from _layings(s, action, marked)
        case m.LayOff():
            yield from _lay_offs(s, number(action.count, s), marked)
        case m.Swap():
            yield from _swaps(s, marked)
        case m.Rearrange():
            for melds in tables(s, action):
                yield melds, frozenset(melds)
        case _:
            yield None, None


def tables(s: Scene, action: m.Rearrange) -> Iterator[tuple[Meld, ...]]:
    """Every whole table: all cards of the groups that are rearranged, at least one of the hand, perhaps of a zone."""
    oracle, hand = s.game.oracle(s.now), _hand(s)
    owed = {card for group in _to_rebuild(s, action) for card in group.meld.cards}
    pile = set(s.now.piles.get(_pile(s, action.zone, None), ())) if action.zone is not None else set()
    mask = sum(1 << card for card in {*owed, *hand, *pile})
    found = [oracle.meld(k, said, start) for k in oracle.kinds for said, start in oracle.groups(mask, k)]

    def more(owing: set[int], left: set[int], first: int, chosen: tuple[Meld, ...]) -> Iterator[tuple[Meld, ...]]:
        if not owing and any(card in hand for meld in chosen for card in meld.cards):
            yield chosen
        for at, meld in enumerate(found):
            wanted = min(owing) in meld.cards if owing else at >= first
            if wanted and left.issuperset(meld.cards):
                yield from more(
                    owing - set(meld.cards), left - set(meld.cards), 0 if owing else at + 1, (*chosen, meld)
                )

    seen: set[frozenset[Meld]] = set()
    for melds in more(owed, {*owed, *hand, *pile}, 0, ()):
        if frozenset(melds) not in seen:
            seen.add(frozenset(melds))
            yield melds


def told_apart(now: Position) -> frozenset[int]:
    """Cards that are not like their twins: those that are named, now or in an open duty."""
    named = [*now.named.values(), *(cards for duty in now.duties for _, cards in duty.named)]
    return frozenset(card for cards in named for card in cards)


def _selections(s: Scene, action: m.Put, marked: int) -> Iterator[tuple[Choice, object]]:
    hand = sorted(_hand(s))
    if action.count == "all":
        yield (), None
        return
    sizes = range(len(hand) + 1) if action.count == "any" else [action.count]
    for size in sizes:
        for cards in combinations(hand, size):
            yield cards, tuple(sorted((s.game.pack.face[c], c if marked >> c & 1 else -1) for c in cards))


def _layings(s: Scene, action: m.LayMelds, marked: int) -> Iterator[tuple[Choice, object]]:
    oracle, hand = s.game.oracle(s.now), _hand(s)
    most = min(action.most, len(hand))
    for chosen in oracle.arrangements(sum(1 << card for card in hand), most):
        if len(chosen) >= action.least:
            melds = tuple(oracle.meld(kind, said, start) for kind, said, start in chosen)
            yield melds, tuple(sorted(str(oracle.key_of(meld, marked)) for meld in melds))


def _lay_offs(s: Scene, count: int, marked: int) -> Iterator[tuple[Choice, object]]:
    oracle, hand = s.game.oracle(s.now), sum(1 << card for card in _hand(s))
    for index, group in enumerate(s.now.groups):
        kind = oracle.kinds[group.meld.kind]
        for said, start, new in oracle.lay_offs(group.meld, hand, count):
            cards = tuple(oracle.cards_of(new))
            meld = oracle.meld(kind, said, start)
            yield LaidOff(index, meld, cards), (index, oracle.key_of(meld, marked))


def _swaps(s: Scene, marked: int) -> Iterator[tuple[Choice, object]]:
    oracle, hand = s.game.oracle(s.now), sum(1 << card for card in _hand(s))
    for index, group in enumerate(s.now.groups):
        kind = oracle.kinds[group.meld.kind]
        for wild, _at, card, said in oracle.swaps(group.meld, hand):
            meld = oracle.meld(kind, said, group.meld.start)
            yield Swapped(index, wild, card, meld), (index, oracle.alike(wild, marked), oracle.key_of(meld, marked))
