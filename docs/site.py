"""What mkdocs can't do by itself: pages that are files elsewhere in the clone, and notebooks.

The pages link to each other and to files as they lie in the clone, so that they can be read there. In the site, a file
outside of docs/ that a page links to is a page, too, below ``clone/``: Markdown as it is, a folder as a list, other text
as code.
"""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path, PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

TOP = Path(__file__).resolve().parents[1]
PLACES: dict[str, str] = {}  # by where a page is in the site, the file or folder of the clone that it shows
LINK = re.compile(r"(?<=\]\()([^)#:\s]+)(?=[)#])")


def address(path: str) -> str:
    """Return where the site has the page of a file or folder of the clone, whose path begins at the clone's top."""
    file = TOP / path
    inside = PurePosixPath(path).is_relative_to("docs")
    place = path.removeprefix("docs").removeprefix("/") if inside else posixpath.join("clone", path)
    if file.is_dir():
        return posixpath.join(place, "README.md" if (file / "README.md").exists() else "index.md")
    if file.suffix == ".ipynb":
        return str(PurePosixPath(place).with_suffix(".md"))
    return place if file.suffix in (".md", ".svg", ".png") else f"{place}.md"


def written(path: str) -> str:
    """Return the Markdown of a file or folder of the clone, with its links as they are in the clone."""
    file = TOP / path
    if file.is_dir():
        names = sorted(f"{each.name}/" if each.is_dir() else each.name for each in file.iterdir())
        shown = [name for name in names if not name.startswith((".", "_")) and name != "index.md"]
        return "\n".join([f"# {file.name}/\n", *(f"* [{name}]({posixpath.join(file.name, name)})" for name in shown)])
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".ipynb":
        return "\n\n".join(
            "".join(cell["source"]) if cell["cell_type"] == "markdown" else f"```python\n{''.join(cell['source'])}\n```"
            for cell in json.loads(text)["cells"]
        )
    return text if file.suffix == ".md" else f"# {file.name}\n\n````{file.suffix[1:] or 'text'}\n{text}\n````\n"


def target(path: str, link: str) -> str | None:
    """Return what a link on the page of a file or folder leads to in the clone; None: nothing that is there."""
    to = posixpath.normpath(posixpath.join(posixpath.dirname(path), link))
    return to if not to.startswith("..") and (TOP / to).exists() else None


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what the pages link to and isn't among them, and what that links to."""
    waiting = sorted(f"docs/{file.src_uri}" for file in files if file.src_uri.endswith((".md", ".ipynb")))
    PLACES.clear()
    for path in waiting:
        if address(path) in PLACES:
            continue
        PLACES[address(path)] = path
        if path.endswith((".svg", ".png")):
            if files.get_file_from_path(address(path)) is None:
                files.append(File.generated(config, address(path), abs_src_path=str(TOP / path)))
            continue
        text = written(path)
        if files.get_file_from_path(address(path)) is None:
            files.append(File.generated(config, address(path), content=text))
        leads = [target(path, link) for link in LINK.findall(text)]
        waiting += [each for each in leads if each is not None]
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let the links of a page lead to where the site has what they lead to in the clone."""
    path = PLACES[page.file.src_uri]

    def moved(link: re.Match[str]) -> str:
        to = target(path, link[1])
        return posixpath.relpath(address(to), posixpath.dirname(page.file.src_uri)) if to else link[0]

    return LINK.sub(moved, markdown)
