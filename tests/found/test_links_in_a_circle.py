"""Links that lead in a circle are no files: what is read isn't there, and nothing can be written through them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import run

BOARD = "crossroads/bridge"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("apply", BOARD, "b1 0405-0506", "-o", "loop.toml"),
            "can't be written: Too many levels of symbolic links @ loop.toml",
        ),
        (("new", "crossroads", "-o", "loop.toml"), "can't be written: Too many levels of symbolic links @ loop.toml"),
        (("apply", "loop.toml", "-o", "next.toml"), "no such file @ loop.toml"),
        (("verify", "loop.toml"), "no such file @ loop.toml"),
        (("compose", "loop.toml", "-o", "bank"), "no such file @ "),
        (("batch", "jobs.jsonl", "--make", "verify", "loop.toml"), "no such file @ loop.toml"),
    ],
)
def test_links_that_lead_in_a_circle_are_told_as_files_that_are_not_there(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loop.toml").symlink_to("loop.toml")
    done = run(*words)
    assert (done.returncode, said in done.stderr + done.stdout) == (2, True), done.stderr
    assert Path("loop.toml").is_symlink()


def test_what_is_wrong_with_such_a_link_is_told_for_editors_too(tmp_path: Path) -> None:
    link, told = tmp_path / "loop.toml", tmp_path / "told.sarif"
    link.symlink_to(link)
    assert run("verify", str(link), "--sarif", str(told)).returncode == 2
    assert link.as_uri() in told.read_text()
