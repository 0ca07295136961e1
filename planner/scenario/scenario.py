"""A scenario: a position with everything around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from planner.errors import AmbiguousInputError, InputError, Problem
from planner.formats.files import parse_json, parse_toml
from planner.formats.spelling import did_you_mean
from planner.notebook import Shown, opened
from planner.objective import Term, Tier, terms_of
from planner.plans.example import Example
from planner.plans.lines import COMPLETED
from planner.plans.plan import Move, Plan, written
from planner.plans.unit_names import printed, with_ids
from planner.rules.attack_rule import attack_rule, attack_rules
from planner.rules.combat_roles import Bogs, Fights, JointlyOverruns
from planner.rules.game import Game
from planner.scenario.memory import Memory
from planner.scenario.shape import AnswerEntry, DefenseSection, VerdictEntry
from planner.world.forces import Unit
from planner.world.position import Position


@dataclass(frozen=True, eq=False)
class Scenario(Shown):
    """A position with everything around it.

    Attributes
    ----------
    where : str
        The file, or what to call it in messages.
    title : str
        What players call it.
    game : Game
        Board, units, rules and situation.
    start : Position
        Who stands where when the phase begins, or after the moves that have been made in it.
    tiers : tuple of Tier
        The objective, most important first.
    requirements : tuple of Term
        What every plan must fulfil.
    verdicts : tuple of VerdictEntry
        Moves whose verdicts are known.
    answer : AnswerEntry or None
        What a search must find.
    defense : DefenseSection or None
        Which units of other sides may be placed before the phase.
    data : mapping
        What the file holds; not to be changed.
    beside : Path or None
        The folder from which a relative model path counts.
    done : Plan
        The moves that have been made in the phase before what is asked, with what was rolled.
    attacking : bool
        Whether plans say who attacks whom though nothing that is asked for looks at it.
    memory : Memory
        What questions have worked out, shared by all scenarios that are made of one another; no answer depends on it.
    """

    where: str
    title: str
    game: Game
    start: Position
    tiers: tuple[Tier, ...] = ()
    requirements: tuple[Term, ...] = ()
    verdicts: tuple[VerdictEntry, ...] = ()
    answer: AnswerEntry | None = None
    defense: DefenseSection | None = None
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)
    beside: Path | None = None
    done: Plan = field(default_factory=Plan)
    attacking: bool = False
    memory: Memory = field(default_factory=Memory, repr=False)

    @property
    def asks_for_attacks(self) -> bool:
        """Whether objective or requirements look at attacks after the moves, and this phase has them: plans say which."""
        if self.attacking and attack_rule(self.game) is not None:
            return True
        terms = terms_of(self.tiers, self.requirements)
        return any(term.looks_at_attacks and not any(term.out_of_phase(self.game)) for term in terms)

    def contesting(self, goals: Iterable[Term]) -> Scenario:
        """Return the scenario as it is for whom goals matter: whose the places are that they name decides something.

        Parameters
        ----------
        goals : iterable of Term
            What is asked about, or required, beside the objective of the file.
        """
        situation = self.game.situation
        contested = situation.contested.union(label for goal in goals for label in goal.contests())
        if contested == situation.contested:
            return self
        game = replace(self.game, situation=replace(situation, contested=contested), _cache={})
        return replace(self, game=game, memory=Memory())

    def aiming_at(self, tiers: tuple[Tier, ...]) -> Scenario:
        """Return the scenario with another objective, whose plans say who attacks whom if they do by its own."""
        return replace(self, tiers=tiers, attacking=self.asks_for_attacks)

    def without_objective(self) -> Scenario:
        """Return the scenario as it is for whom what its file says to be worth something, or required, is no matter."""
        plain, situation = replace(self, tiers=(), requirements=()), self.game.situation
        if not situation.contested:
            return plain
        game = replace(self.game, situation=replace(situation, contested=frozenset()), _cache={})
        return replace(plain, game=game, memory=Memory())

    def after(self, moves: Plan | str | Iterable[str]) -> Scenario:
        """Return the scenario as it is after moves that have been made in its phase, with what was rolled.

        Parameters
        ----------
        moves : Plan, str or iterable of str
            The moves. What doesn't say that it has failed, has gone through.

        Raises
        ------
        InputError
            If a move isn't legal, names what isn't there, or doesn't say what was drawn: with every problem.
        """
        from planner.scenario.phase_in_progress import in_progress

        if not isinstance(moves, (Plan, Iterable)):
            raise InputError([Problem(f"must be a plan, or moves, not {str(moves)[:60]!r}", "after")])
        plan = moves if isinstance(moves, Plan) else Plan.parse(with_ids(moves, self.game))
        self.check_names(plan, "after")
        return in_progress(self, plan, "after")

    def position(self) -> Any:
        """Return it as something to play on: a `planner.Position`, as ``planner.Position(scenario)`` does."""
        return opened(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], where: str = "scenario", beside: Path | None = None) -> Scenario:
        """Make a scenario of what its file would hold.

        Parameters
        ----------
        data : mapping
            Tables, lists, texts and numbers, as TOML or JSON give them; left as it is.
        where : str
            What to call it in messages.
        beside : Path, optional
            The folder from which a relative model path counts.

        Raises
        ------
        InputError
            With every problem at once.
        """
        from planner.scenario.builder import Builder

        if not isinstance(data, Mapping):
            raise InputError([Problem(f"must be a table, not {str(data)[:60]!r}", where)])
        return Builder(where, beside).build(deepcopy(dict(data)))

    @classmethod
    def loads(cls, text: str, where: str = "scenario", beside: Path | None = None) -> Scenario:
        """Read a scenario from the text of its file, in TOML or JSON; parameters as `from_dict`.

        Raises
        ------
        InputError
            With every problem at once.
        """
        return cls.from_dict(parse_scenario(text, where), where, beside)

    def to_dict(self) -> dict[str, Any]:
        """Return what its file would hold, what was done in the phase included: `from_dict` makes the same of it."""
        return deepcopy(self._as_written())

    def _as_written(self) -> dict[str, object]:
        """Return what `to_dict` does, for another scenario, which shares what is in it: nobody changes that."""
        data = {key: value for key, value in self.data.items() if key != "done"}
        return data | {"done": [{"move": line} for line in self.done.lines]} if self.done.lines else data

    def portable(self) -> dict[str, object]:
        """Return what `to_dict` does, for a file or program elsewhere: the path of a game's folder counts from the root."""
        data: dict[str, object] = self.to_dict()
        if "/" in (model := str(data["model"])):
            data["model"] = str(((self.beside or Path()) / model).resolve())
        return data

    def with_units(self, entries: Iterable[Mapping[str, Any]] = (), without: Iterable[str] = ()) -> Scenario:
        """Return the scenario with other units, or with units that stand elsewhere.

        Parameters
        ----------
        entries : iterable of mapping
            As in a file under ``[[unit]]``, each with an ``id``. What an entry says replaces what is there of that unit, and
            None takes it away; a unit that isn't there yet is added.
        without : iterable of str
            The ids of those who are left out.

        Raises
        ------
        InputError
            With every problem at once.
        """
        if isinstance(entries, Mapping) or not isinstance(entries, Iterable):
            raise InputError([Problem("must be a list of units", "entries")])
        if isinstance(without, str) or not isinstance(without, Iterable):
            raise InputError([Problem("must be a list of ids", "without")])
        without = list(without)
        if not all(isinstance(one, str) for one in without):
            raise InputError([Problem("must be a list of ids", "without")])
        data, gone = self._as_written(), frozenset(without)
        units = {entry["id"]: entry for entry in self.data.get("unit", ()) if entry["id"] not in gone}
        unknown = sorted(gone - self.game.units.keys())
        if unknown:
            raise InputError([Problem(f"no unit has the id {one!r}", "without") for one in unknown])
        for number, entry in enumerate(entries):
            if not isinstance(entry, Mapping) or not isinstance(entry.get("id"), str):
                raise InputError([Problem("must be a table with an id, a text", f"entries[{number}]")])
            merged = {**units.get(entry["id"], {}), **deepcopy(dict(entry))}
            units[entry["id"]] = {key: value for key, value in merged.items() if value is not None}
        data["unit"] = list(units.values())
        return self._altered(data)

    def with_objective(
        self, tier: Iterable[Mapping[str, object]] = (), require: Iterable[Mapping[str, object]] = ()
    ) -> Scenario:
        """Return the same position with another objective in place of its own.

        Parameters
        ----------
        tier : iterable of mapping
            As in a file under ``[[tier]]``, the most important first.
        require : iterable of mapping
            As in a file under ``[[require]]``.

        Raises
        ------
        InputError
            With every problem at once.
        """
        data, own = self._as_written(), {"tier": tier, "require": require}
        for name, entries in own.items():
            if isinstance(entries, (str, Mapping)) or not isinstance(entries, Iterable):
                raise InputError([Problem("must be a list of tables", name)])
        asked = {name: entries for name, some in own.items() if (entries := deepcopy(list(some)))}
        if self.game.situation.phasing in self.data.get("objective", {}):
            data["objective"] = self.data["objective"] | {self.game.situation.phasing: asked}
        else:
            data = {key: value for key, value in data.items() if key not in own} | asked
        return self._altered(data)

    def _altered(self, data: dict[str, object]) -> Scenario:
        """Return the scenario of data in which units or the objective are others, and nothing else is."""
        from planner.scenario.builder import Builder

        return Builder(self.where, self.beside, like=self).build(data)

    def __repr__(self) -> str:
        game = self.game
        return f"<Scenario {self.where}: {game.rulebook.model}, {game.situation.phase}, {len(game.units)} units>"

    @property
    def _scenario(self) -> Scenario:
        """The scenario with which notebooks show it."""
        return self

    def unit(self, name: str) -> Unit:
        """Find a unit by its id or by what players call it.

        Raises
        ------
        AmbiguousInputError
            If several units bear the name.
        InputError
            If none does.
        """
        if not isinstance(name, str):
            raise InputError([Problem(f"a unit must be called by text, not {name!r:.60}", self.where)])
        if name in self.game.units:
            return self.game.units[name]
        named = [unit for unit in self.game.units.values() if printed(unit.name) == printed(name)]
        if len(named) > 1:
            ids = ", ".join(unit.id for unit in named)
            raise AmbiguousInputError([Problem(f"{name!r} may be any of {ids}", self.where)])
        if not named:
            known = [*self.game.units, *(unit.name for unit in self.game.units.values())]
            raise InputError([Problem(f"no unit is called {name[:80]!r}{did_you_mean(name, known)}", self.where)])
        return named[0]

    def check_names(self, plan: Plan, where: str) -> None:
        """Ensure that a plan names units and hexes of this scenario.

        Raises
        ------
        InputError
            With a problem for each name that doesn't exist.
        """
        if not isinstance(plan, Plan):
            raise InputError([Problem(f"must be a Plan, not {plan!r:.60}", where)])
        problems = list[Problem]()
        joint = bool(self.game.rulebook.of(JointlyOverruns))
        entering = bool(self.game.rulebook.of(Fights))
        hostile = self._hostile() if entering else set[str]()
        for index, move in enumerate(plan.moves):
            place = f"{where}: moves[{index}] ({str(move)[:60]})"
            problems += self.unknown_in(move, place)
            if len(set(move.units)) < len(move.units):
                problems.append(Problem("a move must name each unit once", place))
            if move.bogs and not self.game.rulebook.of(Bogs):
                problems.append(Problem("units don't bog down in this game", place))
            if move.failed and not move.bogs and not joint:
                problems.append(Problem("no overrun can fail in this game", place))
            if move.damage is not None and not entering:
                problems.append(Problem("entering a hex is no combat in this game", place))
            if move.overruns and (move.bogs or not move.failed) and not (entering or self.game.rulebook.overrunning):
                label = written(move.path[min(move.overruns)])
                problems.append(Problem(f"nobody overruns in this game: write -{label}, not x{label}", place))
            for step, label in enumerate(move.path[1:], 1) if entering else ():
                if label in hostile:  # who is beaten there may give way to any hex beside it
                    hostile.update(self.game.board.neighbours.get(label, ()))
                elif step in move.overruns and label in self.game.board:
                    problems.append(
                        Problem(f"no enemy can be in {label}: to enter it is no combat, so write -{label}", place)
                    )
            if move.support and not joint:
                problems.append(Problem("no unit supports others from afar in this game", place))
            if move.attempts and not joint:
                problems.append(Problem("nothing can be tried several times in this game", place))
            if move.carried and not any(way.carries for way in self.game.rulebook.ways):
                problems.append(Problem("nobody is carried in this game", place))
        problems += self._unknown_in_attacks(plan, where)
        if problems:
            raise InputError(problems)

    def _hostile(self) -> set[str]:
        """Return where enemies are, or have been in the course of the phase, as far as the moves made tell."""
        first = self.game.at_first
        hostile = {at for unit, at in self.start.at.items() if self.game.is_enemy(unit)}
        for unit, home in first.homes.items():
            if first.is_enemy(unit) and self.start.at.get(unit) != home:
                hostile.update((home, *self.game.board.neighbours.get(home, ())))
        for label in (label for move in self.done.moves for label in move.path[1:]):
            if label in hostile:
                hostile.update(self.game.board.neighbours.get(label, ()))
        return hostile

    def unknown_in(self, move: Move, where: str) -> Iterator[Problem]:
        """Yield a problem for each unit, hex or marker of a move that doesn't exist, or isn't on the map."""
        game = self.game
        for unit in dict.fromkeys([*move.units, *(helper for _, helper in move.support)]):
            if unit not in game.units:
                yield Problem(f"no unit has the id {unit!r}{did_you_mean(unit, game.units)}", where)
            elif unit not in self.start.at:
                yield Problem(f"{unit!r} is not on the map", where)
        for label in dict.fromkeys(move.path):
            if label not in game.board:
                yield Problem(f"hex {label!r} is not on the map{game.board.did_you_mean(label)}", where)
        markers = {marker.id for marker in game.situation.markers}
        for _, carrier in move.carried:
            if carrier and carrier not in markers:
                yield Problem(f"no marker has the id {carrier!r}{did_you_mean(carrier, markers)}", where)

    def _unknown_in_attacks(self, plan: Plan, where: str) -> Iterator[Problem]:
        """Yield what is wrong with the names in a plan's attacks."""
        if plan.attacks is None:
            return
        rules = attack_rules(self.game.rulebook)
        if not rules:
            what = "no attacks are declared in this game"
            if any(not attack.result for attack in plan.attacks):
                what += f'; "{Example.of(self.game).destination}" is a line of a partial plan, {COMPLETED}'
            yield Problem(what, f"{where}: attacks")
            return
        codes = dict.fromkeys(code for rule in rules for code in rule.results)
        for index, attack in enumerate(plan.attacks):
            place = f"{where}: attacks[{index}] ({str(attack)[:60]})"
            for unit in dict.fromkeys([*attack.attackers, *attack.defenders, *(unit for unit, _ in attack.ways)]):
                if unit not in self.game.units:
                    yield Problem(f"no unit has the id {unit!r}{did_you_mean(unit, self.game.units)}", place)
                elif unit not in self.start.at:
                    yield Problem(f"{unit!r} is not on the map", place)
            for label in dict.fromkeys([*attack.hexes, *(label for _, way in attack.ways for label in way)]):
                if label not in self.game.board.hexes:
                    meant = self.game.board.did_you_mean(label)
                    yield Problem(f"hex {label!r} is not on the map{meant}", place)
            if attack.result and attack.result not in codes:
                told = f"result {attack.result!r} must be one of {', '.join(codes)}{did_you_mean(attack.result, codes)}"
                yield Problem(told, place)


def parse_scenario(text: str, where: str = "scenario") -> dict[str, object]:
    """Decode the text of a scenario file, in TOML or JSON.

    Raises
    ------
    InputError
        If it is neither, or no table.
    """
    if not isinstance(text, str):
        raise InputError([Problem(f"must be text, not {str(text)[:60]!r}", where)])
    data = (parse_json if text.lstrip().startswith("{") else parse_toml)(text, where)
    if not isinstance(data, dict):
        raise InputError([Problem("must be a table", where)])
    return data
