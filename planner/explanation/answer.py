"""What an explanation says: rule instances, the sets of them that forbid something, and remedies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from planner.explanation.chances import Chance
from planner.explanation.claim import RULE, Claim
from planner.explanation.unnamed import NOT_KNOWN, Unnamed
from planner.formats.mp import format_mp
from planner.formats.spoken_numbers import spoken_number
from planner.formats.words import has_word
from planner.notebook import Shown
from planner.plans.plan import Move, Plan, units_of

if TYPE_CHECKING:
    from planner.explanation.answer_data import (
        ChangeData,
        ExplanationData,
        InstanceData,
        ReasonData,
        RemedyData,
    )
    from planner.explanation.attack_odds import OddsOfAttack
    from planner.world.declared_attack import DeclaredAttack

Kind = Literal["moves", "destination", "goal", "value", "attack"]
"""What is asked about: moves as they are written, where a unit ends, a requirement, the value of each tier, or an attack."""

ExplanationStatus = Literal["possible", "with_help", "forbidden", "unknown"]
"""possible: nothing forbids it. with_help: other units' moves, or support, make it possible. forbidden: proved, whatever the
side does. unknown: neither a way nor a proof was found."""

ChangeKind = Literal[
    "mp",
    "gone",
    "carrier",
    "order",
    "supplied",
    "without",
    "weather",
    "terrain",
    "trait",
    "hexside",
    "lifted",
    "limit",
    "enough",
]
"""What would have to be different; `Change` says what each means."""

Help = Literal["found", "none", "unknown"]
"""Whether other units' moves make it possible: found, none (proved), or unknown."""


@dataclass(frozen=True)
class Instance:
    """A rule where it binds: for one unit, in one hex.

    Attributes
    ----------
    rule : str
        The id of the rule in the rulebook.
    paragraph : str
        The printed paragraph.
    unit : str or None
        The unit that it binds; None for what concerns a hex as a whole, or all units.
    hex : str or None
        The hex; None where it binds the unit everywhere.
    blame : tuple of str
        The units that stand in the way, in the order of the scenario.
    message : str
        One sentence.
    move, step : int or None
        The index of the move and of the hex in its path, where moves are explained.
    claim : Claim
        What the sentence says, for the referee to judge.
    """

    rule: str
    paragraph: str
    unit: str | None
    hex: str | None
    blame: tuple[str, ...]
    message: str
    move: int | None = None
    step: int | None = None
    claim: Claim = RULE

    @property
    def key(self) -> tuple[str, str | None, int | None, int | None, str | None]:
        """What is forbidden and where, as `Violation.key` has it."""
        return self.paragraph, self.unit, self.move, self.step, self.hex

    def __str__(self) -> str:
        place = f" ({self.hex})" if self.hex and not has_word(self.message, self.hex) else ""
        return f"{self.paragraph}: {self.message}{place}" if self.paragraph else f"{self.message}{place}"

    def to_dict(self) -> InstanceData:
        """Return the instance as JSON has it."""
        return {
            "rule": self.rule,
            "paragraph": self.paragraph,
            "unit": self.unit,
            "hex": self.hex,
            "blame": list(self.blame),
            "move": self.move,
            "step": self.step,
            "message": self.message,
            "claim": self.claim.to_dict(),
        }


@dataclass(frozen=True)
class Reason:
    """Rule instances that together forbid what is asked about.

    Attributes
    ----------
    instances : tuple of Instance
        The set; empty if the forces and the map alone don't suffice, whatever the rules.
    confirmed : bool
        Whether with exactly these instances in force there is no way, as two independent checks say.
    minimal : bool
        Whether each one is needed: with it left out, there is a way.
    before_attacks : bool
        Whether it is what forbade it before attacks were declared, which what has been declared since hides: judged, and
        claimed, as if none had been.
    """

    instances: tuple[Instance, ...]
    confirmed: bool
    minimal: bool
    before_attacks: bool = False

    def to_dict(self) -> ReasonData:
        """Return the reason as JSON has it."""
        return {
            "instances": [instance.to_dict() for instance in self.instances],
            "confirmed": self.confirmed,
            "minimal": self.minimal,
            "before_attacks": self.before_attacks,
        }


@dataclass(frozen=True)
class Change:
    """One thing that would have to be different.

    Attributes
    ----------
    kind : str
        mp: more movement points; gone: a unit, or a marker, that isn't there; carrier, order: one more of them; supplied,
        without: a unit's state; weather: fair weather in a hex; terrain, trait, hexside: other ground; lifted: a
        restriction of the scenario; limit: more of what is limited, by the question or by the scenario; enough: less of
        what is to be had at least.
    what : str
        The unit, marker, section, hex, hexside ("A-B"), restriction or limit.
    amount : Fraction
        How much of it; 1 where it can't be counted.
    detail : str
        The trait that a unit or a hex would have to lack, the terrain that the hex would have to be, the feature without
        which the hexside would have to be, what a restriction is about, or what would have to be allowed.
    """

    kind: ChangeKind
    what: str
    amount: Fraction = Fraction(1)
    detail: str = ""

    def __str__(self) -> str:
        amount, detail = spoken_number(self.amount), self.detail.replace("_", " ")
        return {
            "mp": f"{self.what} had {amount} MP more",
            "gone": f"{self.what} were not there",
            "carrier": f"{self.what} were available"
            if not self.detail
            else f"there were another carrier like {self.what}",
            "order": f"there were one more order in the {self.what.replace('_', ' ')} section",
            "supplied": f"{self.what} were supplied",
            "without": f"{self.what} did not count as {detail}",
            "terrain": f"{self.what} were {detail}",
            "trait": f"{self.what} did not count as {detail}",
            "hexside": f"there were no {detail} hexside between {self.what.replace('-', ' and ')}",
            "weather": f"the weather in {self.what} were fair",
            "limit": f"{self.detail} were allowed",
            "enough": f"{self.detail} were enough",
            "lifted": f"the restriction ({self.detail or self.what}) were lifted",
        }[self.kind]

    def to_dict(self) -> ChangeData:
        """Return the change as JSON has it."""
        found: ChangeData = {"kind": self.kind, "what": self.what}
        if self.kind in ("mp", "limit", "enough"):
            found["amount"] = format_mp(self.amount)
        if self.detail:
            found["detail"] = self.detail
        return found


@dataclass(frozen=True)
class Remedy:
    """Something that would make possible what is asked about; verified by replaying it on the referee.

    Attributes
    ----------
    moves : tuple of Move
        What other units do; of what the side can't do itself, what others must do besides for a unit that is asked about.
    changes : tuple of Change
        What would have to be different; empty for what the side can do itself.
    plan : Plan
        What is legal then.
    fewest : bool
        Whether fewer moves of others, or fewer changes, are proved not to do.
    encounter : str
        What the game calls it when units enter an enemy's hex: "overrun" or "combat".
    elsewhere : tuple of Move
        Where one move of others is all: moves of the same units to other hexes, each of which would do as well.
    way_counts : bool
        Whether one move of others is all, and to come to the same hex by another way wouldn't do.
    joining : tuple, or None
        Who would have to take part in a move that is asked about, and the hex that is overrun; None: nobody.
    given : tuple of DeclaredAttack
        The attacks that moves which are asked about end with.
    """

    moves: tuple[Move, ...]
    changes: tuple[Change, ...]
    plan: Plan
    fewest: bool
    encounter: str = "overrun"
    elsewhere: tuple[Move, ...] = ()
    way_counts: bool = False
    joining: tuple[tuple[str, ...], str] | None = None
    given: tuple[DeclaredAttack, ...] = ()

    @property
    def own(self) -> bool:
        """Whether it is something that the side itself can do."""
        return not self.changes

    def __str__(self) -> str:
        if self.changes:
            return f"if {' and '.join(map(str, self.changes))}{', with help' if self.moves else ''}"
        if self.joining is not None:
            units, label = self.joining
            supporters = {helper for move in self.plan.moves for _, helper in move.support}
            came = {move.units: f"first moves to {move.end} and " for move in self.plan.moves}
            does = [f"{u} {came.get((u,), '')}{'supports' if u in supporters else 'joins'}" for u in units]
            return f"if {' and '.join(does)} the {self.encounter} of {label}"
        attacks = [one for one in self.plan.attacks or () if one not in self.given]
        if not self.moves and not attacks:
            support = {(helper, move.path[step]): None for move in self.plan.moves for step, helper in move.support}
            told = [f"{helper} supports the {self.encounter} of {label}" for helper, label in support]
            return f"if {' and '.join(told)}" if told else "if the moves are made in another order"
        if not self.moves and self.given:
            said = {unit for one in self.given for unit in one.attackers}
            how = " together" if all(said.issuperset(one.attackers) for one in attacks) else ", too"
            return f"if {' and '.join(map(self._besides, attacks))}{how}"
        joining = [
            f"{' and '.join(attack.attackers)} {'attacks' if len(attack.attackers) == 1 else 'attack together'}"
            for attack in attacks
        ]
        told = [self._at_once(when, moves) for when, moves in groupby(self.moves, self._when)]
        if len(told) == len(joining) == 1 and self._all_attack(attacks):
            joining = ["attacks" if len(self.moves[0].units) == 1 == len(self.moves) else "attack together"]
        return "if " + " and ".join([*told, *joining])

    def _besides(self, attack: DeclaredAttack) -> str:
        """Return who attacks a hex beside those who are said to; where nobody does, these."""
        said = {unit for one in self.given if one.hexes == attack.hexes for unit in one.attackers}
        more = [unit for unit in attack.attackers if unit not in said]
        who = more or attack.attackers
        return f"{' and '.join(who)} {'attack' if who[1:] else 'attacks'} {' and '.join(attack.hexes)}"

    def _all_attack(self, attacks: Iterable[DeclaredAttack]) -> bool:
        """Tell whether those who attack are those who move, to one hex: no need to name them twice."""
        attackers = {unit for one in attacks for unit in one.attackers}
        ends = {move.end for move in self.moves if not move.overruns}
        return len(ends) == 1 and attackers == units_of(self.moves)

    def _when(self, move: Move) -> str:
        """Return when others make a move: first, afterwards, or before whom between those that are asked about."""
        place = self.plan.moves.index(move) if move in self.plan.moves else 0
        given = [(index, one) for index, one in enumerate(self.plan.moves) if one not in self.moves]
        after = next((one for index, one in given if index > place), None)
        if not given:
            return ""
        if after is None:
            return "afterwards"
        before = f"before {' and '.join(after.units)} {'moves' if len(after.units) == 1 else 'move'}"
        return before if given[0][0] < place else "first"

    def _at_once(self, when: str, moves: Iterable[Move]) -> str:
        """Say what others do at a time: who go to the same hex are named together, and once if they go on together."""
        told: list[tuple[list[str], list[tuple[str, str]]]] = []
        for move in moves:
            units, ways = told[-1] if told else ([], [])
            if sorted(units) == sorted(move.units):
                ways.append(self._where(move))
            elif ways == [self._where(move)] and not move.overruns:
                units += move.units
            else:
                told.append(([*move.units], [self._where(move)]))
        clauses = list[str]()
        for left, (units, ways) in zip(reversed(range(len(told))), told, strict=True):
            sign = f"{'first ' if when == 'first' and not clauses else ''}{'moves' if len(units) == 1 else 'move'}"
            *some, (to, over) = ways
            to = "".join(f"{label}{how}{how and ','} and then to " for label, how in some) + to
            if left:
                end = f"{over}," if over or left > 1 else ""
            elif when == "afterwards":
                end = f" afterwards{over}"
            else:
                end = over + (f"{over and ','} {when}" if when.startswith("before") else "")
            clauses.append(f"{' and '.join(units)} {sign} to {to}{end}")
        *others, last = clauses
        return f"{' '.join(others)} and {last}" if others else last

    def _where(self, move: Move) -> tuple[str, str]:
        """Return where a move of others leads, and whom they overrun, or fight for, on the way."""
        fights = [move.path[step] for step in sorted(move.overruns)]
        ways = sorted((move, *self.elsewhere), key=lambda one: one.end == one.path[0])  # who comes back is told last
        *some, last = [_destination(one, self.way_counts) for one in ways]
        doing = "fighting for" if self.encounter == "combat" else "overrunning"
        over = f", {doing} {'it' if fights[-1] == move.end and not some else fights[-1]}" if fights else ""
        return f"{', '.join(some)} or {last}" if some else last, over

    def to_dict(self) -> RemedyData:
        """Return the remedy as JSON has it."""
        return {
            "sentence": str(self),
            "own": self.own,
            "moves": [str(move) for move in self.moves],
            "elsewhere": [str(move) for move in self.elsewhere],
            "changes": [change.to_dict() for change in self.changes],
            "plan": self.plan.lines,
            "fewest": self.fewest,
        }


def _destination(move: Move, way: bool) -> str:
    """Return where a move leads, by which way if that is asked, and to where those of a stack go who are dropped on it."""
    back = move.end == move.path[0]
    if back and len(move.path) == 3:
        return f"{move.path[1]} and back"
    dropped = [f"{unit} only to {move.path[step]}" for step, unit in move.drops if step < len(move.path) - 1]
    dropped += [str(move).partition(" ")[2]] * (way or back)
    return f"{move.end} ({', '.join(dropped)})" if dropped else move.end


@dataclass(frozen=True)
class Explanation(Shown):
    """Why something can't be had, and what would help.

    Attributes
    ----------
    kind : Kind
        What is asked about.
    question : str
        The same in words.
    status : ExplanationStatus
        Whether it can be had.
    plan : Plan or None
        The moves that are asked about, or, where something can be had, how.
    reasons : tuple of Reason
        What forbids it; where only help makes it possible, what forbids it without. Each by itself is enough to forbid it.
    remedies : tuple of Remedy
        Cheapest first: what the side can do itself, then what would have to be different.
    help : Help
        Whether other units' moves make it possible.
    complete : bool
        Whether everything was settled: False if the time ran out before all sets were minimal and all remedies looked for.
    seconds : float
        How long it took.
    interrupted : bool
        Whether somebody stopped it.
    beside_own, beside_changes : Unnamed
        What isn't named beside what the side can do itself, and beside what would have to be different.
    chances : tuple of Chance
        Of a destination: how the unit may get there if rolls go well, where it can't be sure to.
    chances_known : bool
        Of a destination: whether it is known if the unit may get there; False if the time ran out before that.
    reacting : Chance or None
        Of a destination to which no plan takes it that is fixed in advance: how it may get there if each move waits for what
        those before it bring, with the probability of this way.
    attempt : Plan or None
        Where not everything is settled: a plan that would do what is asked if it were legal.
    obstacles : tuple of Instance
        What that plan breaks. Other plans may break something else.
    hurried : bool
        Whether the time limit cut anything short; what else is open was given up after some amount of work.
    due : tuple of str
        Of an attack: who must still attack, or be attacked, after it or the first of the remedies; that is left aside.
    odds : OddsOfAttack or None
        Of an attack: what it comes to, and what would raise that.
    """

    kind: Kind
    question: str
    status: ExplanationStatus
    plan: Plan | None
    reasons: tuple[Reason, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    help: Help = "unknown"
    complete: bool = True
    seconds: float = 0.0
    interrupted: bool = False
    beside_own: Unnamed = NOT_KNOWN
    beside_changes: Unnamed = NOT_KNOWN
    chances: tuple[Chance, ...] = ()
    chances_known: bool = True
    reacting: Chance | None = None
    attempt: Plan | None = None
    obstacles: tuple[Instance, ...] = ()
    hurried: bool = False
    due: tuple[str, ...] = ()
    odds: OddsOfAttack | None = None

    def __repr__(self) -> str:
        without = {"unknown": "not settled", "forbidden": "its reasons weren't settled"}
        told = "; ".join(map(str, self.instances)) or without.get(self.status, "nothing forbids it")
        return f"<Explanation of {self.question}: {self.status}: {told}>"

    @property
    def instances(self) -> tuple[Instance, ...]:
        """Every rule instance of every reason, each once."""
        return tuple(dict.fromkeys(instance for reason in self.reasons for instance in reason.instances))

    @property
    def hexes(self) -> tuple[str, ...]:
        """Every hex that a reason names."""
        return tuple(dict.fromkeys(i.hex for i in self.instances if i.hex))

    @property
    def units(self) -> tuple[str, ...]:
        """Every unit that a reason binds, or blames."""
        named = [unit for i in self.instances for unit in (i.unit, *i.blame) if unit]
        return tuple(dict.fromkeys(named))

    @property
    def rules(self) -> tuple[str, ...]:
        """Every printed paragraph that a reason cites."""
        return tuple(dict.fromkeys(i.paragraph for i in self.instances if i.paragraph))

    @property
    def left_open(self) -> tuple[str, ...]:
        """What wasn't settled, in words; nothing where everything was."""
        if self.complete:
            return ()
        if self.status == "unknown":
            return ("whether other units can make it legal" if self.kind == "moves" else "whether it can be had",)
        if self.supported_only:
            return ("what forbids every way without that support, which isn't looked for",)
        without_reasons = {"forbidden": "why it can't be had", "with_help": "what forbids every way without help"}
        found = [] if self.reasons or self.status == "possible" else [without_reasons[self.status]]
        if not all(reason.confirmed for reason in self.reasons):
            found.append("whether all that is named is enough, which one proof says and no second")
        if not all(reason.minimal for reason in self.reasons):
            found.append("whether less is enough")
        return tuple(found) or ("what else would help",)

    @property
    def supported_only(self) -> bool:
        """Whether it takes no more than that others, who stay where they are, support the unit that is asked about."""
        return self.kind == "destination" and any(remedy.own and not remedy.moves for remedy in self.remedies)

    def to_dict(self) -> ExplanationData:
        """Return the explanation, ``planner/explanation-1``."""
        return {
            "format": "planner/explanation-1",
            "kind": self.kind,
            "question": self.question,
            "status": self.status,
            "plan": None if self.plan is None else self.plan.lines,
            "reasons": [reason.to_dict() for reason in self.reasons],
            "remedies": [remedy.to_dict() for remedy in self.remedies],
            "beside_own": self.beside_own.to_dict(),
            "beside_changes": self.beside_changes.to_dict(),
            "help": self.help,
            "chances": [chance.to_dict() for chance in self.chances],
            "chances_known": self.chances_known,
            "reacting": None if self.reacting is None else self.reacting.to_dict(),
            "hexes": list(self.hexes),
            "units": list(self.units),
            "rules": list(self.rules),
            "complete": self.complete,
            "hurried": self.hurried,
            "interrupted": self.interrupted,
            "attempt": None if self.attempt is None else [str(move) for move in self.attempt.moves],
            "obstacles": [instance.to_dict() for instance in self.obstacles],
            "due": list(self.due),
            "odds": None if self.odds is None else self.odds.to_dict(),
            "seconds": self.seconds,
        }
