"""What a first mapping says of the pieces that it finds."""

from __future__ import annotations

import tomllib

import pytest

from planner.exchange.draft import draft
from planner.exchange.found import Found, FoundPiece


@pytest.mark.parametrize(
    ("labels", "named"),
    [(("1st Guards", "2nd Guards"), True), (("1st Guards", "1st Guards"), False), (("1st Guards", ""), False)],
)
def test_pieces_of_one_name_are_called_by_the_label_in_which_they_differ(labels: tuple[str, ...], named: bool) -> None:
    pieces = [
        FoundPiece(str(at), "infantry", f"010{at}", "Main Map", "", "infantry.png", {"Side": "Blue", "label": label})
        for at, label in enumerate(labels)
    ]
    [rule] = tomllib.loads(draft(Found(pieces=pieces), "", None, ["m.vmod"]))["piece"]
    assert (rule.get("id"), rule.get("called")) == (("{label}", "{label}") if named else (None, None))
