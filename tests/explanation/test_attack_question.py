"""Why an attack can't be made, or not at better odds, and who could join it.

0303 has the neighbours 0302, 0304, 0202, 0203, 0402 and 0403.
"""

from __future__ import annotations

from typing import Any

import pytest

import planner
from planner.cli.explanation_text import print_explanation
from planner.errors import InputError
from planner.explanation import attack_question
from planner.scenario import build_scenario
from tests.oracles.attack_games import attack, of_differences, position
from tests.oracles.attack_plans import field

UNITS = {
    "a": ("4-4-4", "0201"),
    "b": ("2-2-4", "0403"),
    "c": ("1-1-1", "0707"),
    "e": ("1-2-4", "0303"),
}


def asked(*question: str, **rule: Any) -> planner.Explanation:
    return planner.explain(position(attack(**rule), UNITS), list(question))


FOREST: dict[str, Any] = {"shifts": [{"name": "the plain", "columns": -1, "hexes": {"terrain": "clear"}}]}


def test_an_attack_that_can_be_made_is_possible() -> None:
    for question in ("b -> 0303", "b -> 0303 at 1:1"):
        found = asked(question)
        assert (found.kind, found.status, found.reasons) == ("attack", "possible", ())


def test_what_an_attack_comes_to_is_told_and_who_would_raise_it(capsys: pytest.CaptureFixture[str]) -> None:
    """2 against 2 is 1:1, and 2:1 takes 4: a, who has 4, comes up; c, who stands far away, doesn't."""
    found = asked("b -> 0303")
    print_explanation(found)
    _, odds, better, lacking, *raising = capsys.readouterr().out.splitlines()
    assert odds == "  b -> 0303  1:1: AE 1/3, AR 1/3, EX 1/6, DR 1/6; steps lost on average: own ½, enemy 1/6"
    assert (better, lacking) == ("Better odds:", "  7: 2 against 2 is 1:1; 2:1 needs 4, so 2 more (0303) [e]")
    assert found.odds is not None
    assert found.odds.settled
    assert len(raising) == len(found.odds.raising) == 1
    verdict = planner.check(position(attack(), UNITS), found.odds.raising[0].plan)
    assert verdict.legal
    assert [(one.attack.attackers, one.shifted) for one in verdict.attacks] == [(("b", "a"), "3:1")]


def test_what_is_wrong_in_the_end_is_no_reason_to_give_up_where_further_moves_may_mend_it() -> None:
    """Three stand in 0506, where two may stay; u0 leaves it and joins. By itself u1 has 2 against 8."""
    scenario = field(37)
    assert not planner.check(scenario, []).legal
    found = planner.explain(scenario, "u1 -> 0405", time_limit=None)
    assert found.status == "with_help"
    assert list(map(str, found.remedies)) == ["if u0 moves to 0406 and u1 and u0 attack together"]


@pytest.mark.parametrize(("hexes", "status"), [("0404 0405", "forbidden"), ("0404 0405 0504", "with_help")])
def test_an_attack_is_not_possible_as_it_stands_where_somebody_must_leave_a_full_hex_first(
    hexes: str, status: str
) -> None:
    """By hand: at most two may stay in 0404, where three stand; c makes room where there is a hex to go to."""
    own = {"side": "blue", "at": "0404"}
    data = {
        "format": "planner/scenario-1",
        "model": "crossroads",
        "phase": "movement",
        "phasing": "blue",
        "map": {"hexes": {hexes: "clear"}},
        "unit": [
            *({**own, "id": unit, "type": "infantry", "values": "4-4-4"} for unit in "ab"),
            {**own, "id": "c", "type": "artillery", "values": "5-2-5"},
            {"id": "e", "side": "red", "at": "0405", "type": "artillery", "values": "2-2-4"},
        ],
    }
    scenario = build_scenario(data, "full")
    found = planner.explain(scenario, "a+b -> 0405")
    assert (found.status, found.complete) == (status, True)
    assert [str(one) for one in found.instances] == ["6.1: 0404 holds 3 units, at most 2 may stay"]
    assert all(planner.check(scenario, one.plan).legal for one in found.remedies)
    assert bool(found.remedies) == (status == "with_help")


def test_that_nobody_raises_odds_is_told_as_proved_and_nothing_of_the_best_column(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """C has 1 MP, and six hexes to go; 12 against 2 is 6:1, the last column."""
    alone = {name: UNITS[name] for name in ("b", "c", "e")}
    print_explanation(planner.explain(position(attack(), alone), "b -> 0303"))
    assert capsys.readouterr().out.splitlines()[-1] == "  nothing that the side does brings it there: proved"
    strong = planner.explain(position(attack(), alone | {"b": ("12-2-4", "0403")}), "b -> 0303")
    assert strong.odds is not None
    assert strong.odds.lacking is None


def test_each_way_to_make_an_attack_possible_tells_what_it_brings_it_to(capsys: pytest.CaptureFixture[str]) -> None:
    """A alone comes up to 4 against 2; with b, 6 against 2."""
    board = position(attack(), UNITS)
    for question, column in (("a -> 0303", "2:1"), ("b -> 0303 at 3:1", "3:1")):
        found = planner.explain(board, question)
        assert found.odds is not None
        assert found.remedies
        told = [planner.check(board, remedy.plan).attacks for remedy in found.remedies]
        assert [(one,) for one in found.odds.told] == told
        assert found.odds.told[0].shifted == column
        assert found.to_dict()["odds"] is not None
        print_explanation(found)
        assert f"\n    {found.odds.told[0]}; steps lost" in capsys.readouterr().out


def test_what_strength_is_missing_is_said() -> None:
    [one] = asked("b -> 0303 at 3:1").instances
    assert one.message == "2 against 2 is 1:1; 3:1 needs 6, so 4 more"
    assert (one.rule, one.paragraph, one.hex, one.blame) == ("attacks", "7", "0303", ("e",))


def test_odds_are_understood_in_capitals_and_before_moves_too() -> None:
    """The attack is made after the moves, wherever the question has it."""
    plain = asked("a 0201-0202", "b -> 0303 at 3:1")
    for question in (["a 0201-0202", "b -> 0303 AT 3:1"], ["b -> 0303 At 3 : 1", "a 0201-0202"]):
        found = asked(*question)
        assert (found.question, found.status) == ("a 0201-0202; b -> 0303 at 3:1", plain.status)
        assert found.instances == plain.instances


def test_shifts_have_to_be_made_up_for() -> None:
    # 3:1 after a shift of one column needs 4:1: 8 against 2.
    one, most = asked("b -> 0303 at 3:1", **FOREST).instances
    assert one.message == "2 against 2 is 1:1, 1:1 for the plain; 3:1 needs 8, so 6 more"
    assert most.message.startswith(
        "whoever comes up and joins, 2:1 is the most that can be had, with 6 against 2: a 0201-"
    )
    assert most.message.endswith("; a+b -> 0303")
    one, _ = asked("b -> 0303 at 6:1", **FOREST).instances
    assert one.message == "2 against 2 is 1:1, 1:1 for the plain; even the best odds are shifted to 5:1"


def test_differences_are_made_up_for_likewise() -> None:
    found = planner.explain(position(of_differences(), UNITS), "b -> 0303 at 2")
    assert found.question == "b -> 0303 at +2"
    assert found.instances[0].message == "2 against 2 is +0; +2 needs 4, so 2 more"


def test_friends_who_can_join_are_named_with_their_way() -> None:
    found = asked("b -> 0303 at 3:1")
    assert (found.status, found.help) == ("with_help", "found")
    assert [str(one) for one in found.remedies] == ["if a moves to 0202 and b and a attack together"]
    for remedy in found.remedies:
        verdict = planner.check(position(attack(), UNITS), remedy.plan)
        assert verdict.legal
        assert verdict.attacks[0].odds == "3:1"


def test_the_attackers_themselves_are_brought_up() -> None:
    found = asked("a -> 0303")
    assert [one.message for one in found.instances] == ["a can't attack 0303 from 0201: it must stand beside it"]
    assert str(found.remedies[0]) == "if a moves to 0202 and attacks"


def test_moves_come_before_the_attack_that_is_asked_about() -> None:
    assert asked("a 0201-0202", "a+b -> 0303 at 3:1").status == "possible"
    # c is too far away, and a has moved.
    found = asked("a 0201-0202", "a+b -> 0303 at 4:1")
    assert (found.status, found.help, found.remedies, found.complete) == ("forbidden", "none", (), True)
    assert [one.message for one in found.instances] == [
        "6 against 2 is 3:1; 4:1 needs 8, so 2 more",
        "whoever comes up and joins, 3:1 is the most that can be had, with 6 against 2: a+b -> 0303",
    ]


def test_as_many_join_as_are_needed_and_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """4:1 against 3 takes 12: a4 and the other four, who stand two hexes away; z isn't needed, and adds nothing to 5:1."""
    monkeypatch.setattr(attack_question, "MOST_TRIED", 20)
    far = {"a0": "0101", "a1": "0105", "a2": "0501", "a3": "0505"}
    units = {unit: ("3-1-2", label) for unit, label in far.items()}
    scenario = position(attack(), {**units, "a4": ("1-1-1", "0402"), "z": ("1-1-1", "0205"), "e": ("1-3-4", "0303")})
    found = planner.explain(scenario, "a4 -> 0303 at 4:1")
    assert (found.status, found.help) == ("with_help", "found")
    [remedy] = found.remedies
    verdict = planner.check(scenario, remedy.plan)
    assert verdict.legal
    assert verdict.attacks[0].odds == "4:1"
    assert {*verdict.attacks[0].attack.attackers} == {"a0", "a1", "a2", "a3", "a4"}
    assert planner.explain(scenario, "a4 -> 0303 at 5:1").status == "forbidden"


def test_nobody_who_can_not_come_is_waited_for() -> None:
    found = asked("c -> 0303")
    assert (found.status, found.help, found.complete) == ("forbidden", "none", True)
    assert found.instances[0].message == "c can't attack 0303 from 0707: it must stand beside it"


def test_odds_that_the_table_does_not_have_are_refused() -> None:
    with pytest.raises(InputError, match="the odds must be one of 1:1, 2:1, 3:1, 4:1, 5:1, 6:1, not 7:1"):
        asked("b -> 0303 at 7:1")


def test_what_must_be_attacked_besides_does_not_matter() -> None:
    units = {**UNITS, "e2": ("1-1-1", "0404")}
    scenario = position(attack(must_be_attacked={}), units)
    assert planner.explain(scenario, "b -> 0303").status == "possible"


@pytest.mark.thorough
def test_who_is_offered_as_help_breaks_no_rule_by_joining() -> None:
    """Where b1 and b2 come to attack, 6.1 leaves no room for a third: who joins them attacks from elsewhere."""
    asked_for = ["b1 0402-0502", "b1+b2 -> 0602 at 3:1"]
    for question in (asked_for, asked_for[1:]):
        for remedy in planner.explain("crossroads/start", question, time_limit=20).remedies:
            broken = planner.check("crossroads/start", remedy.plan).violations
            assert [one for one in broken if one.rule != "7.3"] == []


@pytest.mark.parametrize("question", ["e -> 0303", "e+b -> 0303", "b -> 0401", "a+b -> 0301 at 3:1"])
def test_what_no_moves_could_make_possible_is_answered_at_once_and_proved(question: str) -> None:
    found = asked(question)
    assert (found.status, found.help, found.complete) == ("forbidden", "none", True)


def test_where_units_attack_in_the_middle_of_moves_it_is_said_how_to_ask() -> None:
    for name, text, told in (
        ("a_world_at_war/puzzles/through_the_gap", "panzer+motorized -> L13 at 3:1", """in this game units attack in the \
middle of their moves: ask "panzer L10-L11-L12xL13" or --require "eliminate army", whoever moves; panzer and motorized must \
come together first"""),
        ("classic_hex/three_battles", "a1 -> 0303", """in this game units attack in the middle of their moves: ask \
"a1 0305-0304x0303" or --require "eliminate e1 e2", whoever moves"""),
    ):  # fmt: skip
        with pytest.raises(InputError) as refused:
            planner.explain(planner.load(name), text)
        assert [problem.what for problem in refused.value.problems] == [told]


@pytest.mark.parametrize(
    ("question", "few"), [("b7 -> 0708", ":"), ("b5+b7 -> 0706", ":"), ("b7 -> 0708 at 3:1", " (fewer may do):")]
)
@pytest.mark.thorough
def test_fewer_moves_than_it_takes_are_not_said_to_do(
    question: str, few: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """b5 and b7 can't attack from where they stand, in 0406 and 0508; that two must join b7 for 3:1 isn't known."""
    print_explanation(planner.explain("crossroads/start", question))
    assert f"What the side can do itself{few}\n" in capsys.readouterr().out


def test_of_attackers_who_must_all_come_up_no_fewer_are_said_to_do() -> None:
    """A and c can't attack 0303 from where they stand, so both must move; alone a comes to 2:1, so b must join it."""
    units = {**UNITS, "c": ("1-1-1", "0503")}
    both = planner.explain(position(attack(), units), "a+c -> 0303").remedies
    assert [(len(one.moves), one.fewest) for one in both[:1]] == [(2, True)]
    more = planner.explain(position(attack(), units), "a -> 0303 at 3:1").remedies
    assert [(len(one.moves), one.fewest) for one in more[:1]] == [(1, True)]


@pytest.mark.thorough
def test_what_strengths_tell_of_how_many_it_takes_isnt_left_open() -> None:
    """Nobody stands beside the fort, and 5 of ba and 6 of bt are less than the 12 that 3:1 takes: three have to come."""
    found = planner.explain("crossroads/bridge", "ba -> 0706 at 2:1", time_limit=None)
    assert {(len(one.moves), one.fewest) for one in found.remedies} == {(3, True)}


def test_whoever_must_attack_is_told_of_a_plan_that_declares_no_attacks() -> None:
    """B must attack e while it stands in 0403; on the board as it is, moves of its own alone end that."""
    board = position(attack(must_attack={}), UNITS)
    for question in (["no attacks"], ["a 0201-0301", "no attacks"]):
        found = planner.explain(board, question, time_limit=None)
        assert found.question == "; ".join(question)
        assert found.status == "with_help"
        told = [one for reason in found.reasons for one in reason.instances]
        assert [(one.rule, one.paragraph, one.unit, one.blame) for one in told] == [("attacks", "7.1", "b", ("e",))]
        own = [remedy for remedy in found.remedies if remedy.own]
        assert own
        for remedy in own:
            assert {unit for move in remedy.moves for unit in move.units} == {"b"}
            assert remedy.plan.attacks == ()
            assert planner.check(board, remedy.plan).legal
            assert "attack" not in str(remedy)


@pytest.mark.thorough
def test_what_is_wrong_with_one_of_several_attacks_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody may be attacked twice, whoever moves; and c, far away, attacks nobody."""
    board = position(attack(must_attack={}), UNITS)
    found = planner.explain(board, ["a 0201-0302", "a -> 0303", "b -> 0303"], time_limit=None)
    print_explanation(found)
    assert capsys.readouterr().out.splitlines()[1:] == [
        "Forbidden:",
        "  7: e can't be attacked twice (0303) [e]",
        "What the side can do itself:",
        "  if a and b attack 0303 together: a 0201-0302; a+b -> 0303",
        "  Others that are as cheap may do as well.",
    ]
    found = planner.explain(board, ["b -> 0303", "c -> 0303"], time_limit=None)
    assert {(one.unit, one.rule) for reason in found.reasons for one in reason.instances} == {
        ("c", "attacks"),
        (None, "attacks"),
    }


def test_whoever_comes_up_and_joins_an_attack_is_one_who_helps() -> None:
    """A gun may attack from two hexes away if somebody attacks beside it: a moves and joins, and nobody else is needed."""
    ranged = attack(ranges=[{"units": {"types": "artillery"}, "range": 2, "alone": False}])
    found = planner.explain(position(ranged, {"a": UNITS["a"], "g": ("2-1-0", "0305"), "e": UNITS["e"]}), "g -> 0303")
    assert [(remedy.fewest, str(remedy)) for remedy in found.remedies] == [
        (True, "if a moves to 0202 and g and a attack together")
    ]


def test_who_makes_room_for_written_attacks_is_told_without_these() -> None:
    """Three stand in 0302, where two may stay: one of them has to go, and the attack is as written."""
    units = UNITS | {"a": ("4-4-4", "0302"), "d": ("1-1-1", "0302"), "g": ("1-1-1", "0302"), "b": ("2-2-4", "0707")}
    board = position(attack(), units)
    found = planner.explain(board, planner.Plan.parse(["b 0707-0706", "a -> 0303"]), time_limit=None)
    assert found.status == "with_help"
    own = [remedy for remedy in found.remedies if remedy.own]
    assert {str(remedy).partition(" to ")[0] for remedy in own} == {f"if {unit} first moves" for unit in "adg"}
    assert not any("attack" in str(remedy) for remedy in own)
    assert all(remedy.plan.attacks and planner.check(board, remedy.plan).legal for remedy in own)


def test_who_can_join_from_where_he_stands_is_named_before_who_has_to_move() -> None:
    """Both a, stronger, from 0201, and c, who is beside 0303, bring b to 2:1."""
    found = planner.explain(position(attack(), UNITS | {"c": ("2-2-4", "0304")}), "b -> 0303 at 2:1")
    assert [len(remedy.plan.moves) for remedy in found.remedies] == [0, 1]
    assert "c" in str(found.remedies[0])
    assert "if a moves to " in str(found.remedies[1])


def test_who_may_attack_from_afar_only_with_others_is_brought_beside_the_hex_too() -> None:
    """The three nearest hexes are two away from r, from where nobody may attack by himself; beside r it needs nobody."""
    unit = {"type": "infantry", "values": "4-4-4"}
    scenario = planner.Scenario.from_dict(
        {
            "format": "planner/scenario-1",
            "model": "crossroads",
            "phase": "movement",
            "phasing": "blue",
            "map": {"origin": "0101", "rows": "\n".join([". . . . . ."] * 5)},
            "unit": [
                {"id": "gun", "side": "blue", "type": "artillery", "values": "5-1-4", "at": "0203"},
                {**unit, "id": "far", "side": "blue", "at": "0105"},
                {**unit, "id": "r", "side": "red", "at": "0503"},
            ],
        }
    )
    found = planner.explain(scenario, "gun -> 0503")
    ways = [one for one in found.remedies if one.own]
    assert [[move.units for move in one.moves] for one in ways] == [[("gun",)]]
    assert all(one.fewest and planner.check(scenario, one.plan).legal for one in ways)
