"""What a step costs, and that the MA covers it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.spoken_numbers import spoken_number
from planner.rules.atoms import NEVER, Atom, Friend, when
from planner.rules.cited import Cited, paragraph_for
from planner.rules.demands import Arc, Demand, Tick, no_tick
from planner.rules.play import NO_MP, Finding, MoveInPlay
from planner.rules.roles import Charges, Exempts
from planner.world.charts import Assistance, Cost, Hexside, Route, counts_with
from planner.world.forces import Unit
from planner.world.position import Reliance

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.world.charts import TerrainChart


Helped = tuple[tuple[str, Assistance], ...]
"""The features across which friends help, each with the entry by which they do."""


class MovementPoints(Charges):
    """Ensures that a unit pays for the hex entered and the hexside crossed, in full, out of its MA.

    Where a road, a railway or the like carries the hexside, its price may be paid in place of both. What the terrain chart
    calls prohibited can't be entered or crossed at all, but by such a route.
    """

    kind: Literal["movement_points"]
    prohibited_paragraph: str = Field(
        default="", description="The paragraph that verdicts cite for prohibited terrain; absent: that of the rule"
    )
    cited: tuple[Cited, ...] = Field(
        default=(), description="Paragraphs that verdicts cite for the MA of certain units; the first that fits holds"
    )

    looks_near: ClassVar[bool] = True
    summary: ClassVar[str] = "Each hex and hexside costs the MP of the terrain chart, paid in full before entry."

    # -- the referee's face

    def _prices(self, play: MoveInPlay) -> list[Fraction]:
        """List what may be paid for the step, without help and with the help that there is; nothing: prohibited."""
        own = None if play.way is None else play.way.price(play)
        if own is not None:
            return [own]
        game = play.game
        features = game.board.hexside(play.origin, play.to)
        if features.isdisjoint(game.rulebook.terrain.assisted):
            return self._without_help(play, features)
        found = (self._price(play, help_) for help_ in self._offered(play, there=True))
        return [price for price in found if price is not None]

    def _offered(self, play: MoveInPlay, there: bool) -> Iterator[dict[str, Assistance]]:
        """Yield the choices of help across the features of the hexside: by friends who are anywhere, or who are `there`."""
        chart = play.game.rulebook.terrain
        sides, features = chart.hexsides, play.game.board.hexside(play.origin, play.to) & chart.assisted
        if not features:
            yield {}
            return
        help_there = _helpers_there if there else _helpers_anywhere
        choices: list[list[Assistance | None]] = [
            [None, *(help_ for help_ in sides[f].helping(play.unit) if help_there(play, help_))] for f in features
        ]
        for chosen in product(*choices):
            yield {feature: help_ for feature, help_ in zip(features, chosen, strict=True) if help_ is not None}

    def _price(self, play: MoveInPlay, help_: Mapping[str, Assistance]) -> Fraction | None:
        """Return what is paid for the step with some help; None: prohibited."""
        if help_:
            return self._price_of(play, help_)
        prices = self._without_help(play, play.game.board.hexside(play.origin, play.to))
        return prices[0] if prices else None

    def _without_help(self, play: MoveInPlay, features: frozenset[str]) -> list[Fraction]:
        """Return the price of the step by itself, nothing if it is prohibited: the same for all hexes that look the same."""
        game, place = play.game, play.game.board.places[play.to]
        known: dict[object, list[Fraction]] = game.cached((self.id, "prices"), dict)
        key = (play.unit.id, place.terrain, place.also, place.box, features, game.weather(play.to))
        found = known.get(key)
        if found is None:
            price = self._price_of(play, {})
            found = known[key] = [] if price is None else [price]
        return found

    def _price_of(self, play: MoveInPlay, help_: Mapping[str, Assistance]) -> Fraction | None:
        """Return what the chart says that is paid for the step with some help; None: prohibited."""
        chart, board, unit, phase = play.game.rulebook.terrain, play.game.board, play.unit, play.game.situation.phase
        features, weather = board.hexside(play.origin, play.to), play.game.weather(play.to)
        prices: list[Fraction] = []
        overridden = False
        for route in chart.routes:
            if route.feature in features and _goes_with(route, features):
                for price in route.prices:
                    named = (not price.phases or phase in price.phases) and (
                        not price.weather or weather in price.weather
                    )
                    if named and price.units.matches(unit):
                        across = self._across(play, features, help_) if route.plus_hexside else (False, Fraction(0))
                        if not price.prohibited and across is not None:
                            takes_all = price.all or across[0]
                            prices.append(unit.ma if takes_all else (price.mp or Fraction(0)) + across[1])
                            overridden = overridden or route.overrides
                        break
        if overridden:
            return min(prices)
        # A box has no terrain.
        off_road = None if board.places[play.to].box else self._off_road(play, features, help_)
        return min([*prices, *([] if off_road is None else [off_road])], default=None)

    def _off_road(self, play: MoveInPlay, features: frozenset[str], help_: Mapping[str, Assistance]) -> Fraction | None:
        """Return what the terrain of the hex and the features of the hexside cost; None: prohibited."""
        chart, unit, phase = play.game.rulebook.terrain, play.unit, play.game.situation.phase
        hexagon, weather = play.game.board.places[play.to], play.game.weather(play.to)
        dearest = chart.terrain[hexagon.terrain].cost(unit, phase, weather)
        for name in hexagon.also:
            if not chart.terrain[name].never_part and dearest is not None:
                other = chart.terrain[name].cost(unit, phase, weather)
                if other is None or (other.all, other.mp) > (dearest.all, dearest.mp):
                    dearest = other
        across = self._across(play, features, help_)
        if dearest is None or across is None:
            return None
        return unit.ma if dearest.all or across[0] else dearest.mp + across[1]

    @staticmethod
    def _across(
        play: MoveInPlay, features: frozenset[str], help_: Mapping[str, Assistance]
    ) -> tuple[bool, Fraction] | None:
        """Return whether the features of the hexside take the whole MA, and else what they cost; None: prohibited."""
        chart, unit, phase = play.game.rulebook.terrain, play.unit, play.game.situation.phase
        weather = play.game.weather(play.to)
        total, everything = Fraction(0), False
        cheapest: dict[str, tuple[bool, Fraction]] = {}
        barred: set[str] = set()
        for feature in features:
            side = chart.hexsides.get(feature)
            if side is None or not _goes_with(side, features):
                continue
            cost, group = side.cost(unit, phase, weather), side.one_of or feature
            if feature in help_ and (cost is not None or help_[feature].lifts):
                cost = Cost(help_[feature].mp)
            if cost is None:
                barred.add(group)
            else:
                here = cost.all, cost.mp
                cheapest[group] = min(cheapest.get(group, here), here)
        if barred - set(cheapest):
            return None
        for takes_all, mp in cheapest.values():
            total, everything = total + mp, everything or takes_all
        return everything, total

    def _due(self, play: MoveInPlay) -> list[Fraction]:
        """List what may be paid for the step, which may be an overrun."""
        prices = self._prices(play)
        if not play.overrun:
            return prices
        due = self._as_made(play, min(prices, default=None))
        return [] if due is None else [due]

    @staticmethod
    def _as_made(play: MoveInPlay, price: Fraction | None) -> Fraction | None:
        """Return what a step costs whose hex has a price, if it is an overrun as such; None: prohibited."""
        for rule in play.game.rulebook.overrunning if play.overrun else ():
            price = rule.overrun_price(play, price)
        return price

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Return a finding if the step is prohibited terrain or more than the MA that remains."""
        prices = self._due(play)
        least = prices[0] if len(prices) == 1 else self._least(play, prices)
        # Most steps are within it.
        fine = prices and play.total(self, least) <= play.unit.ma and not (play.step == 1 and play.position.relied)
        return () if fine else self._wrong(play, prices, least)

    def _wrong(self, play: MoveInPlay, prices: Sequence[Fraction], least: Fraction) -> Iterable[Finding]:
        if play.step == 1:
            yield from self._left_alone(play)
        if not prices:
            yield self._prohibition(play)
            if not self.prohibited_paragraph:
                return
        if play.total(self, least) > play.unit.ma:
            yield from self._overspent(play, least)

    def _prohibition(self, play: MoveInPlay) -> Finding:
        text = f"{play.unit.id} can't enter {play.to}: {_barring(play)}"
        return Finding(self.prohibited_paragraph or self.paragraph, text)

    def check_prohibited(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if the step is prohibited terrain, or the unit must stay for those whom it has helped."""
        yield from self._left_alone(play)
        if not self._due(play):
            yield self._prohibition(play)

    def check_payment(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if the step is more than the MA that remains."""
        yield from self._overspent(play, self._least(play, self._due(play)))

    def _least(self, play: MoveInPlay, prices: Sequence[Fraction]) -> Fraction:
        """Return the least of some prices; of a prohibited step, what it would cost with help at most, or nothing."""
        if prices:
            return prices[0] if len(prices) == 1 else min(prices)
        return max(
            (
                p
                for h in self._offered(play, there=False)
                if (p := self._as_made(play, self._price(play, h))) is not None
            ),
            default=NO_MP,
        )

    def _overspent(self, play: MoveInPlay, least: Fraction) -> Iterable[Finding]:
        """Yield a finding if the least that a step may cost is more than the MA that remains."""
        # Other rules may add to the price: leaving an EZOC, for instance.
        cost = play.price(self, least)
        left = play.left(cost)
        exempting = play.game.rulebook.of(Exempts)
        if cost <= left or any(rule.exempts_from_ma(play) for rule in exempting):
            return
        left = max(left, NO_MP)
        paragraph = paragraph_for(self.cited, play.unit, self.paragraph)
        text = f"{play.unit.id} can't pay for {play.to}: remaining MA {spoken_number(left)}, cost {spoken_number(cost)}"
        if not cost:  # a prohibited step has no price
            text = f"{play.unit.id} can't go on to {play.to}: it has spent more than its MA by then"
        if play.overrun and play.spent + cost / play.attempts > play.unit.ma:
            on_foot = replace(play, overrun=False, attempts=1)
            if (rule := next((rule for rule in exempting if rule.exempts_from_ma(on_foot)), None)) is not None:
                once = rule.exempts_from_ma(replace(play, attempts=1))
                paragraph = rule.paragraph
                text = f"{text}; the one hex in any case is {'to be tried once' if once else 'not for overruns'}"
        yield Finding(paragraph, text, left=left, cost=cost)

    def step_cost(self, play: MoveInPlay) -> Fraction:
        """Return the cheapest price of the step; where it is prohibited, what it would cost with help, or 0."""
        return self._least(play, self._due(play))

    def settle(self, play: MoveInPlay) -> None:
        """Note of friends who help only if they move no more whom they have helped across."""
        position = play.position
        if not play.game.rulebook.terrain.some_must_stay:
            return
        if any(play.unit.id in one.friends for one in position.relied):
            position.relied = tuple(
                replace(one, friends=one.friends - {play.unit.id}) if one.rule == self.id else one
                for one in position.relied
            )
        if play.way is not None and play.way.price(play) is not None:
            return
        prices = ((self._as_made(play, self._price(play, help_)), help_) for help_ in self._offered(play, there=True))
        paid = [
            (price, sum(one.stays for one in help_.values()), number, help_)
            for number, (price, help_) in enumerate(prices)
            if price is not None
        ]
        for help_ in min(paid, key=lambda one: one[:3])[3].values() if paid else ():
            if help_.stays:
                friends = frozenset(_helpers_there(play, help_))
                position.relied += (Reliance(self.paragraph, play.unit.id, friends, self.id),)

    def _left_alone(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield whom the unit has helped across in this phase, where nobody else who did would stay."""
        if play.step != 1 or not play.game.rulebook.terrain.some_must_stay:
            return
        leaving = {play.unit.id, *play.companions} | play.moving_later
        for one in play.position.relied:
            if one.rule == self.id and play.unit.id in one.friends <= leaving:
                text = f"{play.unit.id} must stay in {play.origin}: it has helped {one.unit} across"
                yield Finding(one.paragraph, text, (), play.origin, 0)

    # -- the solver's face

    def _tariff(self, game: Game, unit: Unit, arc: Arc) -> Fraction | None:
        """Return the price of an arc without help, None if it is prohibited."""
        # Whoever asks what an arc needs asks next what it costs.
        last: dict[str, tuple[Unit, Arc, Fraction | None]] = game.cached((self.id, "last tariff"), dict)
        known = last.get("")
        if known is not None and known[0] is unit and known[1] is arc:
            return known[2]
        plain = self._plain_tariff(game, unit, arc)
        last[""] = unit, arc, plain
        return plain

    def _plain_tariff(self, game: Game, unit: Unit, arc: Arc, helped: Helped = ()) -> Fraction | None:
        """Return the price of an arc with some help, None if it is prohibited."""
        way = game.rulebook.way(arc.way)
        price = None if way is None else way.tariff(game, unit, arc)
        if price is None:
            into, along = game.board.places[arc.to], game.board.hexside(arc.origin, arc.to)
            # The chart says the same of every hex that looks the same.
            known: dict[object, Fraction | None] = game.cached((self.id, "tariffs"), dict)
            key = (unit.id, into.terrain, into.also, into.box, along, game.weather(arc.to), helped)
            if key not in known:
                known[key] = self._charted(game, unit, arc, helped)
            price = known[key]
        if arc.overrun:
            for rule in game.rulebook.overrunning:
                price = rule.overrun_tariff(game, unit, arc, price)
        return price

    def _charted(self, game: Game, unit: Unit, arc: Arc, helped: Helped) -> Fraction | None:
        """Return what the chart says of entering the hex, None if it is prohibited."""
        chart: TerrainChart = game.rulebook.terrain
        along = game.board.hexside(arc.origin, arc.to)
        phase, weather = game.situation.phase, game.weather(arc.to)
        best: Fraction | None = None
        overridden = False
        for route in chart.routes:
            if route.feature not in along or not counts_with(route, along):
                continue
            price = next((price for price in route.prices if price.fits(unit, phase, weather)), None)
            extra = chart.hexside_cost(along, unit, phase, helped, weather) if route.plus_hexside else Cost(Fraction(0))
            if price is None or price.prohibited or extra is None:
                continue
            due = Cost((price.mp or Fraction(0)) + extra.mp, price.all or extra.all).of(unit.ma)
            best = due if best is None else min(best, due)
            overridden = overridden or route.overrides
        if overridden:
            return best
        into = game.board.places[arc.to]
        cost = None if into.box else chart.entry_cost(into, along, unit, phase, helped, weather)
        if cost is None:
            return best
        total = cost.of(unit.ma)
        return total if best is None else min(best, total)

    def arc_demands(self, game: Game, unit: Unit, arc: Arc) -> Iterable[Demand]:
        """Yield a demand for prohibited terrain: impossible, or that friends help who lift it."""
        if self._tariff(game, unit, arc) is None:
            any_of = tuple(
                frozenset[Atom]().union(*one)
                for _, asked in self._with_help(game, unit, arc)
                for one in product(*(demand.any_of for demand in asked))
            )
            yield Demand(self.prohibited_paragraph or self.paragraph, any_of or NEVER, source=self.id)

    def groups(self, game: Game) -> dict[str, frozenset[str]]:
        """Return the friends that help across each feature, and those who must stay since they have helped."""
        found = {
            self._helpers(feature, entry): frozenset(
                unit
                for unit in game.friends
                if entry.by.matches(game.units[unit]) and not (entry.unmoved and game.has_moved(unit))
            )
            for feature, side in game.rulebook.terrain.hexsides.items()
            for entry in side.assisted
        }
        return found | {f"{self.id} relied {number}": one.friends for number, one in self._relied(game)}

    def _helpers(self, feature: str, entry: Assistance) -> str:
        return f"{self.id} {feature} {entry.by!r} {entry.unmoved}"

    def _relied(self, game: Game) -> list[tuple[int, Reliance]]:
        """Return who has helped others across in this phase, and must stay."""
        begun = game.begun
        relied = [] if begun is None else [one for one in begun.position.relied if one.rule == self.id]
        return list(enumerate(relied))

    def pick_up_demands(self, game: Game, unit: Unit, origin: str, tick: Tick = no_tick) -> Iterable[Demand]:
        """Yield that a friend stays who has helped others across, unless another one does who has."""
        for number, one in self._relied(game):
            if unit.id in one.friends <= game.homes.keys():  # who has been eliminated since has moved no more
                places = sorted({game.homes[friend] for friend in one.friends - {unit.id}})
                any_of = tuple(frozenset([Friend(label, f"{self.id} relied {number}", stays=True)]) for label in places)
                yield Demand(one.paragraph, any_of or NEVER, cause=f"relied {number}", source=self.id)

    def _with_help(self, game: Game, unit: Unit, arc: Arc) -> Iterable[tuple[Fraction, tuple[Demand, ...]]]:
        """Yield what an arc costs with each choice of help that there may be, and what that asks for."""
        sides, assisted = game.rulebook.terrain.hexsides, game.rulebook.terrain.assisted
        if not assisted or assisted.isdisjoint(along := game.board.hexside(arc.origin, arc.to)):
            return
        every = [
            [(feature, entry) for entry in sides[feature].helping(unit) if self._helps(game, unit, entry)]
            for feature in sorted(along & assisted)
        ]
        for chosen in product(*([None, *some] for some in every if some)):
            helped = tuple(one for one in chosen if one is not None)
            price = self._plain_tariff(game, unit, arc, helped) if helped else None
            if price is not None:
                yield price, tuple(self._beside(arc, feature, entry) for feature, entry in helped)

    @staticmethod
    def _helps(game: Game, unit: Unit, entry: Assistance) -> bool:
        """Tell whether there is a friend who may help a unit, wherever he is."""
        return any(friend != unit.id and entry.by.matches(game.units[friend]) for friend in game.friends)

    def looks_for_friends(self, game: Game) -> tuple[object, ...]:
        """Return who alone might help across each feature, or nobody; None: of several one might help any unit."""
        entries = (entry for side in game.rulebook.terrain.hexsides.values() for entry in side.assisted)
        able = (frozenset(one for one in game.friends if entry.by.matches(game.units[one])) for entry in entries)
        return tuple(helpers if len(helpers) < 2 else None for helpers in able)

    def _beside(self, arc: Arc, feature: str, entry: Assistance) -> Demand:
        """Return that a friend helps across a feature."""
        name = self._helpers(feature, entry)
        # Whoever makes the step, too, isn't beside the hexside before it is made.
        here = Friend(arc.origin, name, entry.stays, unmoved=entry.unmoved)
        there = Friend(arc.to, name, entry.stays, before=True, unmoved=entry.unmoved)
        return Demand(self.paragraph, when(here) + when(there), cause=feature, source=self.id, choice=True)

    def arc_prices(self, game: Game, unit: Unit, arc: Arc) -> Iterable[tuple[Fraction, tuple[Demand, ...]]]:
        """Yield the price of an arc, and lower ones for the help that there may be.

        Where the arc is prohibited without help, what is due in any case is the highest of these.
        """
        alone, helped = self._tariff(game, unit, arc), list(self._with_help(game, unit, arc))
        if alone is None:
            alone = max((price for price, _ in helped), default=Fraction(0))
        yield alone, ()
        yield from ((price, asked) for price, asked in helped if price < alone)

    def budget_demand(self, game: Game, unit: Unit) -> Demand:
        """Return what fails when a step costs more than the MA that remains."""
        return Demand(paragraph_for(self.cited, unit, self.paragraph), NEVER, source=self.id)


def _helpers_anywhere(play: MoveInPlay, help_: Assistance) -> list[str]:
    """List the friends who might help the unit across, wherever they stand."""
    units, friends = play.game.units, play.game.friends
    return [friend for friend in friends if friend != play.unit.id and help_.by.matches(units[friend])]


def _helpers_there(play: MoveInPlay, help_: Assistance) -> list[str]:
    """List the friends in the two hexes who help across now."""
    moved = {*play.position.under_way, *play.mates} if help_.unmoved else set()
    leaving = play.moving_later if help_.stays else frozenset()
    return [
        friend
        for label in (play.origin, play.to)
        for friend in play.friends_in(label)
        if help_.by.matches(play.game.units[friend]) and friend not in moved and friend not in leaving
    ]


def _goes_with(entry: Hexside | Route, features: frozenset[str]) -> bool:
    """Tell whether nothing on a hexside keeps a feature, or a route, from counting there."""
    return features.isdisjoint(entry.not_with) or not features.isdisjoint(entry.unless)


def _barring(play: MoveInPlay) -> str:
    """Say what of the hex and the hexside is prohibited."""
    chart, unit, phase = play.game.rulebook.terrain, play.unit, play.game.situation.phase
    place, weather = play.game.board.places[play.to], play.game.weather(play.to)
    features = play.game.board.hexside(play.origin, play.to)
    names = [name for name in place.also if not chart.terrain[name].never_part]
    found = [
        name
        for name in (place.terrain, *names)
        if name in chart.terrain and chart.terrain[name].cost(unit, phase, weather) is None
    ]
    lying = {
        feature: side
        for feature in sorted(features)
        if (side := chart.hexsides.get(feature)) is not None and _goes_with(side, features)
    }
    # Of several that count as one, such as different waters, any that can be crossed will do.
    open_ = {side.one_of for side in lying.values() if side.cost(unit, phase, weather) is not None} - {None, ""}
    found += [
        feature
        for feature, side in lying.items()
        if side.cost(unit, phase, weather) is None and side.one_of not in open_
    ]
    if not found:
        by_terrain = place.box and play.way is not None and not play.way.plain
        return "a box has no terrain, and so no price by the terrain chart" if by_terrain else "no way leads there"
    helped = [name for name in found if name in lying and any(help_.lifts for help_ in lying[name].helping(unit))]
    parts = [name for name in found if name not in helped], helped
    plain, lifted = (" and ".join(part).replace("_", " ") for part in parts)
    verb = "is" if len(parts[0] or parts[1]) == 1 else "are"
    if not (plain and lifted):
        return f"{plain or lifted} {verb} prohibited{' without help' if lifted else ''}"
    return f"{plain} {verb} prohibited, and {lifted} without help"
