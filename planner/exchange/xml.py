"""XML of strangers: no entities, no document types, not too deep, not too many elements."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree.ElementTree import ParseError, TreeBuilder

from planner.errors import InputError, Problem

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MOST_ELEMENTS = 400_000
DEEPEST = 100


class _TooMuchError(ValueError):
    """There are too many elements, or too deep ones."""


class _CountingBuilder(TreeBuilder):
    """Builds a tree that stays small."""

    def __init__(self) -> None:
        super().__init__()
        self._count = self._depth = 0

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        """Begin an element."""
        self._count += 1
        self._depth += 1
        if self._count > MOST_ELEMENTS:
            raise _TooMuchError(f"more than {MOST_ELEMENTS:,} elements")
        if self._depth > DEEPEST:
            raise _TooMuchError(f"elements nested more than {DEEPEST} deep")
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> Element:
        """End an element."""
        self._depth -= 1
        return super().end(tag)


def parse_xml(content: bytes, where: str) -> Element:
    """Return the root of an XML document.

    Parameters
    ----------
    content : bytes
        The document.
    where : str
        What to call it in messages.

    Raises
    ------
    InputError
        If it isn't well-formed, has a document type or entities, or is too deep or too large.
    """
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    parser = DefusedXMLParser(target=_CountingBuilder(), forbid_dtd=True)
    try:
        parser.feed(content)
        root: Element = parser.close()
    except DefusedXmlException as error:
        raise InputError([Problem("must have no document type and no entities", where)]) from error
    except (ParseError, ValueError, LookupError) as error:
        raise InputError([Problem(f"must be well-formed XML: {error}", where)]) from error
    return root
