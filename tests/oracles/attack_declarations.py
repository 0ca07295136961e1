"""Every declaration of attacks in small positions, judged, with the chances of what comes of it, apart from the referee.

Nothing of the package is asked but what a scenario holds and what the rule's parameters are: where hexes lie, who may
attack whom, what must be, odds, shifts, losses and retreats are worked out here anew, from sets of tuples.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from planner.rules.attack_table import AttackResult
from planner.scenario import Scenario
from planner.world.declared_attack import DeclaredAttack
from tests.oracles.attack_games import MEANINGS, attack, of_differences, position

FAMILIES = ("ratio", "difference", "artillery", "mandatory")
TERRAINS = ("clear", "clear", "clear", "woods", "hills", "town", "lake")

Aim = tuple[frozenset[str], frozenset[str]]
"""Hexes that are attacked, and the units in them; no unit: all who defend them."""

Declaration = tuple[tuple[frozenset[str], Aim], ...]
"""Attacks: attackers, and whom they attack."""


def draw(family: str, rng: random.Random) -> Scenario:
    """Return a position of a family: five rows of five hexes, four units at most against three, any rule of attacks."""
    labels = [f"0{column}0{row}" for column in range(1, 6) for row in range(1, 6)]
    terrain = {label: rng.choice(TERRAINS) for label in labels}
    land = [label for label in labels if terrain[label] != "lake"]
    heart = rng.choice([label for label in labels if "1" not in label[1::2] and "5" not in label[1::2]])
    near = [label for label in land if apart(label, heart) == 1] or land
    camps = rng.sample(near, min(len(near), 3)), [heart, *rng.sample(near, min(len(near), 2))]
    units: dict[str, tuple[str, str]] = {}
    for number in range(rng.randint(2, 4)):
        gun = rng.random() < (0.4 if family == "artillery" else 0.15)
        strength, steps = rng.choice((0, 1, 3, 4, 5, 6, 7)), rng.choice((1, 1, 2))
        units[f"{'g' if gun else 'u'}{number}"] = (f"{strength}-1-1/{steps}", rng.choice(land if gun else camps[0]))
    for number in range(rng.randint(1, 3)):
        values = f"1-{rng.choice((0, 1, 1, 2, 3))}-1/{rng.choice((1, 1, 2, 3))}"
        ashore = rng.random() < 0.9
        units[f"e{'g' * (rng.random() < 0.2)}{number}"] = (values, rng.choice(camps[1] if ashore else labels))
    held = {at for name, (_, at) in units.items() if not name.startswith("e")}
    units = {name: entry for name, entry in units.items() if not (name.startswith("e") and entry[1] in held)}
    river = [f"{a} {b}" for a, b in itertools.combinations(labels, 2) if apart(a, b) == 1 and rng.random() < 0.25]
    hexes = {
        label: {"terrain": kind, **({"traits": "fort"} if rng.random() < 0.15 else {})}
        for label, kind in terrain.items()
    }
    mud: dict[str, Any] = (
        {"weather": {"mud": [label for label in labels if rng.random() < 0.5]}} if rng.random() < 0.5 else {}
    )
    rule = (of_differences if family == "difference" else attack)(**_parameters(family, rng))
    if rng.random() < 0.3:
        meant = {"AR": AttackResult.model_validate(MEANINGS["A1"])}
        rule = rule.model_copy(update={"results": {**rule.results, **meant}})
    if rng.random() < 0.25:
        dice, sides, many = (3, 2, 4) if family == "difference" else (2, 3, 5)
        columns = tuple(column.model_copy(update={"results": column.results[:many]}) for column in rule.columns)
        rule = rule.model_copy(update={"dice": dice, "sides": sides, "columns": columns})
    rows = "\n".join(["....."] * 5)
    mud["unsupplied"] = [name for name in units if rng.random() < 0.2]
    return position(rule, units, rows, hexes=hexes, hexsides={"river": river} if river else {}, **mud)


def _parameters(family: str, rng: random.Random) -> dict[str, Any]:
    def some(*choices: Any) -> list[Any]:
        return [choice for choice in choices if rng.random() < 0.5]

    far = {"units": {"types": "artillery"}, "range": 2, "alone": rng.random() < 0.5, "safe": rng.random() < 0.5}
    found: dict[str, Any] = {
        "below": rng.choice(("lowest", "lowest", "forbidden")),
        "most_hexes": rng.choice((1, 2, 2)),
        "attackers_together": rng.random() < 0.25,
        "losses_first": rng.choice(("weakest", "strongest")),
        "rounding": rng.choice(("exact", "down", "up")),
        "rounded": rng.choice(("each", "total")),
        "bars": some(
            {"because": "guns stay out of woods", "units": {"types": "artillery"}, "hexes": {"terrain": "woods"}},
            {"because": "not across rivers into mud", "hexsides": {"features": "river"}, "hexes": {"weather": "mud"}},
            {"because": "not out of towns", "from_hexes": {"terrain": "town"}},
        )[:1],
        "factors": some(
            {"of": "defense", "hexes": {"terrain": "hills"}, "times": 2},
            {"of": "defense", "hexsides": {"features": "river"}, "times": "3/2"},
            {"of": "attack", "hexsides": {"features": "river"}, "times": "1/2"},
            {"of": "attack", "units": {"types": "artillery"}, "hexes": {"terrain": "town"}, "times": 2},
            {"of": "attack", "from_hexes": {"weather": "mud"}, "times": "1/2"},
            {"of": "attack", "from_afar": True, "times": "1/2"},
            {"of": "attack", "units": {"supplied": False}, "times": "1/2"},
            {"of": "defense", "units": {"supplied": False}, "times": "1/2"},
        ),
        "shifts": some(
            {"name": "woods", "columns": -1, "hexes": {"terrain": "woods"}},
            {"name": "fort", "columns": -1, "hexes": {"traits": "fort"}},
            {"name": "river", "columns": -2, "hexsides": {"features": "river"}},
            {"name": "guns", "columns": 1, "attackers": {"types": "artillery"}},
            {"name": "their guns", "columns": -1, "defenders": {"types": "artillery"}},
        ),
        "retreats": {
            "into_ezoc": rng.choice(("never", "to_friends", "always")),
            "most_friends": rng.choice((0, 1)),
            "cannot": rng.choice(("eliminated", "loses_steps", "stays")),
        },
    }
    if family == "artillery" or rng.random() < 0.2:
        found["ranges"] = [far]
    rare: list[dict[str, Any]] = [
        {"defenders_together": False},
        {"uncrossable": True},
        {"only_across": rng.choice(({"terrain": ["clear", "hills"], "without": "river"}, {"features": "river"}))},
        {"by": {"types": "infantry"}},
        {"against": {"types": "infantry"}},
        {"advances": {}},
        {"advances": {"units": {"types": "infantry"}}},
    ]
    for more in rare:
        if rng.random() < 0.2:
            found |= more
    if family == "mandatory":
        found |= {"must_attack": rng.choice(({}, {"types": "infantry"})), "must_be_attacked": {}}
    return found


# -- where hexes lie


@functools.cache
def _cube(label: str) -> tuple[int, int, int]:
    column, row = int(label[:2]) - 1, int(label[2:]) - 1
    z = row - (column - column % 2) // 2
    return column, -column - z, z


@functools.cache
def apart(a: str, b: str) -> int:
    """Return how many hexes two labels lie apart; every second column is shifted to the south."""
    return max(abs(one - other) for one, other in zip(_cube(a), _cube(b), strict=True))


class Board:
    """What an oracle reads of a scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.rule = scenario.game.rulebook.rules[-1].model_dump(mode="json")
        self.apart = not self.rule["defenders_together"]
        self.at = dict(scenario.start.at)
        self.units = {
            name: (unit.attack, unit.defense, unit.steps, unit.type) for name, unit in scenario.game.units.items()
        }
        self.own = [name for name in self.units if not name.startswith("e")]
        self.foes = [name for name in self.units if name.startswith("e")]
        self.hexes = {
            label: (place.terrain, place.traits, scenario.game.weather(label))
            for label, place in scenario.game.board.hexes.items()
        }
        self.rivers = {frozenset(pair) for pair, signs in scenario.game.board.hexsides().items() if "river" in signs}
        self.unsupplied = {name for name, unit in scenario.game.units.items() if unit.supplied is False}
        self.targets = sorted({self.at[foe] for foe in self.foes})
        # What is asked again and again of the same board is worked out once.
        for name in ("zone", "far", "reaches", "may", "allowed", "attacked", "attack_of", "columns"):
            setattr(self, name, functools.cache(getattr(self, name)))

    def river(self, a: str, b: str) -> bool:
        return frozenset((a, b)) in self.rivers

    def zone(self, unit: str, label: str) -> bool:
        """Tell whether a unit's zone of control reaches into a hex."""
        away = apart(self.at[unit], label) == 1 and not self.river(self.at[unit], label)
        return away and self.units[unit][3] != "artillery"

    # -- selectors, as far as the rules that are drawn have them

    def hex_fits(self, selector: dict[str, Any] | None, label: str) -> bool:
        if selector is None:
            return True
        terrain, traits, weather = self.hexes[label]
        return (
            (not selector["terrain"] or terrain in selector["terrain"])
            and set(selector["traits"]) <= traits
            and (not selector["weather"] or weather in selector["weather"])
        )

    def side_fits(self, selector: dict[str, Any], a: str, b: str) -> bool:
        if self.river(a, b):
            return "river" in selector["features"] and "river" not in selector["without"]
        return self.hexes[a][0] in selector["terrain"] or self.hexes[b][0] in selector["terrain"]

    def unit_fits(self, selector: dict[str, Any] | None, unit: str) -> bool:
        if selector is None:
            return True
        supplied = selector["supplied"] in (None, unit not in self.unsupplied)
        return supplied and (not selector["types"] or self.units[unit][3] in selector["types"])

    def attacked(self, aim: Aim) -> list[str]:
        """Return who is attacked."""
        hexes, named = aim
        there = [foe for foe in self.foes if self.at[foe] in hexes and self.unit_fits(self.rule["against"], foe)]
        return [foe for foe in there if not named or foe in named]

    # -- who may attack whom

    def far(self, unit: str) -> dict[str, Any]:
        for entry in self.rule["ranges"]:
            if self.unit_fits(entry["units"], unit):
                return dict(entry)
        return {"range": 1, "alone": True, "safe": False}

    def reaches(self, unit: str, label: str) -> bool:
        away = apart(self.at[unit], label)
        if not 1 <= away <= self.far(unit)["range"]:
            return False
        beside = away == 1
        if beside and self.hexes[label][0] == "lake" and not self.rule["uncrossable"]:
            return False
        across = self.rule["only_across"]
        if beside and across is not None and not self.side_fits(across, self.at[unit], label):
            return False
        for bar in self.rule["bars"]:
            if (
                self.unit_fits(bar["units"], unit)
                and self.hex_fits(bar["hexes"], label)
                and self.hex_fits(bar["from_hexes"], self.at[unit])
                and (bar["hexsides"] is None or (beside and self.river(self.at[unit], label)))
            ):
                return False
        return True

    def may(self, unit: str, hexes: frozenset[str], company: frozenset[str]) -> bool:
        """Tell whether a unit may attack hexes with others."""
        if not self.unit_fits(self.rule["by"], unit) or self.attack_of(unit, hexes) == 0:
            return False
        if not all(self.reaches(unit, label) for label in hexes):
            return False
        if self.far(unit)["alone"]:
            return True
        return all(any(apart(self.at[one], label) == 1 for one in company | {unit}) for label in hexes)

    # -- strengths

    def attack_of(self, unit: str, hexes: frozenset[str]) -> Fraction:
        strength, at = self.units[unit][0], self.at[unit]
        beside = [label for label in hexes if apart(at, label) == 1]
        for factor in self.rule["factors"]:
            fits = [
                factor["of"] == "attack",
                self.unit_fits(factor["units"], unit),
                any(self.hex_fits(factor["hexes"], label) for label in hexes),
                factor["hexsides"] is None or all(label in beside and self.river(at, label) for label in hexes),
                self.hex_fits(factor["from_hexes"], at),
                factor["from_afar"] is None or factor["from_afar"] == (not beside),
            ]
            if all(fits):
                strength *= Fraction(factor["times"])
        return strength

    def defense_of(self, foe: str, attackers: frozenset[str]) -> Fraction:
        strength, label = self.units[foe][1], self.at[foe]
        sides = [self.at[unit] for unit in attackers if apart(self.at[unit], label) == 1]
        for factor in self.rule["factors"]:
            if factor["of"] != "defense" or not self.hex_fits(factor["hexes"], label):
                continue
            if not self.unit_fits(factor["units"], foe):
                continue
            if factor["hexsides"] is None or (sides and all(self.river(side, label) for side in sides)):
                strength *= Fraction(factor["times"])
        return strength

    def total(self, parts: list[Fraction]) -> Fraction:
        if self.rule["rounded"] == "total":
            parts = [sum(parts, Fraction(0))]
        if self.rule["rounding"] != "exact":
            up = self.rule["rounding"] == "up"
            parts = [
                Fraction(-(-part.numerator // part.denominator) if up else part.numerator // part.denominator)
                for part in parts
            ]
        return sum(parts, Fraction(0))

    def columns(self, attackers: frozenset[str], aim: Aim) -> tuple[int, int]:
        """Return the column before, and after, shifts; -1: below the first."""
        foes, hexes = self.attacked(aim), aim[0]
        strong = self.total([self.attack_of(unit, hexes) for unit in attackers])
        weak = self.total([self.defense_of(foe, attackers) for foe in foes])
        index = -1
        for number, column in enumerate(self.rule["columns"]):
            if self.rule["odds"] == "ratio":
                ahead, behind = map(int, column["odds"].split(":"))
                index = number if strong * behind >= weak * ahead else index
            else:
                index = number if strong - weak >= column["difference"] else index
        move = 0
        pairs = [(self.at[u], label) for u in attackers for label in hexes if apart(self.at[u], label) == 1]
        for shift in self.rule["shifts"]:
            if not any(self.hex_fits(shift["hexes"], label) for label in hexes):
                continue
            if shift["hexsides"] is not None and not (pairs and all(self.river(*pair) for pair in pairs)):
                continue
            if shift["attackers"] is not None and not any(self.unit_fits(shift["attackers"], u) for u in attackers):
                continue
            if shift["defenders"] is not None and not any(self.unit_fits(shift["defenders"], foe) for foe in foes):
                continue
            move += shift["columns"]
        return index, min(len(self.rule["columns"]) - 1, max(0, max(0, index) + move))

    # -- declarations

    def aims(self) -> list[Aim]:
        """Return whom one attack may be against: all in two hexes at most, and where that may be, every set of them."""
        found: list[Aim] = []
        for size in (1, 2):
            found += [(frozenset(some), frozenset()) for some in itertools.combinations(self.targets, size)]
        if self.apart:
            for size in (1, 2, 3):
                for some in itertools.combinations(self.foes, size):
                    hexes = frozenset(self.at[foe] for foe in some)
                    if len(hexes) < 3 and any(self.at[foe] in hexes for foe in self.foes if foe not in some):
                        found.append((hexes, frozenset(some)))
        return found

    def attacks(self) -> Iterator[tuple[frozenset[str], Aim]]:
        """Yield every attack that may be declared by itself, and every one that may not."""
        for size in range(1, len(self.own) + 1):
            for some in itertools.combinations(self.own, size):
                yield from ((frozenset(some), aim) for aim in self.aims())

    def declarations(self) -> Iterator[Declaration]:
        """Yield every way to allot the units to attacks of which each is allowed by itself."""
        for chosen in itertools.product([None, *self.aims()], repeat=len(self.own)):
            groups: dict[Aim, set[str]] = {}
            for unit, aim in zip(self.own, chosen, strict=True):
                if aim is not None:
                    groups.setdefault(aim, set()).add(unit)
            found = tuple((frozenset(units), aim) for aim, units in groups.items())
            if all(self.allowed(*one) for one in found):
                yield found

    def allowed(self, attackers: frozenset[str], aim: Aim) -> bool:
        """Tell whether an attack may be declared by itself."""
        rule, (hexes, named), foes = self.rule, aim, self.attacked(aim)
        if len(hexes) > rule["most_hexes"] or not all(self.may(unit, hexes, attackers) for unit in attackers):
            return False
        if any(not self.attacked((frozenset([label]), frozenset())) for label in hexes) or named - {*foes}:
            return False
        if rule["defenders_together"] and {*foes} != {*self.attacked((hexes, frozenset()))}:
            return False
        return rule["below"] != "forbidden" or self.columns(attackers, aim)[0] >= 0

    def legal(self, declaration: Declaration) -> bool:
        """Tell whether attacks that are allowed by themselves may be declared together."""
        rule = self.rule
        every = [foe for _, aim in declaration for foe in self.attacked(aim)]
        if len(every) != len(set(every)):
            return False
        if rule["attackers_together"]:
            for (one, _), (other, _) in itertools.combinations(declaration, 2):
                if {self.at[unit] for unit in one} & {self.at[unit] for unit in other}:
                    return False
        busy = {unit for attackers, _ in declaration for unit in attackers}
        can = {
            unit: [
                label
                for label in self.targets
                if self.attacked((frozenset([label]), frozenset())) and self.may(unit, frozenset([label]), frozenset())
            ]
            for unit in self.own
        }
        if rule["must_attack"] is not None:
            for unit in self.own:
                caught = any(self.zone(foe, self.at[unit]) for foe in self.foes)
                if caught and can[unit] and unit not in busy and self.unit_fits(rule["must_attack"], unit):
                    return False
        if rule["must_be_attacked"] is not None:
            for foe in self.foes:
                bound = self.unit_fits(rule["against"], foe) and self.unit_fits(rule["must_be_attacked"], foe)
                near = any(self.zone(foe, self.at[unit]) for unit in self.own)
                if bound and near and foe not in every and any(self.at[foe] in labels for labels in can.values()):
                    return False
        return True

    # -- results

    def chances(self, attackers: frozenset[str], aim: Aim) -> dict[str, Fraction]:
        """Return the chance of each result."""
        column = self.rule["columns"][self.columns(attackers, aim)[1]]["results"]
        throws = itertools.product(range(self.rule["sides"]), repeat=self.rule["dice"])
        counted = Counter(column[sum(throw)] for throw in throws)
        return {code: Fraction(many, counted.total()) for code, many in counted.items()}

    def outcome(self, attackers: frozenset[str], aim: Aim, code: str) -> tuple[dict[str, int], set[str], set[str]]:
        """Return how many steps each unit loses by a result, and which hexes are emptied, and may be entered."""
        meaning, foes, hexes = self.rule["results"][code], self.attacked(aim), aim[0]
        beside = {unit for unit in attackers if any(apart(self.at[unit], label) == 1 for label in hexes)}
        hit = [unit for unit in self.own if unit in attackers and not (self.far(unit)["safe"] and unit not in beside)]
        lost: dict[str, int] = {}
        for force, printed, side in ((foes, 1, "defenders"), (hit, 0, "attackers")):
            line = sorted(force, key=lambda unit, p=printed: self.units[unit][p])  # type: ignore[misc]
            if self.rule["losses_first"] == "strongest":
                line = sorted(force, key=lambda unit, p=printed: -self.units[unit][p])  # type: ignore[misc]
            steps = [unit for unit in line for _ in range(self.units[unit][2])]
            taken = steps if meaning[side]["eliminated"] else steps[: meaning[side]["steps"]]
            lost |= {unit: taken.count(unit) for unit in force}
        if meaning["exchange"]:
            self._exchange([unit for unit in hit if unit in beside], foes, lost)
        dead, away = {unit for unit in foes if lost[unit] == self.units[unit][2]}, set[str]()
        for force, side, gone in ((foes, "defenders", set[str]()), (hit, "attackers", dead)):
            far = meaning[side]["retreat"]
            for unit in force:
                left = self.units[unit][2] - lost[unit]
                if not far or not left:
                    continue
                short = far - self._longest(unit, [self.at[unit]], far, set(foes if side == "defenders" else hit), gone)
                if short and self.rule["retreats"]["cannot"] == "eliminated":
                    lost[unit] += left
                elif self.rule["retreats"]["cannot"] == "loses_steps":
                    lost[unit] += min(left, short)
                if short < far and not (short and self.rule["retreats"]["cannot"] == "stays"):
                    away.add(unit)
        away |= {unit for unit, steps in lost.items() if steps == self.units[unit][2]}
        emptied = {label for label in hexes if all(self.at[foe] != label or foe in away for foe in self.foes)}
        entered = {
            label
            for label in emptied
            for unit in attackers - away
            if self.rule["advances"] is not None
            and self.unit_fits(self.rule["advances"]["units"], unit)
            and apart(self.at[unit], label) == 1
            and self.hexes[label][0] != "lake"
        }
        return {unit: steps for unit, steps in lost.items() if steps}, emptied, entered

    def _exchange(self, beside: list[str], foes: list[str], lost: dict[str, int]) -> None:
        alive = [unit for unit in beside if lost[unit] < self.units[unit][2]]
        worth = sum(self.units[foe][1] for foe in foes if lost[foe] == self.units[foe][2])
        best: tuple[Any, ...] | None = None
        for size in range(len(alive) + 1):
            for some in itertools.combinations(alive, size):
                paid = sum(self.units[unit][0] for unit in some)
                if paid >= worth and (best is None or (paid, size) < best[:2]):
                    best = (paid, size, some)
        for unit in alive if best is None else best[2]:
            lost[unit] = self.units[unit][2]

    def _longest(self, unit: str, way: list[str], hexes: int, force: set[str], gone: set[str]) -> int:
        """Return how many hexes a unit can retreat, at most so many, going on from where a way has led."""
        made = len(way) - 1
        if made == hexes:
            return made
        onward = [
            label
            for label in self.hexes
            if apart(label, way[-1]) == 1 and apart(label, way[0]) == made + 1 and self._open(unit, label, force, gone)
        ]
        return max((self._longest(unit, [*way, label], hexes, force, gone) for label in onward), default=made)

    def _open(self, unit: str, label: str, force: set[str], gone: set[str]) -> bool:
        others, friends = (self.own, self.foes) if unit in self.foes else (self.foes, self.own)
        if self.hexes[label][0] == "lake" or any(self.at[one] == label for one in others if one not in gone):
            return False
        company = sum(self.at[one] == label for one in friends if one not in force)
        if company > self.rule["retreats"]["most_friends"]:
            return False
        mode = self.rule["retreats"]["into_ezoc"]
        if mode == "always" or (mode == "to_friends" and company):
            return True
        return not any(self.zone(one, label) for one in others if one not in gone)


def written(declaration: Iterable[tuple[frozenset[str], Aim]]) -> tuple[DeclaredAttack, ...]:
    """Return a declaration as plans have it."""
    return tuple(
        DeclaredAttack(tuple(sorted(units)), tuple(sorted(hexes)), tuple(sorted(named)))
        for units, (hexes, named) in declaration
    )
