"""All tuned numbers at a glance: how much each strategy of the portfolio gets, and from where on it pays.

A section for each strategy; each number says its unit and what it was measured on. The figures are those of the families
of benchmarks in docs/benchmarks.md. Change one, and run `benchmarks/run.py` on the families that it names.
"""

from __future__ import annotations


class Listing:
    """What units can do is listed before anything is searched (search/reach_cache)."""

    large = 60_000  # possibilities; from here on a plan is made by hand before all of them are listed
    vast = 600_000  # possibilities; from here on listing takes longer than most searches (long legs)
    looked_at = 8  # units at which a look is had to tell how many possibilities all have
    enough = 3  # units that are enough for that, if they have very many
    looked_through = 30_000  # ways of one unit; one that has more takes long to list by itself


class WitnessPlans:
    """Plans that take units to hexes are put together of others before they are searched (search/reach_report).

    Without it `reach` takes 1.2 to 3.5 times as long in the largest scenarios of three games.
    """

    ways = (
        4  # plans that bring about one thing that a unit needs, of which one is taken; moves to one hex that are tried
    )
    tries = 40  # combinations of them for one move
    mates = 8  # of those who could overrun a hex, the strongest, of whom teams are made
    work = 0.2  # of the solver, without presolve, which takes six times as long as most of what it is asked


class Chaining:
    """Plans are put together need by need before they are searched (search/chained_plans)."""

    ways = 4  # moves to one hex that are tried
    depth = 12  # of those who help those who help
    helpers = 4  # for one need
    compared = 40  # of them, by what they need by then
    looks = 150  # at moves, for one way to one hex
    tries = 4  # whole plans that the referee is asked about


class Relevant:
    """Possibilities that can't matter are left out (search/relevance)."""

    rivals = 100  # others that one is compared with; with all of them it takes longer and finds hardly more
    rounds = 200  # looks at what is needed by then, after which the search for what matters is given up
    enough = 0.8  # share of all possibilities from which on leaving out the rest isn't worth the time
    kept = 8  # of each unit's choices, by what is wanted of it: a search makes two or three, and the next one the same


class Greedy:
    """A first plan, made move by move (search/greedy)."""

    tried = 8  # of a unit's best moves that the referee is asked about before the unit is passed over
    few = 5_000  # possibilities; up to here the solver mostly proves the first tier in less time: villages of 60
    hurry = 1.0  # seconds; where there is less time, the plan is made first
    many = 10_000  # possibilities; from here on it is made of all of them before it is known which matter
    scores = 30_000  # of terms, for all moves that are thought of; a second at most, of searches that take ten and more
    share = 0.1  # of the time left
    looks = 20  # at its limits, for each unit that can move, half a millisecond or more each; it takes 0.3 to 11


class RequiredPlan:
    """A first plan of what is required alone (search/required_moves)."""

    units = 4  # the nearest ones, that are tried for each thing that is required
    aside = 3  # hexes of a unit's from which it is looked further, more than it would take straight ahead
    steps = 120  # of all units together, that the referee is asked about


class FewConditions:
    """Plans in which no move needs many others (search/few_conditions)."""

    needs = ((1, 0.2), (2, 0.3), (3, 0.5))  # of a move; share of the time left
    proving = ((2, 0.8), (3, 0.9))  # the same, where it is known what no plan exceeds: less hardly comes to that
    bounding = 0.4  # of the time left, for what no plan exceeds in the first tier
    patience = 20.0  # seconds for each of them where there is no time limit


class LeadingTiers:
    """The tiers before MP count are proved first (search/leading_tiers)."""

    many = 5_000  # possibilities; from here on it is worth a look whether these tiers need much fewer
    very_many = 40_000  # possibilities; from here on less than half of them is much fewer
    alike = 20  # possibilities that do the same as one, or end where it ends, that may make it cheaper
    work = 4.0  # of the solver, in its own measure, to make the plan cheaper


class LikelyResults:
    """Plans that rely on likely results (search/likely_results)."""

    careful = 0.25  # of the time left, for the best plan by the rules of games in which none may rely on a roll
    share = 0.5  # of the time left after that, for plans that the model values as they are
    proposals = 200  # of the solver, at most
    patience = 12  # proposals without a better plan, after which the search gives up
    largest = 2**30  # up to which tiers are added up, weighted, into one objective
    luck, longest_luck = 0.2, 5.0  # of the time left, or seconds without a limit, for what all of it comes to with luck


class Combats:
    """Plans of several combats (search/combat_search, search/combat_bound, search/hex_combats)."""

    proposals = 150  # of the solver, at most
    patience = 20  # proposals without a better plan, after which the search gives up
    shorter = 4  # proposals that are looked at in the end for a shorter plan
    steps = 4_000  # steps that are tried in every situation before every plan is: a second or two
    combats = 5  # of a proposal: what they lead to multiplies
    groups = 2  # that attack one hex in a proposal, one after another
    orders = 8  # of the combats of a proposal, with moves before and after them, that are tried
    around = 300  # plans, each with one unit doing something else, that are looked at for each unit
    most_around = 2_400  # of them in all
    share_around = 1 / 3  # of the time that is left
    heat = 0.1  # of the bound: a plan that is worse by so much is gone on from with a probability of 1/e, at first
    far = 3  # hexes; combats farther from each other have nothing to do with each other
    candidates = 8  # units; against a hex that more can attack everything counts as had
    visitors = 4  # enemies; of a hex into which more might give way everything counts as had, too
    largest = 2**50  # up to which tiers are added up, weighted, into one objective


class EnemyPrices:
    """Prices of enemies who may be overrun (search/overrun_bound)."""

    rounds = 12  # in which prices are bettered
    finest = 720  # by which prices are multiplied to be whole
    states = 15_000  # situations up to which the best order of attempts is worked out


class SharedAttempts:
    """Bounds from sharing out attempts among enemies (search/shared_attempts)."""

    situations = 15_000  # of hexes of enemies that are told apart, up to which the best order to try in is looked for
    ways = 300  # of one unit, to try enemies one after another
    labels = 6  # of one unit in one hex, which need different things of others
    rounds = 60  # in which orders of attempts are added
    least = 1e-6  # by which an order must be better than those known
    finest = 5_040  # by which prices are multiplied to be whole


class Frequencies:
    """Bounds from linear programs (solver/linear_bound)."""

    candidates = 6  # units up to which it is told apart who has attacked a hex already
    denominators = (1, 12, 60, 360, 2_520, 10**5)  # to which prices are rounded; the best bound counts


class ReducedCosts:
    """What the best plans of the first tier have in common is told to the others (solver/reduced_costs)."""

    worthwhile = 0.25  # work that it took, from which on the others are expected to take longer than this
    variables = 10_000  # of larger models the linear relaxation takes too long
    share = 0.2  # of the time left
    # Of the linear solver, until somebody looks at the clock, and how often; attacks of 45 units take 3,500 to 20,000.
    iterations, rounds = 1_000, 50
    work = 1e-4  # that an iteration comes to
    fineness = 2**20  # by which prices are multiplied to be whole
    steps = 8  # in which is told what literals lose; with a hundred the solver takes half as long again


class Enumeration:
    """Every plan of a small position (search/enumeration)."""

    work = 40_000  # moves played, in all outcomes of all plans together; some seconds
    # In a search that nothing else has settled, if only the clock limits it: times as many steps in all situations, and
    # moves of plans that are fixed in advance, which are soon told apart: some 0.1 ms and 0.2 KB each.
    longer, walked = 5, 2_500_000
    solving = 100  # moves that take as long to play as to solve the model for one choice


class Adapting:
    """Plans that react (search/adaptive): every step is tried in every situation, as long as there are few."""

    share_fixed = 0.9  # of the time, for the best plan fixed in advance; it takes less where that is soon proved
    share_bound = 0.3  # of the time that is left, for what no way of attacking is worth more than
    share_luck = 0.25  # of the time for bounds, for the game with luck where units share out attempts to overrun
    share_again = 0.25  # of the time that is left, each time that the best fixed plan is asked for again
    share_with_luck = 0.5  # of the time that is left, for the plan that would be best if all rolls went well
    steps_first = 1_500  # steps that are tried at most before a bound is worked out: a second or two
    steps = 40_000  # and after it: half a minute or so
    longer = 3  # times as many, where there is time left in the end
    steps_in_passing = (
        60  # to tell what reacting would bring beside a fixed plan: less than a search; look_first takes 401
    )
    situations = 300  # after whose roll it is asked again, the likeliest first: what is written out is some pages long
    in_any_case = 500  # positions that the attacks of a fixed plan lead to are played however late it is: some 0.2 s
    plays, fewest_plays = 200, 30  # of the dice, to estimate what asking again in all of them comes to
    steps_again = 600  # and after each roll, where the whole is too much: a second


class AllAtOnce:
    """All tiers in one sum (search/all_at_once)."""

    variables = 10_000  # up to which it is measured: dense fronts of 80, villages of 40
    work = 0.15  # of cores as they come; most take 0.002 to 0.1, and islands of 20 aren't proved so
    largest = 2**50  # up to which they are added up: the solver tells values and bounds in floating point


class TieBreak:
    """Of plans that are worth the same, the shortest (search/tie_break)."""

    share = 0.1  # of the work that the tiers took, and of the time that is left
    lines = 0.04  # work on fewer lines where a tier counts the MP of all units, so that there is little to be had
    lines_and_mp = 1.0  # work on fewer lines and MP elsewhere: it proves fronts of 80 units
    near = 0.05  # work on something better where that has found nothing
    many = 2_000  # possibilities up to which those that are of use if MP count are all in the model ...
    wider = 1.5  # ... and if they are so many times as many as those that matter to the tiers


class RedundantMoves:
    """Moves that are of no use are left out (search/redundant_moves)."""

    ways = 64  # in which a move may get what it needs; of one that has more, it isn't known what it needs
    share = 0.03  # of the time, which the search leaves for it
    most = 20.0  # seconds of which that is a share; in 0.6 s plans of 20 moves are looked through


class LeavingFirst:
    """Who leaves a hex goes before who comes to it (search/leaving_first)."""

    tried = 40  # orders of the moves of a plan


class Replay:
    """The referee plays what the solver has found (search/replay_cache)."""

    share = 0.05  # of the time limit that is kept for plans whose results are rolled
    late = 0.04  # by which share of the time limit a replay may end late ...
    at_least = 0.2  # ... but for so many seconds
    after_stop = 10.0  # seconds that it may take once somebody has stopped the search: all that it found would be lost
    outcomes_a_second = 500  # of a plan of a hundred moves that the referee goes through, on a slow machine
    few = 64  # outcomes that a plan may have in any case
    listed = 1_500  # outcomes up to which those of plans that aren't the solver's may be listed, if there is time
    kept = 2_000  # outcomes of plans that are kept, but for those of the last plan


class Confirmation:
    """Another configuration confirms that there is no plan (search/confirmation)."""

    small = 4_000  # steps up to which the explicit form does it; beyond it, the fast form does
    work = 0.2  # of the solver, without presolve, which takes six times as long as most of what it is asked


class Defending:
    """Placements under which the enemy can't achieve its goal (defense/search)."""

    replays = 2_000  # placements that a plan is replayed under, each time that something is learnt from it
    accepted = 10_000  # placements that are listed at most


class Portfolio:
    """What the solver tries, stage by stage (solver/portfolio); work is its own measure, roughly seconds."""

    large = 10_000  # variables; from here on the linear relaxation by itself hardly moves the bound
    very_large = 40_000  # variables; from here on looking for better solutions takes longer than most proofs
    most_presolved = 180_000  # variables; presolve takes 7 KB for each, 2.4 GB with 234,000 (80 units on 10,000 hexes)
    most_variables = 300_000  # of the models of all threads together, at 4 to 6 KB each: less than 2 GB
    at_once = 0.5  # work of cores before a look near the best, where good solutions are wanted soon
    glance = 0.05  # work of cores as they come before a closer look, on small models: that proves most tiers of MP
    cores, cores_variables = 2.0, 8_000  # work of cores: the greater of the first, and of the variables by the second
    brief = 3.0  # work of cores after presolve, on small models
    presolved = 16.0  # work of cores after presolve
    presolved_variables = 200  # of which cores get one unit of work after presolve, in the first tier of large models
    linear, linear_again = 20.0, 100.0  # work of the linear relaxation by itself, twice: luck differs between seeds
    probed = 150.0  # work of cores after presolve with probing
    near = 0.5  # of the value; where value and bound are farther apart by then, probing never proves anything
    cores_soon = 0.25  # work of cores before a glance at a model without the order of the moves
    unordered, unordered_soon = 60.0, 2.0  # work of such a model; the latter at a glance ...
    unordered_variables, unordered_most = 2_500, 10.0  # ... or of the variables by the first, and the second at most
    by_goals = 40.0  # work on which goals exclude each other
    far = 0.15  # of the value; where value and bound are nearer, cores are faster than a model without the order
    burst, longer_burst = 0.25, 1.0  # work near the best solution
    first_burst, first_variables = 0.1, 80_000  # the same before cores have had their time, as `cores`
    # Who attacks whom, who waits for whom, and expected values: from the bound of the relaxation downwards, twice.
    downwards, downwards_again = 4.0, 60.0
    downwards_for_attacks = 8.0  # the first time, for who attacks whom: of 45 units most tiers take 0.5 to 6
    # Cuts that large models of expected values get at once, in the first tier and later; by themselves they get 50.
    cuts, cuts_later = 1_000, 200
    downwards_variables = 4_000  # of which those of expected values get one unit of work downwards, if that is more
    downwards_share = 0.5  # of the time left, if that is less: on a slow machine good plans would come too late
    chancy_burst = 3.0  # work near the best of large models of these, of which presolve takes 0.4 to 1.3
    chancy = 3.0  # work of cores beside the linear relaxation on expected values


class Combinations:
    """How many units of each strength are enough for a column of an attack (solver/coupling/combinations)."""

    most = 8  # smallest combinations of one attack and column, beyond which nothing is said of them


class SolverRun:
    """One run of the solver (solver/engine)."""

    presolve = 1e-4  # seconds that presolve may take for each variable; it looks at the time limit only now and then
    patience = 3.0  # seconds that a run near the best solution may take whatever its work ...
    patience_for_work = 25.0  # ... and for each unit of it; mostly that takes 10 to 18 seconds
    fixed = 2.0  # work on completing a hint
    loading = 0.15  # seconds that it mostly takes to load the solver
    begun = 0.01  # work that beginning a run comes to, beside what the solver counts itself


class WithoutOrder:
    """A model that does without the order of the moves (solver/order_relaxation)."""

    clauses = 200  # constraints after which the clock is looked at
    first = 15.0  # work before a look is had between its best solution and that of the whole; then twice as much
    brief = 1.0  # work; shorter rounds follow each other so fast that nothing is looked for between them
    between = 2.0  # work of cores between two solutions


class LoopFormulas:
    """What needs each other begins somewhere (solver/loop_formulas)."""

    largest = 60_000  # choices that need something; of more the linear relaxation takes too long
    rounds = 30  # of the linear relaxation; on dense fronts of 40 units with MA 6 to 10 it takes 6 to 8
    least = 1e-3  # by how much a constraint must fail
    gain = 1e-4  # by how much another event must make it fail more


class GoalConflicts:
    """Which goals can't be had together (solver/goal_conflicts)."""

    most_goals = 100  # that an objective may count: more come to too many cores
    most_cores = 50  # on islands of 20 to 60 up to 6 are enough; of any 12 of 38 goals there are billions
    question = 10.0  # work on one: on islands of 60 each takes 1 to 6, on one of 80 the second isn't answered in 20
    small = 2  # goals of a core that isn't made smaller any more
    smaller = 1.0  # work on making it smaller, each time


class Unions:
    """Hexes that may be held on account of several rolls (solver/probability_union)."""

    fineness = (
        100_000  # by what logarithms are multiplied to be whole; they are rounded up, as all that bounds from above
    )
    largest = 2**60  # up to which the solver's numbers may become; beyond it there are no tangents, but cuts alone
    finer = 16  # by what a tangent's weights are finer where it touches at what isn't whole
    exact = 2**50  # up to which floating point is exact enough for the weights of a tangent
    tangents = tuple(k / 8 for k in range(33))  # where they touch: between them, a five-hundredth too high at most
    finest = 10_000_000  # up to which the scale of values is chosen so that products of probabilities are whole
