"""Island transport: units, convoys, naval zones, and bases that close ports; Dai Senso.

Keys: ``convoys`` (by default half as many as units) and ``zones`` (by default one for each 15 units, from 2 to 6).

Islands lie in rows, one row for each naval zone. Units wait on the first three islands of their zone, or in a box at the end
of the chain of zones; the others are to be held. Each zone shares a port with the next one, where a unit may change ships.
On some islands an enemy base closes the port until a unit that is there already takes it.
"""

from __future__ import annotations

import random

from families.drafting import Draft, Size

PER_ZONE = 10
"""Islands in each zone."""


def islands(size: Size, seed: int) -> Draft:
    """Return an instance of island transport.

    Raises
    ------
    ValueError
        If the size is out of bounds.
    """
    units = size.units_within(4, 200)
    convoys = size.number("convoys", max(4, units // 2), 1, 400)
    zones = size.number("zones", min(6, max(2, units // 15)), 1, 9)
    rng = random.Random(f"islands {units} {convoys} {zones} {seed}")
    made = Draft()
    made.begin("dai_senso", f"Island transport: {size.name} units, seed {seed}", "operational_movement", "western")
    made.lines.append("[map]")
    ports: list[list[str]] = [[] for _ in range(zones)]
    goals: list[str] = []
    homes: list[list[str]] = [[] for _ in range(zones)]
    western, axis = ["us_box", "australia_box"], list[str]()
    garrisons: list[tuple[str, bool]] = []
    bases: list[tuple[str, str]] = []
    for zone in range(zones):
        for island in range(PER_ZONE):
            hexes = _island(2 + 10 * zone, 2 + 9 * island)
            port, beside, inland, far = hexes
            kind = "home" if island < 3 else rng.choice(("empty", "empty", "garrison", "base"))
            limited = ', "limited_stacking"' if kind != "home" and rng.random() < 0.6 else ""
            terrain = {label: rng.choice(("clear", "clear", "rough", "jungle")) for label in (inland, far)}
            made.lines.append(f'hexes.{port} = {{ terrain = "clear", traits = ["port"{limited}] }}')
            made.lines.append(f'hexes.{beside} = "clear"')
            made.lines += [f'hexes.{label} = "{name}"' for label, name in terrain.items()]
            ports[zone].append(port)
            (axis if kind in ("garrison", "base") else western).extend(hexes)
            if kind == "home":
                homes[zone] += [port, port, beside]
                continue
            goals += [port, rng.choice((beside, inland))]
            if kind == "garrison":
                garrisons.append((rng.choice((inland, far)), rng.random() < 0.4))
            if kind == "base":
                bases.append((port, beside))
                axis.remove(beside)
                western.append(beside)
    made.lines += [
        'boxes.us_box = { name = "US Box", traits = ["port"], adjacent = ["australia_box"] }',
        'boxes.australia_box = { name = "Australia Box", traits = ["port"] }',
    ]
    for zone in range(zones):
        shared = ports[zone + 1][2:3] if zone + 1 < zones else []
        boxes = ["australia_box"] if zone == 0 else []
        made.lines.append(f'zones.zone_{zone} = "{" ".join([*boxes, *ports[zone], *shared])}"')
    made.lines += ["", "[control]", f'western = "{" ".join(western)}"']
    if axis:
        made.lines.append(f'axis = "{" ".join(axis)}"')
    _add_forces(made, rng, units, homes, garrisons, bases)
    for index in range(convoys):
        nationality = rng.choice(("us", "us", "britain"))
        kinds = ("fleet_train", "standard_convoy", "escort_convoy") if nationality == "us" else ("standard_convoy",)
        made.table(
            "marker",
            id=f"convoy{index}",
            type=rng.choice(kinds),
            side="western",
            nationality=nationality,
            zone=f"zone_{index % zones}",
        )
    terms = [f'kind = "hold", hexes = "{goal}", weight = {rng.choice((3, 6, 9))}' for goal in goals]
    if garrisons:
        victims = ", ".join(f'"e{index}"' for index in range(len(garrisons)))
        terms.append(f'kind = "eliminate", units = [{victims}], weight = 4')
    made.tier(*terms)
    made.tier('kind = "units_moved", weight = 10', 'kind = "mp_spent"')
    return made


def _island(row: int, column: int) -> tuple[str, str, str, str]:
    """Return four hexes in a line: a port, the hex beside it, and two inland."""
    labels = [f"e{row:02}{column + place:02}" for place in range(4)]
    return labels[0], labels[1], labels[2], labels[3]


def _add_forces(
    made: Draft,
    rng: random.Random,
    units: int,
    homes: list[list[str]],
    garrisons: list[tuple[str, bool]],
    bases: list[tuple[str, str]],
) -> None:
    """Write the units: first one beside each base, then at the ports, three steps a hex, then in the boxes."""
    free = [place for zone in homes for place in zone]
    rng.shuffle(free)
    places = [beside for _, beside in bases if rng.random() < 0.8][: units // 3]
    places += free[: units - len(places)]
    boxes = [rng.choice(("australia_box", "us_box")) for _ in range(units - len(places))]
    for index, place in enumerate([*places, *boxes]):
        nationality = rng.choice(("us", "us", "us", "britain", "australia", "india"))
        large = nationality == "us" and rng.random() < 0.3
        kind = rng.choice(("infantry", "infantry", "marine", "tank" if large else "infantry"))
        made.table(
            "unit",
            id=f"u{index}",
            side="western",
            type=kind,
            nationality=nationality,
            values=f"3-3-{rng.randint(1, 3)}",
            steps=2 if large else 1,
            at=place,
        )
    for index, (place, weak) in enumerate(garrisons):
        values, steps = ("1-1-1", 1) if weak else ("3-3-1", 2)
        made.table(
            "unit",
            id=f"e{index}",
            side="axis",
            type="infantry",
            nationality="japan",
            values=values,
            steps=steps,
            at=place,
        )
    for index, (port, _) in enumerate(bases):
        made.table("marker", id=f"base{index}", type="detachment", side="axis", nationality="japan", at=port)
