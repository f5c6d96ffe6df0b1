"""What the actions of a move do to a position seen from far away."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import inf

from rulespec import expressions as ex
from rulespec import model
from rulespec.model import Action, Rulesheet
from rulespec.reasoning.judge import Judge
from rulespec.reasoning.known import Known
from rulespec.reasoning.numbers import ONE_OR_MORE, SOME_OR_NONE, Between, exactly
from rulespec.reasoning.position import FEWS, MORE, Opened, Piles, Seat, fewer, known_before, more
from rulespec.reasoning.walk import inside

State = tuple[Piles, Seat]
LAYING = (model.LayMelds, model.LayOff, model.Swap, model.Rearrange)


class Effects:
    """The effects of one sheet's actions under one setting."""

    def __init__(self, sheet: Rulesheet, judge: Judge, base: Known) -> None:
        self.sheet = sheet
        self.judge = judge
        self.base = base
        self.least_meld = min((kind.cards.low for kind in sheet.melds), default=1)
        asked = {fact.name for fact in inside(sheet, ex.PlayerFact)}
        self.once_opened: Opened = "now" if "opened-this-turn" in asked else "earlier" if "opened" in asked else "no"
        """What a player is after laying: only as much as the sheet asks is told apart."""
        self.turned_up = {action.named for action in inside(sheet, model.TurnUp)}
        self.singles = {
            a.named for a in inside(sheet, model.Take) if a.what == "any" or (a.what, a.count) == ("top", 1)
        }
        self.singles |= {a.named for a in inside(sheet, model.Swap)}

    def of_chain(self, actions: Iterable[Action], states: set[State]) -> set[State]:
        """What may be after a chain of actions; nothing if it cannot be done."""
        for action in actions:
            states = {after for state in states for after in self._of(action, *state)}
        return states

    def settled(self, states: Iterable[State]) -> set[State]:
        """The states with the stock called empty or dry as its renewal allows."""
        return {(piles, seat) for before, seat in states for piles in self._renewable(before)}

    def _renewable(self, piles: Piles) -> list[Piles]:
        rule = self.sheet.stock
        if piles.stock == "cards":
            return [piles]
        if rule.how == "nothing" or (rule.zone == "discards" and piles.discards < MORE):
            return [piles._replace(stock="dry")]
        if rule.zone == "discards" and rule.at_most is None:
            return [piles._replace(stock="empty")]
        return [piles._replace(stock="empty"), piles._replace(stock="dry")]

    def _of(self, action: Action, piles: Piles, seat: Seat) -> set[State]:
        match action:
            case model.Draw():
                return self._draw(action, piles, seat)
            case model.Take():
                return self._take(action, piles, seat)
            case model.Put():
                return self._put(action, piles, seat)
            case model.PutEvery():
                kept = {hand for hand in fewer(seat.hand, SOME_OR_NONE) if hand or seat.hand < MORE}
                return {(self._onto(piles, action.zone), seat._replace(hand=hand)) for hand in kept} | {(piles, seat)}
            case model.Return():
                return self._return(action, piles, seat)
            case model.TurnUp():
                taken = {after for after, _ in self._off_stock(piles, Between(1, action.count))}
                return {(after, seat) for less in taken for after in (less, self._onto(less, action.zone))}
            case model.LayMelds() | model.LayOff() | model.Swap() | model.Rearrange():
                return self._lay(action, piles, seat)
        return {(piles, seat)}

    def _draw(self, action: model.Draw, piles: Piles, seat: Seat) -> set[State]:
        count = self.judge.number(action.count, known_before(self.base, piles, seat, None, False))
        if action.zone == "discards":
            return self._off_discards(Between(min(count.low, 1), count.high), piles, seat)
        if action.zone != "stock":
            return {(piles, seat._replace(hand=hand)) for hand in more(seat.hand, Between(0, count.high))}
        drawn = Between(0 if count.low <= 0 else 1, max(count.high, 0))
        return {
            (after, seat._replace(hand=hand))
            for after, got in self._off_stock(piles, drawn)
            for hand in more(seat.hand, got)
        }

    def _off_stock(self, piles: Piles, count: Between) -> list[tuple[Piles, Between]]:
        """The piles after so many cards were drawn, with how many they were."""
        if piles.stock == "dry" or count.high <= 0:
            return [(piles, exactly(0))]
        discards = piles.discards
        if piles.stock == "empty" and self.sheet.stock.zone == "discards":
            discards = 1
        used_up = self._renewable(Piles("empty", discards))
        return [(Piles("cards", discards), count), *((after, count) for after in used_up)]

    def _take(self, action: model.Take, piles: Piles, seat: Seat) -> set[State]:
        if action.zone == "stock":
            return self._take_off_stock(action, piles, seat)
        if action.zone != "discards":
            return {(piles, seat._replace(hand=hand)) for hand in more(seat.hand, ONE_OR_MORE)}
        match action.what:
            case "top":
                return self._off_discards(Between(1, action.count), piles, seat)
            case "all":
                taken = piles.discards
                gained = more(seat.hand, Between(taken, inf if taken == MORE else taken))
                return {(piles._replace(discards=0), seat._replace(hand=hand)) for hand in gained}
            case "any":
                return self._off_discards(exactly(1), piles, seat)
            case "dig":
                return self._off_discards(Between(2, inf), piles, seat)

    def _take_off_stock(self, action: model.Take, piles: Piles, seat: Seat) -> set[State]:
        """Cards taken from the stock as it is; it is not renewed for this."""
        if piles.stock != "cards":
            return {(piles, seat)} if action.what == "all" else set()
        count = Between(1, action.count if action.what == "top" else 1 if action.what == "any" else inf)
        after = [piles, *self._renewable(piles._replace(stock="empty"))]
        return {(left, seat._replace(hand=hand)) for left in after for hand in more(seat.hand, count)}

    def _off_discards(self, count: Between, piles: Piles, seat: Seat) -> set[State]:
        return {
            (piles._replace(discards=left), seat._replace(hand=hand))
            for left in fewer(piles.discards, count)
            for hand in more(seat.hand, count)
        }

    def _put(self, action: model.Put, piles: Piles, seat: Seat) -> set[State]:
        match action.count:
            case "all":
                return {(self._onto(piles, action.zone) if seat.hand else piles, seat._replace(hand=0))}
            case "any":
                left = fewer(seat.hand, ONE_OR_MORE)
                moved = {(self._onto(piles, action.zone), seat._replace(hand=hand)) for hand in left}
                return moved | {(piles, seat)}
        after = self._onto(piles, action.zone, action.count)
        return {(after, seat._replace(hand=hand)) for hand in fewer(seat.hand, exactly(action.count))}

    def _return(self, action: model.Return, piles: Piles, seat: Seat) -> set[State]:
        after = self._onto(piles, action.zone)
        if action.name in self.turned_up:
            return {(after, seat)}
        count = exactly(1) if action.name in self.singles else ONE_OR_MORE
        return {(after, seat._replace(hand=hand)) for hand in fewer(seat.hand, count)}

    def _onto(self, piles: Piles, zone: str, count: int = 1) -> Piles:
        if zone == "stock":
            return piles._replace(stock="cards")
        if zone != "discards":
            return piles
        return piles._replace(discards=FEWS[min(piles.discards + count, MORE)])

    def _lay(self, action: Action, piles: Piles, seat: Seat) -> set[State]:
        opened = seat._replace(opened=self.once_opened) if seat.opened == "no" else seat
        match action:
            case model.LayMelds(least=0):
                return {(piles, seat)} | self._lay(replace(action, least=1), piles, seat)
            case model.LayMelds():
                left = fewer(seat.hand, Between(self.least_meld, inf))
            case model.LayOff():
                count = self.judge.number(action.count, self.base)
                left = fewer(seat.hand, Between(max(count.low, 1), max(count.high, 1)))
            case model.Swap():
                left = {seat.hand} if seat.hand and self.sheet.wild is not None else set()
            case _:
                left = fewer(seat.hand, ONE_OR_MORE)
        return {(piles, opened._replace(hand=hand)) for hand in left}
