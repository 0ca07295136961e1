"""The rules of Crossroads say on their page what the folder of data says."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import planner
from planner.rules.attack_table import AttackRule
from planner.rules.rulebook_file import load_rulebook, model_folder

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "crossroads.md").read_text(encoding="utf-8")
RULEBOOK = load_rulebook(model_folder("crossroads"))
START = planner.load("crossroads/start")


def table(head: str) -> list[list[str]]:
    """Return the rows of the table of the page whose heading begins so, the heading first."""
    [found] = re.findall(rf"^(\| {re.escape(head)} \|.*\n)\|[-|]*\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|\n").split("|")] for line in "".join(found).splitlines()]


def test_the_paragraphs_are_those_of_rules_and_statements() -> None:
    told = re.findall(r"^\*\*(\d+\.\d+)\*\* ", PAGE, re.MULTILINE)
    assert told == sorted(told, key=lambda number: [int(part) for part in number.split(".")])
    assert {rule.paragraph for rule in RULEBOOK.rules} | {s.paragraph for s in RULEBOOK.statements} <= set(told)


def test_the_ground_costs_what_the_page_says() -> None:
    foot, wheels = (START.game.units[unit] for unit in ("b1", "bt1"))
    for name, *prices, _ in table("ground")[1:]:
        if name not in RULEBOOK.terrain.terrain:
            continue
        chart = RULEBOOK.terrain.terrain[name]
        found = [
            chart.cost(*asked) for asked in ((foot, "movement"), (wheels, "movement"), (wheels, "movement", "mud"))
        ]
        assert [str(cost.mp) if cost is not None and cost.mp is not None else "no" for cost in found] == prices, name


def test_results_are_those_of_the_page() -> None:
    [attacks] = RULEBOOK.of(AttackRule)
    head, *rows = table("die")
    assert head[1:] == [column.text for column in attacks.columns]
    assert [row[0] for row in rows] == list("123456")
    for index, column in enumerate(attacks.columns, 1):
        assert [row[index] for row in rows] == list(column.results)


def test_reinforcements_come_as_the_page_says() -> None:
    told = {}
    for turn, *sides in table("turn")[1:]:
        for units, at in re.findall(r"((?:b|r)\w+(?:, \w+)*) at (\d{4})", "; ".join(sides)):
            told.update({unit: (int(turn), at) for unit in units.split(", ")})
    assert told == {unit.id: unit.arrives for unit in START.game.units.values() if unit.arrives is not None}
    assert {START.game.board.hexes[at].traits >= {"entry"} for _, at in told.values()} == {True}


def test_the_towns_of_the_page_are_on_the_map() -> None:
    towns = dict(re.findall(r"(\w+) \((\d{4})\)", PAGE))
    hexes = START.game.board.hexes
    assert set(towns.values()) == {label for label, one in hexes.items() if one.terrain == "town"}
    assert set(towns.values()) == {label for label, one in hexes.items() if "objective" in one.traits}
    assert len(hexes) == 14 * 11
    assert len(START.game.units) == 35
    assert all(unit.ma == Fraction(4) or "mobile" in unit.traits for unit in START.game.units.values())
