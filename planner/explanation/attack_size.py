"""How many others it takes at least to bring an attack to some odds, as strengths tell."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from planner.errors import InputError, OutOfTimeError
from planner.explanation.needs import moves_eliminate
from planner.limits import Limits
from planner.reachability.conditional_reach import ConditionalReach
from planner.rules.attack_prospect import AttackProspect, Mode, Part, Target
from planner.rules.attack_table import AttackRule
from planner.scenario import Scenario
from planner.world.declared_attack import DeclaredAttack


def fewest_needed(scenario: Scenario, rule: AttackRule, attack: DeclaredAttack, column: int, limits: Limits) -> int:
    """Return how many moves, and units that join from where they stand, an attack takes at least; not too many.

    Wherever a unit might end if the others did all that it needs, it is taken to stand where it is strongest, and whatever
    shifts the odds, to be at its best: so nobody needs fewer. 0, too, where nothing is known.

    Parameters
    ----------
    scenario : Scenario
        The position; each unit that moves in it moves by itself, and once.
    rule : AttackRule
        The rule of the attack.
    attack : DeclaredAttack
        The attack, with those who must take part.
    column : int
        The index of the column that it is to reach, after shifts.
    limits : Limits
        When to stop.
    """
    game = scenario.game
    if moves_eliminate(game):  # who defends isn't known then
        return 0
    far = max(rule.range_of(game.units[unit]).range for unit in game.units)
    near = {at for label in attack.hexes for at in game.board.hexes if game.board.within(at, label, far)}
    try:
        reach = ConditionalReach(game, limits)
        places = {
            unit: sorted(near & {at, *reach.at_best(unit, lambda _: True)[0]})
            for unit, at in scenario.start.at.items()
            if unit in game.friends
        }
        targets = [one for one in AttackProspect(game, rule, places, (), limits.check).targets() if _is_it(one, attack)]
    except (InputError, OutOfTimeError):
        return 0
    sizes = [
        _size(one, mode, attack.attackers, scenario.start.at)
        for one in targets
        for mode in one.modes
        if mode.column >= column
    ]
    return min((size for size in sizes if size is not None), default=0)


def _is_it(target: Target, attack: DeclaredAttack) -> bool:
    whom = set(target.defenders) == set(attack.defenders) if attack.defenders else target.whole
    return whom and set(target.hexes) == set(attack.hexes)


def _size(target: Target, mode: Mode, attackers: Sequence[str], at: Mapping[str, str]) -> int | None:
    """Return how many it takes for an attack to come out in some way; None: whoever takes part, it doesn't."""
    parts = [part for part in target.parts if mode.takes(part)]
    needed = Fraction(mode.least or 0, target.scale)
    company = any(all(part.afar for part in parts if part.unit == unit) for unit in attackers)
    beside = dict.fromkeys(part.unit for part in parts if part.beside)
    # Who attacks from afar alone needs somebody beside the hex.
    ways = (
        [([part for part in parts if part.beside or part.unit != unit], {*attackers, unit}) for unit in beside]
        if company
        else [(parts, {*attackers})]
    )
    sizes = (_at_least(some, taking, {*attackers}, at, needed) for some, taking in ways)
    return min((size for size in sizes if size is not None), default=None)


def _at_least(
    parts: Sequence[Part], taking: Collection[str], asked: Collection[str], at: Mapping[str, str], needed: Fraction
) -> int | None:
    """Return how many units have to move, or join, so that some take part, and all together have a strength; None: never."""
    strongest, still = dict[str, Fraction](), dict[str, Fraction]()
    for part in parts:
        strongest[part.unit] = max(part.strength, strongest.get(part.unit, part.strength))
        if part.unit in asked and at[part.unit] in part.hexes:
            still[part.unit] = part.strength
    if not strongest.keys() >= set(taking):
        return None
    size = sum(unit not in still for unit in taking)
    total = sum((still.get(unit, strongest[unit]) for unit in taking), Fraction(0))
    gains = [strongest[unit] - still.get(unit, strongest[unit] * (unit in taking)) for unit in strongest]
    for gain in sorted(gains, reverse=True):
        if total >= needed:
            break
        size, total = size + 1, total + gain
    return size if total >= needed else None
