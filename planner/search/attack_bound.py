"""What no way of playing is worth more than, on average, where attacks follow the moves.

Each enemy is attacked once at most, where it stands when the phase begins, and each unit attacks once at most, from where
its move has ended. So whatever is rolled, the attacks that have been made in the end could have been declared together
after the moves; and what each of them is worth on average, when its turn comes, depends on its column. So nobody gets more
than the best attacks fixed in advance: who waits for results gains nothing where each attack counts for itself.

What doesn't depend on the column alone goes as one likes: who retreats is eliminated if it is an enemy, and otherwise
suffers nothing. Terms that don't count attack by attack count as much as they can.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from planner.errors import OutOfTimeError, TooManyOutcomesError
from planner.limits import Limits
from planner.objective import Term, Tier
from planner.objective.attack_gains import AttackResults, Taken
from planner.objective.attacks import AttackOdds, Emptied, EnemyLosses, OwnLosses, WeakAttacks
from planner.objective.goals import Eliminate
from planner.objective.scoring import Value
from planner.rules.attack_rule import attack_rule
from planner.rules.attack_table import AttackResult, AttackRule, Suffered
from planner.rules.game import Game
from planner.scenario import Scenario
from planner.search.search import Search
from planner.world.selectors import UnitSelector


def attack_bounds(scenario: Scenario, limits: Limits) -> Value:
    """Return for each tier, the first at least, what no way of playing exceeds that is worth as much in those before it.

    Parameters
    ----------
    scenario : Scenario
        The position; its phase may be in progress. In games with rolls while units move, attacks aren't looked at.
    limits : Limits
        When to stop.

    Returns
    -------
    tuple of Fraction
        The bounds; none for the tiers after the last of which something is known.
    """
    game = scenario.game
    rule = attack_rule(game)
    lucky = None if rule is None else _with_luck(rule)
    if rule is None or lucky is None:
        return ()
    tiers, constants = list[Tier](), list[Fraction]()
    for tier in scenario.tiers:
        parts = [_counted(term, game, _whole(rule, game)) for term in tier.terms]
        terms = tuple(one for one, _ in parts if one is not None)
        if not terms:
            break
        tiers.append(tier.model_copy(update={"terms": terms}))
        constants.append(sum((constant for _, constant in parts), Fraction(0)))
    if not tiers:
        return ()
    # What is asked of the attacks that have been made is asked of those declared together just so.
    required = tuple(term for term in scenario.requirements if isinstance(term, (AttackOdds, WeakAttacks)))
    rules = tuple(lucky if one is rule else one for one in game.rulebook.rules)
    asked = replace(
        scenario,
        game=replace(game, rulebook=replace(game.rulebook, rules=rules), _cache={}),
        tiers=tuple(tiers),
        requirements=required,
    )
    try:
        found = Search(asked, limits).run()
    except (OutOfTimeError, TooManyOutcomesError):
        return ()
    return tuple(bound + constant for bound, constant in zip(found.bound, constants, strict=False))


def _with_luck(rule: AttackRule) -> AttackRule | None:
    """Return the rule where retreats go as one likes; None if an exchange depends on who retreats.

    Where attacks are declared after results, who must attack may have nobody to attack any more, and units of one hex may
    attack others.
    """
    if any(one.exchange is not None and one.defenders.retreat for one in rule.results.values()):
        return None
    freed = {"must_attack": None, "must_be_attacked": None, "attackers_together": False}
    freed = freed if rule.declared == "one_by_one" else {}
    results = {code: _lucky(result) for code, result in rule.results.items()}
    return rule.model_copy(update={"results": results, **freed})


def _lucky(result: AttackResult) -> AttackResult:
    theirs = Suffered(eliminated=True) if result.defenders.retreat else result.defenders
    own = result.attackers.model_copy(update={"retreat": 0})
    return result.model_copy(update={"attackers": own, "defenders": theirs})


def _whole(rule: AttackRule, game: Game) -> bool:
    """Tell whether those who stand in a hex are attacked together, if at all."""
    homes = [game.homes[unit] for unit in game.homes if game.is_enemy(unit)]
    return rule.defenders_together or len(homes) == len(set(homes))


def _counted(term: Term, game: Game, whole: bool) -> tuple[Term | None, Fraction]:
    """Return a term that counts attack by attack what another does in the end, or more, and what is counted besides."""
    highest = Fraction(term.weight * term.highest(game))
    if isinstance(term, (EnemyLosses, OwnLosses, AttackOdds, WeakAttacks)):
        return term, Fraction(0)
    if isinstance(term, Eliminate) and len(set(term.units)) == len(term.units):
        here = tuple(unit for unit in term.units if unit in game.homes)
        gone = Fraction(term.weight * (len(term.units) - len(here)))
        if not here:
            return None, gone
        of = UnitSelector(units=here)
        return EnemyLosses(kind="enemy_losses", of=of, counting="units", weight=term.weight), gone
    if whole and isinstance(term, (Emptied, AttackResults)):
        return term, Fraction(0)
    if whole and isinstance(term, Taken):
        return Emptied(kind="emptied", hexes=term.hexes, weight=term.weight), Fraction(0)
    return None, highest
