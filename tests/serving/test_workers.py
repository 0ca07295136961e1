"""Who hangs up has stopped what was worked on for him, and nothing else; nothing is kept of it."""

from __future__ import annotations

import asyncio

import pytest

from planner.serving import workers
from planner.serving.asking import Answer
from planner.serving.desk import Desk
from planner.serving.workers import Worker


@pytest.mark.parametrize("turns", [0, *(pytest.param(turns, marks=pytest.mark.thorough) for turns in range(1, 6))])
def test_who_hangs_up_in_the_moment_of_an_answer_has_no_later_question_stopped(
    turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Answer] = []

    async def say(request: Answer) -> None:
        told.append(request)

    async def run() -> None:
        worker = await Worker.start(())
        try:
            with monkeypatch.context() as patch:
                patch.setattr(workers, "GRACE", 0.0)
                patch.setattr(worker, "_say", say)
                stop = asyncio.Event()
                ending = asyncio.ensure_future(worker._stop(stop, 60))
                await asyncio.sleep(0.01)
                stop.set()
                for _ in range(turns):
                    await asyncio.sleep(0)
                before = list(told)  # what it is told before the answer comes may be said
                ending.cancel()
                await asyncio.sleep(0.05)
                assert told == before
                assert worker.lives or before
        finally:
            await worker.close()

    asyncio.run(run())


def test_a_session_whose_opener_has_gone_is_not_kept() -> None:
    async def run() -> None:
        desk, stop = Desk(), asyncio.Event()
        try:
            opening = asyncio.ensure_future(desk.begin({"scenario": "dai_senso/manchuria"}, stop, lambda _told: None))
            while not desk.quick.busy:
                await asyncio.sleep(0)
            stop.set()
            await opening
            assert len(desk) == 0
        finally:
            await desk.close()

    asyncio.run(run())
