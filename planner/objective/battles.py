"""The term that counts battles to come."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import chain, combinations
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from planner.objective.base import Linear, OutcomeModel, Tally, Term
from planner.rules.later_roles import Battles as BattleRule
from planner.rules.roles import Commands
from planner.world.selectors import UnitSelector

if TYPE_CHECKING:
    from planner.rules.game import Game
    from planner.world.position import Position


class ReadyToBattle(Term):
    """Ensures, or counts, that units can battle after the moves: ordered, not moved too far, not bogged down, in range.

    Whoever has moved has an order; whoever hasn't needs one of those that are left in its section.
    """

    kind: Literal["battle"]
    counted: ClassVar[str] = "units that can battle"
    by: UnitSelector = Field(default=UnitSelector(), description="The units of the phasing side that count")
    against: UnitSelector = Field(default=UnitSelector(), description="The enemies that count")
    at_least: int = Field(default=1, ge=1, le=5_000, description="As a requirement: so many at least")

    def problems(self, game: Game) -> Iterable[tuple[str, str]]:
        """Yield that the game has no battles, or that dice decide which enemies are left for them."""
        book = game.rulebook
        if not book.of(BattleRule):
            yield "this game's rulebook says nothing of battles", "kind"
        elif book.rolled and (book.overrunning or book.fights):
            yield (
                "battle isn't counted in games in which it is rolled for which enemies are left: hold or end may be",
                "kind",
            )

    @property
    def spares(self) -> bool:
        """Whether it may count more if an enemy is left: one who is gone battles nobody."""
        return True

    def full(self, game: Game) -> int:
        """Return the number that is asked for."""
        return self.at_least

    def highest(self, game: Game) -> int:
        """Return the number of units that count."""
        return sum(self.by.matches(game.units[unit]) for unit in game.friends)

    # -- the referee's face

    def score(self, game: Game, position: Position, tally: Tally) -> Fraction:
        """Count the units that can battle."""
        rule = _rule(game)
        orders = next(iter(game.rulebook.of(Commands)), None)
        if rule is None:
            return Fraction(0)
        moved = [unit for unit in position.under_way if unit in game.friends]
        targets = frozenset(
            at for enemy, at in position.at.items() if game.is_enemy(enemy) and self.against.matches(game.units[enemy])
        )
        battling, waiting = 0, []
        for unit in game.sorted(game.friends):
            counter, label = game.units[unit], position.at.get(unit)
            reach = rule.reach_of(counter)
            if reach is None or not self.by.matches(counter) or unit in position.bogged:
                continue
            away = None if label is None else game.board.nearest(label, targets)
            if label is None or away is None or away > reach.range:
                continue
            hexes = position.under_way[unit].steps if unit in position.under_way else 0
            barred = rule.not_on_entering
            place = game.board.places[label]
            if hexes > reach.hexes_moved or (hexes and barred and barred.matches(place, game.weather(label))):
                continue
            if unit in position.under_way:
                battling += 1
            elif not rule.only_after_moving:
                waiting.append(unit)
        ordered = list(moved)
        for unit in waiting:
            if orders is None or orders.enough(game, [*ordered, unit]):
                ordered.append(unit)
                battling += 1
        return Fraction(battling)

    # -- the solver's face

    def post(self, outcome: OutcomeModel) -> Linear:
        """Sum the arrivals from which units can battle for certain, and the orders given to units that stay."""
        moved, still = self._parts(outcome)
        return Linear(tuple((1, literal) for chance, literal in moved if chance >= outcome.confidence) + still)

    def on_average(self, outcome: OutcomeModel) -> Linear:
        """Sum the probabilities of such arrivals, and the orders given to units that stay."""
        moved, still = self._parts(outcome)
        scale = outcome.mp_scale
        return Linear(
            (
                *((int(chance * scale), literal) for chance, literal in moved),
                *((scale, literal) for _, literal in still),
            )
        )

    def _parts(self, outcome: OutcomeModel) -> tuple[list[tuple[Fraction, object]], tuple[tuple[int, object], ...]]:
        game = outcome.game
        rule = _rule(game)
        if rule is None:
            return [], ()
        targets = {
            enemy: home
            for enemy, home in game.homes.items()
            if enemy not in game.friends and self.against.matches(game.units[enemy])
        }

        def left(label: str, hexes: int, literal: object) -> object:
            """Return the literal, and that an enemy is in range who isn't eliminated, where any is."""
            near = [enemy for enemy, at in targets.items() if game.board.within(label, at, hexes)]
            if not game.rulebook.overrunning:
                return literal
            return outcome.all_of([literal, outcome.any_of([outcome.negate(outcome.gone(enemy)) for enemy in near])])

        moved: list[tuple[Fraction, object]] = []
        still: dict[str, object] = {}
        for unit, home in game.homes.items():
            counter = game.units[unit]
            reach = rule.reach_of(counter)
            if unit not in game.friends or reach is None or not self.by.matches(counter):
                continue
            for label, hexes, chance, literal in outcome.arrivals(unit):
                if rule.may(game, counter, label, hexes) and _near(game, label, targets.values(), reach.range):
                    moved.append((chance, left(label, reach.range, literal)))
            if rule.may(game, counter, home, 0) and _near(game, home, targets.values(), reach.range):
                stays = outcome.all_of([outcome.negate(outcome.moves(unit)), outcome.new_literal()])
                still[unit] = left(home, reach.range, stays)
        self._share_orders(outcome, still)
        return moved, tuple((1, literal) for literal in still.values())

    @staticmethod
    def _share_orders(outcome: OutcomeModel, still: dict[str, object]) -> None:
        """Ensure that there are orders for all who move or battle (Hall's condition)."""
        game = outcome.game
        rule = next(iter(game.rulebook.of(Commands)), None)
        if rule is None or (rule.phases and game.situation.phase not in rule.phases):
            return
        users: dict[frozenset[str], list[object]] = {}
        for unit in game.sorted(game.friends):
            if (unit in game.homes or game.has_moved(unit)) and not rule.ordered.matches(game.units[unit]):
                # Whoever has moved was ordered where it stood then.
                there = game.board.places[game.origin_of(unit)].traits
                sections = frozenset(section for section in rule.sections if section in there)
                users.setdefault(sections, []).append(outcome.moves(unit))
                if unit in still:
                    users[sections].append(still[unit])
        some = chain.from_iterable(combinations(rule.sections, size) for size in range(len(rule.sections) + 1))
        for chosen in some:
            inside = [
                literal for sections, literals in users.items() if sections <= set(chosen) for literal in literals
            ]
            outcome.limit(inside, sum(game.situation.orders.get(section, 0) for section in chosen))


def _rule(game: Game) -> BattleRule | None:
    """Return the rule that says who battles after this phase; None: nobody does."""
    rules = game.rulebook.of(BattleRule)
    return next((rule for rule in rules if not rule.phases or game.situation.phase in rule.phases), None)


def _near(game: Game, label: str, targets: Iterable[str], hexes: int) -> bool:
    return any(game.board.within(label, target, hexes) for target in targets)
