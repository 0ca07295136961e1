"""Names from files are names: whatever they hold, nothing in a picture or a page runs but the page's own script."""

from __future__ import annotations

import re
import shutil
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from planner.draw import page
from planner.draw.notes import Note
from planner.draw.picture import Picture
from planner.plans.plan import Plan
from planner.scenario import Scenario, build_scenario
from tests.draw.cases import ROOT

NAMES = [
    "<script>hacked=1</script>",
    '"><img src=x onerror="hacked=1">',
    "'-hacked=1-'",
    "</title><script>hacked=1</script><title>",
    "</style><script>hacked=1</script>",
    "]]><script>hacked=1</script><![CDATA[",
    "--><script>hacked=1</script><!--",
    "{{ 7*7 }} {% for x in y %}",
    "&lt;script&gt; &amp; &#x3c;",
    "</svg></foreignObject><iframe srcdoc='<script>parent.hacked=1</script>'>",
    "\u0000\u0007\u001b[31m\ufffe",
    "\u202egnirts\u202c \u2066x\u2069",
    "javascript:hacked=1",
    "W" * 120,
    "\U0001f600 Ørsted 東京",
]


def hostile(name: str, folder: Path) -> Scenario:
    """Return a scenario whose every free text is the name, in a model whose every name of a chart is it too."""
    model = folder / "model"
    shutil.copytree(ROOT / "models" / "dai_senso", model)
    # A TOML string of the same text, whatever it holds.
    text = '"' + "".join(s if s.isalnum() and s.isascii() else f"\\U{ord(s):08X}" for s in name) + '"'
    for file in ("forces.toml", "terrain.toml"):
        path = model / file
        path.write_text(re.sub(r'name = ".*?"', lambda _: f"name = {text}", path.read_text()))
    path = model / "forces.toml"
    path.write_text(
        re.sub(
            r'(axis|western|soviet|city|mud|storms|kwantung) = ".*?"', lambda m: f"{m[1]} = {text}", path.read_text()
        )
    )
    unit = {
        "side": "axis",
        "type": "tank",
        "values": "3-2-2",
        "name": name,
        "nationality": "japan",
        "traits": ["kwantung"],
    }
    data: dict[str, Any] = {
        "format": "planner/scenario-1",
        "model": "./model",
        "title": name,
        "description": name,
        "phase": "operational_movement",
        "phasing": "axis",
        "map": {
            "origin": "w4724",
            "rows": ". . ^\n . . .",
            "hexes": {"w4724": {"traits": ["city", "port"], "area": name[:60]}},
            "boxes": {"box": {"name": name, "area": name[:60]}},
            "zones": {"zone": "w4724"},
        },
        "unit": [
            {**unit, "id": "tank", "at": "w4724", "name": name[:110]},
            {**unit, "id": "reserve", "box": name[:60], "name": f"{name[:110]}2"},
            {**unit, "id": "enemy", "side": "western", "at": "w4726", "name": f"{name[:110]}3"},
        ],
        "marker": [{"type": "standard_convoy", "side": "axis", "zone": "zone", "id": "convoy"}],
        "weather": {"mud": "w4725"},
        "tier": [{"name": name, "terms": [{"kind": "hold", "hexes": "w4625"}]}],
    }
    return build_scenario(data, str(folder / "scenario.toml"), folder)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.scripts: list[str] = []
        self.events: list[str] = []
        self.tags: set[str] = set()
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        self.tags.add(tag)
        if tag == "script":
            self.scripts.append("")
        self.events += [key for key, value in attrs if key.startswith("on") or (value or "").startswith("javascript:")]

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts[-1] += data


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_stay_text(name: str, tmp_path: Path) -> None:
    scenario = hostile(name, tmp_path)
    made = Picture(scenario, Plan.parse("tank w4724-w4725"), notes=[Note("w4725", name, name)], remarks=[name])
    root = ET.fromstring(made.svg())
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {
        "svg", "title", "desc", "style", "defs", "g", "use", "text", "path", "rect", "circle", "polygon", "pattern"
    }  # fmt: skip
    assert not [key for element in root.iter() for key in element.attrib if key.startswith("on")]
    assert not [e for e in root.iter() for key in e.attrib if key == "href" and not e.attrib[key].startswith("#")]
    parser = _Tags()
    parser.feed(made.html())
    assert parser.scripts == [page.script()]
    assert not parser.events
    assert not parser.tags & {"img", "iframe", "object", "embed", "foreignobject", "link", "base", "form"}


def test_the_name_itself_can_be_read(tmp_path: Path) -> None:
    """Escaped, not lost: the title of the picture is the title of the scenario, but for what XML can't hold."""
    for index, name in enumerate(NAMES):
        (tmp_path / str(index)).mkdir()
        svg = ET.fromstring(Picture(hostile(name, tmp_path / str(index))).svg())
        title = next(svg.iter("{http://www.w3.org/2000/svg}title")).text or ""
        assert re.sub("[^ -~]", "?", title) == re.sub("[^ -~]", "?", name)


def test_the_page_allows_its_own_script_and_style_alone() -> None:
    """Their hashes are in the policy; so whatever else got in could not run, nor ask a network for anything."""
    made = Picture(build_scenario(_plain(), "plain.toml")).html()
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="(.*?)"', made)
    [script] = re.findall(r"<script>(.*?)</script>", made, re.DOTALL)
    styles = re.findall(r"<style[^>]*>(.*?)</style>", made, re.DOTALL)
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert f"script-src '{page._hash(script)}'" in policy
    assert f"style-src {' '.join(repr(page._hash(style)) for style in styles)};" in policy
    assert not re.findall(r"(?:src|href)=\"(?!#)", made)
    assert " style=" not in made


def _plain() -> dict[str, Any]:
    return {
        "format": "planner/scenario-1",
        "model": "dai_senso",
        "phase": "operational_movement",
        "phasing": "axis",
        "map": {"hexes": {"w4724": "clear"}},
    }
