"""Random rulebooks of all kinds of rules at once: small positions in which several that no game combines meet.

Each kind draws one rule, with random parameters; a mixture has some of them. What doesn't go together is refused by the
rulebook, and drawn anew.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from planner.errors import InputError
from planner.scenario import Scenario
from tests.oracles.made_up import BAR, CELLS, Drawn, drawn, neighbours
from tests.oracles.made_up_more import strew

Parameters = dict[str, Any]


def toml(value: object) -> str:
    """Return a value as TOML has it, on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def who(rng: random.Random) -> Parameters:
    """Draw some units: often all."""
    some = ({"types": "foot"}, {"types": "guard"}, {"traits": "light"}, {"without": "light"}, {"units": "u0"})
    odd = ({"nationalities": "red"}, {"but": {"units": "u1"}}, {"any_of": [{"types": "foot"}, {"units": "u1"}]})
    return rng.choice(({}, {}, {}, *some, rng.choice(odd)))


def where(rng: random.Random) -> Parameters:
    """Draw some hexes."""
    return rng.choice(
        (
            {"terrain": "hill"},
            {"terrain": "plain"},
            {"traits": "port"},
            {"without": "port"},
            {"labels": rng.sample(CELLS, 3)},
            {"any_of": [{"traits": "port"}, {"terrain": "hill"}]},
        )
    )


def across(rng: random.Random) -> Parameters:
    """Draw some hexsides."""
    return rng.choice(({"features": "river"}, {"features": "road"}, {"without": "road"}, {"terrain": "hill"}))


def steps(rng: random.Random) -> Parameters:
    """Draw steps of some kind."""
    return rng.choice(({"across": across(rng)}, {"into": where(rng)}))


# -- the kinds: each adds one rule, and what it is about


def allowance(new: Drawn) -> Parameters:
    rng = new.rng
    factor = {"units": who(rng), "times": rng.choice(("1/2", "3/2", 2))} | rng.choice(({}, {"most": 2}))
    return {"factors": [factor]}


def area_allowance(new: Drawn) -> Parameters:
    return {"limits": [{"units": who(new.rng), "where": where(new.rng), "most": new.rng.choice((1, 1, "3/2", 2))}]}


def battle(new: Drawn) -> Parameters:
    rng = new.rng
    new.tiers[0]["terms"].append({"kind": "battle", "weight": rng.randint(1, 3), "by": who(rng)})
    reach = {"units": who(rng), "hexes_moved": rng.choice((0, 1, 1, 2)), "range": rng.choice((1, 1, 2))}
    more = {"not_on_entering": where(rng)} if new.chance(0.5) else {}
    return {"reaches": [reach], "only_after_moving": new.chance(0.4), **more}


def bogging(new: Drawn) -> Parameters:
    rng = new.rng
    features = [{"name": "port", "hexes": where(rng), "dice": rng.choice((1, 2))}] if new.chance(0.5) else []
    move = [{"from_hex": rng.choice((1, 2))}] if not features or new.chance(0.5) else []
    trait = {"trait": "bogged"} if new.chance(0.5) else {}
    return {"who": who(rng), "bad_side": rng.choice(("1/6", "1/2")), "move": move, "features": features, **trait}


def capture(new: Drawn) -> Parameters:
    rng = new.rng
    dry = [label for label in CELLS if label not in {unit["at"] for unit in new.units if unit["side"] == "south"}]
    new.more["control"] = {"north": " ".join(rng.sample(dry, min(3, len(dry))))}
    new.tiers[0]["terms"].append({"kind": "control", "hexes": rng.sample(CELLS, 3), "weight": rng.randint(1, 3)})
    markers(new, rng.randint(0, 2))
    return {"by": who(rng), "where": rng.choice(({}, where(rng)))} | rng.choice(({}, {"markers": {"types": "boat"}}))


def markers(new: Drawn, number: int, side: str = "north") -> None:
    """Lay some markers."""
    for _ in range(number):
        name = f"m{len(new.more.setdefault('marker', []))}"
        new.more["marker"].append({"id": name, "type": "boat", "side": side, "at": new.rng.choice(CELLS)})


def clearing(new: Drawn) -> Parameters:
    markers(new, new.rng.randint(1, 3))
    return {"by": who(new.rng), "markers": {"types": "boat"}}


def column_entry(new: Drawn) -> Parameters:
    rng = new.rng
    more = rng.choice(({}, {"into": where(rng)}, {"out_of": where(rng)}, {"ways": "steps"}))
    return {"who": who(rng), "mp": rng.choice(("1/2", 1)), **more}


def combat_on_entry(new: Drawn) -> Parameters:
    entries = new.rng.choice(([[0, 1]], [[0, 2], [1, 0]], [[2, 0], [0, 1], [1, 1]]))
    columns = [{"from_percent": -100, "entries": entries}, {"from_percent": 100, "entries": [[0, 1], [0, 2]]}]
    return {"demoralized": "tired", "columns": columns, "eliminated_to": [{"box": "dead"}]}


def company(new: Drawn) -> Parameters:
    rng = new.rng
    more = rng.choice(({}, {}, {"where": where(rng)}))
    return {"who": who(rng), "friends": who(rng), "within": rng.choice((0, 1, 1, 2)), **more}


def eligibility(new: Drawn) -> Parameters:
    return {"who": who(new.rng), "needs_ma": new.chance(0.5)}


def entry_restriction(new: Drawn) -> Parameters:
    rng = new.rng
    barred = rng.choice(
        ({"hexes": where(rng)}, {"enemy_markers": {"types": "boat"}}, {"enemy_units": {"types": "guard"}})
    )
    if "enemy_markers" in barred:
        markers(new, rng.randint(1, 3))
    return {
        "who": who(rng),
        **barred,
        **rng.choice(({}, {}, {"origin": where(rng)})),
        **rng.choice(({}, {"ways": "steps"})),
        "unless_overrun": new.chance(0.3),
        "unless_minimum_move": new.chance(0.3),
    }


def exhaustion(new: Drawn) -> Parameters:
    return {"who": who(new.rng), **steps(new.rng)}


def further_allowance(new: Drawn) -> Parameters:
    rng = new.rng
    for_which = rng.choice(({"along": "road"}, {"into": where(rng)}, {"along": ["road", "river"], "into": where(rng)}))
    return {
        "allowances": [
            {"units": who(rng), "mp": rng.choice(("1/2", 1, 1, 2)), "whole": new.chance(0.4), **for_which}
            for _ in range(rng.choice((1, 1, 2)))
        ]
    }


def joint_overrun(new: Drawn) -> Parameters:
    rng = new.rng
    chances = rng.choice(((1,), (1,), ("1/2", 1), ("1/3", "2/3")))
    return {
        "by": who(rng),
        "most_units": rng.choice((1, 2, 3)),
        "bystanders": new.chance(0.7),
        "extra": rng.choice((0, 0, 1)),
        "results": [{"odds": f"{2 * n + 1}:1", "chance": chance} for n, chance in enumerate(chances)],
        "after_failure": rng.choice(("over", "go_on")),
        "attempts": rng.choice((1, 1, 2)),
        "eliminated_to": [{"box": "dead"}],
        **rng.choice(({}, {"at_least_one": who(rng)})),
        **rng.choice(({}, {"where": where(rng)})),
        **rng.choice(({}, {"entry_at_most": 1})),
        **rng.choice(({}, {"modifiers": [{"of": "defense", "where": where(rng), "times": 2}]})),
    }


def minimum_move(new: Drawn) -> Parameters:
    return {"who": who(new.rng), "overruns": new.chance(0.5), "anywhere": new.chance(0.5)}


def obligation(new: Drawn) -> Parameters:
    return {"who": new.rng.choice(({"types": "guard"}, {"units": "u0"}, {"traits": "light"}))}


def orders(new: Drawn) -> Parameters:
    new.more["orders"] = {"port": new.rng.randint(0, 2), "farm": new.rng.randint(0, 2)}
    return {"sections": ["port", "farm"], "ordered": new.rng.choice(({"types": "scout"}, {"units": "u0"}))}


def overrun(new: Drawn) -> Parameters:
    rng = new.rng
    shift = rng.choice(({"hexsides": across(rng)}, {"where": where(rng)}, {"support": {"types": "guard"}, "range": 1}))
    return {
        "by": who(rng),
        "defenders": rng.choice(({}, {}, {"types": "foot"})),
        "target": rng.choice(({}, {"types": "foot"})),
        "shifts": [{"name": "something", **shift}] if new.chance(0.4) else [],
        "eliminated_to": [{"box": "dead"}],
        **rng.choice(({}, {"where": where(rng)})),
    }


def passage(new: Drawn) -> Parameters:
    rng = new.rng
    return {
        "procedure": rng.choice(("hex_to_hex", "jump")),
        "reads": {"origin": {"traits": "port"}, "to": where(rng)},
        "adjacent": False,
        "range": rng.choice((1, 2, 2)),
        "who": who(rng),
        **rng.choice(({}, {"first_only": False}, {"before_others": True})),
        **rng.choice(({}, {"takes": 1}, {"by_terrain": True})),
        "overruns": new.chance(0.5),
    }


def procedures(new: Drawn) -> Parameters:
    return {"who": who(new.rng)} | new.rng.choice(({"one_only": True}, {"barred": "jump"}, {"barred": "hex_to_hex"}))


def reversibility(new: Drawn) -> Parameters:
    return {"who": who(new.rng)}


def route_bound(new: Drawn) -> Parameters:
    return {"who": who(new.rng), "along": new.rng.choice((["road"], ["road", "river"]))}


def stacking(new: Drawn) -> Parameters:
    rng = new.rng
    limit = rng.choice(({"units": 1}, {"units": 1}, {"units": 2}, {"strength": 2}, {"steps": 2}, {"size": 1}))
    special = [{"where": where(rng), "units": rng.choice((1, 2, 3))}] if new.chance(0.4) else []
    if new.chance(0.2):
        special = [{"in_ezoc": True, "units": 1}]
    most = [{"units": rng.choice(({"types": "guard"}, {"types": "foot"})), "name": "such"}] if new.chance(0.3) else []
    apart = {"apart": {}} if new.chance(0.2) else {}
    when = rng.choice(("phase", "move", "always"))
    return {"counts": who(rng), "limits": [*special, limit], "when": when, "at_most": most, **apart}


def step_limit(new: Drawn) -> Parameters:
    rng = new.rng
    per = rng.choice(("phase", "turn"))
    if per == "turn":
        for unit in new.units:
            if new.chance(0.4):
                unit["steps_made"] = {"step_limit": 1}
    most = rng.choice((0, 1, 1, 2))
    return {"who": who(rng), **steps(rng), "overruns": new.chance(0.2), "most": most, "per": per}


def stop_on_entry(new: Drawn) -> Parameters:
    rng = new.rng
    if new.chance(0.5):
        markers(new, rng.randint(1, 3), rng.choice(("north", "south")))
        return {"who": who(rng), "markers": {"types": "boat"}}
    return {"who": who(rng), "hexes": where(rng)}


def supply(new: Drawn) -> Parameters:
    rng = new.rng
    new.more["supply"] = {"south": rng.choice(CELLS)}
    more = {"zoc_of": who(rng)} if new.chance(0.6) else {}
    if more and new.chance(0.5):
        more["negated_by"] = who(rng)
    if more and new.chance(0.3):
        more["zoc_blocked_by"] = across(rng)
    return {"needed_by": who(rng), **more} | rng.choice(({}, {"range": rng.choice((1, 2, 3))}))


def transport(new: Drawn) -> Parameters:
    rng = new.rng
    ports = [label for label, trait in new.traits.items() if trait == "port"]
    new.zones["sea"] = " ".join(ports)
    new.more["control"] = {"south": " ".join(ports)}
    for number in range(rng.choice((1, 1, 2))):
        new.more.setdefault("marker", []).append(
            {"id": f"ship{number}", "type": "ship", "side": "south", "zone": "sea"}
        )
    return {
        "embark": [{"traits": "port"}],
        "debark": [{"traits": "port"}],
        "from_start": new.chance(0.5),
        "procedure": rng.choice(("port_to_port", "hex_to_hex")),
        **rng.choice(({}, {"takes": 1})),
    }


def vacancy(new: Drawn) -> Parameters:
    rng = new.rng
    when = rng.choice(("phase", "move", "always", "always"))
    leaving = {"leaving": True} if when == "always" and new.chance(0.25) else {}
    more = rng.choice(({}, {"where": where(rng)}))
    return {"who": who(rng), "of": who(rng), "when": when, **leaving, **more}


def zone_of_control(new: Drawn) -> Parameters:
    rng = new.rng
    effects = []
    for _ in range(rng.choice((1, 1, 2))):
        on, does = rng.choice(("enter", "enter", "leave")), rng.choice(("stop", "stop", "forbid", "cost"))
        between = rng.choice(("any", "same")) if on == "enter" and does != "stop" and new.chance(0.5) else "no"
        effects.append(
            {
                "paragraph": "zoc",
                "on": on,
                "does": does,
                **({"mp": 1} if does == "cost" else {}),
                "movers": who(rng),
                **rng.choice(({}, {}, {"where": where(rng)})),
                "negatable": new.chance(0.6),
                "from_ezoc": between,
                "overrun_lifts": new.chance(0.6),
                **({"any_overrun_lifts": True} if does == "stop" and new.chance(0.3) else {}),
            }
        )
    more = {"blocked_by": across(rng)} if new.chance(0.3) else {}
    if new.chance(0.2):
        markers(new, rng.randint(1, 2), "south")
        more["negating_markers"] = {"types": "boat"}
    good = {"negated_for_good": True} if new.chance(0.2) else {}
    return {"exerted_by": who(rng), "negated_by": who(rng), **more, **good, "effects": effects}


KINDS: dict[str, Callable[[Drawn], Parameters]] = {
    kind.__name__: kind
    for kind in (
        allowance,
        area_allowance,
        battle,
        bogging,
        capture,
        clearing,
        column_entry,
        combat_on_entry,
        company,
        eligibility,
        entry_restriction,
        exhaustion,
        further_allowance,
        joint_overrun,
        minimum_move,
        obligation,
        orders,
        overrun,
        passage,
        procedures,
        reversibility,
        route_bound,
        stacking,
        step_limit,
        stop_on_entry,
        supply,
        transport,
        vacancy,
        zone_of_control,
    )
}
"""What draws a rule of each kind, with what it is about."""
ROLLED = {"bogging", "combat_on_entry", "joint_overrun"}
FIGHTS = {"overrun", "joint_overrun", "combat_on_entry"}
ABOUT_ENEMIES = {*FIGHTS, "zone_of_control", "battle"}


def mixed(rng: random.Random, kinds: tuple[str, ...] = ()) -> Scenario:
    """Return a position under a mixture of rules."""
    while True:
        try:
            return drawn(lambda new: mix(new, kinds), rng)
        except InputError:
            continue


def mix(new: Drawn, kinds: tuple[str, ...] = ()) -> None:
    """Add rules of some kinds, one each, and goals of all kinds."""
    rng = new.rng
    names = list(kinds) or rng.sample(sorted(KINDS), rng.choice((2, 3, 3, 4, 5)))
    if not kinds and new.chance(0.6):  # rules that look at enemies
        names = list(dict.fromkeys([*names, rng.choice(sorted(ABOUT_ENEMIES))]))
    new.rules[:] = (
        [] if "combat_on_entry" in names else [BAR + ("unless_overrun = true\n" if FIGHTS & {*names} else "")]
    )
    strew(new, "river", 2, 6)
    strew(new, "road", 3, 8)
    new.chart += [
        f"hexsides.river = {{ mp = {rng.choice((0, 1))} }}",
        f'[[routes]]\nfeature = "road"\nprices = [{{ mp = "{rng.choice(("0", "1/2", "1", "1"))}" }}]',
    ]
    for label in rng.sample(CELLS, 4):
        new.traits[label] = rng.choice(("port", "port", "farm"))
    units(new, bool(ABOUT_ENEMIES & {*names}))
    for name in names:
        rule = {"id": name, "kind": name, "paragraph": name, **KINDS[name](new)}
        new.rules.append("[[rule]]\n" + "\n".join(f"{key} = {toml(value)}" for key, value in rule.items()) + "\n")
    sequence(new, names)
    goals(new, names)


def units(new: Drawn, enemies: bool) -> None:
    """Bring own units near each other and lay down one or two enemies."""
    rng = new.rng
    own = [unit for unit in new.units if unit["side"] == "south"][: rng.choice((2, 2, 3))]
    for unit in own[1:]:
        if new.chance(0.4):
            unit["at"] = own[0]["at"]
        unit["steps"] = rng.choice((1, 1, 2))
    new.units[:] = own
    ids = {unit["id"] for unit in own}
    new.tiers[0]["terms"] = [term for term in new.tiers[0]["terms"] if term.get("unit") in ids]
    taken = {unit["at"] for unit in own}
    free = [label for label in CELLS if label not in taken]
    near = [label for label in free if any(label in neighbours(at) for at in taken)] or free
    for number in range(rng.choice((1, 1, 2)) if enemies else rng.choice((0, 0, 1))):
        kind = rng.choice(("foot", "foot", "guard"))
        new.units.append({"id": f"e{number}", "side": "north", "type": kind, "at": rng.choice(near), "values": "1-0"})
    if new.chance(0.15):
        ally = {"id": "a0", "side": "east", "type": rng.choice(("foot", "guard")), "at": rng.choice(sorted(taken))}
        new.units.append({**ally, "values": "1-2"})


def sequence(new: Drawn, names: list[str]) -> None:
    """Let units move one by one, or as stacks, or wait."""
    share = new.rng.random()
    if share < 0.15:
        new.more["charts"] = {"rules": {"turns": {"stacks": True}}}
    elif share < 0.3:
        new.more["charts"] = {"rules": {"turns": {"waiting": who(new.rng)}}}


def goals(new: Drawn, names: list[str]) -> None:
    """Draw further terms, a second tier, and requirements."""
    rng = new.rng
    ids = [unit["id"] for unit in new.units]
    own, foes = ([one for one in ids if one.startswith(side)] for side in "ue")
    rolled = bool(ROLLED & {*names})
    terms: list[dict[str, Any]] = [
        {"kind": "hold", "hexes": rng.sample(CELLS, 2), "by": who(rng)},
        {"kind": "avoid", "hexes": rng.sample(CELLS, 2), "of": who(rng)},
        {"kind": "end", "unit": rng.choice(own), "not_at": rng.sample(CELLS, 3)},
        {"kind": "end", "unit": rng.choice(own), "sound": True},
        {"kind": "stay", "units": rng.choice(own)},
        {"kind": "units_moved", "of": who(rng)},
        {"kind": "mp_spent", "of": who(rng)},
        {"kind": "distance", "of": who(rng), "to": rng.sample(CELLS, 2)},
        {"kind": "turns", "of": who(rng), "to": rng.sample(CELLS, 2), "ahead": rng.choice((1, 2))},
    ]
    if foes:
        terms += [{"kind": "eliminate", "units": rng.choice(foes)}] * 2
    if not rolled:
        terms += [{"kind": "control", "hexes": rng.sample(CELLS, 3)}, {"kind": "threat", "of": who(rng)}]
    if foes and not rolled:
        foe = rng.choice(foes)
        terms += [
            {"kind": "odds", "target": foe, "odds": rng.choice(("1:1", "2:1", "3:1"))},
            {"kind": "surround", "target": foe},
            {"kind": "exposure", "of": who(rng)},
        ]
    extra = [dict(term) for term in rng.sample(terms, rng.choice((1, 2, 3)))]
    if new.chance(0.2):
        extra.append({"kind": "together", "goals": rng.sample(terms[:5], 2)})
    for term in extra:
        new.tiers[rng.choice((0, 0, 0, 1))]["terms"].append({**term, "weight": rng.randint(1, 4)})
    if new.chance(0.3):
        del new.tiers[1]["terms"][0]
        new.tiers[:] = [tier for tier in new.tiers if tier["terms"]]
    if new.chance(0.3):
        needed = dict(rng.choice(terms[:5]))
        new.more["require"] = [needed]
    elif new.chance(0.15):
        new.more["require"] = [rng.choice(({"kind": "units_moved", "most": 1}, {"kind": "mp_spent", "most": 2}))]
