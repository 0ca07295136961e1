"""Read a parameter of who helps across a hexside, or of what counts there, otherwise than it is: a small position notices.

Each parameter has two charts, with it and without it or turned, and what a position is worth under either, by hand. One face
gets the one chart, the other face the other: what they find wrong with a plan differs, and the best plan that the search
finds isn't that of trying every plan on the referee. Whichever of the two is the mutant.

The board is a column of three hexes. A river lies between 01.01, where the foot f is, and 01.02, which f wants to enter; the
scout s is there, or comes. Each of them has 1 MP.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

import planner
from planner.plans.plan import Plan
from planner.referee.referee import Referee
from planner.referee.verdict import Violation
from planner.scenario import Scenario, build_scenario
from planner.search.search import Search
from planner.solver.plan_judge import judge
from tests.oracles.every_plan import EveryPlan
from tests.oracles.made_up import model
from tests.plain_game import Variant, build

CROSS = "f 01.01-01.02"


@dataclass(frozen=True)
class Mutant:
    """A chart and another one, with what the best plan is worth under each, and a plan that one of them alone allows.

    Attributes
    ----------
    chart, other : str
        The charts.
    values : (int, int)
        How many goals are reached under them: `f` in 01.02, and what `wants` says of `s`.
    moves : tuple of str
        The plan.
    features : str
        What lies between 01.01 and 01.02.
    scout : str
        Where `s` is.
    wants : str
        Where it wants to be; empty: anywhere.
    made : tuple of str
        Moves that have been made before.
    hill : bool
        Whether 01.02 is a hill, for 2 MP.
    """

    chart: str
    other: str
    values: tuple[int, int]
    moves: tuple[str, ...] = (CROSS,)
    features: str = "river"
    scout: str = "01.02"
    wants: str = ""
    made: tuple[str, ...] = ()
    hill: bool = False

    def scenario(self, chart: str) -> Scenario:
        """Return the position under one of the charts, anew."""
        goals = {"f": "01.02"} | ({"s": self.wants} if self.wants else {})
        data = {
            "format": "planner/scenario-1",
            "model": str(model("", chart)),
            "phase": "day",
            "phasing": "south",
            "map": {
                "hexes": {"01.01 01.03": "plain", "01.02": "hill" if self.hill else "plain"},
                "hexsides": {feature: ["01.01 01.02"] for feature in self.features.split()},
            },
            "unit": [
                {"id": name, "side": "south", "type": kind, "at": at, "values": "1-1"}
                for name, kind, at in (("f", "foot", "01.01"), ("s", "scout", self.scout))
            ],
            "tier": [{"terms": [{"kind": "end", "unit": unit, "at": at} for unit, at in goals.items()]}],
        }
        scenario = build_scenario(data, "mutant")
        return scenario.after(self.made) if self.made else scenario


def helped(entry: str, river: str = "mp = 2") -> str:
    """Return a chart with a river across which somebody helps."""
    return f"hexsides.river = {{ {river}, assisted = [{{ {entry} }}] }}"


HELP = helped('by = { types = "scout" }, mp = 0')
GUARDED = 'prohibited = true, prices = [{ units = { types = "guard" }, mp = 0 }]'
"""A river that guards alone can cross."""
UNMOVED, STAYS = HELP.replace("mp = 0", "mp = 0, unmoved = true"), HELP.replace("mp = 0", "mp = 0, stays = true")

COMES, GOES = "s 01.03-01.02", "s 01.02-01.03"

FREE = "hexsides.road = { mp = 0 }\n"


def wet(more: str = "") -> str:
    """Return a chart with a river of 1 MP on top of the hex, beside which a road or a bridge may lie."""
    return f"{FREE}hexsides.bridge = {{ mp = 0 }}\nhexsides.river = {{ mp = 1{more} }}"


def road(more: str = "") -> str:
    """Return a chart with a road of 1 MP, on which a hill isn't too dear, over a river that costs nothing."""
    free = "hexsides.river = { mp = 0 }\nhexsides.bridge = { mp = 0 }"
    return f'{free}\n[[routes]]\nfeature = "road"\nprices = [{{ mp = 1 }}]\n{more}'


MUTANTS = {
    # The scout is in the hex entered, so that crossing costs f nothing on top of the hex, rather than 2.
    "assisted": Mutant(HELP, "hexsides.river = { mp = 2 }", (1, 0)),
    "assisted.by": Mutant(HELP, HELP.replace("scout", "guard"), (1, 0)),
    "assisted.units": Mutant(HELP, HELP.replace("mp = 0", 'units = { types = "scout" }, mp = 0'), (1, 0)),
    "assisted.mp": Mutant(HELP, HELP.replace("mp = 0", "mp = 1"), (1, 0)),
    # Guards alone may cross: whoever helps f must lift that, not only make it cheap.
    "assisted.lifts": Mutant(
        helped('by = { types = "scout" }, mp = 0, lifts = true', GUARDED),
        helped('by = { types = "scout" }, mp = 0', GUARDED),
        (1, 0),
    ),
    # The scout would have to come first.
    "assisted.unmoved": Mutant(UNMOVED, HELP, (0, 1), (COMES, CROSS), scout="01.03"),
    "assisted.unmoved, once it has come": Mutant(UNMOVED, HELP, (0, 1), scout="01.03", made=(COMES,)),
    # Either f enters with the scout's help, or the scout goes.
    "assisted.stays": Mutant(STAYS, HELP, (1, 2), (CROSS, GOES), wants="01.03"),
    "assisted.stays, once it has helped": Mutant(STAYS, HELP, (1, 2), (GOES,), wants="01.03", made=(CROSS,)),
    # Who goes afterwards hasn't moved before; who has come moves no more.
    "assisted.unmoved, not stays": Mutant(UNMOVED, STAYS, (2, 1), (CROSS, GOES), wants="01.03"),
    "assisted.stays, not unmoved": Mutant(STAYS, UNMOVED, (1, 0), (COMES, CROSS), scout="01.03"),
    # The river costs f 1 of the MP that the hex takes, but beside a road it doesn't count, unless that is cut.
    "hexsides.not_with": Mutant(wet(', not_with = "road"'), wet(), (1, 0), features="river road"),
    "hexsides.not_with, another": Mutant(
        wet(', not_with = "road"'), wet(', not_with = "bridge"'), (1, 0), features="river road"
    ),
    "hexsides.unless": Mutant(
        wet(', not_with = "road", unless = "bridge"'),
        wet(', not_with = "road"'),
        (0, 1),
        features="river road bridge",
    ),
    "hexsides.unless, another": Mutant(
        wet(', not_with = "road", unless = "bridge"'),
        wet(', not_with = "road", unless = "river"'),
        (1, 0),
        features="river road",
    ),
    # The hill takes 2 MP, the road to it 1, if it leads across the river.
    "routes.not_with": Mutant(road('not_with = "river"'), road(), (0, 1), features="river road", hill=True),
    "routes.not_with, another": Mutant(
        road('not_with = "river"'), road('not_with = "bridge"'), (0, 1), features="river road", hill=True
    ),
    "routes.unless": Mutant(
        road('not_with = "river"\nunless = "bridge"'),
        road('not_with = "river"'),
        (1, 0),
        features="river road bridge",
        hill=True,
    ),
    "routes.unless, another": Mutant(
        road('not_with = "river"\nunless = "bridge"'),
        road('not_with = "river"\nunless = "road"'),
        (0, 1),
        features="river road",
        hill=True,
    ),
    # A river that doesn't count asks for no help, so that nobody has to stay for it.
    "assisted.stays, where the river doesn't count": Mutant(
        FREE + STAYS.replace("mp = 2", 'mp = 2, not_with = "road"'),
        FREE + STAYS,
        (2, 1),
        (CROSS, GOES),
        features="river road",
        wants="01.03",
    ),
}


def told(violations: Iterable[Violation]) -> set[object]:
    return {(violation.key, frozenset(violation.blame)) for violation in violations}


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=list(MUTANTS))
def test_faces_that_read_different_charts_find_different_things_wrong(mutant: Mutant) -> None:
    plan = Plan.parse(list(mutant.moves))
    scenarios = [mutant.scenario(chart) for chart in (mutant.chart, mutant.other)]
    by_referee = [told(Referee(one.game).play(plan, one.start).violations) for one in scenarios]
    by_judge = [told(judge(one, plan)) for one in scenarios]
    assert by_judge == by_referee
    assert by_judge[0] != by_referee[1]
    assert by_judge[1] != by_referee[0]
    # More is possible where more is worth having.
    assert [not one for one in by_referee] == [value == max(mutant.values) for value in mutant.values]


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=list(MUTANTS))
def test_a_search_that_reads_a_chart_otherwise_than_the_referee_comes_to_another_value(mutant: Mutant) -> None:
    for chart, value in zip((mutant.chart, mutant.other), mutant.values, strict=True):
        result = Search(mutant.scenario(chart)).run()
        assert (result.status, result.value) == ("optimal", (value,))
        assert EveryPlan(mutant.scenario(chart)).best() == (value,)
    assert mutant.values[0] != mutant.values[1]


@pytest.mark.parametrize(("chart", "wrong"), [(UNMOVED, {"costs"}), (STAYS, set())], ids=["unmoved", "stays"])
def test_whom_a_stack_drops_has_moved_and_moves_no_more(chart: str, wrong: set[str], tmp_path: Path) -> None:
    """The scout is dropped before the river: that both have come in one move doesn't make it one that hasn't moved."""
    variant = Variant(
        "stack",
        chart=chart,
        units=("foot f 03.03 2", "scout s 03.03 2"),
        hexsides='hexsides.river = ["03.01 03.02"]',
        turns="stacks = true\n",
    )
    scenario = build(variant, tmp_path)
    for solver in (False, True):
        verdict = planner.check(scenario, "f+s 03.03-03.02/s-03.01", solver=solver)
        assert {violation.rule for violation in verdict.violations} == wrong, solver
