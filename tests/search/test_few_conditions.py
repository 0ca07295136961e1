"""Where all that units can do is too much to be listed soon, plans come from moves that need little of others."""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction

import pytest

from planner.errors import OutOfTimeError, TooManyWaysError
from planner.limits import Limits
from planner.reachability.conditional_reach import ConditionalReach
from planner.scenario import Scenario
from planner.search import few_conditions
from planner.search.reach_cache import ReachCache
from planner.search.result import Progress
from planner.search.search import Search
from planner.solver.tuning import FewConditions, Listing
from tests.conftest import sized
from tests.laws.mutants.case import Case
from tests.oracles.positions import drawn
from tests.solving import differing, searched

SEEDS = sized(3, 6, 1_000)


@pytest.fixture
def vast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every position for one with too many possibilities."""
    monkeypatch.setattr(Listing, "large", -1)
    monkeypatch.setattr(Listing, "vast", -1)
    monkeypatch.setattr(Listing, "enough", 1)


def chain(tiers: list[dict[str, object]] | None = None, must: str = "") -> Scenario:
    # `b` stops in w3021, in the EZOC of e1, `c` goes through there to w3121 if `b` stands there, and so on: who gets farther
    # needs more of the others.
    return Case(
        {"w3020 w3021 w3022 w3023": "clear", "w3120 w3121 w3122": "clear"},
        {
            "a": ("infantry", "3-3-3", 1, "w3020"),
            "b": ("infantry", "3-3-1", 1, "w3020"),
            "c": ("infantry", "3-3-2", 1, "w3020"),
            "e1": ("infantry", "4-5-1", 2, "w3121"),
        },
        [],
        0,
        [],
        more={
            "tier": tiers or [{"terms": [{"kind": "end", "unit": unit, "at": "w3022"} for unit in "abc"]}],
            **({"require": [{"kind": "end", "unit": must, "at": "w3022"}]} if must else {}),
        },
    ).scenario()


@pytest.mark.thorough
@pytest.mark.usefixtures("vast")
@pytest.mark.parametrize("random_rulebook", [False, True])
def test_a_search_that_begins_with_few_needs_comes_to_the_optimum_of_brute_force(random_rulebook: bool) -> None:
    assert not differing(range(SEEDS), searched, random_rulebook)


@pytest.mark.thorough
def test_possibilities_that_need_little_are_those_of_all_that_do() -> None:
    fewer = 0
    for seed in range(SEEDS):
        game = drawn(seed).scenario.game
        everything, none = ConditionalReach(game), ConditionalReach(game, most_needs=0)
        for unit in everything.movers:
            free = {(found.end, found.removes) for found in everything.possibilities(unit) if not found.needs}
            found = none.possibilities(unit)
            assert all(not one.needs for one in found)
            # Without those that need something, more of the others may be left undominated.
            assert {(one.end, one.removes) for one in found} >= free, f"seed {seed}, {unit}"
            fewer += len(found) < len(everything.possibilities(unit))
    assert fewer >= SEEDS / 4


def test_what_a_unit_needs_to_begin_its_move_counts_too() -> None:
    # Found at random: u1 is out of supply until a friend stands in w2820.
    game = drawn(150).scenario.game
    assert all(found.needs for found in ConditionalReach(game).possibilities("u1"))
    assert not ConditionalReach(game, most_needs=0).possibilities("u1")


@pytest.mark.usefixtures("vast")
def test_a_plan_that_comes_to_what_no_plan_exceeds_is_proved_before_all_is_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`a` and `c` have the MP to get to w3022, `b` hasn't, whatever they do for each other: no plan is worth more than 2."""
    monkeypatch.setattr(ConditionalReach, "possibilities", listing_all_breaks_off(ConditionalReach.possibilities))
    monkeypatch.setattr(Listing, "looked_at", 1)
    told: list[Progress] = []
    result = Search(chain(), on_progress=told.append).run()
    assert (result.status, result.value, result.bound) == ("optimal", (2,), (2,))
    assert {progress.bound for progress in told} == {None, 2}


@pytest.mark.usefixtures("vast")
def test_of_tiers_after_the_first_nothing_is_proved_before_all_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ConditionalReach, "possibilities", listing_all_breaks_off(ConditionalReach.possibilities))
    monkeypatch.setattr(Listing, "looked_at", 1)
    result = Search(in_two_tiers()).run()
    # Two hexes of 1 MP for each of `a` and `c`, and one for `b`, who stops beside e1 so that `c` may go on.
    assert (result.status, result.value, result.bound) == ("feasible", (2, -5), (2, 0))


@pytest.mark.usefixtures("vast")
def test_where_no_plan_comes_to_that_the_tiers_after_it_are_improved_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only `c` gets to w3022, and only while `a` or `b` stands in w3021: no three of the goals go together, two do.

    Nobody's move brings two as well; of the plans that do, one has both goals of the second tier.
    """
    monkeypatch.setattr(ConditionalReach, "possibilities", listing_all_breaks_off(ConditionalReach.possibilities))
    monkeypatch.setattr(Listing, "looked_at", 1)
    first = [
        {"kind": "end", "unit": "c", "at": "w3022"},
        {"kind": "stay", "units": ["a"]},
        {"kind": "stay", "units": ["b"]},
    ]
    second = [{"kind": "end", "unit": "c", "at": "w3022"}, {"kind": "end", "unit": "b", "at": "w3021"}]
    result = Search(chain([{"terms": first}, {"terms": second}])).run()
    assert (result.status, result.value, result.bound) == ("feasible", (2, 2), (3, 2))


def in_two_tiers() -> Scenario:
    """Return the chain with the MP after it."""
    ends = [{"kind": "end", "unit": unit, "at": "w3022"} for unit in "abc"]
    return chain([{"terms": ends}, {"terms": [{"kind": "mp_spent"}]}])


def listing_all_breaks_off(listing: Callable[..., object]) -> Callable[..., object]:
    """Return a listing for which time is up where all is listed that `c` can do because of the others."""

    def late(self: ConditionalReach, unit: str, *truth: object, **named: object) -> object:
        if self.most_needs is None and unit == "c" and not truth:
            raise OutOfTimeError("late")
        return listing(self, unit, *truth, **named)

    return late


@pytest.mark.usefixtures("vast")
def test_when_the_time_is_up_while_all_is_listed_the_best_plan_of_few_needs_is_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scenario = chain()
    optimum = Search(scenario).run().value
    monkeypatch.setattr(Listing, "looked_at", 1)
    monkeypatch.setattr(ConditionalReach, "possibilities", listing_all_breaks_off(ConditionalReach.possibilities))
    monkeypatch.setattr(few_conditions, "most_without_needs", lambda context, limits: None)
    told: list[Progress] = []
    result = Search(scenario, on_progress=told.append).run()
    assert (result.status, result.value) == ("feasible", optimum)
    assert result.bound == (3,)
    assert result.verdict is not None
    assert result.verdict.legal
    values = [progress.value for progress in told if progress.value is not None]
    assert values == sorted(values), "what is told never gets worse"
    assert all(progress.bound is None for progress in told), "nothing is known of a bound"


@pytest.mark.usefixtures("vast")
def test_that_few_needs_allow_no_plan_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """`c` gets to w3022 past e1 if `b` stops in w3021 before: it needs one thing, and must do it."""
    monkeypatch.setattr(FewConditions, "needs", ((0, 0.5),))
    scenario = chain([{"terms": [{"kind": "end", "unit": "b", "at": "w3021"}]}], must="c")
    alone = ConditionalReach(scenario.game, most_needs=0)
    assert "w3022" not in {found.end for found in alone.possibilities("c")}
    result = Search(scenario).run()
    assert (result.status, result.value) == ("optimal", (1,))


@pytest.mark.usefixtures("vast")
def test_an_interrupt_among_few_needs_ends_the_search_with_what_it_has() -> None:
    stop = threading.Event()
    found: list[Fraction | None] = []

    def on_progress(progress: Progress) -> None:
        found.append(progress.value)
        stop.set()

    result = Search(chain(), Limits.within(None, stop=stop), on_progress=on_progress).run()
    assert result.interrupted
    assert result.status in ("feasible", "unknown")
    assert found


def test_a_look_at_a_few_units_tells_what_is_vast(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = chain()
    every = ReachCache(scenario)
    number = sum(map(len, every.possibilities.values()))
    assert not every.vast
    monkeypatch.setattr(Listing, "enough", 1)
    monkeypatch.setattr(Listing, "vast", number - 1)
    assert ReachCache(scenario).vast
    assert not ReachCache(scenario, most_needs=1).vast, "the search among few needs isn't narrowed again"


def test_a_board_is_large_from_a_number_of_possibilities_on_or_if_one_unit_has_a_good_part_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scenario = chain()
    number = sum(map(len, ReachCache(scenario).possibilities.values()))
    assert not ReachCache(scenario).large
    monkeypatch.setattr(Listing, "looked_at", 3)  # all three units, so that the number is exact
    monkeypatch.setattr(Listing, "large", 3 * number)
    assert not ReachCache(scenario).large
    monkeypatch.setattr(Listing, "large", number)
    # `c` has more than a third of so many ways to get anywhere.
    assert ReachCache(scenario).large
    assert not ReachCache(scenario, most_needs=1).large
    monkeypatch.setattr(ConditionalReach, "possibilities", whatever_their_number(ConditionalReach.possibilities))
    assert not ReachCache(scenario).large
    monkeypatch.setattr(Listing, "large", number - 1)
    assert ReachCache(scenario).large


def whatever_their_number(listing: Callable[..., object]) -> Callable[..., object]:
    """Return a listing that never breaks off."""
    return lambda self, unit, most=None: listing(self, unit)


@pytest.mark.usefixtures("vast")
def test_an_interrupt_while_few_needs_are_listed_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    real = ConditionalReach.possibilities

    def interrupted(self: ConditionalReach, unit: str, *truth: object, **named: object) -> object:
        if self.most_needs is not None:
            raise KeyboardInterrupt
        return real(self, unit, *truth, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(ConditionalReach, "possibilities", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Search(in_two_tiers()).run()


def test_a_unit_with_very_many_ways_ends_the_look_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody has more than one way to go on with: home is the first, a neighbouring hex the second."""
    ground = ReachCache(chain())
    assert not ground.vast
    ways = ground.possibilities["c"]
    fresh = ReachCache(chain())
    monkeypatch.setattr(Listing, "looked_through", 1)
    assert fresh.vast
    assert fresh.possibilities["c"] == ways, "a look that was broken off is no list"
    assert Search(chain()).run().value == (2,), "w3022 is two hexes away, and b has one MP"


def test_a_listing_with_a_limit_is_the_whole_listing_or_none() -> None:
    broken_off = 0
    for seed in range(SEEDS):
        reach = ConditionalReach(drawn(seed).scenario.game)
        for unit in reach.movers:
            whole = reach.possibilities(unit)
            for most in (1, 3, 10_000):
                try:
                    assert reach.possibilities(unit, most=most) == whole
                except TooManyWaysError:
                    broken_off += 1
                    assert most < 10_000
    assert broken_off >= SEEDS
