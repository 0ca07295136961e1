"""A scenario: a position with everything around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from planner.errors import AmbiguousInputError, InputError, Problem
from planner.formats.spelling import did_you_mean
from planner.notebook import Shown
from planner.objective import Term, Tier
from planner.plans.plan import Plan
from planner.rules.game import Game
from planner.rules.roles import Bogs, Fights, JointlyOverruns
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
        Who stands where when the phase begins.
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
        if name in self.game.units:
            return self.game.units[name]
        named = [unit for unit in self.game.units.values() if unit.name.casefold() == name.casefold()]
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
        problems = []
        joint = bool(self.game.rulebook.of(JointlyOverruns))
        entering = bool(self.game.rulebook.of(Fights))
        hostile = {at for unit, at in self.start.at.items() if self.game.is_enemy(unit)}
        for index, move in enumerate(plan.moves):
            place = f"{where}: moves[{index}] ({str(move)[:60]})"
            for unit in dict.fromkeys([*move.units, *(helper for _, helper in move.support)]):
                if unit not in self.game.units:
                    problems.append(Problem(f"no unit has the id {unit!r}{did_you_mean(unit, self.game.units)}", place))
                elif unit not in self.start.at:
                    problems.append(Problem(f"{unit!r} is not on the map", place))
            if len(set(move.units)) < len(move.units):
                problems.append(Problem("a move must name each unit once", place))
            for label in dict.fromkeys(move.path):
                if label not in self.game.board:
                    problems.append(Problem(f"hex {label!r} is not on the map", place))
            if move.bogs and not self.game.rulebook.of(Bogs):
                problems.append(Problem("units don't bog down in this game", place))
            if move.failed and not move.bogs and not self.game.rulebook.overrunning:
                problems.append(Problem("no overrun can fail in this game", place))
            if move.damage is not None and not entering:
                problems.append(Problem("entering a hex is no combat in this game", place))
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
            markers = {marker.id for marker in self.game.situation.markers}
            for _, carrier in move.carried:
                if carrier and carrier not in markers:
                    problems.append(Problem(f"no marker has the id {carrier!r}{did_you_mean(carrier, markers)}", place))
        if problems:
            raise InputError(problems)
