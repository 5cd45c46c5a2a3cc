"""Docstrings as they are written here: their sections, and their way to Sphinx.

Sections are numpydoc's (Parameters, Notes, Examples, a title with a line of hyphens below); Sphinx's napoleon reads them.  Texts
have |d|, a*b and laid-out lines in them, which reStructuredText would take for marks of its own: ``ready`` escapes what it would
misread and sets indented lines as they stand.

A parameter of an element is written

    stiffness : number [N/m], default 0.0
        What it is.

with its unit in brackets ([–] for none, [N/m or N·m/rad] where it depends) and its default as in the signature ("optional" where
that is None).
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass

LITERAL = re.compile(r"(``.*?``)")
KEPT: dict[str, list[str]] = {}  # texts of properties
LEADS = ("Holds", "Acts", "Frame", "Signs", "Friction", "Degenerate")  # paragraphs of the Notes of elements


@dataclass(frozen=True)
class Parameter:
    """One argument as its docstring tells of it."""

    name: str
    kind: str  # what it is, without unit and default
    unit: str
    default: str  # "", "optional" or the value's text
    text: str


def sections(text: str) -> dict[str, str]:
    """Title → text; what comes before the first title is under ""."""
    lines, found, title = inspect.cleandoc(text).splitlines(), {"": []}, ""
    skip = False
    for k, line in enumerate(lines):
        if skip:
            skip = False
            continue
        if k + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[k + 1]) and line.strip():
            title, skip = line.strip(), True
            found[title] = []
        else:
            found[title].append(line)
    return {key: "\n".join(value).strip("\n") for key, value in found.items()}


def parameters(text: str) -> dict[str, Parameter]:
    """The arguments in a section Parameters; several names may share one entry ("on_i, on_j : …")."""
    found: dict[str, Parameter] = {}
    for entry in re.split(r"\n(?=\S)", sections(text).get("Parameters", "")):
        head, _, body = entry.partition("\n")
        names, _, kind = head.partition(" : ")
        if not names.strip():
            continue
        unit = re.search(r"\[([^\]]*)\]", kind)
        default = re.search(r", (optional|default .*)$", kind)
        plain = re.sub(r"\s*\[[^\]]*\]", "", kind[: default.start()] if default else kind)
        for name in names.split(","):
            found[name.strip()] = Parameter(name.strip(), plain.strip(), unit.group(1) if unit else "",
                                            default.group(1).removeprefix("default ") if default else "",
                                            " ".join(inspect.cleandoc(body).split()))
    return found


def leads(text: str) -> dict[str, str]:
    """The paragraphs of the Notes that begin with one of the agreed words."""
    found: dict[str, str] = {}
    for paragraph in re.split(r"\n\s*\n", sections(text).get("Notes", "")):
        word, colon, rest = paragraph.partition(":")
        if colon and word in LEADS:
            found[word] = " ".join(rest.split())
    return found


def run_examples(text: str, title: str) -> dict:
    """Run the Examples as doctest does, outputs compared; gives the names they leave.  AssertionError where they fail."""
    import doctest

    test = doctest.DocTestParser().get_doctest(sections(text).get("Examples", ""), {}, title, None, 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    runner.run(test, out=said.append, clear_globs=False)
    if runner.failures or not test.examples:
        raise AssertionError("".join(said) or f"{title} has no Examples")
    return test.globs


# ------------------------------------------------------------------------------------------------------- for Sphinx


def ready(app, what, name, obj, options, lines: list[str]) -> None:
    """Sphinx's autodoc-process-docstring, before napoleon's."""
    text = "\n".join(lines)
    lines[:] = (_structured(lines) if len(sections(text)) > 1 else _plain(lines))
    if what in ("property", "attribute"):
        KEPT[name] = list(lines)


def kept(app, what, name, obj, options, lines: list[str]) -> None:
    """After napoleon's, which takes words before a colon for the type of a property: as it was."""
    if name in KEPT:
        lines[:] = KEPT[name]


def _structured(lines: list[str]) -> list[str]:
    out = []
    for line in lines:
        if line.lstrip().startswith((">>>", "...")) or re.fullmatch(r"\s*-{3,}", line):
            out.append(line)
            continue
        lead = re.match(rf"({'|'.join(LEADS)}): ", line)
        text = escaped(line[lead.end():] if lead else line)
        out.append(f"**{lead.group(1)}:** {text}" if lead else text)
    return out


def _plain(lines: list[str]) -> list[str]:
    """Paragraphs stay paragraphs, indented blocks are set as they stand."""
    out: list[str] = []
    literal = False
    for k, line in enumerate(lines):
        if not line.strip():
            out.append("")
            continue
        indented = line[0] == " "
        first = k == 0 or not lines[k - 1].strip()
        if indented and (literal or first) and k > 0:
            if not literal:
                out += ["::", ""]
            literal = True
            out.append(line)
        else:
            if literal and out and out[-1]:
                out.append("")
            literal = False
            out.append(escaped(line.strip()))
    return out


def escaped(line: str) -> str:
    """What reStructuredText would take for its own marks, outside of ``literal`` text."""
    parts = LITERAL.split(line)
    for k in range(0, len(parts), 2):
        parts[k] = re.sub(r"([|*`\\])", r"\\\1", parts[k])
        parts[k] = re.sub(r"(?<=\w)_(?!\w)", r"\\_", parts[k])
    return "".join(parts)
