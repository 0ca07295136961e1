"""From what files from elsewhere hold, and a mapping, to a scenario."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

from planner.errors import InputError, Problem
from planner.exchange.found import Found, FoundPiece
from planner.exchange.map_text import chains_of, rows_of
from planner.exchange.mapping import MappingFile, PieceRule, named
from planner.exchange.patterns import fill, first_match, match
from planner.formats.files import parse_toml, read_text
from planner.formats.hex_lists import shortly
from planner.printable import printable
from planner.rules.rulebook import Rulebook
from planner.scenario import build_scenario, load_scenario

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tomlkit import TOMLDocument

    from planner.scenario import Scenario

_NUMBERS = ("attack", "defense", "ma", "steps")
_OF_THE_OLD_POSITION = ("unit", "marker", "done", "verdict", "answer", "defense")
"""What of a template speaks of its own position."""
_OF_A_ROW = PieceRule(side="{side}", type="{type}")
"""What rows of tables are that say side and type themselves."""

Entry = dict[str, object]


@dataclass
class Imported:
    """What a mapping makes of files.

    Attributes
    ----------
    units, markers : list of (FoundPiece, dict)
        Each piece that is one, with its entry in the scenario.
    told : list of str
        What couldn't be mapped.
    """

    units: list[tuple[FoundPiece, Entry]] = field(default_factory=list)
    markers: list[tuple[FoundPiece, Entry]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)


class Importer:
    """Makes a scenario of what some files hold.

    Parameters
    ----------
    found : Found
        What they hold.
    mapping : MappingFile
        What it is.
    rulebook : Rulebook
        The game.
    mapping_path : Path
        Where the mapping is: its template lies beside it.
    """

    def __init__(self, found: Found, mapping: MappingFile, rulebook: Rulebook, mapping_path: Path) -> None:
        self._found = found
        self._mapping = mapping
        self._rulebook = rulebook
        self._where = mapping_path
        self._problems: list[Problem] = []
        self._template: Scenario | None = None
        if mapping.template:
            self._template_path = mapping_path.parent / mapping.template
            self._template = load_scenario(self._template_path)
            if self._template.game.rulebook.model != rulebook.model:
                self._problem(f"the template must be of {rulebook.model}", "template")
        self._imported = Imported(told=list(found.remarks))
        self._terrain = self._terrain_of_hexes()
        self._traits = self._traits_of_hexes()
        places = self._terrain if self._terrain or self._template is None else self._template.game.board.places
        self._check_neighbours()
        self._hexsides = self._features_of_hexsides()
        self._ids: set[str] = set()
        for piece in found.pieces:
            self._take(piece, places)

    def result(self) -> Imported:
        """Return the units and markers, and what couldn't be mapped.

        Raises
        ------
        InputError
            If the mapping doesn't say enough.
        """
        if self._problems:
            raise InputError(self._problems)
        return self._imported

    def text(self, output: Path) -> str:
        """Return the scenario file; what couldn't be mapped stands at its end, as a remark.

        Parameters
        ----------
        output : Path
            Where it is to be written: from there its model is found.

        Raises
        ------
        InputError
            If the mapping doesn't say enough, or what it makes is no scenario; with every problem at once.
        """
        import tomlkit

        imported = self.result()
        document = self._head()
        for name, entries in (("unit", imported.units), ("marker", imported.markers)):
            if entries:
                tables = tomlkit.aot()
                for _, entry in entries:
                    table = tomlkit.table()
                    table.update(entry)
                    tables.append(table)
                document[name] = tables
        text = tomlkit.dumps(document)
        if imported.told:
            lines = "".join(f"# {printable(line)}\n" for line in imported.told)
            text = f"{text.rstrip()}\n\n# Not in this scenario, because nothing says what it is, or where:\n{lines}"
        where = f"{output} (not written)"
        build_scenario(parse_toml(text, where), where, output.parent)
        return text

    def _problem(self, what: str, place: str) -> None:
        self._problems.append(Problem(what, f"{self._where}: {place}"))

    def _head(self) -> TOMLDocument:
        """Return the scenario without its units."""
        import tomlkit

        mapping, forces = self._mapping, self._rulebook.forces
        if self._template is None:
            document = tomlkit.document()
            document["format"] = "planner/scenario-1"
        else:
            document = tomlkit.parse(read_text(self._template_path))
            for key in _OF_THE_OLD_POSITION:
                document.pop(key, None)
        model = mapping.model
        document["model"] = str((self._where.parent / model).resolve()) if "/" in model else model
        first = next(iter(self._rulebook.turn))
        for key, value, default in (
            ("title", mapping.title, ""),
            ("phase", mapping.phase, first.phase if first.phase in forces.phases else next(iter(forces.phases))),
            ("phasing", mapping.phasing, first.side),
        ):
            if value or (default and key not in document):
                document[key] = value or default
        if mapping.turn is not None:
            document["turn"] = mapping.turn
        if self._terrain:
            self._write_map(document)
        return document

    def _write_map(self, document: TOMLDocument) -> None:
        import tomlkit

        kept = cast("dict[str, object]", document.get("map", {}))
        section = tomlkit.table()
        rows, legend = rows_of(self._terrain, self._rulebook)
        section["rows"] = tomlkit.string("\n".join(rows) + "\n", multiline=True)
        if legend:
            section["legend"] = legend
        hexsides: dict[str, list[tuple[str, str]]] = {}
        for feature, a, b in self._hexsides:
            hexsides.setdefault(feature, []).append((a, b))
        if hexsides:
            section["hexsides"] = {feature: chains_of(pairs) for feature, pairs in hexsides.items()}
        by_traits: dict[tuple[str, ...], list[str]] = {}
        for label, traits in self._traits.items():
            by_traits.setdefault(traits, []).append(label)
        if by_traits:
            section["hexes"] = {" ".join(labels): {"traits": list(traits)} for traits, labels in by_traits.items()}
        for key in ("areas", "boxes", "zones", *(() if hexsides else ("hexsides",))):
            if key in kept:
                section[key] = kept[key]
        document["map"] = section

    # -- the map

    def _terrain_of_hexes(self) -> dict[str, str]:
        """Return the terrain of each hex; none where the template's map is taken."""
        found, mapping, chart = self._found, self._mapping, self._rulebook.terrain.terrain
        if not any(found.hexes.values()) and self._template is not None:
            return {}
        if not found.hexes:
            self._problem("the files must have a map, or the mapping a template with one", "template")
            return {}
        unknown: dict[str, list[str]] = {}
        strange, bare = [], []
        terrain: dict[str, str] = {}
        for label, words in found.hexes.items():
            try:
                self._rulebook.numbering.coordinates(label)
            except ValueError:
                strange.append(label)
                continue
            name = ""
            for word in words:
                known = first_match(mapping.terrain, word)
                if known is None:
                    known = named(self._rulebook, "terrain", word)
                    if known not in chart:
                        if word and first_match(mapping.traits, word) is None:
                            unknown.setdefault(word, []).append(label)
                        continue
                name = known or name
            if name == "_":
                continue
            if name or mapping.board.rest:
                terrain[label] = name or mapping.board.rest
            else:
                bare.append(label)
        for word, labels in unknown.items():
            self._imported.told.append(f"terrain {word[:80]!r} of {shortly(labels)}: nothing says what it is")
        if strange:
            self._imported.told.append(
                f"hexes whose labels the game doesn't have, {self._rulebook.numbering.pattern}: {shortly(strange)}"
            )
        if not terrain:
            what = (
                "nothing says the terrain of any hex whose label the game has: give terrain, board.rest or a template"
            )
            self._problem(what, "terrain")
        elif bare:
            self._imported.told.append(f"hexes without terrain, which are left out: {shortly(bare)}")
        return terrain

    def _traits_of_hexes(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for label, words in self._found.hexes.items():
            traits = [trait for word in words for trait in first_match(self._mapping.traits, word) or ()]
            if traits and label in self._terrain:
                found[label] = tuple(dict.fromkeys(traits))
        return found

    def _check_neighbours(self) -> None:
        """Refuse a map whose hexes lie otherwise beside each other than the game numbers them."""
        numbering, terrain, wrong = self._rulebook.numbering, self._terrain, []
        for label, near in self._found.near.items():
            if label in terrain:
                for other in sorted((near & terrain.keys()) ^ (set(numbering.neighbours(label)) & terrain.keys())):
                    beside = "" if other in near else "not "
                    wrong.append(f"{label} and {other} are {beside}adjacent on the map")
        if wrong:
            what = (
                f"the map's hexes must lie beside each other as the game numbers them, but {wrong[0]}"
                f"{f' (and {len(wrong) - 1:,} more)' if wrong[1:] else ''}; board may say where numbers begin"
            )
            self._problem(what, "board")

    def _features_of_hexsides(self) -> list[tuple[str, str, str]]:
        known, found = self._rulebook.terrain.features(), []
        unknown: Counter[str] = Counter()
        for word, a, b in self._found.hexsides:
            feature = first_match(self._mapping.hexsides, word)
            if feature is None:
                feature = word if word in known else None
            if feature is None:
                unknown[word] += 1
            elif feature and a in self._terrain and b in self._terrain:
                found.append((feature, a, b))
        for word, many in unknown.items():
            self._imported.told.append(f"hexsides {word[:80]!r}, {many} of them: nothing says what lies there")
        return found

    # -- pieces

    def _take(self, piece: FoundPiece, places: Mapping[str, object] | Iterable[str]) -> None:
        """Enter a piece as a unit or a marker, or tell why it is none."""
        rule, said = self._rule_of(piece)
        if rule is None:
            self._tell(piece, "no rule of the mapping fits it")
            return
        if rule.skip:
            return
        try:
            entry = self._entry(rule, said)
        except KeyError as error:
            self._tell(piece, f"it doesn't say {{{error.args[0]}}}")
            return
        except ValueError as error:
            self._tell(piece, str(error))
            return
        box = first_match(self._mapping.boxes, piece.area) or said.get("box", "")
        if piece.place in places and piece.place:
            entry["at"] = piece.place
        elif box and not rule.marker:
            entry["box"] = box
        else:
            self._tell(piece, f"hex {piece.place} is not on the map" if piece.place else "it lies in no hex")
            return
        if rule.marker:
            self._imported.markers.append((piece, entry))
            return
        entry["id"] = self._id(str(entry["id"]))
        self._imported.units.append((piece, entry))

    def _tell(self, piece: FoundPiece, why: str) -> None:
        self._imported.told.append(f"{str(piece)[:200]}: {why}")

    def _rule_of(self, piece: FoundPiece) -> tuple[PieceRule | None, dict[str, str]]:
        """Return the first rule that fits a piece, and what the words of its templates stand for."""
        said = {**piece.properties, "name": piece.name, "image": piece.image, "area": piece.area, "hex": piece.place}
        for rule in self._mapping.piece:
            tests = [(rule.name, piece.name), (rule.image, piece.image), (rule.area, piece.area)]
            tests += [(pattern, piece.properties.get(key, "")) for key, pattern in rule.where.items()]
            caught: dict[str, str] = {}
            for pattern, text in tests:
                words = match(pattern, text)
                if words is None:
                    break
                caught |= words
            else:
                return rule, said | caught
        if said.get("side") and said.get("type"):
            given = {key: f"{{{key}}}" for key in ("values", *_NUMBERS, "size", "id") if said.get(key)}
            several = {key: tuple(said.get(key, "").split()) for key in ("traits", "nationality")}
            return _OF_A_ROW.model_copy(update={**given, **several}), said
        return None, said

    def _entry(self, rule: PieceRule, said: dict[str, str]) -> Entry:
        """Return the entry of a unit or a marker, without its place.

        Raises
        ------
        KeyError
            If it needs a word that isn't said.
        ValueError
            If the game doesn't have what it says; the message is a sentence.
        """
        entry: Entry = {}
        chart, key = ("marker_types", rule.marker) if rule.marker else ("unit_types", rule.type)
        side = named(self._rulebook, "sides", fill(rule.side, said))
        kind = named(self._rulebook, chart, fill(key, said))
        names = [("sides", side), (chart, kind)]
        if not rule.marker:
            entry["id"] = fill(rule.id, said)
            entry["name"] = printable(fill(rule.called, said))[:120] or "unit"
            names += [("unit_traits", name) for name in rule.traits]
            names += [("nationalities", name) for name in rule.nationality]
        for text in (text for chart, name in names for text in self._rulebook.unknown(chart, [name])):
            raise ValueError(text)
        entry |= {"side": side, "type": kind}
        if rule.marker:
            return entry
        for key in ("values", "size", *_NUMBERS):
            template = getattr(rule, key)
            value = "" if template is None else fill(template, said).strip()
            if value:
                entry[key] = (
                    int(value) if key != "values" and re.fullmatch(r"\d{1,9}", value, re.ASCII) else value[:120]
                )
        if not isinstance(entry.get("steps", 1), int):
            raise ValueError(f"steps must be a whole number of at most 9 digits, not {entry['steps']!r}")
        for key in ("traits", "nationality"):
            if getattr(rule, key):
                entry[key] = list(getattr(rule, key))
        return entry

    def _id(self, name: str) -> str:
        """Return an id that no unit has yet, made of a name."""
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        stem = re.sub(r"\W+", "_", plain, flags=re.ASCII).strip("_").lower()[:56] or "unit"
        stem = stem if stem[0].isalpha() else f"u{stem}"
        found, number = stem, 1
        while found in self._ids:
            number += 1
            found = f"{stem}_{number}"
        self._ids.add(found)
        return found
