"""Proofs that can be had are had: what one question settles of a position, no other leaves open, or answers otherwise.

Random positions of all five games, and of games that nobody has printed, with random objectives and requirements, results
that may be relied upon, phases in progress and moves that are settled. Which trees of plans are small is said by walking
them on the referee alone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

import planner
from planner.errors import InputError
from planner.objective import Term, Tier
from planner.objective.goals import Eliminate, End, Hold
from planner.objective.scoring import Value, values_of
from planner.plans.partial_plan import PartialPlan
from planner.plans.plan import Plan
from planner.puzzles.verification import Verification
from planner.puzzles.verify import verify_scenario
from planner.referee.referee import Referee
from planner.scenario import Scenario, build_scenario
from planner.scenario.shape import AnswerEntry
from planner.search.alternatives import Alternatives
from planner.search.result import Result
from planner.search.search import Search
from planner.solver.side_constraints import Conditions
from tests.conftest import long_ones, sized
from tests.oracles import attack_plans, made_up, made_up_more
from tests.oracles.brute_force import TooManyStatesError
from tests.oracles.every_plan import EveryPlan
from tests.oracles.families import fulfils
from tests.oracles.positions import drawn
from tests.oracles.progress import DATA, FAMILIES, EverySequel, begun, cuts
from tests.oracles.skirmishes import sorties
from tests.oracles.waiting import Interleaved

POSITIONS, CAP = sized((3, 150), (16, 300), (500, 1_000))
"""How many of each kind are drawn, and how many plans, or standings, of one are walked at most."""

GOALS = ("end", "hold", "eliminate")

REQUIRED = sized(2, 8, 100)
"""How many things are drawn that may be required on a larger position."""


@dataclass(frozen=True)
class Asked:
    """A position that is asked about.

    Attributes
    ----------
    scenario : Scenario
        The position.
    best : callable
        Returns what the best of all plans is worth, on the referee alone; None: there is none.
    plan : Plan
        Some plan, not always a legal one.
    """

    scenario: Scenario
    best: Callable[[], Value | None]
    plan: Plan


def goals_at_random(data: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return a scenario's data with goals spread over tiers, some of them required, and results that may be relied on."""
    scenario = build_scenario(data, "without an objective")
    own, foes = (
        sorted(unit for unit in scenario.start.at if (unit in scenario.game.friends) == mine) for mine in (1, 0)
    )
    hexes = sorted(scenario.game.board.hexes)
    goals = [dict(term) for tier in data.get("tier", ()) for term in tier["terms"] if term["kind"] in GOALS]
    goals = goals or [
        {"kind": "end", "unit": rng.choice(own), "at": rng.choice(hexes)},
        {"kind": "hold", "hexes": rng.choice(hexes)},
        *({"kind": "eliminate", "units": [unit]} for unit in foes[:2]),
    ]
    goals.append({"kind": "end", "unit": rng.choice(own), "at": rng.choice(hexes)})
    for goal in goals:
        goal["weight"] = rng.randint(1, 6)
    rng.shuffle(goals)
    first = rng.randint(1, len(goals))
    tiers = [goals[:first], goals[first:], rng.choice(([{"kind": "mp_spent"}], [{"kind": "units_moved"}], []))]
    required = [
        {key: value for key, value in goal.items() if key != "weight"}
        for goal in rng.sample(goals, min(len(goals), rng.choice((0, 0, 1, 2))))
    ]
    likely = {"confidence": rng.choice(("1/3", "25/36", "5/6"))} if rng.random() < 0.2 else {}
    return {**data, **likely, "tier": [{"terms": terms} for terms in tiers if terms], "require": required}


def best_of(family: str, now: Scenario) -> Value | None:
    """Return what the best of all plans is worth."""
    if family == "waiting":
        return Interleaved(now, 3 * CAP).best()
    if family == "skirmishes":
        legal = (verdict for _, verdict in sorties(now, CAP) if fulfils(now, verdict))
        return max((values_of(now.game, now.tiers, verdict) for verdict in legal), default=None)
    return EverySequel(now, 3 * CAP).best()


def of_a_game(family: str, seed: int) -> Asked:
    """Return a position of one of the five games, in half of all cases in the middle of its phase."""
    scenario, plan, rng = FAMILIES[family](seed)
    if rng.random() < 0.8:
        scenario = build_scenario(goals_at_random(DATA[family](seed), rng), f"{family} {seed}")
    parts = [(done, rest) for done, rest, _ in cuts(scenario, plan, rng)] if rng.random() < 0.5 else []
    if parts:
        done, rest = rng.choice(parts)
        now = begun(scenario, done)
        if now is not None:
            scenario, plan = now, rest
    return Asked(scenario, lambda: best_of(family, scenario), plan)


def under_other_rules(seed: int) -> Asked:
    position = drawn(seed, random_rulebook=True)
    return Asked(position.scenario, lambda: position.best, Plan())


def made_up_game(seed: int) -> Asked:
    topics = {**made_up.TOPICS, **made_up_more.TOPICS}
    topic = sorted(topics)[seed % len(topics)]
    scenario = made_up.drawn(topics[topic], random.Random(f"proofs {topic} {seed}"))
    return Asked(scenario, lambda: EveryPlan(scenario, CAP).best(), Plan())


def with_attacks(seed: int) -> Asked:
    scenario = attack_plans.field(seed)

    def best() -> Value | None:
        found = attack_plans.best_plan(scenario, 3 * CAP)
        return None if found is None else found[0]

    return Asked(scenario, best, Plan())


DRAWN: dict[str, Callable[[int], Asked]] = {
    **{family: lambda seed, family=family: of_a_game(family, seed) for family in FAMILIES},
    "other rules": under_other_rules,
    "made up": made_up_game,
    "attacks": with_attacks,
}


def claims(scenario: Scenario, found: Result, others: Alternatives, rng: random.Random) -> Iterator[AnswerEntry]:
    """Yield what a puzzle might claim of a position, after what is known of it."""
    if scenario.requirements:
        yield AnswerEntry(question="impossible")
    if found.plan is None:
        return
    value, moves = tuple(map(str, found.value)), [str(move) for move in found.plan.moves]
    moves += [str(attack) for attack in found.plan.attacks or ()]
    number = sum(one.result.value == found.value for one in others.plans)
    if number == len(others.plans) and not others.exhausted:
        yield AnswerEntry(value=value, moves=moves)
    elif number == 1 or rng.random() < 0.5:
        yield AnswerEntry(value=value, moves=moves, unique=number == 1)
    else:
        yield AnswerEntry(value=value, solutions=number)


def differences(asked: Asked, seen: Counter[str], rng: random.Random) -> Iterator[str]:
    """Yield what one question settles of a position that another one leaves open, or answers otherwise."""
    scenario = asked.scenario
    found, others = Search(scenario).run(), planner.alternatives(scenario, 4)
    first = others.first
    try:
        best = asked.best()
        seen["small"] += 1
        if (found.status, found.value) != (("infeasible", ()) if best is None else ("optimal", best)):
            yield f"all plans come to {best}, suggest to {found.status} {found.value}"
    except TooManyStatesError:
        pass
    seen[found.status] += 1
    for one in others.plans:
        assert one.result.plan is not None
        verdict = Referee(scenario.game).play(one.result.plan, scenario.start)
        if not verdict.legal or values_of(scenario.game, scenario.tiers, verdict) != one.result.value:
            yield f"not worth {one.result.value}:\n{one.result.plan}"
    if (first.status, first.value) != (found.status, found.value):
        yield f"suggest: {found.status} {found.value}; alternatives: {first.status} {first.value}"
    for claim in claims(scenario, found, others, rng):
        yield from refuted(verify_scenario(replace(scenario, answer=claim), None), claim, found, others, seen)


def refuted(
    told: Verification, claim: AnswerEntry, found: Result, others: Alternatives, seen: Counter[str]
) -> Iterator[str]:
    """Yield what verifying a claim comes to that searches don't."""
    if told.fault or told.problems:
        yield f"{claim}: {told.fault} {told.problems}"
        return
    proved = found.status in ("optimal", "infeasible")
    settled = "unknown" if not proved else "holds" if (claim.asks == "best") == (found.plan is not None) else "fails"
    if claim.asks == "impossible" and found.plan is not None:
        settled = "fails"
    outcomes = {check.kind: check.outcome for check in told.checks}
    seen[f"claim {settled}"] += 1
    if outcomes["claim"] != settled:
        yield f"{claim}: {outcomes['claim']}, suggest {found.status}"
    for kind, wanted in (("unique", claim.unique), ("solutions", claim.solutions)):
        if wanted is not None and proved:
            known = others.exhausted or any(one.result.value < found.value for one in others.plans) or wanted is False
            seen[f"{kind} {outcomes[kind]}"] += 1
            if outcomes[kind] != ("holds" if known else "unknown"):
                yield f"{claim}: {kind} {outcomes[kind]}, alternatives {others!r}"


@pytest.mark.parametrize("kind", long_ones([*DRAWN], *(DRAWN.keys() - {"at sea"})))
def test_what_one_question_settles_no_other_leaves_open(kind: str) -> None:
    """Suggest, alternatives, and claims of a best value, of nothing possible, of one solution or of exactly so many."""
    seen: Counter[str] = Counter()
    for seed in range(POSITIONS):
        found = list(differences(DRAWN[kind](seed), seen, random.Random(f"claims {seed}")))
        assert not found, f"seed {seed}: {found}"
    print(f"{kind}: {seen}")
    assert seen["small"] >= POSITIONS / 4
    assert seen["claim holds"] >= POSITIONS / 2
    assert seen["unique holds"] + seen["solutions holds"] + seen["infeasible"] >= POSITIONS / 2


@pytest.mark.thorough
def test_a_plan_is_written_so_that_it_is_worth_what_is_told_of_it() -> None:
    """Where a combat fails, two steps in one line go on otherwise than in two: those are worth 155/18, these 185/18."""
    scenario = of_a_game("skirmishes", 15).scenario
    best = (Fraction(185, 18), Fraction(17, 12), Fraction(-2))  # of all plans, walked by best_of
    found = planner.suggest(scenario)
    assert (found.status, found.value) == ("optimal", best)
    for one in planner.alternatives(scenario, 4).plans:
        assert one.result.plan is not None
        verdict = Referee(scenario.game).play(one.result.plan, scenario.start)
        assert verdict.legal
        assert values_of(scenario.game, scenario.tiers, verdict) == one.result.value


@pytest.mark.thorough
def test_what_is_known_already_is_what_alternatives_begin_with() -> None:
    """However short their time is: the best plan of a position that has been asked about is no less known to them."""
    scenario = of_a_game("skirmishes", 15).scenario
    found, first = planner.suggest(scenario), planner.alternatives(scenario, 3, time_limit=0.1).first
    assert (found.status, found.value) == (first.status, first.value)


def test_a_fixed_move_leaves_few_plans_to_try() -> None:
    """One unit's move is settled, and another's destination: no plan in which that unit goes otherwise is gone through."""
    asked = of_a_game("skirmishes", 6)
    partial = PartialPlan.read(["u1 0405-0506", "u0 -> 0606"], asked.scenario, "by hand")
    found = planner.suggest(replace(asked.scenario, requirements=()), partial=partial)
    assert (found.status, found.value) == ("optimal", (Fraction(0), Fraction(4), Fraction(-2)))


@pytest.mark.thorough
def test_a_move_may_be_settled_in_several_lines_where_nobody_needs_to_wait() -> None:
    """Nobody gets near an enemy, so no unit waits to any purpose; it was called impossible to write what one does in two."""
    scenario = replace(of_a_game("skirmishes", 52).scenario, requirements=())
    for lines in (
        ["u1 0606-0506-0505"],
        ["u1 0606-0506", "u1 0506-0505"],
        ["u1 0606-0506", "u0 0604-0505", "u1 0506-0505"],
    ):
        found = planner.suggest(scenario, partial=PartialPlan.read(lines, scenario, "by hand"))
        assert found.status == "optimal", lines
        assert found.plan is not None
        assert Referee(scenario.game).play(found.plan, scenario.start).position.at["u1"] == "0505"


def kept_to(plan: Plan, rng: random.Random) -> PartialPlan:
    """Return the moves of some units of a plan, with those of whoever moves together with them."""
    team = {rng.choice(rng.choice(plan.moves).units)}
    while together := {unit for move in plan.moves if team & {*move.units} for unit in move.units} - team:
        team |= together
    return PartialPlan(tuple(move for move in plan.moves if team & {*move.units}))


def legal_plans(family: str, seed: int, rng: random.Random) -> tuple[Scenario, list[Plan]]:
    """Return a position with some legal plans that do what is required."""
    asked = of_a_game(family, seed)
    scenario = asked.scenario
    if family != "skirmishes":
        scenario = replace(scenario, requirements=())
        legal = asked.plan.moves and Referee(scenario.game).play(asked.plan, scenario.start).legal
        return scenario, [asked.plan] if legal else []
    try:
        plans = [plan for plan, verdict in sorties(scenario, 3 * CAP) if plan.moves and fulfils(scenario, verdict)]
    except TooManyStatesError:
        return scenario, []
    return scenario, rng.sample(plans, min(len(plans), 3))


@pytest.mark.parametrize("family", long_ones(FAMILIES, "skirmishes", "on land", "stacks"))
def test_what_keeps_to_fixed_moves_is_not_left_out(family: str) -> None:
    """Of any legal plan the moves of some units are fixed: the best that is found is worth as much at least, and proved."""
    fixed = 0
    known = {"stacks": (142, 608, 1224), "on land": (703,)}.get(family, ())  # of moves that go on, or drop units first
    for seed in (*known, *range((2 if family == "skirmishes" else 10) * POSITIONS)):
        rng = random.Random(f"kept to {seed}")
        scenario, plans = legal_plans(family, seed, rng)
        for plan in plans:
            partial = kept_to(plan, rng)
            found = planner.suggest(scenario, partial=partial)
            told = f"seed {seed}: {found!r}\n{plan}\nfixed:\n{partial}"
            assert found.status == "optimal", told
            verdict = Referee(scenario.game).play(plan, scenario.start)
            assert found.value >= values_of(scenario.game, scenario.tiers, verdict), told
            fixed += 1
    assert fixed >= POSITIONS / 4


def is_legal_so_far(scenario: Scenario, plan: Plan) -> bool:
    """Tell whether no move of a plan is illegal, whatever the position after it."""
    return all(one.move is None for one in Referee(scenario.game).play(plan, scenario.start).violations)


def settled_in_part(asked: Asked, rng: random.Random) -> PartialPlan | None:
    """Return some of a plan's moves, with who stays and where others must end; None where they can't be meant so."""
    game, moves = asked.scenario.game, asked.plan.moves
    legal = [count for count in range(len(moves) + 1) if is_legal_so_far(asked.scenario, Plan(moves[:count]))]
    moves = moves[: rng.choice(legal) if rng.random() < 0.8 else rng.randint(0, len(moves))]
    left = [unit for unit in game.homes if unit in game.friends and all(unit not in move.units for move in moves)]
    stays = rng.sample(left, rng.randint(0, len(left)))
    lines = [*map(str, moves), *(f"{unit} stays" for unit in stays)]
    others = [unit for unit in left if unit not in stays and game.may_be_moved(unit)]
    if others and rng.random() < 0.4:
        unit = rng.choice(others)
        near = sorted(game.board.neighbours.get(game.homes[unit], ()))
        lines += [f"{unit} -> {rng.choice(near)}"] if near else []
    try:
        return PartialPlan.read(lines, asked.scenario, "drawn")
    except InputError:
        return None


@pytest.mark.parametrize("family", long_ones(FAMILIES, "skirmishes", "on land", "waiting"))
def test_what_is_left_of_a_plan_is_settled_by_whoever_is_asked(family: str) -> None:
    """Some moves are fixed, others must end somewhere or stay; what can be replayed as it stands is no more than that."""
    seen: Counter[str] = Counter()
    for seed in range(POSITIONS):
        asked, rng = of_a_game(family, seed), random.Random(f"settled {seed}")
        partial = settled_in_part(asked, rng)
        if partial is None:
            continue
        told = f"{family}, seed {seed}:\n{partial}"
        scenario = asked.scenario if rng.random() < 0.3 else replace(asked.scenario, requirements=())
        found = planner.suggest(scenario, partial=partial)
        first = planner.alternatives(scenario, 3, partial=partial).first
        assert (found.status, found.value) == (first.status, first.value), told
        assert found.status in ("optimal", "infeasible"), told
        free = planner.suggest(scenario)
        assert found.plan is None or found.value <= free.value, told
        assert free.plan is not None or found.plan is None, told
        seen[found.status] += 1
        if found.plan is not None:
            # Now everything is settled.
            movers = {unit for move in found.plan.moves for unit in move.units}
            stays = [unit for unit in scenario.game.homes if scenario.game.may_be_moved(unit) and unit not in movers]
            fixed = [*map(str, found.plan.moves), *(f"{unit} stays" for unit in stays)]
            whole = PartialPlan.read(fixed, scenario, "settled")
            search = Search(scenario, conditions=Conditions(whole))
            result = search.run()
            assert (result.status, result.value) == ("optimal", found.value), told
            seen["replayed"] += search.context.work == 0
    print(f"{family}: {seen}")
    assert seen["optimal"] >= POSITIONS / 4
    assert seen["replayed"] >= seen["optimal"] / 2


LARGER = (
    "a_world_at_war/through_the_line",
    "classic_hex/six_against_four",
    "classic_hex/three_battles",
    "dai_senso/manchuria",
    "great_war/over_the_top",
    "ocs/swamp",
)


@pytest.mark.thorough
@pytest.mark.parametrize("name", LARGER)
def test_what_a_puzzle_calls_impossible_is_impossible_to_require(name: str) -> None:
    """On positions too large to be walked: a hex to hold, to end in, or an enemy to eliminate, drawn at random."""
    scenario, rng, seen = replace(planner.load(name), verdicts=()), random.Random(f"impossible {name}"), Counter[str]()
    game = scenario.game
    own = [unit for unit in game.homes if game.may_be_moved(unit)]
    foes, hexes = [unit for unit in game.homes if game.is_enemy(unit)], list(game.board.hexes)
    for _ in range(REQUIRED):
        terms: tuple[Term, ...] = (
            End(kind="end", unit=rng.choice(own), at=(rng.choice(hexes),)),
            Hold(kind="hold", hexes=(rng.choice(hexes),)),
            Eliminate(kind="eliminate", units=(rng.choice(foes),)),
        )
        term = rng.choice(terms)
        claim = AnswerEntry(question="impossible", goal=(1,))
        claimed = replace(scenario, tiers=(Tier(terms=(term,)),), requirements=(), answer=claim)
        [check] = verify_scenario(claimed, None).checks
        seen[check.outcome] += 1
        if check.outcome == "holds":
            found = planner.suggest(replace(scenario, requirements=(term,), tiers=()))
            assert found.status == "infeasible", f"{term}: {check.message}"
    print(f"{name}: {seen}")
    assert seen["holds"]
    assert seen["unknown"] <= REQUIRED / 2  # combats that might or might not come to it, too many to try all


@pytest.mark.thorough
def test_a_game_of_combats_is_one_of_movement_where_nobody_gets_near_an_enemy() -> None:
    quiet = 0
    for seed in range(5 * POSITIONS):
        data = DATA["skirmishes"](seed)
        own = next(unit for unit in data["unit"] if unit["side"] == "blue")
        goals = [{"kind": "hold", "hexes": label} for label in data["map"]["hexes"]][seed % 5 :: 4]
        data = {**data, "unit": [unit for unit in data["unit"] if unit["side"] == "blue"], "tier": [{"terms": goals}]}
        far = {"id": "far", "side": "red", "type": "infantry", "values": "3-2", "at": "0909"}
        data["map"]["hexes"]["0909"] = {"terrain": "clear"}
        scenario = build_scenario({**data, "unit": [*data["unit"], far]}, f"quiet {seed}")
        assert own["id"] in scenario.game.friends
        search = Search(scenario)
        found = search.run()
        try:
            best = best_of("skirmishes", scenario)
        except TooManyStatesError:
            continue
        quiet += 1
        assert search.context.combat is None
        assert not search.context.one_by_one
        assert (found.status, found.value) == ("optimal", best), f"seed {seed}"
    assert quiet >= POSITIONS
