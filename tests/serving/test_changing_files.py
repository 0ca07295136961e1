"""What has been opened stays as it was, whatever becomes of its file."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from planner.formats.files import data_folder
from planner.serving.asking import Answer
from planner.serving.desk import Desk


@pytest.mark.parametrize("folder", ["here", "here/deep/deeper"])
def test_a_session_goes_on_with_the_file_as_it_was_when_it_was_opened(tmp_path: Path, folder: str) -> None:
    """Searches have a process of their own, which is given the position when something is searched for first."""
    shutil.copytree(data_folder("models") / "ocs", tmp_path / "games" / "mine")
    game = "/".join([*(".." for _ in folder.split("/")), "games/mine"])
    shipped = (data_folder("scenarios") / "ocs" / "two_overruns.toml").read_text(encoding="utf-8")
    text = shipped.replace('model = "ocs"', f'model = "{game}"')
    file = tmp_path / folder / "one.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")

    async def run() -> None:
        desk = Desk(folders=(tmp_path,))
        begun = await desk.begin({"scenario": f"{folder}/one"}, asyncio.Event(), lambda _told: None)
        assert isinstance(begun["answer"], dict)

        async def ask(verb: str, said: Answer) -> Answer:
            told = await desk.ask(begun["answer"]["session"], verb, said, asyncio.Event(), lambda _told: None)  # type: ignore[index]
            assert isinstance(told.get("answer"), dict), told
            return told["answer"]  # type: ignore[return-value]

        try:
            file.write_text(text.replace('"armor"', '"another"'), encoding="utf-8")
            assert (await ask("reach", {"unit": "armor"}))["unit"] == "armor"
            assert (await ask("source", {}))["text"] == text
        finally:
            await desk.close()

    asyncio.run(run())
