"""What the documentation's site is made of: the API page, notebooks, the order of its pages."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import planner
from planner.limits import Running

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


def _cells(notebook: Path) -> list[dict[str, object]]:
    return json.loads(notebook.read_text(encoding="utf-8"))["cells"]


def test_the_api_page_has_each_public_name_once() -> None:
    shown = re.findall(r"^::: planner\.(\w+)$", (DOCS / "api.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(shown) == sorted(planner.__all__)


@pytest.mark.parametrize("name", [name for name in planner.__all__ if inspect.isfunction(getattr(planner, name))])
def test_a_function_has_the_parameters_that_it_documents(name: str) -> None:
    function: Callable[..., object] = getattr(planner, name)
    said = re.search(r"Parameters\n-+\n(.*?)(?=\n\n\w+\n-+\n|\Z)", inspect.getdoc(function) or "", re.DOTALL)
    documented = {
        each.strip()
        for names in re.findall(r"^(\w[\w, ]*) :", said[1] if said else "", re.M)
        for each in names.split(",")
    }
    taken = set(inspect.signature(function).parameters)
    assert documented <= (taken - {"running"} | set(Running.__annotations__) if "running" in taken else taken)


@pytest.mark.thorough
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(notebook: Path) -> None:
    names: dict[str, object] = {}
    for cell in _cells(notebook):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), notebook.name, "exec"), names)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_is_kept_without_what_a_run_has_left(notebook: Path) -> None:
    ran = [cell for cell in _cells(notebook) if cell["cell_type"] == "code"]
    assert ran
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in ran)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_what_a_notebook_links_to_is_there(notebook: Path) -> None:
    text = "\n".join("".join(cell["source"]) for cell in _cells(notebook) if cell["cell_type"] == "markdown")
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)
    assert links
    assert not [target for target in links if not (notebook.parent / target).exists()]


def test_the_site_has_its_pages_in_the_order_in_which_the_documentation_names_them() -> None:
    written = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:\n")[1]
    nav = re.findall(r"^      - (?!clone/)(\S+)\.md$", written, re.MULTILINE)
    links = re.findall(r"\]\(([\w/]+)\.(?:md|ipynb)\)", (DOCS / "README.md").read_text(encoding="utf-8"))
    assert nav == list(dict.fromkeys(links))
