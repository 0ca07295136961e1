"""Attacks that have been declared and not been rolled yet: a position after them, as data, and what may be done in it.

0303 has the neighbours 0302, 0304, 0202, 0203, 0402 and 0403.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tomlkit

import planner
from planner.errors import InputError
from planner.objective import Tier
from planner.plans.plan import Plan
from planner.playing.position import Position
from planner.referee.attack_outcomes import left_of
from planner.referee.referee import Referee
from planner.referee.verdict import IllegalPlanError
from planner.rules.attack_rule import attack_rule
from planner.scenario import Scenario, load_scenario
from planner.search.attack_choices import AttackChoices
from planner.solver.plan_judge import judge
from tests.command import run
from tests.conftest import sized
from tests.oracles.attack_declarations import draw
from tests.oracles.attack_games import MEANINGS, attack, position

ALL = {"columns": [{"odds": "1:1", "results": list(MEANINGS)}], "sides": len(MEANINGS)}
UNITS = {
    "a": ("4-4-4", "0302"), "b": ("3-2-4", "0202"), "e": ("2-2-4", "0303"), "c": ("3-3-3", "0502"),
    "d": ("3-3-3", "0503"), "e2": ("1-1-1", "0602"),
}  # fmt: skip


def begin(**rule: Any) -> Scenario:
    return position(attack(**(ALL | rule)), UNITS)


def messages(now: Scenario, *plan: str) -> list[str]:
    return [one.message for one in planner.check(now, plan).violations]


def refused(scenario: Scenario, *after: str) -> list[str]:
    with pytest.raises(InputError) as raised:
        scenario.after(after)
    return [problem.what for problem in raised.value.problems]


def test_what_has_been_declared_is_made_and_nothing_else() -> None:
    now = begin().after(["a+b -> 0303=DE", "c -> 0602"])
    assert planner.check(now, ["c -> 0602"]).legal
    assert planner.check(now, []).due == (("c",), ())
    assert messages(now, "no attacks") == ["c -> 0602 has been declared, and must be made"]
    assert messages(now, "c+d -> 0602") == [
        "c+d -> 0602 is none of the attacks that have been declared: c -> 0602 is left of them",
        "c -> 0602 has been declared, and must be made",
    ]
    assert messages(now, "d 0503-0504") == ["d may not move: attacks have been made"]


def test_nobody_moves_once_attacks_are_declared_though_none_has_been_rolled() -> None:
    now = begin().after(["c 0502-0501", "a+b -> 0303"])
    assert messages(now, "d 0503-0504") == ["d may not move: attacks have been declared"]
    assert planner.suggest(now, time_limit=5).plan == Plan()


def test_after_the_last_of_them_none_may_be_declared() -> None:
    now = begin().after(["a+b -> 0303=DE", "c -> 0602"]).after(["c -> 0602=NE"])
    assert now.done.lines == ["a+b -> 0303=DE", "c -> 0602=NE", "no other attacks"]
    assert begin().after(now.done.lines).start == now.start
    open_ = begin().after(["a+b -> 0303=DE"])
    assert messages(open_, "d -> 0602") == []
    assert messages(open_.after(["no attacks"]), "d -> 0602") == [
        "d -> 0602 is none of the attacks that have been declared: nothing is left of them"
    ]


def test_all_that_must_be_declared_must_be_among_them() -> None:
    duty = begin(must_attack={})
    assert refused(duty, "a+b -> 0303=DE", "c -> 0602") == [
        "must be legal, but 7.1: d must attack: it is in the ZOC of e2"
    ]
    assert refused(duty, "no attacks")
    assert refused(begin(), "a -> 0303=DE", "b -> 0303") == ["must be legal, but 7: e can't be attacked twice"]
    assert duty.after(["a+b -> 0303=DE", "c+d -> 0602"]).start.declared
    assert refused(begin().after(["a+b -> 0303=DE", "c -> 0602"]), "d -> 0602=DE")[0].startswith(
        "must be legal, but 7: d -> 0602 is none of the attacks"
    )


def test_that_an_attack_was_not_declared_is_a_reason_that_no_moves_mend() -> None:
    now = begin().after(["a+b -> 0303=DE", "c -> 0602"])
    found = planner.explain(now, ["d -> 0602"], time_limit=5)
    assert (found.status, found.remedies, found.complete) == ("forbidden", (), True)
    [reason] = found.reasons
    assert "d -> 0602 is none of the attacks that have been declared" in str(reason.instances[0])
    assert planner.explain(now, ["c -> 0602"], time_limit=5).status == "possible"


def test_where_attacks_are_declared_one_by_one_what_is_written_has_been_rolled() -> None:
    game = begin(declared="one_by_one")
    [told] = refused(game, "a+b -> 0303=DE", "c -> 0602")
    assert told.startswith("must say what was rolled")
    [told] = refused(game, "a+b -> 0303=DE", "no other attacks")
    assert told.startswith("attacks are declared one by one in this game")


def test_what_is_left_of_a_declared_attack_may_be_nobody() -> None:
    # e retreats into 0602, where it defends no more: it has been attacked.
    now = begin().after(["a+b -> 0303=DE", "c -> 0602"])
    gone = now.after(["c -> 0602=DE"])
    assert gone.start.declared == ()
    assert planner.check(gone, ["no attacks"]).legal


def test_a_search_makes_what_has_been_declared_though_it_costs_more_than_it_gains() -> None:
    saving = (Tier.model_validate({"terms": [{"kind": "own_losses"}]}),)
    now = replace(begin(), tiers=saving).after(["a+b -> 0303=NE", "c -> 0602"])
    for adaptive in (False, True):
        found = planner.suggest(now, time_limit=10, adaptive=adaptive)
        assert found.status == "optimal"
    plan = planner.suggest(now, time_limit=10).plan
    assert plan is not None
    assert plan.lines == ["c -> 0602"]


# -- in memory


def test_a_position_that_is_played_on_knows_what_is_declared() -> None:
    now = Position(begin())
    now.declare(["a+b -> 0303", "c -> 0602"])
    assert now.targets() == {"0303": ("a", "b"), "0602": ("c",)}
    assert not now.is_legal("d -> 0602")
    assert not now.is_legal("d 0503-0504")
    now.push("c -> 0602")
    now.roll(random.Random(1), "c -> 0602=NE")
    assert [str(one) for one in now.declared or ()] == ["a+b -> 0303"]
    assert [one.message for one in now.problems()] == ["a+b -> 0303 has been declared, and must be made"]
    with pytest.raises(IllegalPlanError):
        now.push("d -> 0602")
    twin = Position(begin().after(["c -> 0602=NE", "a+b -> 0303"]))
    assert (twin.key, twin.scenario.done) == (now.key, now.scenario.done)
    now.push("a+b -> 0303=DE")
    assert not now.problems()
    now.pop()
    now.pop()
    now.pop()
    now.pop()
    assert now.declared is None
    with pytest.raises(InputError, match="c can't attack 0303"):
        now.declare(["c -> 0303"])
    with pytest.raises(InputError, match="must be an attack"):
        now.declare(["d 0503-0504"])


# -- as data


def crossroads(folder: Path) -> tuple[Path, list[str]]:
    """Return a file of a position of Crossroads with two who attack."""
    scenario = load_scenario("crossroads/start")
    data = scenario.to_dict()
    units = [one for one in data["unit"] if "at" in one]
    own = [one for one in units if one["side"] == data["phasing"]][:2]
    foes = [one for one in units if one["side"] != data["phasing"]][:2]
    for entry, at in zip((*own, *foes), ("0306", "0303", "0307", "0304"), strict=True):
        entry["at"] = at
    data["unit"] = [*own, *foes]
    for key in ("verdict", "answer", "tier", "require", "objective", "victory", "done", "control"):
        data.pop(key, None)
    path = folder / "two.toml"
    path.write_text(tomlkit.dumps(data))
    one, two = (entry["id"] for entry in own)
    return path, [f"{one} -> 0307", f"{two} -> 0304"]


def test_it_goes_into_files_and_back_without_loss(tmp_path: Path) -> None:
    path, (first, second) = crossroads(tmp_path)
    begun = planner.load(path)
    rolled = next(str(one.move) for one in _outcomes(begun, first))
    steps = ([first, second], [rolled, second], [rolled, second, f"{second}=AE"])
    for number, lines in enumerate(steps):
        now = begun
        now = now.after(lines[:2]).after(lines[2:]) if len(lines) > 2 else now.after(lines)
        told = now.to_dict()
        back = Scenario.loads(json.dumps(told) if number % 2 else tomlkit.dumps(told))
        assert (back.done, back.start, back.to_dict()) == (now.done, now.start, told)
        assert back.start.declared == now.start.declared
        if number < 2:
            continue
        to = tmp_path / f"now{number}.toml"
        options = [part for line in lines[:2] for part in ("--after", line)]
        done = run("apply", str(path), *lines[2:], *options, "--stay", "-o", str(to))
        assert done.returncode == 0, done.stderr
        assert planner.load(to).start == now.start
        assert planner.load(to).to_dict()["done"] == told["done"]
    assert Plan.parse(["a -> 0303=DE", "no other attacks"]).to_dict()["closed"]


def _outcomes(scenario: Scenario, text: str) -> Any:
    now = Position(scenario)
    now.push(text)
    return now.outcomes


# -- both faces


SEEDS = sized(10, 150, 600)


def test_both_faces_hold_to_what_was_declared_in_random_positions() -> None:
    """Whatever may be declared at once is declared, some of it rolled; of other declarations both faces say the same."""
    seen = {"legal": 0, "illegal": 0, "shrunk": 0}
    for seed in range(SEEDS):
        rng = random.Random(f"declared {seed}")
        family = rng.choice(("ratio", "difference", "artillery", "mandatory"))
        scenario = draw(family, rng)
        rule = attack_rule(scenario.game)
        assert rule is not None
        every = list(AttackChoices(rule, scenario.game, scenario.start, lambda: None).together())
        if not every or max(Counter(scenario.start.at.values()).values()) > 2:
            continue  # nobody attacks, or more share a hex than may, whatever is declared
        declared = max(rng.sample(every, min(len(every), 5)), key=len)
        now = Position(scenario)
        now.declare(declared)
        if len(declared) > 1:
            now.push(declared[0])
            now.roll(rng)
        here = now.scenario
        left = [one for attack in here.start.declared or () if (one := left_of(here.game, here.start, attack))]
        seen["shrunk"] += any(one not in declared for one in left)
        others = rng.sample(every, min(len(every), 8))
        for attacks in (tuple(left), (), *others):
            plan = Plan((), attacks)
            found = Referee(here.game).play(plan, here.start, rolls=False).violations
            assert {one.key for one in found} == {one.key for one in judge(here, plan)}, (seed, plan.lines)
            as_declared = {str(one) for one in attacks} == {str(one) for one in left}
            assert (not found) or not as_declared, (seed, plan.lines, found)
            seen["illegal" if found else "legal"] += 1
    assert min(seen["legal"], seen["illegal"]) > SEEDS / 4, seen


def test_where_nobody_attacks_nothing_can_be_declared_either() -> None:
    position = planner.Position("classic_hex/three_battles")
    with pytest.raises(InputError, match="nobody attacks after the moves of this phase"):
        position.declare([])
    assert position.declared is None
    assert list(position.legal_moves("a1"))
