"""Small random positions with attacks after the moves, under random rules, and the best of all plans by brute force.

Brute force knows the referee alone: every legal position after the moves, and in each every way to allot the units to the
enemies. Nothing is left out because it looks useless.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations, product
from typing import Any
from unittest.mock import patch

from pydantic import TypeAdapter

from planner.objective import AnyTerm, Tally, Term, Tier
from planner.objective.attacks import AttackTerm
from planner.objective.scoring import Value, score_position, tier_values
from planner.rules.attack_referee import AssessedAttack, AttackReferee
from planner.rules.attack_rule import attack_rule
from planner.rules.attack_table import AttackRule
from planner.rules.game import Game
from planner.rules.kinds.attack import Attack
from planner.scenario import Scenario, build_scenario
from planner.world.declared_attack import DeclaredAttack
from planner.world.forces import Marker
from planner.world.position import Position
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.every_plan import EveryPlan
from tests.oracles.rulebooks import with_rules

Data = dict[str, Any]

RESULTS: Data = {
    "AE": {"text": "attackers eliminated", "attackers": {"eliminated": True}},
    "AR": {"text": "attackers retreat", "attackers": {"retreat": 1}},
    "A1": {"text": "attackers lose a step", "attackers": {"steps": 1}},
    "A2": {"text": "attackers lose two steps", "attackers": {"steps": 2}},
    "AL": {"text": "attackers lose a step and retreat", "attackers": {"steps": 1, "retreat": 1}},
    "NE": {"text": "nothing"},
    "BR": {"text": "both retreat", "attackers": {"retreat": 1}, "defenders": {"retreat": 1}},
    "D1": {"text": "defenders lose a step", "defenders": {"steps": 1}},
    "DL": {"text": "defenders lose a step and retreat", "defenders": {"steps": 1, "retreat": 2}},
    "DR": {"text": "defenders retreat", "defenders": {"retreat": 2}},
    "EX": {"text": "exchange", "defenders": {"eliminated": True}, "exchange": "strength"},
    "ES": {"text": "exchange of steps", "defenders": {"steps": 2}, "exchange": "steps"},
    "DE": {"text": "defenders eliminated", "defenders": {"eliminated": True}},
    "AV": {"text": "attackers in pursuit are lost", "attackers": {"retreat": 1}, "defenders": {"eliminated": True}},
    "XR": {
        "text": "exchange, then back",
        "attackers": {"retreat": 1},
        "defenders": {"eliminated": True},
        "exchange": "strength",
    },
}
"""Results from bad to good, as attackers see them."""


def random_rule(rng: random.Random) -> Attack:
    """Return a rule of attacks with parameters drawn at random."""
    kind = rng.choice(("ratio", "ratio", "difference"))
    width = rng.randint(2, 5)
    thresholds = sorted(rng.sample(range(-4, 9), width)) if kind == "difference" else []
    ratios = ["1:3", "1:2", "2:3", "1:1", "3:2", "2:1", "3:1", "4:1", "5:1"]
    odds = sorted(rng.sample(range(len(ratios)), width))
    codes = list(RESULTS)
    dice, sides = rng.choice(((1, 3), (1, 3), (2, 2), (1, 4)))
    columns: list[Data] = []
    for index in range(width):
        low = index * (len(codes) - 4) // width
        entries = [rng.choice(codes[low : low + 6]) for _ in range(dice * (sides - 1) + 1)]
        key: Data = {"difference": thresholds[index]} if kind == "difference" else {"odds": ratios[odds[index]]}
        columns.append({**key, "results": entries})
    used = {code for column in columns for code in column["results"]}
    data: Data = {
        "id": "attacks",
        "kind": "attack",
        "paragraph": "attacks",
        "odds": kind,
        "columns": columns,
        "dice": dice,
        "sides": sides,
        "below": rng.choice(("lowest", "forbidden")),
        "results": {code: RESULTS[code] for code in RESULTS if code in used},
        "eliminated_to": [{"box": "eliminated"}],
        "losses_first": rng.choice(("weakest", "strongest")),
        "retreats": {
            "into_ezoc": rng.choice(("never", "to_friends", "always")),
            "most_friends": rng.choice((0, 0, 1)),
            "cannot": rng.choice(("eliminated", "eliminated", "loses_steps", "stays")),
        },
    }
    some: list[tuple[float, Data]] = [
        (0.3, {"must_attack": rng.choice(({}, {"types": "infantry"}))}),
        (0.3, {"must_be_attacked": rng.choice(({}, {"types": "infantry"}))}),
        (0.5, {"ranges": [_range(rng)]}),
        (0.2, {"uncrossable": True}),
        (0.15, {"only_across": {"terrain": ["clear", "woods"], "without": "river"}}),
        (0.2, {"bars": [rng.choice(BARS)]}),
        (0.3, {"attackers_together": True}),
        (0.3, {"defenders_together": False}),
        (0.4, {"most_hexes": 2}),
        (0.6, {"factors": rng.sample(FACTORS, rng.randint(1, 2))}),
        (0.3, {"rounding": rng.choice(("down", "up")), "rounded": rng.choice(("each", "total"))}),
        (0.6, {"shifts": rng.sample(SHIFTS, rng.randint(1, 2))}),
        (0.15, {"by": {"without": "guns"}}),
        (0.1, {"against": {"types": "infantry"}}),
        (
            0.7,
            {"advances": rng.choice(({}, {"units": {"without": "guns"}}, {"units": {"types": "infantry"}, "most": 1}))},
        ),
    ]
    for chance, update in some:
        if rng.random() < chance:
            data.update(update)
    return Attack.model_validate(data)


BARS: list[Data] = [
    {"because": "not across a river", "hexsides": {"features": "river"}},
    {"because": "no cavalry into woods", "units": {"types": "cavalry"}, "hexes": {"terrain": "woods"}},
    {"because": "nobody out of the marsh", "from_hexes": {"terrain": "marsh"}},
]
FACTORS: list[Data] = [
    {"of": "defense", "hexes": {"terrain": "woods"}, "times": 2},
    {"of": "defense", "units": {"types": "infantry"}, "hexsides": {"features": "river"}, "times": "3/2"},
    {"of": "attack", "hexsides": {"features": "river"}, "times": "1/2"},
    {"of": "attack", "units": {"types": "cavalry"}, "hexes": {"terrain": "woods"}, "times": 0},
    {"of": "attack", "from_afar": True, "times": "1/2"},
    {"of": "attack", "from_hexes": {"terrain": "marsh"}, "times": "1/2"},
]
SHIFTS: list[Data] = [
    {"name": "the woods", "columns": -1, "hexes": {"terrain": "woods"}},
    {"name": "all across a river", "columns": -1, "hexsides": {"features": "river"}},
    {"name": "cavalry", "columns": 1, "attackers": {"types": "cavalry"}},
    {"name": "infantry", "columns": -1, "defenders": {"types": "infantry"}},
    {"name": "the minefield", "columns": -1, "markers": {"types": "mines"}},
    {"name": "two", "columns": 2, "hexes": {"terrain": "clear"}, "attackers": {"types": "artillery"}},
]


def _range(rng: random.Random) -> Data:
    return {
        "units": {"types": "artillery"},
        "range": 2,
        "alone": rng.random() < 0.5,
        "safe": rng.random() < 0.5,
    }


def random_terms(rng: random.Random, homes: list[str], enemies: list[str], rule: Attack) -> list[list[Data]]:
    """Return tiers of terms about attacks."""
    odds, codes = [column.text for column in rule.columns], list(rule.results)
    counting = rng.choice(("units", "steps", "strength"))
    lost = {"kind": "own_losses", "counting": rng.choice(("units", "steps", "strength"))}
    first: list[Data] = [
        {"kind": "enemy_losses", "counting": counting, "weight": rng.randint(1, 3)},
        {"kind": "emptied", "weight": rng.randint(1, 4)},
        {"kind": "emptied", "hexes": rng.choice(homes), "weight": 3},
        {"kind": "taken", "weight": rng.randint(1, 4)},
        {"kind": "taken", "hexes": rng.choice(homes), "weight": 3},
        {"kind": "attack_results", "targets": rng.choice((homes, enemies)), "results": codes[-1], "weight": 2},
        {"kind": "attack_odds", "targets": rng.choice((homes, enemies)), "odds": rng.choice(odds), "weight": 2},
        {"kind": "weak_attacks", "odds": rng.choice(odds)},
        {"kind": "open_to_attack", "odds": rng.choice(("1:1", "3:2", "+1")), "weight": 2},
    ]
    own: Data = {"kind": "own_losses", "weight": rng.randint(1, 2)} if rng.random() < 0.5 else lost
    return [rng.sample(first, rng.randint(1, 3)), [own], [{"kind": "mp_spent"}]]


def random_requirement(rng: random.Random, homes: list[str], rule: Attack) -> Data:
    """Return a requirement about attacks."""
    odds, codes = [column.text for column in rule.columns], list(rule.results)
    return rng.choice(
        (
            {"kind": "weak_attacks", "odds": odds[-1], "most": rng.choice((0, 0, 1))},
            {"kind": "own_losses", "most": rng.choice((0, "1/2", 1)), "counting": rng.choice(("units", "strength"))},
            {"kind": "enemy_losses", "at_least": "1/3", "counting": rng.choice(("steps", "strength"))},
            {"kind": "emptied", "hexes": homes[0], "at_least": "1/3"},
            {"kind": "taken", "hexes": homes[:2], "at_least": rng.choice(("1/4", "1/2", 1))},
            {"kind": "attack_results", "targets": homes[0], "results": codes[-2:], "at_least": "1/3"},
            {"kind": "attack_odds", "targets": homes[:2], "odds": odds[len(odds) // 2]},
            {"kind": "open_to_attack", "odds": "1:1", "most": rng.choice((0, 1))},
        )
    )


def draw_field(rng: random.Random) -> Data:
    """Return a position without an objective: the same generator, in the same state, gives the same one."""
    columns, rows = rng.choice(((3, 3), (4, 3), (3, 4)))
    labels = [f"{column:02}{row:02}" for column in range(4, 4 + columns) for row in range(4, 4 + rows)]
    hexes = {label: {"terrain": rng.choices(("clear", "woods", "marsh", "lake"), (9, 3, 1, 1))[0]} for label in labels}
    dry = [label for label in labels if hexes[label]["terrain"] != "lake"]
    spots = rng.sample(dry, min(len(dry), 5))
    units: list[Data] = []
    for number in range(rng.choice((2, 2, 3))):
        at = rng.choice(spots[:2])
        kind = rng.choice(("infantry", "cavalry", "artillery", "infantry"))
        values = f"{rng.choice((1, 2, 3, 4, 6))}-{rng.randint(1, 4)}-{rng.choice((0, 1, 1, 2))}"
        units.append({"id": f"u{number}", "side": "blue", "type": kind, "values": values, "at": at})
    for number in range(rng.choice((1, 2, 2, 3))):
        at, kind = rng.choice(spots[2:]), rng.choice(("infantry", "infantry", "cavalry"))
        values = f"{rng.choice((0, 1, 2, 4))}-{rng.choice((1, 1, 2, 3, 5))}-2"
        units.append({"id": f"e{number}", "side": "red", "type": kind, "values": values, "at": at})
    for unit in units:
        unit["steps"] = rng.choice((1, 1, 2, 3))
    probe = build_scenario({**_HEAD, "map": {"hexes": hexes, "boxes": {"eliminated": {}}}, "unit": units}, "probe")
    sides = [f"{a} {b}" for a in labels for b in probe.game.board.neighbours[a] if a < b]
    rivers = rng.sample(sides, min(len(sides), rng.choice((0, 2, 5))))
    return {
        **_HEAD,
        "map": {"hexes": hexes, "boxes": {"eliminated": {}}, "hexsides": {"river": rivers}},
        "unit": units,
    }


_HEAD: Data = {"format": "planner/scenario-1", "model": "crossroads", "phase": "movement", "phasing": "blue"}


def mined(scenario: Scenario, hexes: list[str]) -> Scenario:
    """Return the position with minefields of the enemy in some hexes."""
    game = scenario.game
    mines = tuple(Marker("mines", "red", label, frozenset(), f"mines_{label}") for label in hexes)
    situation = replace(game.situation, markers=mines)
    return replace(scenario, game=Game(game.board, game.units, game.rulebook, situation, game.homes))


def field(seed: int) -> Scenario:
    """Return the position of a seed, with rules and an objective drawn at random."""
    rng = random.Random(f"attacks {seed}")
    bare = build_scenario(draw_field(rng), f"attacks {seed}")
    rules = [rule for rule in bare.game.rulebook.rules if not isinstance(rule, AttackRule)]
    rule = random_rule(rng)
    scenario = with_rules(bare, [*rules, rule])
    enemies = [unit for unit in scenario.game.homes if scenario.game.is_enemy(unit)]
    homes = sorted({scenario.game.homes[enemy] for enemy in enemies})
    if any(shift.markers is not None for shift in rule.shifts):
        scenario = mined(scenario, rng.sample(homes, rng.randint(0, len(homes))))
    tiers = tuple(Tier.model_validate({"terms": terms}) for terms in random_terms(rng, homes, enemies, rule))
    if rng.random() < 0.6:
        return replace(scenario, tiers=tiers)
    asked = TypeAdapter[Term](AnyTerm).validate_python(random_requirement(rng, homes, rule))
    return replace(scenario, tiers=tiers, requirements=(asked,))


def allotments(scenario: Scenario, position: Position) -> Iterator[tuple[DeclaredAttack, ...]]:
    """Yield every legal way to declare attacks in a position after the moves."""
    game = scenario.game
    rule = attack_rule(game)
    assert rule is not None
    referee = AttackReferee(rule, game, position)
    hexes = sorted({at for unit, at in position.at.items() if game.is_enemy(unit) and referee.defenders_in(at)})
    targets: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    for size in range(1, rule.most_hexes + 1):
        for some in combinations(hexes, size):
            there = [referee.defenders_in(label) for label in some]
            targets.append((some, ()))
            if not rule.defenders_together:
                every = [[c for n in range(1, len(d) + 1) for c in combinations(d, n)] for d in there]
                named = (tuple(unit for part in parts for unit in part) for parts in product(*every))
                targets += [(some, game.sorted(who)) for who in named if len(who) < sum(map(len, there))]
    own = [unit for unit in position.at if not game.is_enemy(unit)]
    able = {u: [t for t in targets if not any(True for _ in referee.may_attack(u, t[0]))] for u in own}
    for chosen in product(*([None, *able[unit]] for unit in own)):
        groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
        for unit, target in zip(own, chosen, strict=True):
            if target is not None:
                groups.setdefault(target, []).append(unit)
        attacks = tuple(DeclaredAttack(game.sorted(who), where, whom) for (where, whom), who in groups.items())
        if not referee.check(attacks):
            yield attacks


@contextmanager
def once_each(game: Game, position: Position) -> Iterator[None]:
    """Let terms assess each attack in a position once, however often they look at it."""
    rule, known = attack_rule(game), dict[DeclaredAttack, AssessedAttack]()
    assert rule is not None
    referee = AttackReferee(rule, game, position)

    def assessed(game: Game, there: Position, tally: Tally) -> list[AssessedAttack]:
        assert there is position
        for attack in tally.attacks:
            if attack not in known:
                known[attack] = referee.assess(attack)
        return [known[attack] for attack in tally.attacks]

    with patch.object(AttackTerm, "_assessed", staticmethod(assessed)):
        yield


def best_plan(
    scenario: Scenario, cap: int, allowed: Callable[[tuple[DeclaredAttack, ...]], bool] = lambda attacks: True
) -> tuple[Value, str] | None:
    """Return what the best plan is worth, of those whose attacks are allowed, with what it does; None if no plan is legal.

    Raises
    ------
    TooManyStatesError
        If there are more ends of the movement, or ways to attack, than the cap.
    """
    game, best, count = scenario.game, None, 0
    for position, mp, _ in EveryPlan(replace(scenario, tiers=(), requirements=()), cap).standings():
        with once_each(game, position):
            for attacks in allotments(scenario, position):
                count += 1
                if count > cap:
                    raise TooManyStatesError
                if not allowed(attacks):
                    continue
                tally = Tally(dict(mp), attacks)
                if not all(term.holds(game, position, tally) for term in scenario.requirements):
                    continue
                value = tier_values(scenario.tiers, score_position(game, scenario.tiers, position, tally))
                if best is None or value > best[0]:
                    best = value, f"{position.at} {' / '.join(map(str, attacks))}"
    return best
