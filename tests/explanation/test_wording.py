"""What explanations say: sentences that players would say, which remedies are named, and what is no value."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import planner
from planner.cli.explanation_text import print_explanation
from planner.errors import InputError
from planner.explanation.answer import Change, Explanation, Instance, Reason, Remedy
from planner.explanation.explain import _left_to_dice
from planner.explanation.parse_question import read_goals, read_value
from planner.explanation.scenario_changes import changed
from planner.explanation.unnamed import Unnamed
from planner.limits import Limits
from planner.objective.goals import Eliminate, End
from planner.scenario import Scenario, load_scenario
from tests.plain_game import LIMIT, Variant, build, effect
from tests.search.test_hex_combats import board


def said(found: Explanation) -> list[str]:
    """Return the sentences, with whom they blame."""
    blame = [f" [{', '.join(i.blame)}]" if i.blame else "" for i in found.instances]
    return [f"{instance.message}{who}" for instance, who in zip(found.instances, blame, strict=True)]


def remedies(found: Explanation) -> list[str]:
    return [str(remedy) for remedy in found.remedies]


def test_who_cannot_pay_is_told_for_which_way() -> None:
    """By hand: round the forest it is 2 + 1 + 1 MP. Through 0405 it would have to fight again where e has gone."""
    found = planner.explain("classic_hex/puzzles/closed_door", "x to 0406", time_limit=60)
    assert said(found) == [
        "x can't pay for the way round, 0404-0505-0506-0406, with 2 MP",
        "x can't count on winning against e in 0406: a table decides, and it goes no further [e]",
    ]


def test_a_way_that_cannot_be_paid_for_makes_no_needless_steps() -> None:
    """By hand: the passage takes all of the MA. The first way that came up overran j, where nobody overruns at all."""
    unit = {"type": "infantry", "values": "3-3-1"}
    convoy = {"side": "western", "nationality": "us"}
    port = {"terrain": "clear", "traits": ["port"]}
    scenario = planner.Scenario.from_dict(
        {
            "format": "planner/scenario-1",
            "model": "dai_senso",
            "phase": "operational_movement",
            "phasing": "western",
            "map": {
                "hexes": {"e2611 e2106": port, "e2105 e2206": "clear", "e2205": "jungle"},
                "boxes": {"us_box": {"traits": ["port"]}},
                "zones": {"micronesia": "e2611 us_box", "coral_sea": "e2611 e2106"},
            },
            "control": {"western": "e2611 e2106 e2105 e2206 e2205"},
            "unit": [
                {"id": "a", "side": "western", "nationality": "us", "at": "us_box", **unit},
                {"id": "j", "side": "axis", "nationality": "japan", "at": "e2205", **unit},
            ],
            "marker": [
                {"type": "fleet_train", "zone": "micronesia", **convoy},
                {"type": "escort_convoy", "zone": "coral_sea", **convoy},
            ],
        }
    )
    assert said(planner.explain(scenario, "a to e2105")) == [
        "a can't pay for [us_box]~e2611~e2106-e2105 with 1 MP",
    ]


def test_who_can_pay_only_while_a_friend_stays_is_told_so(tmp_path: Path) -> None:
    """By hand: 1 + 1 MP while a stands in 03.01, and 2 more in m's ZOC once it has left; but then there are two."""
    rules = effect('on = "enter", does = "cost", mp = 2') + LIMIT + 'when = "move"\nlimits = [{ units = 1 }]\n'
    units, enemies = ("foot a 03.01 3", "scout s 01.02 2"), ("guard m 04.01 1",)
    found = planner.explain(build(Variant("friend", rules, units=units, enemies=enemies), tmp_path), ["s to 03.01"])
    assert said(found) == [
        "s can't pay for 01.02-02.01-03.01 with 2 MP once a has moved",
        "03.01 would hold 2 units, at most 1 may be there after a move [a]",
    ]
    assert "if m were not there, with help" in remedies(found)


def test_a_prohibited_step_has_no_price_that_could_not_be_paid() -> None:
    """By hand: 1 MP to 0508, none to the marsh, 4 of the 3 left to 0707: more than the MA of 4, before the marsh again."""
    verdict = planner.check("crossroads/start", "ba2 0407-0508-0607-0707-0607")
    told = [one.message for one in verdict.violations if one.rule == "4.2"]
    assert told == [
        "ba2 can't pay for 0707: remaining MA 3, cost 4",
        "ba2 can't go on to 0607: it has spent more than its MA by then",
    ]


@pytest.mark.thorough
def test_the_way_that_is_named_has_no_detours() -> None:
    found = planner.explain("great_war/puzzles/one_order_left", value="2", time_limit=60)
    [way] = [sentence for sentence in said(found) if "pay" in sentence]
    assert re.fullmatch(r"rear can't pay for (any way from E1 to E3|(the way round, )?E1(-\w\d)+,?) with 2 MP", way)
    named = re.findall(r"\w\d", way.split(" with ")[0])
    assert len(named) == len(set(named))


@pytest.mark.thorough
def test_what_several_need_is_said_of_each_of_them() -> None:
    """By hand: four units want to be carried to e2611, and there are fewer carriers; the front unit uses up the order."""
    carried = planner.explain("dai_senso/puzzles/crossroads", value="13", time_limit=60)
    assert {"aus needs a carrier to e2611 as well", "anzac needs a carrier to e2611 as well"} <= set(said(carried))
    ordered = planner.explain("great_war/puzzles/one_order_left", value="2", time_limit=60)
    assert "front needs an order as well" in said(ordered)


@pytest.mark.thorough
def test_where_time_runs_out_sentences_still_say_what_a_plan_breaks() -> None:
    """Whatever the time: no sentence repeats what the rule says in general."""
    for seconds in (0.3, 1.0):
        found = planner.explain("dai_senso/manchuria", require="surround w5526", time_limit=seconds)
        summaries = {rule.summary for rule in load_scenario("dai_senso/manchuria").game.rulebook.rules}
        for instance in found.instances:
            if instance.unit is not None:
                assert not any(summary[1:] in instance.message for summary in summaries), instance


@pytest.mark.parametrize(
    ("scenario", "value", "expected"),
    [
        # One unit costs 10, two cost 20: with 4 MP the army overruns inf111 alone, or Hailar, in the clear, with 1.
        (
            "dai_senso/manchuria",
            "1, -22",
            ["if value 1 / -23 were enough", "if plv had 1 MP more", "if w5625 were clear"],
        ),
        # The rear unit needs E2 free, an order, or a way round.
        (
            "great_war/puzzles/one_order_left",
            "2",
            [
                "if value 1 were enough",
                "if rear had 1 MP more",
                "if front were not there",
                "if there were one more order in the left section",
            ],
        ),
        # What an agreement forbids is called by its name.
        (
            "dai_senso/closed_borders_soviet",
            "3",
            ["if value 2 were enough", "if the restriction (Truce with Japan) were lifted"],
        ),
    ],
)
@pytest.mark.thorough
def test_all_remedies_that_are_as_cheap_are_named(scenario: str, value: str, expected: list[str]) -> None:
    found = planner.explain(scenario, value=value, time_limit=60)
    assert remedies(found) == expected
    assert found.beside_changes.none
    position = load_scenario(scenario)
    for remedy in found.remedies:
        [change] = remedy.changes
        verdict = planner.check(changed(position, [change]), remedy.plan)
        assert verdict.legal


def test_of_more_remedies_than_are_named_the_number_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planner.explanation.move_remedies.MOST_REMEDIES", 2)
    found = planner.explain("great_war/puzzles/one_order_left", value="2", time_limit=60)
    assert remedies(found) == ["if value 1 were enough", "if rear had 1 MP more", "if front were not there"]
    assert (found.beside_changes.more, found.beside_changes.none) == (1, False)


def test_what_has_not_been_looked_at_is_said_to_be_so(capsys: pytest.CaptureFixture[str]) -> None:
    instance = Instance("ezoc", "3.1", "a", "w1", (), "a must stop in w1")
    plan = planner.Plan.parse("a w1-w2")
    remedy = Remedy((), (Change("gone", "e"),), plan, True)
    plain = Explanation("moves", "?", "forbidden", plan, (Reason((instance,), True, True),), (remedy,), "none")
    print_explanation(plain)
    assert "Others that are as cheap may do as well." in capsys.readouterr().out
    print_explanation(replace(plain, beside_changes=Unnamed(3)))
    assert "and 3 more that are as cheap" in capsys.readouterr().out
    print_explanation(replace(plain, beside_changes=Unnamed(0, True)))
    assert "as cheap" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("99999999999999", ["'99999999999999' has too many digits: a number must have at most 12 in a row"]),
        ("1/0", ["'1/0' divides by zero"]),
        (
            "abc, 1e5, 7",
            [
                "'abc' is not a number such as 20, -22, 1.5 or 859/18",
                "'1e5' is not a number such as 20, -22, 1.5 or 859/18",
                "a value must have at most one number for each of the 2 tiers",
            ],
        ),
        (" ", ['a value must have one number for each tier, such as "1, -20"']),
        ("1,", ["an empty place is not a number such as 20, -22, 1.5 or 859/18"]),
    ],
)
def test_of_what_is_no_value_everything_wrong_is_said(text: str, problems: list[str]) -> None:
    scenario = load_scenario("dai_senso/manchuria")
    with pytest.raises(InputError) as caught:
        read_value(scenario, text)
    assert [problem.what for problem in caught.value.problems] == problems


def test_numbers_are_read_as_players_write_them(manchuria: Scenario) -> None:
    written = {"20": (20, 1), "-22": (-22, 1), "- 3": (-3, 1), "1.5": (3, 2), "859/18": (859, 18), "-1 1/2": (-3, 2)}
    written |= {"½": (1, 2), "2½": (5, 2), "3455/1728": (3455, 1728), "100000": (100000, 1)}
    for text, pair in written.items():
        assert read_value(manchuria, text) == (Fraction(*pair),), text


@pytest.fixture(scope="module")
def manchuria() -> Scenario:
    return load_scenario("dai_senso/manchuria")


def test_where_reasons_were_not_settled_a_short_form_does_not_say_that_nothing_forbids_it() -> None:
    assert repr(Explanation("destination", "a to 0303", "forbidden", None)).endswith(
        "forbidden: its reasons weren't settled>"
    )
    assert repr(Explanation("destination", "a to 0303", "unknown", None)).endswith("unknown: not settled>")


@pytest.mark.parametrize(
    ("found", "left"),
    [
        (("forbidden", ()), "why it can't be had"),
        (("with_help", ()), "what forbids every way without help"),
        (("forbidden", (True, True)), "what else would help"),
        (
            ("forbidden", (False, False)),
            "whether all that is named is enough, which one proof says and no second; whether less is enough",
        ),
    ],
)
def test_what_was_left_open_is_said_and_what_may_settle_it(
    found: tuple[Any, tuple[bool, ...]], left: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, proved = found
    reasons = (Reason((Instance("ezoc", "3.1", "a", "w1", (), "a must stop in w1"),), *proved),) if proved else ()
    told = Explanation("goal", "?", status, None, reasons, complete=False)
    print_explanation(told)
    assert capsys.readouterr().out.endswith(
        f"Left open: {left}. It isn't for want of time; fewer units may settle it.\n"
    )
    print_explanation(replace(told, hurried=True))
    assert capsys.readouterr().out.endswith(
        f"Left open: {left}. More time (--time-limit), or fewer units, may settle it.\n"
    )
    unknown = replace(told, status="unknown", hurried=True)
    print_explanation(unknown)
    assert capsys.readouterr().out.endswith("found.\nMore time (--time-limit), or fewer units, may settle it.\n")
    assert unknown.left_open == ("whether it can be had",)
    print_explanation(replace(told, complete=True))
    assert "Left open" not in capsys.readouterr().out


def test_it_is_said_whose_rolls_lead_to_too_much_to_be_told(capsys: pytest.CaptureFixture[str]) -> None:
    print_explanation(Explanation("moves", "?", "unknown", None, complete=False))
    assert capsys.readouterr().out.endswith(
        "found.\nTheir rolls have more outcomes than are gone through; fewer rolls may settle it.\n"
    )


def test_that_the_clock_cut_something_short_is_known_of_the_whole() -> None:
    """A part of the time was used up, or none of it was; being stopped is another thing."""
    whole = Limits.within(1000.0)
    assert not whole.late
    assert not whole.hurried.is_set()
    whole.stop.set()
    assert whole.late
    assert not whole.hurried.is_set()
    whole.stop.clear()
    assert whole.part(0.0).late
    assert whole.hurried.is_set()
    assert not whole.late


@pytest.mark.thorough
def test_where_no_time_was_wanting_more_of_it_isnt_said_to_help() -> None:
    """Without a limit nothing is cut short; nor is anything of what was settled long before the limit."""
    for limit in (None, 1000.0):
        assert not planner.explain("dai_senso/manchuria", "plv to w5426", time_limit=limit).hurried
    cut = planner.explain("classic_hex/three_battles", "a1 to 0303", time_limit=0.1)
    assert cut.hurried
    assert cut.to_dict()["hurried"]


@pytest.mark.parametrize(
    ("scenario", "goal", "asked"),
    [
        ("classic_hex/six_against_four", "eliminate e", "eliminate e, for certain"),
        ("ocs/puzzles/as_often_as_it_may", "hold 10.11", "hold 10.11, for certain"),
        pytest.param("dai_senso/manchuria", "eliminate kwantung4", "eliminate kwantung4", marks=pytest.mark.thorough),
    ],
)
def test_what_only_rolls_forbid_is_said_to_be_impossible_for_certain_alone(
    scenario: str, goal: str, asked: str
) -> None:
    """Both may come about: 6 to 4 succeeds twice in three, and three attempts of the tank four times in five."""
    found = planner.explain(scenario, require=goal)
    assert (found.status, found.question) == ("forbidden", asked)


def test_while_no_reason_is_known_it_may_be_rolls_that_forbid_it_where_there_are_any() -> None:
    rolled, fixed = load_scenario("classic_hex/six_against_four"), load_scenario("dai_senso/manchuria")
    assert _left_to_dice(rolled, [Eliminate(kind="eliminate", units=("e",))], ())
    assert not _left_to_dice(fixed, [Eliminate(kind="eliminate", units=("hailar",))], ())


@pytest.mark.thorough
def test_a_reason_that_dice_have_no_part_in_tells_of_luck_only_if_it_is_confirmed() -> None:
    """By hand: a1 has too few MP for 1303, whatever is drawn; until that is confirmed, dice may be what forbids it."""
    scenario = load_scenario("classic_hex/three_battles")
    reasons = planner.explain(scenario, "a1 to 1303", time_limit=120).reasons
    goals = [End(kind="end", unit="a1", at=("1303",))]
    assert not _left_to_dice(scenario, goals, reasons)
    assert _left_to_dice(scenario, goals, [replace(reason, confirmed=False) for reason in reasons])


def test_where_a_unit_has_to_fight_others_may_clear_the_way_by_luck() -> None:
    """By hand: x may not count on y, 5 against 2, to clear 0505 before it; if y does, x gets there when it is its turn."""
    clear = "0504 0404 0505 0506 0507"
    scenario = board("x 9-3 0504", "y 5-1 0404", "e1 2-2 0505", hexes=clear)
    found = planner.explain(scenario, require="x to 0506")
    assert (found.status, found.question) == ("forbidden", "x ends in 0506, for certain")
    [reason] = found.reasons
    stops = tuple(one for one in reason.instances if one.claim.kind == "breaks")
    assert _left_to_dice(scenario, [End(kind="end", unit="x", at=("0506",))], [replace(reason, instances=stops)])


def test_a_value_is_an_average_and_nothing_that_could_be_had_for_certain_or_not() -> None:
    assert planner.explain("classic_hex/six_against_four", value="5").question == "value 5"


def test_a_value_that_is_asked_for_is_told_in_mixed_numbers() -> None:
    assert planner.explain("dai_senso/manchuria", value="-3/2, -22", time_limit=1).question == "value -1½ / -22"


@pytest.mark.parametrize(("hills", "way"), [("03.02", "03.01-02.01-02.02"), ("02.01", "03.01-03.02-02.02")])
def test_of_ways_that_are_as_short_the_one_is_told_that_costs_least(hills: str, way: str, tmp_path: Path) -> None:
    """By hand: of two hexes in between one is a hill, for 3 MP, the other plain, for 1."""
    rows = {"03.02": ". . . . .\n. . h . .\n", "02.01": ". h . . .\n. . . . .\n"}[hills] + ". . . . .\n" * 4
    scenario = build(Variant("ways", units=("foot f 03.01 1",), rows=rows), tmp_path)
    assert said(planner.explain(scenario, "f to 02.02")) == [f"f can't pay for {way} with 1 MP"]


def test_a_unit_may_be_asked_to_end_in_one_of_some_hexes_as_it_may_be_asked_not_to() -> None:
    goals = read_goals(load_scenario("dai_senso/manchuria"), "plv in w5426 w5427 and inf not in w5426, w5427")
    assert goals == [
        End(kind="end", unit="plv", at=("w5426", "w5427")),
        End(kind="end", unit="inf", not_at=("w5426", "w5427")),
    ]


@pytest.mark.parametrize(
    ("label", "message", "told"),
    [
        ("w1", "a must stop in w1", "a must stop in w1"),
        ("w1", "a must stop in w1, its last", "a must stop in w1, its last"),
        ("w1", "no overrun of w12 is sure", "no overrun of w12 is sure (w1)"),
        ("sea", "a must end the season there", "a must end the season there (sea)"),
        ("2.1", "a needs 12.1 MP, or 2.12", "a needs 12.1 MP, or 2.12 (2.1)"),
        ("2.1", "a goes 2.2-2.1.", "a goes 2.2-2.1."),
    ],
)
def test_a_hex_is_added_where_no_word_of_the_sentence_is_its_label(label: str, message: str, told: str) -> None:
    assert str(Instance("rule", "", "a", label, (), message)) == told
