"""What a step costs, and that the MA covers it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.formats.mp import format_mp
from planner.rules.cited import Cited, paragraph_for
from planner.rules.demands import NEVER, Arc, Demand, Friend
from planner.rules.play import Finding, MoveInPlay
from planner.rules.roles import Charges, Exempts
from planner.world.charts import Assistance, Cost, Hexside, Route, counts_with
from planner.world.forces import Unit

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.world.charts import TerrainChart


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

    summary: ClassVar[str] = "Each hex and hexside costs the MP of the terrain chart, paid in full before entry."

    # -- the referee's face

    def _prices(self, play: MoveInPlay) -> list[Fraction]:
        """List what may be paid for the step; nothing: prohibited."""
        own = None if play.way is None else play.way.price(play)
        if own is not None:
            return [own]
        chart, board, unit, phase = play.game.rulebook.terrain, play.game.board, play.unit, play.game.situation.phase
        features, weather = board.hexside(play.origin, play.to), play.game.weather(play.to)
        prices: list[Fraction] = []
        overridden = False
        for route in chart.routes:
            if route.feature in features and self._goes_with(route, features):
                for price in route.prices:
                    named = (not price.phases or phase in price.phases) and (
                        not price.weather or weather in price.weather
                    )
                    if named and price.units.matches(unit):
                        across = self._across(play, features) if route.plus_hexside else (False, Fraction(0))
                        if not price.prohibited and across is not None:
                            takes_all = price.all or across[0]
                            prices.append(unit.ma if takes_all else (price.mp or Fraction(0)) + across[1])
                            overridden = overridden or route.overrides
                        break
        if overridden:
            return [min(prices)]
        if board.places[play.to].box:
            return []  # a box has no terrain
        off_road = self._off_road(play, features)
        return prices if off_road is None else [*prices, off_road]

    def _off_road(self, play: MoveInPlay, features: frozenset[str]) -> Fraction | None:
        """Return what the terrain of the hex and the features of the hexside cost; None: prohibited."""
        sides, place = play.game.rulebook.terrain.hexsides, play.game.board.places[play.to]
        if any(sides[feature].assisted for feature in features if feature in sides):
            return self._price_of(play, features)  # it depends on who stands beside the hexside
        known: dict[object, Fraction | None] = play.game.cached((self.id, "off road"), dict)
        key = (play.unit.id, place.terrain, place.also, features, play.game.weather(play.to))
        if key not in known:
            known[key] = self._price_of(play, features)
        return known[key]

    def _price_of(self, play: MoveInPlay, features: frozenset[str]) -> Fraction | None:
        chart, unit, phase = play.game.rulebook.terrain, play.unit, play.game.situation.phase
        hexagon, weather = play.game.board.places[play.to], play.game.weather(play.to)
        dearest = chart.terrain[hexagon.terrain].cost(unit, phase, weather)
        for name in hexagon.also:
            if not chart.terrain[name].never_part and dearest is not None:
                other = chart.terrain[name].cost(unit, phase, weather)
                if other is None or (other.all, other.mp) > (dearest.all, dearest.mp):
                    dearest = other
        across = self._across(play, features)
        if dearest is None or across is None:
            return None
        return unit.ma if dearest.all or across[0] else dearest.mp + across[1]

    @staticmethod
    def _goes_with(entry: Hexside | Route, features: frozenset[str]) -> bool:
        """Tell whether nothing on a hexside keeps a feature, or a route, from counting there."""
        return features.isdisjoint(entry.not_with) or not features.isdisjoint(entry.unless)

    @staticmethod
    def _across(play: MoveInPlay, features: frozenset[str]) -> tuple[bool, Fraction] | None:
        """Return whether the features of the hexside take the whole MA, and else what they cost; None: prohibited."""
        chart, unit, phase = play.game.rulebook.terrain, play.unit, play.game.situation.phase
        hexes, weather = (play.origin, play.to), play.game.weather(play.to)
        total, everything = Fraction(0), False
        cheapest: dict[str, tuple[bool, Fraction]] = {}
        barred: set[str] = set()
        for feature in features:
            side = chart.hexsides.get(feature)
            if side is None or not MovementPoints._goes_with(side, features):
                continue
            cost, group = side.cost(unit, phase, weather), side.one_of or feature
            help_ = side.helped(unit)
            if (
                cost is not None
                and help_ is not None
                and any(
                    help_.by.matches(play.game.units[friend]) for label in hexes for friend in play.friends_in(label)
                )
            ):
                cost = Cost(help_.mp)
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

    @staticmethod
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
            if (side := chart.hexsides.get(feature)) is not None and MovementPoints._goes_with(side, features)
        }
        # Of several that count as one, such as different waters, any that can be crossed will do.
        open_ = {side.one_of for side in lying.values() if side.cost(unit, phase, weather) is not None} - {None, ""}
        found += [
            feature
            for feature, side in lying.items()
            if side.cost(unit, phase, weather) is None and side.one_of not in open_
        ]
        if not found:
            return "no way leads there"
        named = " and ".join(found).replace("_", " ")
        return f"{named} {'is' if len(found) == 1 else 'are'} prohibited"

    def _due(self, play: MoveInPlay) -> list[Fraction]:
        """List what may be paid for the step, which may be an overrun."""
        prices = self._prices(play)
        if not play.overrun:
            return prices
        due = min(prices, default=None)
        for rule in play.game.rulebook.overrunning:
            due = rule.overrun_price(play, due)
        return [] if due is None else [due]

    def check_step(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if the step is prohibited terrain or more than the MA that remains."""
        prices = self._due(play)
        if not prices:
            yield self._prohibition(play)
            if not self.prohibited_paragraph:
                return
        yield from self._overspent(play, prices)

    def _prohibition(self, play: MoveInPlay) -> Finding:
        text = f"{play.unit.id} can't enter {play.to}: {self._barring(play)}"
        return Finding(self.prohibited_paragraph or self.paragraph, text)

    def check_prohibited(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if the step is prohibited terrain."""
        if not self._due(play):
            yield self._prohibition(play)

    def check_payment(self, play: MoveInPlay) -> Iterable[Finding]:
        """Yield a finding if the step is more than the MA that remains."""
        yield from self._overspent(play, self._due(play))

    def _overspent(self, play: MoveInPlay, prices: Sequence[Fraction]) -> Iterable[Finding]:
        """Yield a finding if the cheapest of some prices, nothing where there is none, is more than the MA that remains."""
        # Other rules may add to the price: leaving an EZOC, for instance.
        cost = play.price(self, min(prices, default=Fraction(0)))
        exempting = play.game.rulebook.of(Exempts)
        left = max(play.left(cost), Fraction(0))
        if cost <= play.left(cost) or any(rule.exempts_from_ma(play) for rule in exempting):
            return
        paragraph = paragraph_for(self.cited, play.unit, self.paragraph)
        text = f"{play.unit.id} can't pay for {play.to}: remaining MA {format_mp(left)}, cost {format_mp(cost)}"
        if play.overrun and play.spent + cost / play.attempts > play.unit.ma:
            on_foot = replace(play, overrun=False)
            if (rule := next((rule for rule in exempting if rule.exempts_from_ma(on_foot)), None)) is not None:
                paragraph, text = rule.paragraph, f"{text}; the one hex in any case is not for overruns"
        yield Finding(paragraph, text, left=left, cost=cost)

    def step_cost(self, play: MoveInPlay) -> Fraction:
        """Return the cheapest price of the step, 0 where it is prohibited."""
        return min(self._due(play), default=Fraction(0))

    # -- the solver's face

    def _tariff(self, game: Game, unit: Unit, arc: Arc) -> Fraction | None:
        """Return the price of an arc, None if it is prohibited."""
        # Whoever asks what an arc needs asks next what it costs.
        last: dict[str, tuple[Unit, Arc, Fraction | None]] = game.cached((self.id, "last tariff"), dict)
        known = last.get("")
        if known is not None and known[0] is unit and known[1] is arc:
            return known[2]
        plain = self._plain_tariff(game, unit, arc)
        if arc.overrun:
            for rule in game.rulebook.overrunning:
                plain = rule.overrun_tariff(game, unit, arc, plain)
        last[""] = unit, arc, plain
        return plain

    def _plain_tariff(self, game: Game, unit: Unit, arc: Arc, helped: tuple[str, ...] = ()) -> Fraction | None:
        """Return the price of entering the hex, None if it is prohibited."""
        way = game.rulebook.way(arc.way)
        special = None if way is None else way.tariff(game, unit, arc)
        if special is not None:
            return special
        into, along = game.board.places[arc.to], game.board.hexside(arc.origin, arc.to)
        # The chart says the same of every hex that looks the same.
        known: dict[object, Fraction | None] = game.cached((self.id, "tariffs"), dict)
        key = (unit.id, into.terrain, into.also, into.box, along, game.weather(arc.to), helped)
        if key not in known:
            known[key] = self._charted(game, unit, arc, helped)
        return known[key]

    def _charted(self, game: Game, unit: Unit, arc: Arc, helped: tuple[str, ...]) -> Fraction | None:
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
        """Yield an impossible demand for prohibited terrain."""
        if self._tariff(game, unit, arc) is None:
            yield Demand(self.prohibited_paragraph or self.paragraph, NEVER, source=self.id)

    def groups(self, game: Game) -> dict[str, frozenset[str]]:
        """Return the friends that help across each feature."""
        return {
            self._helpers(feature, entry): frozenset(u for u in game.phasing if entry.by.matches(game.units[u]))
            for feature, side in game.rulebook.terrain.hexsides.items()
            for entry in side.assisted
        }

    def _helpers(self, feature: str, entry: Assistance) -> str:
        return f"{self.id} {feature} {entry.by!r}"

    def arc_prices(self, game: Game, unit: Unit, arc: Arc) -> Iterable[tuple[Fraction, tuple[Demand, ...]]]:
        """Yield the price of an arc, and a lower one for each feature across which a friend may help."""
        alone = self._tariff(game, unit, arc)
        yield alone or Fraction(0), ()
        sides = game.rulebook.terrain.hexsides
        for feature in sorted(game.board.hexside(arc.origin, arc.to) & sides.keys()):
            entry = sides[feature].helped(unit)
            if alone is None or entry is None or arc.overrun:
                continue
            helped = self._plain_tariff(game, unit, arc, (feature,))
            if helped is not None and helped < alone:
                name = self._helpers(feature, entry)
                # Whoever makes the step, too, isn't beside the hexside before it is made.
                friends = (frozenset([Friend(arc.origin, name)]), frozenset([Friend(arc.to, name, before=True)]))
                yield helped, (Demand(self.paragraph, friends, cause=feature, source=self.id, choice=True),)

    def budget_demand(self, game: Game, unit: Unit) -> Demand:
        """Return what fails when a step costs more than the MA that remains."""
        return Demand(paragraph_for(self.cited, unit, self.paragraph), NEVER, source=self.id)
