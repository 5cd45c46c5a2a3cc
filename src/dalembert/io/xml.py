"""XML as plain elements that know their line; documents with a DOCTYPE (entities, outside files) are refused.

Nothing is fetched or expanded: a description of a robot needs no entities, and they are how small files blow up a parser.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from dalembert.errors import FileError

LIMIT = 50_000_000  # bytes
DEEPEST = 200
MOST = 300_000  # elements


@dataclass
class Node:
    """An element: its tag, attributes, children, and the line it begins on."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Node] = field(default_factory=list)

    def all(self, tag: str) -> list[Node]:
        return [c for c in self.children if c.tag == tag]

    def first(self, tag: str) -> Node | None:
        found = self.all(tag)
        return found[0] if found else None


def parse(data: bytes, title: str) -> Node:
    """The root element of a document."""
    if len(data) > LIMIT:
        raise FileError(f"{title}: {len(data):,} bytes are more than the {LIMIT:,} that are read")
    root: list[Node] = []
    counted = [0]
    stack: list[Node] = []
    parser = expat.ParserCreate()

    def refuse(*_):
        raise FileError(f"{title}, line {parser.CurrentLineNumber}: the document declares a DOCTYPE or entities; these "
                        "are not read. Take the declaration out and write the values themselves")

    def begin(tag, attributes):
        node = Node(tag, dict(attributes), parser.CurrentLineNumber)
        counted[0] += 1
        if counted[0] > MOST:
            raise FileError(f"{title}, line {node.line}: more than {MOST:,} elements")
        if len(stack) >= DEEPEST:
            raise FileError(f"{title}, line {node.line}: elements are nested deeper than {DEEPEST}")
        (stack[-1].children if stack else root).append(node)
        stack.append(node)

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda tag: stack.pop()
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise FileError(f"{title}, line {error.lineno}: not well-formed XML ({expat.ErrorString(error.code)})") from None
    except (LookupError, ValueError, TypeError) as error:  # an encoding that Python takes for something else, as rot13 or utf-7
        if isinstance(error, FileError):
            raise
        raise FileError(f"{title}: the document declares an encoding that is not read ({error}): save it as UTF-8") from None
    return root[0]
