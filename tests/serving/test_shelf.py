"""A client that isn't trusted with files reads none but scenarios on the shelf."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from planner.errors import InputError
from planner.formats.files import data_folder
from planner.serving.shelf import Shelf
from tests.command import run

SHIPPED = data_folder("scenarios")


def test_shipped_scenarios_go_by_their_names() -> None:
    assert Shelf().find("dai_senso/manchuria") == SHIPPED / "dai_senso" / "manchuria.toml"
    assert Shelf().find("dai_senso/manchuria.toml") == SHIPPED / "dai_senso" / "manchuria.toml"


def test_a_file_that_names_another_game_is_read_anew(tmp_path: Path) -> None:
    for game in ("one", "another"):
        shutil.copytree(data_folder("models") / "classic_hex", tmp_path / "games" / game)
    file = tmp_path / "here" / "position.toml"
    file.parent.mkdir()
    for game in ("one", "another"):
        file.write_text(f'model = "../games/{game}"\n')
        assert Shelf((file,)).base_of(f"../games/{game}", "here") == tmp_path / "here"


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../pyproject.toml",
        "dai_senso/../../pyproject",
        str(SHIPPED / "dai_senso/manchuria.toml"),
        "",
        "\0",
    ],
)
def test_nothing_else_can_be_named(name: str) -> None:
    with pytest.raises(InputError, match="no scenario of that name"):
        Shelf().find(name)


def test_a_folder_may_be_added_but_its_links_lead_nowhere_else(tmp_path: Path) -> None:
    outside = tmp_path / "outside.toml"
    outside.write_text("secret")
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "mine.toml").write_text("")
    (folder / "link.toml").symlink_to(outside)
    shelf = Shelf((folder,))
    assert shelf.find("mine") == folder / "mine.toml"
    with pytest.raises(InputError):
        shelf.find("link")


def test_a_scenario_that_is_sent_may_name_shipped_games_and_those_of_the_folders(tmp_path: Path) -> None:
    assert Shelf().base_of("dai_senso") is None
    own = tmp_path / "own"
    shutil.copytree(data_folder("models") / "crossroads", own / "games" / "mine")
    shutil.copytree(data_folder("models") / "crossroads", tmp_path / "outside")
    (own / "link").symlink_to(tmp_path / "outside")
    (own / "positions").mkdir()
    shelf = Shelf((own,))
    assert shelf.own_models() == {"./games/mine": own / "games" / "mine"}
    assert shelf.base_of("./games/mine") == own
    assert shelf.base_of("../games/mine", "positions") == own / "positions"
    for model in ("../models/dai_senso", "./games", "../outside", "./link", "/", "mine", "./games/mine\0", "nothing"):
        with pytest.raises(InputError, match="model must be one of"):
            shelf.base_of(model)
    with pytest.raises(InputError, match="model must be one of"):
        Shelf().base_of("./games/mine")


def test_the_path_of_a_game_is_refused_in_words_whatever_it_is_made_of(tmp_path: Path) -> None:
    shutil.copytree(data_folder("models") / "crossroads", tmp_path / "own" / "game")
    shutil.copytree(data_folder("models") / "crossroads", tmp_path / "own" / "linked")
    for name, place in (("terrain.toml", "linked"), ("positions", ".")):
        (tmp_path / name).mkdir() if place == "." else (tmp_path / name).write_text("")
        (tmp_path / "own" / place / name).unlink(missing_ok=True)
        (tmp_path / "own" / place / name).symlink_to(tmp_path / name)
    (tmp_path / "own" / "loop").symlink_to("loop")
    shelf = Shelf((tmp_path / "own",))
    for model, beside in (
        ("./" + 300 * "a", ""), ("./" + 5_000 * "a/", ""), ("./\ud800", ""), ("./game", 900 * "b"), ("./game", "\0"),
        ("./x", "loop"), ("./loop/x", ""), ("./linked", ""), ("../own/game", "positions"), ("./own/game", ".."),
    ):  # fmt: skip
        with pytest.raises(InputError, match="model must be one of"):
            shelf.base_of(model, beside)
    assert list(shelf.own_models()) == ["./game"]


@pytest.mark.parametrize(("where", "model"), [("positions", "../mine"), (".", "./mine"), ("a/b", "../../mine")])
def test_beside_a_file_nothing_else_is_looked_for(where: str, model: str, tmp_path: Path) -> None:
    """However much lies in the folder: what a player opens may lie in the home folder."""
    from planner.cli.board import opened_with

    games = data_folder("models") / "crossroads"
    here = tmp_path / where
    for folder in (tmp_path / "mine", here / "beside", here / "deep" / "deeper", tmp_path / "other" / "far"):
        shutil.copytree(games, folder)
    text = (SHIPPED / "crossroads" / "start.toml").read_text(encoding="utf-8").replace('"crossroads"', f'"{model}"', 1)
    for name in ("first.toml", "second.toml", "deep/third.toml"):
        (here / name).write_text(text, encoding="utf-8")
    begin, places = opened_with(str(here / "first.toml"))
    shelf = Shelf(places)
    prefix = Path(str(begin["beside"]))
    assert set(shelf.names()) - set(Shelf().names()) == {(prefix / one).as_posix() for one in ("first", "second")}
    beside = f"./{(prefix / 'beside').as_posix()}"
    assert set(shelf.own_models()) == {"./mine", beside}
    assert shelf.base_of(model, prefix.as_posix()) == tmp_path / prefix
    assert shelf.base_of("./beside", prefix.as_posix()) == tmp_path / prefix
    for other in ("./other/far", "./deep/deeper", "./../other/far"):
        with pytest.raises(InputError, match="model must be one of"):
            shelf.base_of(other, prefix.as_posix())


@pytest.mark.parametrize(("words", "opens"), [([], True), (["--no-open"], False)])
def test_the_command_opens_the_browser_at_the_address(
    words: list[str], opens: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    import webbrowser

    from planner.serving import server

    seen, begun = list[str](), list[object]()
    monkeypatch.setattr(webbrowser, "open", lambda address: seen.append(address))

    def serve(_settings: server.Settings, opened: dict[str, object], ready: Callable[[str], None]) -> None:
        begun.append(opened)
        ready("http://127.0.0.1:1/")

    monkeypatch.setattr(server, "serve", serve)
    done = run("board", "dai_senso/manchuria", *words)
    assert (done.returncode, done.stdout) == (0, "http://127.0.0.1:1/\n")
    assert begun == [{"scenario": "dai_senso/manchuria"}]
    assert seen == (["http://127.0.0.1:1/"] if opens else [])


def test_a_file_of_a_shipped_game_is_opened_with_those_beside_it(tmp_path: Path) -> None:
    from planner.cli.board import opened_with

    for name in ("one", "two"):
        shutil.copy(SHIPPED / "crossroads" / "start.toml", tmp_path / f"{name}.toml")
    begin, places = opened_with(str(tmp_path / "one.toml"))
    assert (begin["name"], begin["beside"]) == ("one.toml", ".")
    assert {"one", "two"} < set(Shelf(places).names())
    assert opened_with("crossroads/start") == ({"scenario": "crossroads/start"}, ())


def test_what_is_told_of_a_scenario_on_the_shelf_names_no_folder_of_the_machine(tmp_path: Path) -> None:
    from planner.playing.position import Position

    scenario, text = Shelf().load("classic_hex/three_battles.toml")
    assert text == (SHIPPED / "classic_hex" / "three_battles.toml").read_text(encoding="utf-8")
    with pytest.raises(InputError) as error:
        Position(scenario).reach("nobody")
    assert str(error.value) == "no unit is called 'nobody' @ classic_hex/three_battles"
    (tmp_path / "wrong.toml").write_text(text.replace('side = "red"', 'side = "green"', 1))
    (tmp_path / "model").mkdir()
    (tmp_path / "bare.toml").write_text(text.replace('"classic_hex"', '"./model"', 1))
    for name in ("wrong", "bare"):
        with pytest.raises(InputError) as error:
            Shelf((tmp_path,)).load(name)
        assert str(tmp_path) not in str(error.value)
        assert str(SHIPPED.parent) not in str(error.value)
