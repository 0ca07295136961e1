"""Retreats after attacks: where there is room, who is in the way, and who may crowd; and hexsides without a feature."""

from __future__ import annotations

from fractions import Fraction

import pytest

import planner
from planner.errors import InputError
from planner.playing.position import Position
from planner.scenario import Scenario, build_scenario
from tests.oracles.attack_games import attack, position

DEAD_END = "\n".join([". . ~ ~", ". . ~ ~", "~ ~ ~ ~"])
"""0101, 0201, 0102 and 0202; 0101 touches 0201 and 0102, 0202 touches them, too."""


def crowded() -> Scenario:
    """Two attackers in 0201 can retreat to 0101 alone, where a friend stands."""
    units = {"a": ("4-4-4", "0201"), "b": ("4-4-4", "0201"), "c": ("4-4-0", "0101"), "e": ("1-8-4", "0202")}
    rule = attack(retreats={"most_friends": 1, "into_ezoc": "to_friends"})
    return position(rule, units, DEAD_END, tier=[{"terms": [{"kind": "own_losses"}]}])


def test_who_retreats_together_may_crowd_where_there_is_no_other_room() -> None:
    """What may be rolled can be entered, the phase may go on and end, and a plan can be searched for."""
    game = Position(crowded())
    game.push("a+b -> 0202")
    back = next(one for one in game.outcomes if str(one.move).startswith("a+b -> 0202=AR"))
    assert str(back.move) == "a+b -> 0202=AR a 0201-0101, b 0201-0101"
    game.roll(result=back.move)
    assert game.at["a"] == game.at["b"] == game.at["c"] == "0101"
    assert not game.problems()
    found = planner.suggest(game.scenario, time_limit=10)
    assert found.status == "optimal"


def test_a_safe_attacker_from_afar_stands_in_the_way_of_those_who_retreat() -> None:
    """The guns in 0101 shoot at 0202 two hexes away; nothing happens to them, so they don't make way: 0301 is left."""
    units = {"a": ("4-4-4", "0201"), "g": ("4-1-4", "0101"), "e": ("1-8-4", "0202")}
    ranges = [{"units": {"traits": "guns"}, "range": 2, "safe": True}]
    rule = attack(ranges=ranges, retreats={"into_ezoc": "always"})
    scenario = position(rule, units, ". . .\n~ . ~", hexes={"0102": "lake"})
    assert scenario.after(["a+g -> 0202=AR"]).start.at["a"] == "0301"
    with pytest.raises(InputError, match="a can't retreat 0201-0101"):
        scenario.after(["a+g -> 0202=AR a 0201-0101"])


def test_attacks_may_be_kept_from_all_hexsides_but_some() -> None:
    """Nobody attacks but across a bridge: where there is none, a may not."""
    bars = [{"because": "but over a bridge", "hexsides": {"without": "bridge"}}]
    units = {"a": ("4-4-4", "0201"), "e": ("1-4-4", "0202")}
    over = {"hexsides": {"bridge": ["0201 0202"]}}
    assert planner.check(position(attack(bars=bars), units, ". . .\n~ . ~", **over), ["a -> 0202"]).legal
    assert not planner.check(position(attack(bars=bars), units, ". . .\n~ . ~"), ["a -> 0202"]).legal


BOTH_BACK = {"XX": {"text": "both go back", "attackers": {"retreat": 1}, "defenders": {"retreat": 1}}}
"""A result by which both sides retreat."""


def both_back(units: dict[str, tuple[str, str]], rows: str, **retreats: object) -> Scenario:
    """Return a position in which whatever is rolled lets both sides retreat a hex."""
    columns = [{"odds": "1:2", "results": ["XX"] * 6}]
    rule = attack(columns=columns, results=BOTH_BACK, below="lowest", retreats={"into_ezoc": "always", **retreats})
    return position(rule, units, rows)


def test_both_sides_do_not_retreat_into_one_hex() -> None:
    """The enemy in 0202 and a in 0102 could both go to 0103; the enemy could go to 0302, too."""
    scenario = both_back({"a": ("4-4-4", "0102"), "e": ("4-4-4", "0202")}, "~ ~ ~\n. . .\n. ~ ~\n~ ~ ~")
    game = Position(scenario)
    game.push("a -> 0202")
    assert [str(one.move) for one in game.outcomes] == ["a -> 0202=XX e 0202-0302, a 0102-0103"]
    with pytest.raises(InputError, match="a can't retreat into 0103: e retreats there, too"):
        scenario.after(["a -> 0202=XX a 0102-0103, e 0202-0103"])


def test_several_enemies_who_retreat_into_the_same_hex_are_named_as_several() -> None:
    units = {"a": ("4-4-4", "0102"), "e1": ("2-2-4", "0202"), "e2": ("2-2-4", "0202")}
    scenario = both_back(units, "~ ~ ~\n. . .\n. ~ ~\n~ ~ ~", most_friends=1)
    with pytest.raises(InputError, match="a can't retreat into 0103: e1 and e2 retreat there, too"):
        scenario.after(["a -> 0202=XX a 0102-0103, e1 0202-0103, e2 0202-0103"])


def test_who_could_only_retreat_to_an_enemy_that_retreats_too_stays() -> None:
    scenario = both_back({"a": ("4-4-4", "0102"), "e": ("4-4-4", "0202")}, "~ ~ ~\n. . ~\n. ~ ~\n~ ~ ~")
    after = scenario.after(["a -> 0202=XX"])
    assert (after.start.at["e"], after.start.at["a"]) == ("0103", "0102")


def test_a_single_unit_does_not_crowd_with_one_of_its_force_that_stays() -> None:
    """The guns can't leave 0102, as 0103 is marsh; who goes back from there goes to 0104, not to them."""
    units = {"a": ("8-4-4", "0202"), "eg": ("1-1-4", "0102"), "e": ("1-1-4", "0103")}
    columns = [{"odds": "1:2", "results": ["DR"] * 6}]
    meaning = {"DR": {"text": "the defenders go back", "defenders": {"retreat": 1}}}
    retreats = {"into_ezoc": "always", "cannot": "stays"}
    rule = attack(columns=columns, results=meaning, below="lowest", most_hexes=2, retreats=retreats)
    scenario = position(rule, units, "~ ~ ~\n. . ~\nm ~ ~\n. ~ ~")
    assert scenario.after(["a -> 0102+0103=DR e 0103-0104"]).start.at["e"] == "0104"
    with pytest.raises(InputError, match="e may not retreat into 0102, to eg: there is room for all elsewhere"):
        scenario.after(["a -> 0102+0103=DR e 0103-0102"])


@pytest.mark.parametrize(("cut", "left"), [("", {"a": "0104", "e": "0101"}), ("0102 0103", {"a": "0104"})])
def test_nobody_retreats_along_a_road_that_a_hexside_cuts(cut: str, left: dict[str, str]) -> None:
    """From 0103 e can retreat to 0102 alone, and on; across a wall no road leads (`not_with`), and who can't go is lost."""
    charts = {
        "hexsides": {"wall": {"prohibited": True}},
        "routes": [{"feature": "road", "not_with": ["wall"], "prices": [{"mp": 1}]}],
    }
    scenario = {
        "format": "planner/scenario-1",
        "model": "crossroads",
        "phase": "movement",
        "phasing": "red",
        "map": {
            "hexes": {"0101 0102 0103 0104": "clear"},
            "hexsides": {"road": "0101 0102 0103", **({"wall": [cut]} if cut else {})},
        },
        "unit": [
            {"id": "a", "side": "red", "type": "infantry", "values": "9-4-4", "at": "0104"},
            {"id": "e", "side": "blue", "type": "infantry", "values": "1-1-4", "at": "0103"},
        ],
        "tier": [{"terms": [{"kind": "enemy_losses"}]}],
        "charts": charts,
    }
    game = Position(Scenario.from_dict(scenario))
    # 9 to 1 is 6:1: DR one time in six, otherwise EX, DE; e is lost for certain if it can't go.
    assert planner.suggest(game.scenario).value == (Fraction(5, 6) if left.get("e") else 1,)
    game.push("a -> 0103=DR")
    assert {unit: at for unit, at in game.at.items() if at in game.scenario.game.board.hexes} == left


@pytest.mark.parametrize(("feature", "lost"), [("bridge", "1/6"), ("river", "1/2")])
def test_defenders_retreat_over_a_bridge_where_units_may_cross_it(feature: str, lost: str) -> None:
    """Of the six entries of 8 to 8 in the open (0, 1), twice, and (1, 2) drive e straight back, into 0103.

    With a bridge into the lake e may go there, as any unit may move there: (1, 2) alone destroys it. Without one all do.
    """
    scenario = {
        "format": "planner/scenario-1",
        "model": "classic_hex",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0101 0102": "clear", "0103": "lake"}, "hexsides": {feature: "0102 0103"}},
        "unit": [
            {"id": "a", "side": "blue", "type": "infantry", "values": "8-4", "at": "0101"},
            {"id": "e", "side": "red", "type": "infantry", "values": "8-4", "at": "0102"},
        ],
        "tier": [{"terms": [{"kind": "eliminate", "units": "e"}]}],
    }
    assert planner.suggest(Scenario.from_dict(scenario)).value == (Fraction(lost),)


@pytest.mark.parametrize("green", ["0404", "0504"])
@pytest.mark.parametrize(("alliances", "lost"), [([], Fraction(1)), ([["red", "green"]], Fraction(1, 2))])
def test_nobody_retreats_to_an_enemy_of_his_who_is_one_of_the_attackers_too(
    green: str, alliances: list[list[str]], lost: Fraction
) -> None:
    """8 to 2 is 4:1: three of six results eliminate r; so do the others, DR, if g or its ZOC closes the only way."""
    data = {
        "format": "planner/scenario-1",
        "model": "crossroads",
        "phase": "movement",
        "phasing": "blue",
        "charts": {"sides": {"green": "Green"}, "alliances": alliances},
        "map": {"hexes": {"0204 0304 0404 0504": "clear"}},
        "unit": [
            {"id": "b", "side": "blue", "type": "infantry", "values": "8-3-0", "at": "0204"},
            {"id": "r", "side": "red", "type": "infantry", "values": "2-2-3", "at": "0304"},
            {"id": "g", "side": "green", "type": "infantry", "values": "2-2-3", "at": green},
        ],
        "tier": [{"terms": [{"kind": "enemy_losses", "of": {"units": ["r"]}, "counting": "units"}]}],
    }
    scenario = build_scenario(data, "three sides")
    assert planner.suggest(scenario).value == (lost,)
    game = Position(scenario)
    game.push("b -> 0304")
    game.roll(result="b -> 0304=DR" if lost == 1 else "b -> 0304=DR r 0304-0404-0504")
    assert ("r" in game.at) == (lost < 1)
    game.end_phase()
