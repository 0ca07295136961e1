"""One game of a match, as a job: who plays which side, with which dice; its record, judged, and what it came to."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction

from planner.batch.jobs import Job
from planner.batch.said import Said, failed
from planner.errors import InputError, PlannerError
from planner.playing.game_record import GameRecord, final_score, play_on, victory_of
from planner.playing.players import Player, player_of
from planner.playing.position import Position
from planner.scenario import load_scenario


def game_job(id_: str, scenario: str, players: Mapping[str, str], seed: int, options: Mapping[str, int | None]) -> Job:
    """Return a game as a job.

    Parameters
    ----------
    id_ : str
        What it is called.
    scenario : str
        A file, or the name of a shipped one.
    players : mapping from sides to str
        Who plays them.
    seed : int
        The seed of the dice.
    options : mapping
        ``turns``: how many at most; ``opening``: how many phases are played at random first, by the same seed.
    """
    return Job(id_, "game", {"id": id_, "scenario": scenario, "players": dict(players), "seed": seed, **options}, id_)


def play_game(job: Job) -> Said:
    """Play the game of a job, and judge its record: as the answer to it."""
    said = job.said
    try:
        scenario = load_scenario(str(said["scenario"]))
        names, seed = _texts(said["players"]), int(str(said["seed"]))
        turns = None if said.get("turns") is None else int(str(said["turns"]))
        opening = _Opening(int(str(said.get("opening") or 0)))
        players = {side: (name, opening.then(player_of(name))) for side, name in names.items()}
        record = play_on(scenario, players, seed, turns)
        if record.failed:
            return failed("refused", record.failed)
        data = record.to_dict(portable=True)
        again, stuck = GameRecord.from_dict(data), ""
        end = Position(again.scenario)  # where no phase has been played, since the last turn is over
        for _, _, end in again.positions():  # the referee plays it once more, by the record alone
            stuck = end.side if end.problems() else ""
    except InputError as error:
        return failed("input", str(error))
    except PlannerError as error:
        return failed("refused", str(error))
    except Exception as error:  # one bad game must not end the others
        return failed("fault", f"{type(error).__name__}: {error}")
    told: dict[str, object] = {"record": data, "ended": record.ended}
    if stuck:  # who can't end a phase has lost
        return {"answer": {**told, "points": {side: str(int(side != stuck)) for side in names}, "scores": {}}}
    points = points_of(end)
    told["points"] = {side: str(point) for side, point in points.items()}
    told["scores"] = {side: [str(one) for one in score] for side, score in final_score(end).items()}
    return {"answer": told}


def points_of(position: Position) -> dict[str, Fraction]:
    """Return what the game is worth to each side by the scenario's victory: 1, 1/2 or 0; empty if none is over."""
    last = position.scenario.data.get("last_turn")
    if last is None or (position.turn or 0) <= last:
        return {}
    victory, sides = victory_of(position), position.scenario.game.rulebook.forces.sides
    if victory is None:
        return {}
    if victory.won is None:
        return dict.fromkeys(sides, Fraction(1, 2))
    return {side: Fraction(victory.won == (side == victory.side)) for side in sides}


class _Opening:
    """The first phases of a game, which chance plays, whoever's they are."""

    def __init__(self, phases: int) -> None:
        self.left = phases
        self._chance = player_of("random")

    def then(self, player: Player) -> Player:
        """Return who plays by chance first, and then as the player does."""

        def play(position: Position, dice: random.Random) -> None:
            if self.left > 0:
                self.left -= 1
                self._chance(position, dice)
            else:
                player(position, dice)

        return play


def _texts(value: object) -> dict[str, str]:
    assert isinstance(value, Mapping)
    return {str(side): str(name) for side, name in value.items()}
