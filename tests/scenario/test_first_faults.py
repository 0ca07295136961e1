"""One fault of a game, or of a map, brings no false ones with it: whoever uses what couldn't be read isn't to blame."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from planner.errors import InputError
from planner.scenario import load_scenario

ROOT = Path(__file__).resolve().parents[2]

FAULTS = {
    "the feature of a route": ("terrain.toml", 'feature = "road"', "feature = 7"),
    "a hexside": ("terrain.toml", "assisted = [{ by = {", "assisted = [{ bi = {"),
    "the sign of a terrain": ("terrain.toml", 'symbol = "."', 'symbol = "::"'),
    "what a price is": ("terrain.toml", 'weather = "mud", mp = 2', 'weather = "mud", mp = -2'),
    "the values of counters": ("forces.toml", 'counter = ["attack",', 'counter = ["atack",'),
    "a side": ("forces.toml", 'blue = "Blue"', "blue = 7"),
    "a trait of hexes": ("forces.toml", 'objective = "A town that counts in the end"', "objective = 7"),
    "a phase": ("forces.toml", 'name = "Movement and Attacks"', "name = 7"),
    "the numbers of hexes": ("rulebook.toml", 'shifted = "even"', 'shifted = "evn"'),
    "the id of a rule": ("rulebook.toml", 'id = "zoc"', 'id = "Z"'),
    "a result of a table": ("rulebook.toml", 'results = ["AE", "AE",', 'results = [7, "AE",'),
    "the odds of a column": ("rulebook.toml", 'odds = "1:2"', 'odds = "1-2"'),
    "where the map begins": ("../bridge.toml", 'origin = "0303"', 'origin = "x"'),
    "whose turn it is": ("../bridge.toml", 'phasing = "blue"', 'phasing = "blu"'),
    "what hexes are": ("../bridge.toml", 'traits = "objective"', 'traits = "objectiv"'),
    "whose objective it is": (
        "../bridge.toml",
        'objective.red.tier]]\nname = "near',
        'objective.rd.tier]]\nname = "near',
    ),
}


FAULTS_OF_FIGHTS = {
    "a unit's id": ("../three_battles.toml", 'id = "e1"', 'id = "1"'),
    "a unit's side": ("../three_battles.toml", 'side = "red"', 'side = "rd"'),
    "whose turn it is": ("../three_battles.toml", 'phasing = "blue"', 'phasing = "blu"'),
    "one of two numbers": ("rulebook.toml", "entries = [[2, 0],", 'entries = [["x", 0],'),
    "the feature of a route": ("terrain.toml", 'feature = "bridge"', "feature = 7"),
    "a rule of a statement": ("statements.toml", 'rule = "costs"', "rule = 7"),
}


FAULTS_OF_TYPES = {
    "the MA of a type": ("great_war", "over_the_top", "forces.toml", "ma = 2", "ma = -2"),
    "a unit's type": ("great_war", "over_the_top", "../over_the_top.toml", 'type = "infantry"', 'type = "infantri"'),
    "a trait of a type": ("great_war", "over_the_top", "forces.toml", 'traits = ["reserve_artillery"]', "traits = [7]"),
    "how moves follow": ("a_world_at_war", "through_the_line", "rulebook.toml", 'id = "waiting"', 'id = ""'),
    "whose turn it is": ("dai_senso", "island_campaign", "../island_campaign.toml", 'phasing = "', 'phasing = "x'),
    "a unit's side": ("dai_senso", "island_campaign", "../island_campaign.toml", 'side = "western"', 'side = "westrn"'),
}


@pytest.mark.parametrize(("model", "name", "file", "good", "bad"), FAULTS_OF_TYPES.values(), ids=list(FAULTS_OF_TYPES))
def test_one_fault_is_told_once_in_games_of_any_kind(
    model: str, name: str, file: str, good: str, bad: str, tmp_path: Path
) -> None:
    tell(model, name, file, good, bad, tmp_path)


@pytest.mark.parametrize(("file", "good", "bad"), FAULTS.values(), ids=list(FAULTS))
def test_one_fault_is_told_once_and_nothing_false_with_it(file: str, good: str, bad: str, tmp_path: Path) -> None:
    tell("crossroads", "bridge", file, good, bad, tmp_path)


@pytest.mark.parametrize(("file", "good", "bad"), FAULTS_OF_FIGHTS.values(), ids=list(FAULTS_OF_FIGHTS))
def test_one_fault_is_told_once_where_entering_a_hex_is_a_combat(
    file: str, good: str, bad: str, tmp_path: Path
) -> None:
    tell("classic_hex", "three_battles", file, good, bad, tmp_path)


def tell(model: str, name: str, file: str, good: str, bad: str, folder: Path) -> None:
    """Make one fault in a copy of a game with one scenario, and see that it alone is told."""
    shutil.copytree(ROOT / "models" / model, folder / "game")
    scenario = (ROOT / f"scenarios/{model}/{name}.toml").read_text(encoding="utf-8")
    (folder / f"{name}.toml").write_text(scenario.replace(f'"{model}"', '"./game"', 1), encoding="utf-8")
    path = folder / "game" / file
    text = path.read_text(encoding="utf-8")
    assert good in text
    path.write_text(text.replace(good, bad, 1), encoding="utf-8")
    with pytest.raises(InputError) as error:
        load_scenario(folder / f"{name}.toml")
    told = [one for one in error.value.problems if "must be given" not in one.what]  # a misspelt key is missing, too
    assert len(told) == 1, told
    assert path.name in told[0].where
