"""What common words look like: forest, river, tank. A game's ``look.toml`` counts before it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

_TERRAIN = {
    "clear": "clear open plain plains countryside farmland steppe grass grassland field fields flat",
    "forest": "forest forests wood woods taiga light_woods bocage orchard",
    "jungle": "jungle rainforest heavy_woods",
    "mountain": "mountain mountains alpine alp alps highland peak peaks",
    "hills": "hill hills ridge slope slopes",
    "rough": "rough broken rocky badlands wadi",
    "swamp": "swamp swamps marsh marshes bog bogs mud flooded polder",
    "desert": "desert sand sands dunes dune salt",
    "village": "village town hamlet settlement",
    "city": "city metropolis urban major_city",
    "building": "building buildings house houses farm factory",
    "rubble": "rubble ruins ruin",
    "trench": "trench trenches entrenchment",
    "crater": "crater craters shellhole shellholes",
    "ford": "ford fordable shallows",
    "water": "sea ocean lake water waterway river canal pond coast",
}
_HEXSIDES = {
    "minor_river": "minor_river stream brook creek minor_stream",
    "major_river": "major_river",
    "river": "river canal",
    "secondary_road": "secondary_road minor_road",
    "track": "track track_road trail path footpath",
    "road": "road highway primary_road major_road street",
    "railroad": "rail railroad railway train",
    "bridge": "bridge bridges ferry ford",
    "strait": "strait straits connected_strait",
    "arrow": "arrow crossing",
    "water": "sea ocean lake all_sea lake_side",
    "escarpment": "escarpment cliff cliffs slope ridge wall hedge",
    "barred": "barred impassable blocked",
    "land": "land",
}
_HEX_TRAITS = {
    "city": "city town village",
    "port": "port harbor harbour anchorage",
    "fortress": "fortress fort fortification fortified bunker",
    "objective": "objective victory vp",
    "capital": "capital",
    "factory": "factory ic industry industrial",
    "depot": "depot supply railhead",
    "limit": "limited_stacking",
    "region": "section zone sector area theater front",
}
_UNITS = {
    "infantry": "infantry rifle rifles foot militia leg",
    "motorized": "motorized motorised truck",
    "mechanized": "mechanized mechanised mechanized_infantry panzergrenadier halftrack",
    "armor": "armor armour tank tanks panzer armored armoured",
    "armored_cavalry": "cav_mech armored_cavalry cavalry_mechanized",
    "cavalry": "cavalry horse recon reconnaissance scout",
    "field_artillery": "field_artillery horse_artillery",
    "artillery": "artillery gun guns battery",
    "mortar": "mortar mortars",
    "machine_gun": "machine_gun mg machinegun",
    "engineer": "engineer engineers pioneer sapper bridging",
    "airborne": "airborne paratroop parachute para glider",
    "marine": "marine marines amphibious naval_infantry",
    "headquarters": "hq headquarters leader commander staff",
    "security": "security garrison police",
    "irregular": "partisan partisans guerrilla irregular",
    "static": "static coastal",
    "fortress": "fortress fort",
    "air_base": "air_base airbase airfield",
    "air": "air aircraft fighter bomber plane wing squadron",
    "naval": "naval ship fleet submarine carrier battleship",
    "port": "port",
    "supply": "supply depot dump",
    "transport": "transport wagon convoy",
    "hedgehog": "hedgehog",
}
_MARKERS = {
    "convoy": "convoy fleet_train transport ship",
    "beachhead": "beachhead bridgehead",
    "wire": "wire barbed",
    "fortress": "fortress fort fortified fortification",
    "airdrop": "airdrop parachute",
    "base": "base detachment",
    "supply": "supply logistics depot",
}


def _by_word(table: Mapping[str, str]) -> dict[str, str]:
    return {word: look for look, words in table.items() for word in words.split()}


TERRAIN, HEXSIDES, HEX_TRAITS = _by_word(_TERRAIN), _by_word(_HEXSIDES), _by_word(_HEX_TRAITS)
UNITS, MARKERS = _by_word(_UNITS), _by_word(_MARKERS)


def looks_of(name: str, words: Mapping[str, str]) -> tuple[str, ...]:
    """Return what a name's words look like, the most telling word first: the longest run of words, then the last one.

    Parameters
    ----------
    name : str
        A name of a chart: ``secondary_road``, ``jungle_mountain``.
    words : mapping from words to looks
        One of this module's tables.
    """
    parts = name.split("_")
    found: list[str] = []
    for length in range(len(parts), 0, -1):
        for start in range(len(parts) - length, -1, -1):
            look = words.get("_".join(parts[start : start + length]))
            if look is not None and look not in found:
                found.append(look)
        if found and length > 1:
            break
    return tuple(found)


def looks_for(names: Collection[str], words: Mapping[str, str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Return a look for each name: the one chosen, or that of its most telling word, or else an abbreviation."""
    found = {name: looks_of(name, words)[:1] for name in names}
    strange = abbreviations(name for name, looks in found.items() if not looks)
    return {name: chosen.get(name) or (looks[0] if looks else strange[name]) for name, looks in found.items()}


def abbreviations(names: Iterable[str]) -> dict[str, str]:
    """Return a short sign for each name, all of them different: initials, or the first letters, or a number at the end."""
    found: dict[str, str] = {}
    for name in names:
        parts = [part for part in name.split("_") if part] or ["?"]
        tries = ["".join(part[0] for part in parts)[:2]] if len(parts) > 1 else []
        tries += [parts[0][:2], *(parts[0][0] + letter for letter in name[1:] if letter != "_")]
        tries += [f"{parts[0][0]}{count}" for count in range(2, 1000)]
        taken = set(found.values())
        found[name] = next(text for text in (one.upper() for one in tries) if text not in taken)
    return found
