"""More topics of made-up games: zones of control by type, drops, what counts unless there is a bridge."""

from __future__ import annotations

from tests.oracles.made_up import CELLS, OVERRUN, ZOC, Drawn, Topic, limits, neighbours


def strew(new: Drawn, feature: str, least: int, most: int) -> None:
    """Lay a feature along some hexsides."""
    sides = sorted({tuple(sorted((one, other))) for one in CELLS for other in neighbours(one)})
    new.hexsides[feature] = [" ".join(side) for side in new.rng.sample(sides, new.rng.randint(least, most))]


def zones(new: Drawn) -> None:
    """Draw two enemies of whom one's ZOC, or both's, doesn't reach across a river; it stops, bars, costs, or locks."""
    rng = new.rng
    strew(new, "river", 2, 8)
    strew(new, "bridge", 0, 3)
    new.chart += ["hexsides.river = { mp = 0 }", "hexsides.bridge = { mp = 0 }"]
    new.rules[:] = [rule for rule in new.rules if rule != ZOC]
    free = [label for label in CELLS if label not in {unit["at"] for unit in new.units}]
    new.units[:] = [unit for unit in new.units if unit["side"] == "south"]
    for number, kind in enumerate(rng.choice((("foot", "guard"), ("guard", "guard"), ("foot",), ("guard",)))):
        at = rng.choice(free)
        new.units.append({"id": f"e{number}", "side": "north", "type": kind, "at": at, "values": "1-0"})
        free.remove(at)
    effects = []
    for _ in range(rng.choice((1, 1, 2))):
        does = rng.choice(("stop", "stop", "forbid", "cost"))
        on = rng.choice(("enter", "enter", "leave"))
        between = rng.choice(("no", "any", "same")) if on == "enter" and does != "stop" else "no"
        negatable = rng.choice(("true", "false"))
        mp = "mp = 1, " if does == "cost" else ""
        effects.append(
            f'{{ paragraph = "zoc", on = "{on}", does = "{does}", {mp}from_ezoc = "{between}", negatable = {negatable} }}'
        )
    blocked = rng.choice(("", "", 'blocked_by = { terrain = "hill" }\n'))
    river = rng.choice(('features = "river", without = "bridge"', 'features = "river"'))
    new.rules.append(
        '[[rule]]\nid = "zones"\nkind = "zone_of_control"\nparagraph = "zones"\nexerted_by = {}\n' + blocked
        + f'blocked_for = [{{ units = {{ types = "foot" }}, blocked_by = {{ {river} }} }}]\n'
        f"effects = [{', '.join(effects)}]\n"
    )  # fmt: skip
    if OVERRUN not in new.rules and new.chance(0.6):
        inside, when = rng.choice(("true", "false")), rng.choice(("phase", "move", "always"))
        new.rules.append(
            '[[rule]]\nid = "stacking"\nkind = "stacking"\nparagraph = "stacking"\n'
            f'limits = [{{ in_ezoc = {inside}, units = 1 }}, {{ units = 2 }}]\nwhen = "{when}"\n'
        )
    if OVERRUN in new.rules and new.chance(0.5):
        shifts = 'shifts = [{ name = "river", hexsides = { features = "river", without = "bridge" } }]\n'
        new.rules[new.rules.index(OVERRUN)] = OVERRUN + shifts


def drops(new: Drawn) -> None:
    """Draw drops of some units out of ports, so many hexes far, into hexes that some friends must have left."""
    rng = new.rng
    for label in rng.sample(CELLS, 3):
        new.traits[label] = "port"
    costs = rng.choice(("takes = 1", "", "takes = 1\nfirst_only = false", "by_terrain = true"))
    new.rules.append(
        '[[rule]]\nid = "drop"\nkind = "passage"\nparagraph = "drop"\nadjacent = false\n'
        f"range = {rng.choice((1, 1, 2))}\n{costs}\n"
        'reads = { origin = { traits = "port" }, to = { terrain = "plain" } }\n'
    )
    who, of = rng.choice(("", 'types = "foot"')), rng.choice(("", 'types = "guard"', 'types = "foot"'))
    new.rules.append(
        '[[rule]]\nid = "empty"\nkind = "vacancy"\nparagraph = "empty"\nways = "drop"\n'
        f"who = {{ {who} }}\nof = {{ {of} }}\n"
    )
    if new.chance(0.5):
        ways = "drop", "drop", "steps"
        who, of = rng.choice(("", 'types = "foot"')), rng.choice(("", "", 'types = "foot"'))
        new.rules.append(
            '[[rule]]\nid = "alone"\nkind = "vacancy"\nparagraph = "alone"\nleaving = true\n'
            f'ways = "{rng.choice(ways)}"\nwho = {{ {who} }}\nof = {{ {of} }}\n'
        )
    if new.chance(0.7):
        who = rng.choice(("", "", 'types = "foot"'))
        new.rules.append(
            '[[rule]]\nid = "no_town"\nkind = "entry_restriction"\nparagraph = "no town"\nways = "drop"\n'
            f'hexes = {{ traits = "port" }}\nwho = {{ {who} }}\n'
        )
    if new.chance(0.3):
        limits(new)


def bridges(new: Drawn) -> None:
    """Draw roads that rivers cut unless they are bridged, and further MP along them."""
    rng = new.rng
    for feature, least, most in (("river", 2, 7), ("bridge", 1, 5), ("road", 3, 8)):
        strew(new, feature, least, most)
    road, river = rng.choice(("1/2", "1", "1", "2")), rng.choice((1, 2))
    # The first counts but beside a road that is cut; the second says it of the road itself.
    uncut = rng.choice((', not_with = "road", unless = "bridge"', ""))
    cut = rng.choice(('not_with = "river"\nunless = "bridge"\n', ""))
    new.chart += [
        f"hexsides.river = {{ mp = {river}{uncut} }}",
        "hexsides.bridge = { mp = 0 }",
        f'[[routes]]\nfeature = "road"\nprices = [{{ mp = "{road}" }}]\n{cut}'
        f"overrides = {rng.choice(('true', 'false'))}\nplus_hexside = {rng.choice(('true', 'false'))}",
    ]
    for number in range(rng.choice((1, 1, 2))):
        who, whole = rng.choice(("", 'types = "foot"')), rng.choice(("true", "false"))
        where = rng.choice(('along = "road"', 'along = "road"', 'into = { terrain = "hill" }'))
        if new.chance(0.2):
            where = 'along = ["road", "river"], into = { terrain = "plain" }'
        new.rules.append(
            f'[[rule]]\nid = "bonus{number}"\nkind = "further_allowance"\nparagraph = "bonus"\n'
            f"allowances = [{{ units = {{ {who} }}, mp = 1, {where}, whole = {whole} }}]\n"
        )
    for kind in rng.choice(((), ("turns",), ("threat",), ("threat",))):
        about = {"to": rng.sample(CELLS, 2), "ahead": rng.choice((1, 2, 3))} if kind == "turns" else {}
        new.tiers[0]["terms"].append({"kind": kind, "weight": rng.randint(1, 3), **about})


def columns(new: Drawn) -> None:
    """Draw hexes that cost more for each unit that has entered them before, and units that want into them."""
    rng = new.rng
    for label in rng.sample(CELLS, 3):
        new.traits[label] = "port"
    who, mp = rng.choice(("", "", 'types = "foot"', 'without = "light"')), rng.choice(("1/2", "1/2", "1", "1"))
    where = rng.choice(
        (
            "",
            'into = { traits = "port" }',
            'into = { traits = "port" }',
            'out_of = { traits = "port" }',
            'ways = "steps"',
        )
    )
    new.rules.append(
        f'[[rule]]\nid = "column"\nkind = "column_entry"\nparagraph = "column"\nwho = {{ {who} }}\nmp = "{mp}"\n{where}\n'
    )
    home = rng.choice([unit["at"] for unit in new.units if unit["side"] == "south"])
    for unit in new.units:
        if unit["side"] == "south" and new.chance(0.6):
            unit |= {"at": home, "values": f"1-{rng.choice((1, 2, 2, 3))}"}
    if new.chance(0.3):
        strew(new, "road", 2, 6)
        new.chart.append('[[routes]]\nfeature = "road"\nprices = [{ mp = "1/2" }]')
        new.rules.append(
            '[[rule]]\nid = "bonus"\nkind = "further_allowance"\nparagraph = "bonus"\n'
            'allowances = [{ mp = 1, along = "road" }]\n'
        )
    if new.chance(0.3):
        anywhere = rng.choice(("true", "false"))
        new.rules.append(f'[[rule]]\nid = "first"\nkind = "minimum_move"\nparagraph = "first"\nanywhere = {anywhere}\n')
    if new.chance(0.3):
        limits(new)


def allies(new: Drawn) -> None:
    """Draw allies, who don't move: they may or may not negate EZOCs, count in a hex, be joined or passed, keep company."""
    rng = new.rng
    dry = sorted({unit["at"] for unit in new.units if unit["side"] == "south"} | set(rng.sample(CELLS, 3)))
    dry = [label for label in dry if label not in {unit["at"] for unit in new.units if unit["side"] == "north"}]
    for number in range(rng.choice((1, 2, 2))):
        kind, at = rng.choice(("foot", "guard", "scout")), rng.choice(dry)
        new.units.append({"id": f"a{number}", "side": "east", "type": kind, "at": at, "values": "1-2"})
    if all(unit["side"] != "north" for unit in new.units) and new.chance(0.7):
        taken = {unit["at"] for unit in new.units}
        free = [label for label in CELLS if label not in taken]
        if free:
            new.units.append({"id": "e0", "side": "north", "type": "foot", "at": rng.choice(free), "values": "1-0"})
    meant = ("", "allied = false", "allied = true", 'any_of = [{ allied = false }, { types = "guard" }]')
    if ZOC in new.rules or new.chance(0.6):
        new.rules[:] = [rule for rule in new.rules if rule != ZOC]
        does = rng.choice(("stop", "stop", "forbid"))
        new.rules.append(
            '[[rule]]\nid = "zones"\nkind = "zone_of_control"\nparagraph = "zones"\nexerted_by = {}\n'
            f"negated_by = {{ {rng.choice(meant)} }}\n"
            f'effects = [{{ paragraph = "zones", on = "enter", does = "{does}" }}]\n'
        )
    if new.chance(0.6):
        when = rng.choice(("phase", "move", "always"))
        new.rules.append(
            '[[rule]]\nid = "apart"\nkind = "vacancy"\nparagraph = "apart"\n'
            f'of = {{ allied = true }}\nwhen = "{when}"\n'
        )
    if new.chance(0.6):
        when = rng.choice(("phase", "move", "always"))
        new.rules.append(
            '[[rule]]\nid = "stacking"\nkind = "stacking"\nparagraph = "stacking"\nlimits = [{ units = 2 }]\n'
            f'counts = {{ {rng.choice(meant[:2])} }}\nwhen = "{when}"\n'
        )
    if new.chance(0.3):
        new.rules.append(
            '[[rule]]\nid = "company"\nkind = "company"\nparagraph = "company"\nwho = { types = "scout", allied = false }\n'
            f"friends = {{ {rng.choice(meant)} }}\nwithin = 1\n"
        )
    if new.chance(0.2):
        new.rules.append('[[rule]]\nid = "must"\nkind = "obligation"\nparagraph = "must"\nwho = { types = "guard" }\n')
    if new.chance(0.2):
        new.rules.append('[[rule]]\nid = "taking"\nkind = "capture"\nparagraph = "taking"\n')
        new.more["control"] = {"east": " ".join(rng.sample(CELLS, 2))}
        new.tiers[0]["terms"].append({"kind": "control", "hexes": rng.sample(CELLS, 3)})


def bonuses(new: Drawn) -> None:
    """Draw further MP along roads or into hills, hexes that may be entered while any are left, steps that take them all."""
    rng = new.rng
    strew(new, "river", 2, 6)
    strew(new, "road", 3, 8)
    new.chart += [
        f"hexsides.river = {{ mp = {rng.choice((0, 1))} }}",
        f'[[routes]]\nfeature = "road"\nprices = [{{ mp = "{rng.choice(("0", "1/2", "1", "1"))}" }}]',
    ]
    for number in range(rng.choice((1, 1, 2))):
        who, whole = rng.choice(("", "", 'types = "foot"')), rng.choice(("true", "false", "false"))
        where = rng.choice(('along = "road"', 'along = "road"', 'into = { terrain = "hill" }'))
        new.rules.append(
            f'[[rule]]\nid = "bonus{number}"\nkind = "further_allowance"\nparagraph = "bonus"\n'
            f'allowances = [{{ units = {{ {who} }}, mp = "{rng.choice(("1/2", "1", "1"))}", {where}, whole = {whole} }}]\n'
        )
    kinds = rng.choice((("overdraft",), ("exhaustion",), ("overdraft", "exhaustion")))
    who = rng.choice(("", "", 'types = "foot"', 'without = "light"'))
    if "overdraft" in kinds:
        overruns, anywhere = rng.choice(("true", "false")), rng.choice(("true", "true", "true", "false"))
        new.rules.append(
            '[[rule]]\nid = "overdraft"\nkind = "minimum_move"\nparagraph = "overdraft"\n'
            f"who = {{ {who} }}\noverruns = {overruns}\nanywhere = {anywhere}\n"
        )
    steps = rng.choice(
        ('across = { features = "river" }', 'into = { terrain = "hill" }', 'across = { features = "road" }')
    )
    who = rng.choice(("", "", 'types = "foot"'))
    if "exhaustion" in kinds:
        new.rules.append(
            f'[[rule]]\nid = "exhaustion"\nkind = "exhaustion"\nparagraph = "exhaustion"\nwho = {{ {who} }}\n{steps}\n'
        )
    for kind in rng.choice(((), ("turns",), ("threat",))):
        about = {"to": rng.sample(CELLS, 2), "ahead": rng.choice((1, 2))} if kind == "turns" else {}
        new.tiers[0]["terms"].append({"kind": kind, "weight": rng.randint(1, 3), **about})
    if new.chance(0.2):
        limits(new)


TOPICS: dict[str, Topic] = {
    "bonuses": bonuses,
    "zones": zones,
    "drops": drops,
    "bridges": bridges,
    "columns": columns,
    "allies": allies,
}
RULES = {
    "bonuses": ("overdraft", "exhaustion"),
    "zones": ("zones",),
    "drops": ("empty", "alone", "no_town"),
    "columns": ("column",),
    "allies": ("apart", "stacking", "zones"),
}
"""The rules that each topic is about, and that a search may lack."""
