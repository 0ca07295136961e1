"""What would help is told once, however many hexes a helper may go to, and whoever else might come along.

f wants to go from 03.01 to 03.02, from where whoever stands there can go to 02.01, 02.02, 03.03, 04.01 and 04.02.
"""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.cli.explanation_text import print_explanation
from planner.explanation import attack_question, move_remedies
from planner.explanation.answer import Change, Instance, Remedy
from planner.explanation.counterfactuals import _Counterfactuals, _singles, counterfactuals
from planner.explanation.minimal_conflicts import _Growth
from planner.explanation.move_remedies import Remedies
from planner.explanation.parse_question import read_goals
from planner.explanation.question import Question
from planner.explanation.scenario_changes import Obstacles, candidates, changed
from planner.limits import Limits
from planner.plans.plan import Plan
from planner.referee.played_moves import fate
from planner.rules.roles import Charges
from planner.scenario import build_scenario
from tests.oracles.attack_games import attack, position
from tests.oracles.islands import islands
from tests.oracles.positions import draw
from tests.plain_game import EXHAUSTION, FORCES, LIMIT, OVERRUN, Variant, build, effect, placed, write_model

FULL = LIMIT + 'when = "move"\nlimits = [{{ units = {} }}]\n'
ALL_ROUND = {"02.01", "02.02", "03.03", "04.01", "04.02"}


def explained(most: int, *units: str, folder: Path) -> planner.Explanation:
    scenario = build(Variant("full", FULL.format(most), units=("foot f 03.01 1", *units)), folder)
    found = planner.explain(scenario, ["f 03.01-03.02"])
    for remedy in found.remedies:
        for move in remedy.elsewhere:
            assert planner.check(scenario, [str(move), "f 03.01-03.02"]).legal
    return found


def test_who_may_step_aside_to_five_hexes_is_one_remedy(tmp_path: Path) -> None:
    found = explained(1, "foot g 03.02 1", folder=tmp_path)
    [one] = [remedy for remedy in found.remedies if remedy.own]
    assert {move.end for move in (*one.moves, *one.elsewhere)} == ALL_ROUND
    ends = [move.end for move in (*one.moves, *one.elsewhere)]
    assert str(one) == f"if g first moves to {', '.join(ends[:-1])} or {ends[-1]}"
    assert one.to_dict()["elsewhere"] == [f"g 03.02-{end}" for end in ends[1:]]
    assert found.beside_own.none


def test_each_of_two_who_may_step_aside_is_a_remedy_and_both_together_are_none(tmp_path: Path) -> None:
    found = explained(2, "foot g 03.02 1", "foot h 03.02 1", folder=tmp_path)
    own = [remedy for remedy in found.remedies if remedy.own]
    assert [[move.units for move in remedy.moves] for remedy in own] == [[("g",)], [("h",)]]
    assert all(len(remedy.elsewhere) == 4 for remedy in own)


@pytest.mark.parametrize("most", [1, 2])
def test_who_helps_a_unit_to_a_destination_and_where_to_is_told_as_of_its_moves(most: int, tmp_path: Path) -> None:
    """Where one may stay, g steps aside to any of five hexes; where two may, g or h does, or joins f: one is left out."""
    units = ("foot f 03.01 1", "foot g 03.02 1", *(["foot h 03.02 1"] if most == 2 else []))
    scenario = build(Variant("full", FULL.format(most), units=units), tmp_path)
    found = planner.explain(scenario, "f to 03.02")
    own = [remedy for remedy in found.remedies if remedy.own]
    assert sorted(move.units for remedy in own for move in remedy.moves) == [("g",), ("h",)][:most]
    for remedy in own:
        ends = {move.end for move in (*remedy.moves, *remedy.elsewhere)}
        assert ends == ALL_ROUND if most == 1 else (ends < {*ALL_ROUND, "03.01"} and len(ends) == 5)
        for move in (*remedy.moves, *remedy.elsewhere):
            assert planner.check(scenario, [str(move), "f 03.01-03.02"]).legal
    assert found.beside_own.none == (most == 1)


def test_two_who_must_both_step_aside_are_one_remedy_though_they_may_go_to_many_hexes(tmp_path: Path) -> None:
    found = explained(1, "foot g 03.02 1", "foot h 03.02 1", folder=tmp_path)
    [one] = [remedy for remedy in found.remedies if remedy.own]
    assert sorted(move.units for move in one.moves) == [("g",), ("h",)]
    assert not found.beside_own.none


def test_once_somebody_helps_only_so_many_others_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_remedies, "LOOKING_ON", 1)
    found = explained(3, *(f"foot {unit} 03.02 1" for unit in "ghk"), folder=tmp_path)
    assert [remedy.moves[0].units for remedy in found.remedies if remedy.own] == [("g",), ("h",)]
    assert not found.beside_own.none


def test_whoever_needs_nobody_else_to_join_an_attack_is_told_without_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """B needs 3:1 against 2, so 4 more: a or c will do, who come up from two hexes away; both together are no remedy."""
    monkeypatch.setattr(attack_question, "MOST_NAMED", 9)
    units = {"a": ("4-4-4", "0201"), "c": ("4-4-4", "0505"), "b": ("2-2-4", "0403"), "e": ("1-2-4", "0303")}
    found = planner.explain(position(attack(), units), ["b -> 0303 at 3:1"], time_limit=600)
    joining = [{unit for one in remedy.plan.attacks for unit in one.attackers} - {"b"} for remedy in found.remedies]
    assert sorted(joining, key=sorted) == [{"a"}, {"c"}]


def test_what_more_mp_do_with_help_alone_is_told_with_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    """Two hexes for 1 MP, and two units, as many as may stay, in the second: d need not move."""
    units = {"a": ("4-4-1", "0302"), "b": ("1-1-0", "0304"), "c": ("1-1-1", "0304"), "d": ("1-1-4", "0707")}
    scenario = position(attack(), units)
    found = planner.explain(scenario, "a to 0304", time_limit=60)
    [remedy] = found.remedies
    assert str(remedy) == "if a had 1 MP more, with help"
    assert {move.units for move in remedy.moves} == {("c",)}
    assert {unit for move in remedy.plan.moves for unit in move.units} == {"a", "c"}
    print_explanation(found)
    assert f"  if a had 1 MP more, with help: {'; '.join(remedy.plan.lines)}\n" in capsys.readouterr().out
    [remedy] = planner.explain(
        position(attack(), units | {"c": ("1-1-1", "0305")}), "a to 0304", time_limit=60
    ).remedies
    assert (str(remedy), remedy.moves) == ("if a had 1 MP more", ())


def told(*orders: tuple[str, ...], asked: str = "z 0303-0304") -> list[str]:
    """Return how remedies are told of which all moves but one are by others."""
    plans = [Plan(tuple(map(planner.Move.parse, order))) for order in orders]
    return [str(Remedy(tuple(m for m in plan.moves if str(m) != asked), (), plan, True)) for plan in plans]


def test_when_others_move_is_said_once_and_who_goes_to_the_same_hex_together() -> None:
    z = "z 0303-0304"
    assert told(
        ("a 0101-0102", "b 0201-0102", "a+b 0102x0103", z),
        ("a 0101-0102", "b 0201-0202", "c 0301-0302", z),
        (z, "a 0101-0102", "b 0201-0102"),
        ("a 0101x0102", "b 0201-0202", z),
        ("a 0101-0102", z, "b 0201-0102"),
        ("a 0101x0102", "b 0201x0102", z),
    ) == [
        "if a and b first move to 0102 and then to 0103, overrunning it",
        "if a first moves to 0102, b moves to 0202 and c moves to 0302",
        "if a and b move to 0102 afterwards",
        "if a first moves to 0102, overrunning it, and b moves to 0202",
        "if a first moves to 0102 and b moves to 0102 afterwards",
        "if a first moves to 0102, overrunning it, and b moves to 0102, overrunning it",
    ]


def test_a_plan_that_is_told_already_is_not_told_again_beside_the_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = build(Variant("full", FULL.format(1), units=("foot f 03.01 1", "foot g 03.02 1")), tmp_path)
    for question in ("f to 03.02", ["f 03.01-03.02"]):
        print_explanation(planner.explain(scenario, question))
        text = capsys.readouterr().out
        # In its list of moves, or beside the remedy; what is asked about is said first.
        assert text.count("g 03.02-") == text.count("if g first moves to") == 1


def test_of_two_things_together_only_what_their_plan_needs_is_told_however_little_time_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By hand: u0 lacks MP, u1 does not. Pairs begin with 6 MP for each, and here nothing looks for less."""
    scenario = build_scenario(draw(random.Random("two faces 720017")).data, "drawn")
    goals = tuple(goal for text in ("u0 to w2823", "u1 to w2824") for goal in read_goals(scenario, text))
    question = Question(goals, limits=Limits())
    tried = _Counterfactuals(scenario, question)
    monkeypatch.setattr(_Counterfactuals, "_with_less", lambda self, remedy, amounts: remedy)
    single = _Counterfactuals._of
    monkeypatch.setattr(
        _Counterfactuals,
        "_of",
        lambda self, sets, most=None, at_once=0: single(self, sets, most, at_once) if most else Remedies(),
    )
    found = tried.found([tuple(Change("mp", unit, Fraction(more)) for more in (1, 6)) for unit in ("u0", "u1")])
    [remedy] = found.named
    [change] = remedy.changes
    assert (change.what, change.amount < 6, remedy.fewest) == ("u0", True, False)
    assert not found.beside.none


def test_where_no_way_can_be_paid_none_is_named_that_nobody_would_take() -> None:
    """u0 lacks 1 MP for the two hexes from w3221 to w3020; a way by sea, over an enemy, is none that anybody asks about."""
    scenario = islands(720_008)[0]
    found = planner.explain(scenario, require=["u0 to w3020", "u2 to w3020"], time_limit=60)
    assert [one.message for one in found.instances] == ["u0 can't pay for w3221-w3121-w3020 with 1 MP"]


def test_who_is_to_stay_is_not_wished_away_since_nobody_who_is_not_there_moves() -> None:
    """The gun stands in the lane, and counts if it stays; else the rifles would have to go round, through water."""
    found = planner.explain("great_war/puzzles/gun_in_the_lane", value=4, time_limit=20)
    assert [str(one) for one in found.remedies] == [
        "if value 3 were enough",
        "if rifles had 1 MP more and D1 were countryside",
    ]


def test_who_stands_where_nobody_is_to_be_left_is_not_wished_away() -> None:
    """8 against 2 is 4:1, which empties 0304 for sure, and takes two to move; without the enemy nothing would be asked."""
    unit = {"side": "blue", "type": "infantry", "values": "4-4-4"}
    data = {
        "format": "planner/scenario-1",
        "model": "crossroads",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {"0301 0302 0303 0304 0305": "clear"}},
        "unit": [
            {**unit, "id": "a", "at": "0301"},
            {**unit, "id": "b", "at": "0302"},
            {**unit, "id": "e", "side": "red", "values": "2-2-4", "at": "0304"},
        ],
    }
    found = planner.explain(planner.Scenario.from_dict(data, "emptied"), require="empty 0304 and at most 1 unit")
    assert [str(remedy) for remedy in found.remedies] == [
        "if 0304 emptied with a probability of 2/3 were enough",
        "if 2 units moved were allowed",
    ]


def test_three_things_are_the_fewest_where_every_pair_was_tried() -> None:
    """By hand: f stops it in 0404, and e in 0505, whatever it may spend; four hexes cost 4 MP, and it has 1."""
    asked = "second 0504x0404-0504x0505-0504"
    found = planner.explain("classic_hex/puzzles/the_second_target", asked, time_limit=60)
    [remedy] = found.remedies
    assert str(remedy) == "if second had 3 MP more and e were not there and f were not there"
    assert remedy.fewest
    assert found.beside_changes.none


def test_that_no_change_makes_moves_legal_is_known_once_all_were_tried(capsys: pytest.CaptureFixture[str]) -> None:
    """No infantry overruns; and where nobody stood in w5423, there would be nothing to overrun."""
    found = planner.explain("dai_senso/composed/infantry_in_the_city", "rifle2 w5322-w5323xw5423-w5323", time_limit=60)
    assert not found.remedies
    print_explanation(found)
    told = "None of the changes that were tried, to what is named above, makes it possible."
    assert capsys.readouterr().out.splitlines()[-1] == told


@pytest.mark.parametrize("question", [{"moves": "panzer to K12"}, {"require": "hold K12"}])
def test_other_ground_is_tried_where_a_step_is_barred_because_of_the_hex_that_it_leaves(
    question: dict[str, Any],
) -> None:
    """K11 is the only way, and in winter nobody exploits out of an eastern mountain; the hex entered is clear."""
    east = {"terrain": "clear", "traits": ["eastern_front"]}
    data = {
        "format": "planner/scenario-1",
        "model": "a_world_at_war",
        "phase": "exploitation",
        "phasing": "axis",
        "map": {"hexes": {"L10": east, "K11": {**east, "terrain": "mountain"}, "K12": east}},
        "weather": {"winter": "K11"},
        "unit": [
            {
                "id": "panzer",
                "side": "axis",
                "nationality": "germany",
                "type": "armor",
                "values": "4-6",
                "traits": ["exploiting"],
                "at": "L10",
            }
        ],
    }
    found = planner.explain(build_scenario(data, "a mountain in winter"), **question, time_limit=60)
    assert list(map(str, found.remedies)) == ["if K11 were clear", "if the weather in K11 were fair"]
    assert found.beside_changes.none
    assert planner.check(build_scenario({**data, "weather": {}}, "fair weather"), found.remedies[1].plan).legal


def test_of_a_step_that_takes_all_mp_as_few_more_are_named_as_will_do(tmp_path: Path) -> None:
    """A hill is 3 MP, 2 more in k's ZOC, after 1 MP: f needs 6. Given plenty, it spends all of that at the ford."""
    rules = EXHAUSTION + effect('on = "enter", does = "cost", mp = 2')
    variant = Variant(
        "ford",
        rules,
        "hexsides.river = { mp = 0 }\n",
        units=("foot f 02.02 3",),
        enemies=("guard k 03.03 1",),
        rows=". . . . .\n. . . . .\n. h . . .\n" + ". . . . .\n" * 3,
        hexsides='hexsides.river = ["01.03 02.03"]',
    )
    found = planner.explain(build(variant, tmp_path), ["f 02.02-01.03-02.03"])
    assert "if f had 3 MP more" in [str(one) for one in found.remedies]
    assert not any("1000" in str(one) for one in found.remedies)


def test_a_unit_without_mp_may_lack_some_for_its_moves_as_for_a_destination() -> None:
    """By hand: with half a MP it moves one hex, as anybody with any may (6.1c)."""
    unit = {"id": "u", "side": "axis", "type": "infantry", "attack": 1, "defense": 1, "ma": 0, "at": "10.10"}
    data = {
        "format": "planner/scenario-1",
        "model": "ocs",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"10.10 10.11": "open"}},
        "unit": [unit],
    }
    for moves in ("u 10.10-10.11", "u to 10.11"):
        found = planner.explain(build_scenario(data, "no MP"), moves, time_limit=30)
        assert [str(one) for one in found.remedies] == ["if u had ½ MP more"]


def test_a_marker_that_keeps_a_unit_out_of_its_destination_might_not_be_there(tmp_path: Path) -> None:
    """No enemy need stand anywhere: it is the marker alone, which nobody removes, that is in the way."""
    rules = (
        '[[rule]]\nid = "wire"\nkind = "entry_restriction"\nparagraph = "wire"\nenemy_markers = { types = "boat" }\n'
    )
    wire = '[[marker]]\nid = "w"\ntype = "boat"\nside = "north"\nat = "03.02"'
    variant = Variant("wire", rules, units=("foot f 03.01 3",), enemies=("foot k 05.05 1",), hexsides=wire)
    scenario = build(variant, tmp_path)
    found = planner.explain(scenario, ["f to 03.02"])
    assert found.status == "forbidden"
    assert [str(one) for one in found.remedies] == ["if w were not there"]
    assert found.beside_changes.none


def test_who_clears_the_way_and_comes_back_is_said_to_and_takes_nothing(tmp_path: Path) -> None:
    """The scout has to stop where the boat lies, until a guard has been there, wherever that goes then."""
    rules = '[[rule]]\nid = "clear"\nkind = "clearing"\nparagraph = "clear"\nby = { types = "guard" }\n'
    rules += 'markers = { types = "boat" }\n[[rule]]\nid = "mines"\nkind = "stop_on_entry"\nparagraph = "mines"\n'
    rules += 'who = { types = "scout" }\nmarkers = { types = "boat" }\nbecause = "the mines"\n'
    mine = '[[marker]]\nid = "m"\ntype = "boat"\nside = "north"\nat = "05.02"'
    variant = Variant(
        "mine", rules, units=("scout s 05.01 2", "guard g 05.01 2"), rows=". . . _ .\n" * 6, hexsides=mine
    )
    scenario = build(variant, tmp_path)
    found = planner.explain(scenario, ["s to 05.03"])
    assert [str(one) for one in found.remedies] == [
        "if g first moves to 05.02, 05.03 or 05.02 and back",
        "if m were not there",
    ]
    [beyond] = [one for one in planner.reach(scenario, "s").with_help if one.hex == "05.03"]
    assert [str(one) for one in beyond.help] == ["m eliminated by g"]
    verdict = planner.check(scenario, ["g 05.01-05.02"])
    assert [fate(one) for one in verdict.moves] == ["eliminates m"]


def test_who_overruns_the_way_open_may_go_on_to_any_hex(tmp_path: Path) -> None:
    """The train can't overrun who stands in 03.02; f does, and goes on, or comes back, with what is left of 3 MP."""
    rules = '[[rule]]\nid = "bar"\nkind = "entry_restriction"\nparagraph = "bar"\nenemy_units = {}\n'
    rules += "unless_overrun = true\n" + OVERRUN.replace("by = {}", 'by = { types = "foot" }').replace(
        "{{", "{"
    ).replace("}}", "}")
    units, enemies = ("train t 03.01 1", "foot f 03.01 3"), ("foot k 03.02 1",)
    scenario = build(Variant("way", rules, units=units, enemies=enemies), tmp_path)
    found = planner.explain(scenario, ["t to 03.02"])
    [one] = [remedy for remedy in found.remedies if remedy.own]
    ends = {move.end for move in (*one.moves, *one.elsewhere)}
    assert len(ends) == 5
    assert str(one).endswith(", overrunning 03.02")
    for move in (*one.moves, *one.elsewhere):
        assert planner.check(scenario, [str(move), "t 03.01-03.02"]).legal
    assert not found.beside_own.none


def test_a_hexside_is_named_once_whichever_way_it_is_crossed(tmp_path: Path) -> None:
    river = 'hexsides.river = ["03.01 03.02"]'
    scenario = build(Variant("river", "", "hexsides.river = { mp = 1 }\n", hexsides=river), tmp_path)
    sides = [("03.01", "03.02"), ("03.02", "03.01")]
    found = candidates(scenario.game, Obstacles(["f"], [], [], {}, sides, [], []))
    assert [one for one in found if one.kind == "hexside"] == [Change("hexside", "03.01-03.02", detail="river")]


def test_an_enemy_who_is_not_to_blame_may_be_one_of_two_things_that_would_do(tmp_path: Path) -> None:
    """Of 2 MP, f needs 1 + 3 for the hill; were that plain, or had it 2 more, it would still stop in the EZOC before it."""
    rules = effect('on = "enter", does = "stop"')
    units, enemies = ("foot f 03.01 2",), ("guard k 04.02 1", "foot x 01.06 1")
    rows = ". _ . h .\n. h . h .\n. . h . .\n" + ". . . . .\n" * 3  # no way round
    scenario = build(Variant("two", rules, units=units, enemies=enemies, rows=rows), tmp_path)
    found = planner.explain(scenario, ["f to 03.03"])
    assert "if 03.03 were plain and k were not there" in [str(one) for one in found.remedies]
    for one in found.remedies:
        assert planner.explain(changed(scenario, one.changes), ["f to 03.03"]).status == "possible"
        for change in one.changes:
            assert planner.explain(changed(scenario, [change]), ["f to 03.03"]).status == "forbidden"


@pytest.mark.parametrize(
    ("factor", "kept_out", "more", "helps"),
    [
        # Of 2 MP on its counter f has 4 while it marches, and needs 3; but whoever marches is kept out.
        ('units = { traits = "marching" }, times = 2', 'traits = "marching"', 'traits = ["marching"]', False),
        # Of 4 it has 2 while it marches, or is out of supply. The third of these can't be divided back.
        ('units = { traits = "marching" }, times = "1/2"', 'types = "guard"', 'traits = ["marching"]', True),
        ('units = { supplied = false }, times = "1/2"', 'types = "guard"', "supplied = false", True),
        ('units = { traits = "marching" }, most = 2', 'types = "guard"', 'traits = ["marching"]', True),
    ],
)
def test_were_the_state_of_a_unit_another_it_would_have_the_ma_of_that(
    factor: str, kept_out: str, more: str, helps: bool, tmp_path: Path
) -> None:
    rules = f'[[rule]]\nid = "modes"\nkind = "allowance"\nparagraph = "modes"\nfactors = [{{ {factor} }}]\n'
    rules += '[[rule]]\nid = "shut"\nkind = "entry_restriction"\nparagraph = "shut"\nhexes = { labels = "03.04" }\n'
    forces = FORCES + 'unit_traits = { marching = "Marching" }\n'
    units = (f"foot f 03.01 {4 if helps else 2}",)
    variant = Variant("modes", f"{rules}who = {{ {kept_out} }}\n", units=units, more={"f": more}, forces=forces)
    scenario = build(variant, tmp_path)
    for question in ("f 03.01-03.02-03.03-03.04", "f to 03.04"):
        found = planner.explain(scenario, [question])
        told = [sorted(change.kind for change in one.changes) for one in found.remedies]
        assert (["without"] in told or ["supplied"] in told) == helps


def test_more_mp_alone_are_fewer_things_than_some_of_them_and_an_enemy_who_is_not_there() -> None:
    """By hand: u needs 1 MP for B2, and 2 for each forest, with 1 more for the overrun: 10, and has 2."""
    own = {"side": "axis", "nationality": "germany", "type": "armor"}
    foe = {"side": "allies", "nationality": "russia", "type": "infantry", "attack": 1, "defense": 1, "ma": 0}
    data = {
        "format": "planner/scenario-1",
        "model": "a_world_at_war",
        "phase": "movement",
        "phasing": "axis",
        "map": {"hexes": {"B1 B2": "clear", "B3 B4 B5": "forest"}, "boxes": {"force_pool": {}}},
        "unit": [
            {**own, "id": "u", "at": "B1", "attack": 12, "defense": 1, "ma": 2},
            *({**foe, "id": f"e{at}", "at": at} for at in ("B3", "B4", "B5")),
        ],
    }
    found = planner.explain(build_scenario(data, "far"), "u to B5", time_limit=60)
    [remedy] = found.remedies
    assert (str(remedy), remedy.fewest) == ("if u had 8 MP more", True)


@pytest.mark.parametrize(("last", "more"), [("clear", 1), ("rough", 2)])
def test_who_lacks_mp_once_other_ground_lets_it_pass_lacks_as_many_as_that_takes(last: str, more: int) -> None:
    """By hand: a has 1 MP for w3021, were it clear; w3022 takes 1 if it is clear, and 2 if it is rough."""
    unit = {"id": "a", "side": "axis", "type": "infantry", "nationality": "japan", "values": "3-3-1", "at": "w3020"}
    data = {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": "operational_movement",
        "phasing": "axis",
        "map": {"hexes": {"w3020": "clear", "w3021": "all_sea", "w3022": last}},
        "unit": [unit],
    }
    found = planner.explain(build_scenario(data, "the sea between"), "a w3020-w3021-w3022", time_limit=60)
    assert [str(one) for one in found.remedies] == [f"if a had {more} MP more and w3021 were clear"]
    assert found.remedies[0].fewest


def test_a_helper_is_said_to_go_where_it_can_only_get_later_at_that_time() -> None:
    """By hand: four steps are one too many for w3121, and b can't move; e holds w3221 until c has overrun it."""
    own = {"side": "axis", "nationality": "japan", "type": "tank"}
    data = {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": "operational_movement",
        "phasing": "axis",
        "map": {"hexes": {"w3121": {"terrain": "clear", "traits": ["limited_stacking"]}, "w3220 w3221": "clear"}},
        "unit": [
            {**own, "id": "a", "values": "4-2-1", "steps": 3, "at": "w3121"},
            {**own, "id": "b", "values": "4-2-0", "steps": 1, "at": "w3121"},
            {**own, "id": "c", "values": "4-2-4", "steps": 2, "at": "w3220"},
            {"id": "e", "side": "soviet", "type": "infantry", "values": "1-1-1", "at": "w3221"},
        ],
    }
    found = planner.explain(build_scenario(data, "too many"), "c w3220xw3221", time_limit=60)
    own_ways = [str(one) for one in found.remedies if one.own]
    assert own_ways == ["if a first moves to w3220", "if a moves to w3221 afterwards"]


@pytest.mark.parametrize(
    ("unit", "told"),
    [
        ({"ma": 0, "supplied": False}, [("mp", Fraction(1, 4)), ("supplied", 1)]),
        ({"ma": 1}, [("hexside", 1), ("hexside", 1)]),
    ],
)
def test_of_two_things_told_of_one_step_under_one_paragraph_each_matters(
    unit: dict[str, Any], told: list[tuple[str, int]]
) -> None:
    """By hand: who has a part of a MP moves one hex, if in supply; and each of two features bars the way by itself."""
    barred = {"all_sea": ["w3020 w3021"], "barred": ["w3020 w3021"]} if unit["ma"] else {}
    own = {"side": "axis", "nationality": "japan", "type": "infantry", "attack": 3, "defense": 3}
    data = {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": "operational_movement",
        "phasing": "axis",
        "map": {"hexes": {"w3020 w3021": "clear"}, "hexsides": barred},
        "unit": [{**own, **unit, "id": "a", "at": "w3020"}],
    }
    found = planner.explain(build_scenario(data, "twice barred"), "a w3020-w3021", time_limit=60)
    [remedy] = found.remedies
    assert [(change.kind, change.amount) for change in remedy.changes] == told


def test_where_time_ran_out_before_a_rule_was_named_others_may_do_as_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """b3 comes to 0804 for 8 MP if r3 is gone, or if there is no river between 0605 and 0705, which rules tell to try."""

    def cut_short(growth: _Growth) -> None:
        growth._question.limits.hurried.set()

    monkeypatch.setattr(_Growth, "reason", cut_short)
    found = planner.explain("crossroads/composed/b3_in_0804", value="1, -8", time_limit=60)
    assert [str(one) for one in found.remedies] == ["if value 1 / -9 were enough", "if r3 were not there"]
    assert all(one.fewest for one in found.remedies)
    assert not found.beside_changes.none
    print_explanation(found)
    told = capsys.readouterr().out
    assert "Others that are as cheap may do as well." in told
    assert "fewer may do" not in told


def test_who_helps_by_more_moves_than_another_is_not_said_to_do_it_by_the_fewest() -> None:
    """Strong overruns E5 at 6 to 1 by one move of its own; weak would come up first, and then join lead: 4 and 2 to 1."""
    kind = {"side": "axis", "type": "armor", "nationality": "germany"}
    army = {"side": "allies", "type": "infantry", "nationality": "russia"}
    scenario = build_scenario(
        {
            "format": "planner/scenario-1",
            "model": "a_world_at_war",
            "phase": "movement",
            "phasing": "axis",
            "map": {"hexes": {"E3 E4 E5 E6": "clear"}, "boxes": {"force_pool": {}}},
            "unit": [
                {"id": "lead", "values": "4-6", "at": "E4", **kind},
                {"id": "strong", "values": "6-6", "at": "E4", **kind},
                {"id": "weak", "values": "2-6", "at": "E3", **kind},
                {"id": "army", "values": "1-3", "at": "E5", **army},
            ],
        },
        "two who help",
    )
    found = planner.explain(scenario, "lead to E6", time_limit=60)
    own = [one for one in found.remedies if one.own]
    assert [(str(one), one.fewest) for one in own] == [
        ("if strong first moves to E5, E6, E3 or E5 and back, overrunning E5", True),
        ("if weak first moves to E4 and lead and weak move to E5, overrunning it", False),
    ]


def test_where_no_time_is_left_cheaper_ways_are_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a map of 2,000 hexes they take a second, beyond any limit; and nothing is said to be all that would help."""

    def no_look(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("planner.explanation.counterfactuals.plainer_ways", no_look)
    scenario = planner.load("dai_senso/manchuria").without_objective()
    late = Question(tuple(read_goals(scenario, "plv to w5728")), (), Limits.within(0))
    paid = Instance(scenario.game.rulebook.of(Charges)[0].id, "", "plv", None, (), "")
    found = counterfactuals(scenario, late, [paid])
    assert not found.named
    assert not found.beside.none
    assert not _singles(scenario, late, [paid])[-1]  # nor is nothing else said to help where nobody may lack anything


def test_a_helper_goes_round_where_its_shortest_way_relies_on_a_friend_who_must_help_as_well(tmp_path: Path) -> None:
    """By hand: a needs friends in 03.03 and 03.04 for good. g gets to 03.04 past h, who can't go by 03.02, as g moves on."""
    rules = effect('on = "enter", does = "stop", negatable = true')
    model = write_model(tmp_path / "any_game", rules.replace("effects", "negated_for_good = true\neffects"))
    own, enemy = {"side": "south", "type": "foot"}, {"side": "north", "type": "guard", "values": "1-1"}
    units = [
        {**own, "id": "a", "at": "02.03", "values": "1-3"},
        {**own, "id": "h", "at": "02.01", "values": "1-4"},
        {**own, "id": "g", "at": "03.02", "values": "1-2"},
        *({**enemy, "id": name, "at": at} for name, at in (("e", "04.02"), ("f", "04.03"))),
    ]
    hexes = {"02.01 02.03 03.02 03.03 03.04 03.05 04.02 04.03": "plain", "02.02": "hill"}
    asked, helpers = "a 02.03-03.03-03.04-03.05", ["h 02.01-02.02-03.03", "g 03.02-03.03-03.04"]
    scenario = placed(model, hexes, units)
    assert planner.check(scenario, [*helpers, asked]).legal
    assert not planner.check(scenario, ["h 02.01-03.02-03.03", helpers[1], asked]).legal
    found = planner.explain(scenario, [asked])
    assert (found.status, found.help) == ("with_help", "found")
    assert [[str(move) for move in remedy.moves] for remedy in found.remedies if remedy.own] == [helpers]
