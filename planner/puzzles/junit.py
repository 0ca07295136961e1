"""Verifications as JUnit XML, as CI systems read it: a suite for each file, a case for each check."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence

from planner.printable import printable
from planner.puzzles.verification import NOT_REACHED, Check, Verification

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(verifications: Sequence[Verification]) -> str:
    """Return JUnit XML.

    What fails is a failure; what can't be read, a fault of the planner, and what isn't settled are errors; what wasn't
    looked at is skipped, and so is a file in which nothing is claimed.
    """
    root = ElementTree.Element("testsuites", name="planner verify")
    totals = [0, 0, 0, 0]
    for one in verifications:
        cases = _cases(one)
        suite = ElementTree.SubElement(root, "testsuite", name=_clean(one.where))
        counts = [
            len(cases),
            *(sum(case.find(tag) is not None for case in cases) for tag in ("failure", "error", "skipped")),
        ]
        for name, count in zip(("tests", "failures", "errors", "skipped"), counts, strict=True):
            suite.set(name, str(count))
        suite.set("time", f"{one.seconds:.3f}")
        suite.extend(cases)
        totals = [a + b for a, b in zip(totals, counts, strict=True)]
    for name, count in zip(("tests", "failures", "errors", "skipped"), totals, strict=True):
        root.set(name, str(count))
    root.set("time", f"{sum(one.seconds for one in verifications):.3f}")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _cases(one: Verification) -> list[ElementTree.Element]:
    if one.problems or one.fault is not None:
        case = _case(one, "file")
        text = "\n".join(map(str, one.problems)) if one.problems else str(one.fault)
        _add(case, "error", "bad input" if one.problems else "fault of the planner", text)
        return [*(_checked(one, check) for check in one.checks), case]
    if not one.checks:
        case = _case(one, "file")
        _add(case, "skipped", NOT_REACHED if one.interrupted else "nothing is claimed", "")
        return [case]
    return [_checked(one, check) for check in one.checks]


def _checked(one: Verification, check: Check) -> ElementTree.Element:
    case = _case(one, check.name)
    shown = "\n\n".join(str(plan) or "nobody moves" for plan in check.plans)
    if check.outcome == "fails":
        _add(case, "failure", check.message, shown, type=(check.rules or (f"puzzle/{check.kind}",))[0])
    elif check.outcome == "unknown":
        _add(case, "error", check.message, shown, type="puzzle/unknown")
    elif check.outcome == "skipped":
        _add(case, "skipped", check.message, "")
    elif check.outcome == "noted":
        ElementTree.SubElement(case, "system-out").text = _clean("\n".join(filter(None, (check.message, shown))))
    return case


def _case(one: Verification, name: str) -> ElementTree.Element:
    model = one.model or "unread"
    return ElementTree.Element("testcase", classname=_clean(f"{model}.{one.title or one.where}"), name=_clean(name))


def _add(case: ElementTree.Element, tag: str, message: str, text: str, type: str = "") -> None:
    element = ElementTree.SubElement(case, tag, message=_clean(message))
    if type:
        element.set("type", _clean(type))
    element.text = _clean(text) or None


def _clean(text: str) -> str:
    """Write out what steers whoever shows it, and replace what XML can't hold."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", printable(text, keep="\n"))
