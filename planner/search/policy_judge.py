"""The referee's judgement of a plan that reacts: every branch legal and none missing, probabilities and value exact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from planner.errors import InputError, Problem
from planner.formats.probability import format_probability
from planner.formats.spoken_numbers import spoken_number
from planner.objective.attacks import AttackTerm
from planner.objective.scoring import Value, score_position, tier_values, values_of
from planner.plans.plan import Move, Plan
from planner.plans.policy import Branch, Made, Node, averaged, mean_value
from planner.referee.attack_outcomes import left_of, played_out, results
from planner.referee.attacks import AttackInTheMaking, violations_of
from planner.referee.chosen_results import chosen_results
from planner.referee.referee import Referee, tally_of
from planner.referee.verdict import PlayedMove, Verdict, Violation
from planner.rules.attack_rule import attack_rule
from planner.scenario import Scenario
from planner.world.declared_attack import DeclaredAttack


@dataclass(frozen=True)
class Fault:
    """Something that is wrong with a policy.

    Attributes
    ----------
    after : tuple of str
        The moves with their results after which it is, as players write them; none at the beginning.
    rule : str
        The printed paragraph; empty for what no rule forbids, such as a branch that is missing.
    message : str
        One sentence.
    """

    after: tuple[str, ...]
    rule: str
    message: str

    def __str__(self) -> str:
        told = f"{self.rule}: {self.message}" if self.rule else self.message
        return f"after {'; '.join(self.after)}: {told}" if self.after else told


@dataclass(frozen=True)
class PolicyVerdict:
    """What the referee says of a policy.

    Attributes
    ----------
    faults : tuple of Fault
        Everything that is wrong; empty if it can be played.
    root : Node or None
        The policy with its probabilities and values worked out; None if it can't be played.
    false : tuple of Fault
        The probabilities and values that it says and that aren't so.
    """

    faults: tuple[Fault, ...]
    root: Node | None = None
    false: tuple[Fault, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return it as data, ``planner/policy-verdict-1``."""
        from planner.search.answer_data import judged_data

        return judged_data(self)

    def __bool__(self) -> bool:
        return self.legal and not self.false

    @property
    def legal(self) -> bool:
        """Whether it can be played: every branch is legal, and none is missing."""
        return not self.faults

    @property
    def value(self) -> Value:
        """What each tier comes to on average; empty if something is wrong."""
        return () if self.root is None else self.root.value


def judge_policy(scenario: Scenario, policy: Node, one_each: bool = False) -> PolicyVerdict:
    """Judge a policy.

    Parameters
    ----------
    scenario : Scenario
        The position; its phase may be in progress.
    policy : Node
        What is done; probabilities, and values where it has any, must be right.
    one_each : bool
        Whether each result gets a branch of its own, so that each situation is one on the board; or as they are shared.

    Raises
    ------
    InputError
        If requirements speak of what attacks bring on average, or it names what isn't there.
    """
    ensure_no_averages(scenario)
    _ensure_names(scenario, policy)
    faults: list[Fault] = []
    root = _Judge(faults, one_each).judge(scenario, policy, ())
    if faults:
        return PolicyVerdict(tuple(faults))
    return PolicyVerdict((), root, () if one_each else tuple(_false(policy, root, ())))


def _ensure_names(scenario: Scenario, policy: Node) -> None:
    """Ensure that a policy names units and hexes of the scenario.

    Raises
    ------
    InputError
        With a problem for each name that doesn't exist, where it comes first.
    """
    found: dict[str, Problem] = {}
    for node in policy.nodes():
        for move in (*node.moves, *(made for branch in node.branches for made in branch.moves)):
            for problem in scenario.unknown_in(move, f"policy: {str(move)[:60]}"):
                found.setdefault(problem.what, problem)
        rolled = (one for branch in node.branches for one in branch.made if isinstance(one, DeclaredAttack))
        try:
            for attack in (*node.attacks, *rolled):
                scenario.check_names(Plan((), (attack,)), "policy")
        except InputError as error:
            for problem in error.problems:
                found.setdefault(problem.what, problem)
    if found:
        raise InputError([*found.values()])


def _false(said: Node, found: Node, after: tuple[str, ...]) -> Iterator[Fault]:
    """Yield which of the numbers that a policy says aren't so."""
    if said.value and said.value != found.value:
        yield Fault(after, "", f"what is done here is worth {_written(found.value)}, not {_written(said.value)}")
    for one, other in zip(said.branches, found.branches, strict=True):
        results = " or ".join(map(str, one.made))
        if one.probability != other.probability:
            told = f"{format_probability(other.probability)}, not {format_probability(one.probability)}"
            yield Fault(after, "", f"the probability of {results} is {told}")
        head = said.moves if said.attacks else said.moves[:-1]
        yield from _false(one.then, other.then, _told(after, head, one.made[0]))


def _written(value: Value) -> str:
    return " / ".join(map(spoken_number, value)) or "nothing that is asked for"


def ensure_no_averages(scenario: Scenario) -> None:
    """Ensure that no requirement speaks of what attacks bring on average, which a plan that reacts only has as a whole.

    Raises
    ------
    InputError
        If one does.
    """
    for term in (one for asked in scenario.requirements for one in (asked, *getattr(asked, "goals", ()))):
        if isinstance(term, AttackTerm) and term.promises:
            what = f"a plan that reacts can't be held to what attacks bring on average: {term.describe()}"
            raise InputError([Problem(what, scenario.where)])


class _Judge:
    """Judges what is done in one situation after another; `faults` gets everything that is wrong."""

    def __init__(self, faults: list[Fault], one_each: bool) -> None:
        self._faults, self._one_each = faults, one_each

    def judge(
        self, now: Scenario, node: Node, after: tuple[str, ...], pending: tuple[DeclaredAttack, ...] | None = None
    ) -> Node:
        """Judge what is done in one situation; return it with what it is worth.

        `pending` are the attacks that have been declared and not been rolled, where all are declared at once.
        """
        faults, plan = self._faults, Plan(node.moves)
        try:
            now.check_names(plan, "policy")
        except InputError as error:
            faults += [Fault(after, "", problem.what) for problem in error.problems]
            return node
        referee = Referee(now.game)
        chosen = list(chosen_results(referee, plan, now.start))
        for move, open_ in chosen:
            what = f"{move} says what is rolled, which nobody can choose: write {open_}, with a branch for each result"
            faults.append(Fault(after, "", what))
        attacking = bool(node.attacks) or pending is not None or (now.asks_for_attacks and not node.branches)
        rest = not node.branches and not node.attacks
        verdict = referee.play(plan, now.start, rolls=rest)
        # What the position in the end must be like is asked where no further move follows.
        wrong = [one for one in verdict.violations if one.move is not None or attacking or rest]
        faults += [Fault(after, one.rule, one.message) for one in wrong]
        if wrong or chosen:
            return node
        rolls = [(index, roll) for index, played in enumerate(verdict.moves) for roll in played.rolls]
        if attacking and (node.attacks or not rolls):
            if rolls:
                faults.append(Fault(after, "", "attacks are declared once it is known what was rolled for the moves"))
                return node
            return self._attack(now.after(plan), node, _told(after, node.moves, None), pending)
        if rest:
            return self._rest(now, node, after, verdict)
        last = len(node.moves) - 1
        if not rolls or rolls[0][0] != last or verdict.moves[last].fights_on_its_way:
            what = (
                "must end with the first move for which something is rolled, since branches follow"
                if rolls
                else "nothing is rolled before the branches"
            )
            faults.append(Fault(after, "", what))
            return node
        return self._branches(now, node, verdict.moves[last], after)

    def _rest(self, now: Scenario, node: Node, after: tuple[str, ...], verdict: Verdict) -> Node:
        """Judge what is done where nobody looks at the dice any more."""
        for position, tally in verdict.all_outcomes():
            if now.asks_for_attacks and violations_of(now.game.at_first, position, ()):
                what = "attacks must be made, and none are declared"
                self._faults.append(Fault(after, "", what))
                return node
            for term in now.requirements:
                if not term.holds(now.game, position, tally):
                    fault = Fault(after, "", f"it fails a requirement: {term.describe()}")
                    self._faults += [fault] if fault not in self._faults else []
        return replace(node, value=values_of(now.game, now.tiers, verdict))

    def _branches(self, now: Scenario, node: Node, played: PlayedMove, after: tuple[str, ...]) -> Node:
        """Judge the branches of a situation: each result must be in one of them."""
        head, move = node.moves[:-1], node.moves[-1]
        faults = self._faults
        left, told = played.results(), set[str]()
        found: list[Branch] = []
        for branch in node.branches:
            written = {str(made) for made in branch.made}
            faults += [Fault(after, "", f"says twice what follows {text}") for text in sorted(written & told)]
            written, told = written - told, told | written
            fitting = [one for one in left if not written.isdisjoint(map(str, one[0]))]
            known = {str(made) for (made,) in ((m,) for one in fitting for m in one[0])}
            faults += [Fault(after, "", f"can't come of {move}: {text}") for text in sorted(written - known)]
            left = [one for one in left if one not in fitting]
            if not fitting:
                continue
            then: list[tuple[Fraction, Node]] = []
            for made, probability in fitting:
                try:
                    following = now.after(Plan((*head, made[0])))
                except InputError as error:  # it may not end there
                    faults += [Fault(after, "", f"{made[0]}: {problem.what}") for problem in error.problems]
                    continue
                then.append((probability, self.judge(following, branch.then, _told(after, head, made[0]))))
            if faults:
                continue
            if self._one_each:
                found += [Branch(made, chance, one) for (made, chance), (_, one) in zip(fitting, then, strict=True)]
                continue
            chance = sum((probability for _, probability in fitting), Fraction(0))
            made = tuple(one for results, _ in fitting for one in results)
            found.append(Branch(made, chance, averaged(then)))
        faults += [Fault(after, "", f"says nothing of {made[0]}") for made, _ in left]
        return node if faults else _with_branches(node, found)

    # -- attacks

    def _attack(
        self, now: Scenario, node: Node, after: tuple[str, ...], pending: tuple[DeclaredAttack, ...] | None
    ) -> Node:
        """Judge attacks that are declared once the moves have been made, with what follows."""
        game, rule = now.game.at_first, attack_rule(now.game)
        told = [Fault(after, one.rule, one.message) for one in self._declared_wrongly(now, node, pending)]
        for attack in node.attacks:
            if attack.result:
                what = f"{attack} says what is rolled, which nobody can choose: write {attack.declared}"
                told.append(Fault(after, "", what))
        if rule is not None and rule.declared == "one_by_one" and node.branches and len(node.attacks) > 1:
            told.append(Fault(after, "", "attacks are declared one by one: only the next one, since branches follow"))
        if node.branches and not node.attacks:
            told.append(Fault(after, "", "nothing is rolled before the branches"))
        if told or rule is None:
            self._faults += told
            return node
        if not node.branches:
            return self._played_out(now, node, after)
        if left_of(game, now.start, node.attacks[0]) != node.attacks[0]:
            what = f"{node.attacks[0]} can't be made like this any more"
            self._faults.append(Fault(after, "", what))
            return node
        return self._rolled(now, node, after, node.attacks[1:] if rule.declared == "at_once" else None)

    @staticmethod
    def _declared_wrongly(
        now: Scenario, node: Node, pending: tuple[DeclaredAttack, ...] | None
    ) -> Iterator[Violation | Fault]:
        """Yield what is wrong with the attacks that are declared, and with what isn't."""
        game, start = now.game.at_first, now.start
        if pending is None:
            found = violations_of(game, start, node.attacks)
            # Who has to attack may do so later where the next attack is declared after this one.
            rule = attack_rule(game)
            later = rule is not None and rule.declared == "one_by_one" and bool(node.branches)
            yield from (one for one in found if one.attack is not None or not later)
            return
        open_ = [(attack, left_of(game, start, attack)) for attack in pending]
        for attack in node.attacks:
            same = next((one for one in open_ if attack in one), None)
            if same is None:
                yield Fault((), "", f"{attack} is not among the attacks that were declared before the first was rolled")
            else:
                open_.remove(same)
        for attack, left in open_:
            if left is not None:
                yield Fault((), "", f"{attack} has been declared, and must be made")

    def _played_out(self, now: Scenario, node: Node, after: tuple[str, ...]) -> Node:
        """Work out what attacks are worth that are rolled one after another, whatever comes."""
        game = now.game.at_first
        rule = attack_rule(game)
        total = [Fraction(0)] * len(now.tiers)
        for chance, position in played_out(Referee(game), now.start, node.attacks, _no_limit):
            tally = tally_of(position)
            if rule is not None and rule.declared == "one_by_one":
                due = violations_of(game, position, ())
                self._faults += [Fault(after, one.rule, one.message) for one in due[:1]]
            for term in now.requirements:
                if not term.holds(game, position, tally):
                    fault = Fault(after, "", f"it fails a requirement: {term.describe()}")
                    self._faults += [fault] if fault not in self._faults else []
            worth = tier_values(now.tiers, score_position(game, now.tiers, position, tally))
            total = [sofar + chance * one for sofar, one in zip(total, worth, strict=True)]
        return replace(node, value=tuple(total))

    def _rolled(
        self, now: Scenario, node: Node, after: tuple[str, ...], pending: tuple[DeclaredAttack, ...] | None
    ) -> Node:
        """Judge the branches after an attack: each result of the table must be in one of them."""
        game, attack, faults = now.game.at_first, node.attacks[0], self._faults
        chances = {made.result: chance for chance, made in results(game, now.start, attack)}
        found: list[Branch] = []
        for branch in node.branches:
            then: list[tuple[Fraction, Node]] = []
            made_so: list[DeclaredAttack] = []
            for made in branch.made:
                if not isinstance(made, DeclaredAttack) or made.declared != attack or made.result not in chances:
                    faults.append(Fault(after, "", f"can't come of {attack}: {made}"))
                    continue
                whole = AttackInTheMaking(game, now.start, made).decided()
                theirs = tuple((unit, way) for unit, way in made.ways if not game.is_enemy(unit))
                by_themselves = AttackInTheMaking(game, now.start, replace(made, ways=theirs)).decided()
                try:
                    following = now.after(Plan((), (whole,)))
                except InputError as error:
                    faults += [Fault(after, "", f"{made}: {problem.what}") for problem in error.problems]
                    continue
                if {*whole.ways} != {*by_themselves.ways}:
                    faults.append(Fault(after, "", f"{made} says where enemies retreat: they choose, {by_themselves}"))
                    continue
                made_so.append(made)
                then.append((
                    chances.pop(made.result), self.judge(following, branch.then, _told(after, (), whole), pending)
                ))  # fmt: skip
            if faults or not then:
                continue
            if self._one_each:
                found += [Branch((made,), chance, one) for made, (chance, one) in zip(made_so, then, strict=True)]
            else:
                found.append(Branch(tuple(made_so), sum((chance for chance, _ in then), Fraction(0)), averaged(then)))
        faults += [Fault(after, "", f"says nothing of {attack}={code}") for code in chances]
        return node if faults else _with_branches(node, found)


def _with_branches(node: Node, branches: list[Branch]) -> Node:
    """Return a situation with its branches, and with what they are worth on average."""
    mean = mean_value([(branch.probability, branch.then.value) for branch in branches])
    return replace(node, branches=tuple(branches), value=mean)


def _no_limit() -> None:
    """Never raise: a policy is judged to its end."""


def _told(after: tuple[str, ...], head: tuple[Move, ...], made: Made | None) -> tuple[str, ...]:
    return (*after, *map(str, head), *([] if made is None else [str(made)]))
