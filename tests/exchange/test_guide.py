"""The example of the guide works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

from planner.exchange.mapping import MappingFile, PieceRule
from planner.scenario import load_scenario
from tests.command import run

GUIDE = (Path(__file__).parents[2] / "docs" / "importing.md").read_text(encoding="utf-8")


def test_the_example_of_the_guide_becomes_a_scenario(tmp_path: Path) -> None:
    units, terrain = re.findall(r"```csv\n(.*?)```", GUIDE, re.DOTALL)
    mapping = re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)[0]
    for name, text in (("units.csv", units), ("terrain.csv", terrain), ("map.toml", mapping)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = run("import", "units.csv", "terrain.csv", "--mapping", "map.toml", "-o", "garrison.toml", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    scenario = load_scenario(tmp_path / "garrison.toml")
    assert scenario.start.at == {"u1st_guards": "0102", "u2nd_guards": "0102", "lancers": "0201", "garrison": "0302"}
    assert [scenario.game.units[unit].type for unit in ("lancers", "garrison")] == ["cavalry", "infantry"]


def test_the_guide_names_every_key_of_a_mapping() -> None:
    for key in ({*MappingFile.model_fields} | {*PieceRule.model_fields}) - {"format"}:
        assert re.search(rf"`(\[+)?{key}(\]+)?`", GUIDE), key
