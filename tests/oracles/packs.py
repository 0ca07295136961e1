"""Small positions under a few rules that bind together: who must clear, cover, make room or go first, for whom."""

from __future__ import annotations

import random
from typing import Any

from planner.errors import InputError
from planner.scenario import Scenario
from tests.oracles.made_up import BAR, CELLS, Drawn, drawn
from tests.oracles.made_up_more import strew
from tests.oracles.mixtures import KINDS, Parameters, goals, markers, toml, units

PACKS = (
    ("mined", "cleared", "tight"),
    ("mined", "cleared", "covered"),
    ("barred", "cleared", "mined", "tight"),
    ("barred", "cleared", "columns"),
    ("barred", "barred_too", "cleared", "cleared_too"),
    ("overruns", "covered", "tight"),
    ("overruns", "covered", "supplied"),
    ("overruns", "covered", "together"),
    ("overruns", "columns"),
    ("overruns", "capture", "covered"),
    ("covered", "supplied", "tight"),
    ("covered", "covered_too", "tight"),
    ("covered", "together", "tight"),
    ("held", "tight", "covered"),
    ("held", "columns"),
    ("columns", "tight", "covered"),
    ("obliged", "tight", "held", "covered"),
    ("areas", "covered", "tight"),
    ("mined", "cleared", "supplied", "covered"),
    ("transport", "held", "covered"),
    ("transport", "capture", "tight"),
    ("minimum_move", "tight", "covered"),
    ("exhaustion", "held", "covered"),
    ("orders", "tight", "covered"),
    ("together", "together_too", "held"),
    ("step_limit", "tight", "covered"),
    ("passage", "held", "tight"),
    ("further_allowance", "covered", "tight"),
    ("covered", "supplied", "together"),
    ("rails", "tight"),
    ("rails", "tight", "covered"),
    ("rails", "held", "columns"),
    ("rails", "rails_too", "tight"),
    ("rails", "overruns", "covered"),
)
"""What comes together: kinds of rules as mixtures have them, or narrower ones."""

DRAWS = 50
"""So often a position is drawn until its rules go together."""


def position(seed: int, waits: bool = False) -> tuple[Scenario, tuple[str, ...]]:
    """Return a position with three own units at most, and its pack; `waits`: units may wait."""
    rng, pack = random.Random(f"pack {seed}"), PACKS[seed % len(PACKS)]
    for _ in range(DRAWS):
        try:
            return drawn(lambda new: _bring(new, pack, waits), rng), pack
        except InputError:
            continue
    raise ValueError(f"no position under {pack}")


def _bring(new: Drawn, pack: tuple[str, ...], waits: bool) -> None:
    rng = new.rng
    kinds = [_kind(name) for name in pack]
    new.rules[:] = [BAR + ("unless_overrun = true\n" if "overrun" in kinds else "")]
    strew(new, "river", 2, 6)
    strew(new, "road", 2, 6)
    price = rng.choice(("1/2", "1", "1"))
    new.chart += [
        f"hexsides.river = {{ mp = {rng.choice((0, 1))} }}",
        f'[[routes]]\nfeature = "road"\nprices = [{{ mp = "{price}" }}]',
    ]
    for label in rng.sample(CELLS, 5):
        new.traits[label] = rng.choice(("port", "port", "farm"))
    units(new, enemies=True)
    for name, kind in zip(pack, kinds, strict=True):
        rule = {"id": name, "kind": kind, "paragraph": name, **_parameters(name, new)}
        new.rules.append("[[rule]]\n" + "\n".join(f"{key} = {toml(value)}" for key, value in rule.items()) + "\n")
    if waits:
        new.more["charts"] = {"rules": {"turns": {"waiting": {}}}}
    goals(new, kinds)


NARROWER = {
    "areas": "area_allowance",
    "barred": "entry_restriction",
    "barred_too": "entry_restriction",
    "cleared": "clearing",
    "cleared_too": "clearing",
    "columns": "column_entry",
    "covered": "zone_of_control",
    "covered_too": "zone_of_control",
    "held": "vacancy",
    "mined": "stop_on_entry",
    "obliged": "obligation",
    "overruns": "overrun",
    "rails": "passage",
    "rails_too": "passage",
    "supplied": "supply",
    "tight": "stacking",
    "together": "company",
    "together_too": "company",
}
"""The kind of each rule that isn't one as mixtures have it."""


def _kind(name: str) -> str:
    return NARROWER.get(name, name)


def _parameters(name: str, new: Drawn) -> Parameters:
    rng = new.rng
    some, others = rng.choice(("foot", "guard")), rng.choice(("foot", "scout", "guard"))
    narrower: dict[str, dict[str, Any]] = {
        "areas": {"limits": [{"where": {"traits": "port"}, "most": 1}]},
        "barred": {"enemy_markers": {"types": "boat"}, "who": {"without": "light"}},
        "cleared": {"by": {"types": some}, "markers": {"types": "boat"}},
        "barred_too": {"enemy_markers": {"types": "ship"}, "who": {"types": some}},
        "cleared_too": {"by": {"without": "light"}, "markers": {"types": "ship"}},
        "columns": {"mp": rng.choice((1, "1/2"))},
        "held": {"who": {"types": some}, "of": {}, "when": rng.choice(("always", "move"))},
        "mined": {"markers": {"types": "boat"}},
        "obliged": {"who": {"units": "u0"}},
        "overruns": {"by": {"types": some}, "defenders": {}, "target": {}, "eliminated_to": [{"box": "dead"}]},
        "rails": _rails(rng) | {"reads": {"origin": {"traits": "port"}, "to": {"traits": "port"}}},
        "rails_too": _rails(rng) | {"reads": {"origin": {"traits": "farm"}, "to": {"traits": "port"}}},
        "supplied": {"needed_by": {}, "zoc_of": {}, "negated_by": {"types": others}} | rng.choice(({}, {"range": 2})),
        "tight": {"limits": [{"units": 1}], "when": rng.choice(("move", "move", "always", "phase"))},
    }
    together = {"who": {"types": others}, "friends": {"types": some}, "within": 1}
    narrower |= {"together": together, "together_too": together}
    if name.startswith("covered"):
        does = rng.choice(("stop", "forbid", "forbid"))
        effect = {"paragraph": name, "on": "enter", "does": does, "negatable": True}
        effect |= {"from_ezoc": rng.choice(("any", "same"))} if does == "forbid" and new.chance(0.3) else {}
        return {"exerted_by": {}, "negated_by": rng.choice(({}, {"types": others})), "effects": [effect]}
    if name == "mined":
        markers(new, 3)
    if name == "barred_too":
        free = [label for label in CELLS if label not in {unit["at"] for unit in new.units}]
        ships = [
            {"id": f"s{number}", "type": "ship", "side": "north", "at": at}
            for number, at in enumerate(rng.sample(free, 2))
        ]
        new.more.setdefault("marker", []).extend(ships)
    if name.startswith("rails"):  # there are units that may go by them
        for unit in rng.sample(new.units, 2):
            new.traits[unit["at"]] = "port" if name == "rails" else "farm"
    if name == "supplied":
        new.more["supply"] = {"south": new.units[0]["at"]}
    return narrower[name] if name in narrower else KINDS[name](new)


def _rails(rng: random.Random) -> Parameters:
    takes = rng.choice(({"takes": 1}, {"takes": 2}, {"takes": 0}, {"by_terrain": True}, {}))
    order = rng.choice(({"before_others": True}, {"before_others": True}, {"first_only": False}))
    return {"adjacent": False, **order, **takes}
