"""Verbs say what they take and give: every parameter in the order of the signature, with its default, and what comes back."""

from __future__ import annotations

import ast
import inspect
import re

import pytest

import dalembert as da

VERBS = {name: getattr(da, name) for name in da.__all__ if inspect.isfunction(getattr(da, name))}


def sections(text):
    """{title: [(head of the entry, its text)]} of a docstring in NumPy's manner."""
    found, lines, title = {}, text.splitlines(), ""
    for k, line in enumerate(lines):
        if k + 1 < len(lines) and line and lines[k + 1] == "-" * len(line):
            title = line
            found[title] = []
        elif title and line and set(line) != {"-"}:
            if line.startswith(" "):
                found[title][-1][1].append(line.strip())
            else:
                found[title].append((line, []))
    return {t: [(head, " ".join(words)) for head, words in entries] for t, entries in found.items()}


def complaints(function):
    """What is wrong with the docstring of a verb."""
    said = sections(inspect.getdoc(function) or "")
    if list(said) != ["Parameters", "Returns"]:
        return [f"sections {list(said)}"]
    wrong = []
    given = list(inspect.signature(function).parameters.values())
    marks = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    names = [marks.get(p.kind, "") + p.name for p in given]
    told = [head.partition(" :")[0] for head, _ in said["Parameters"]]
    if names != told:
        wrong.append(f"parameters {told}, the signature has {names}")
        return wrong
    for p, (head, text) in zip(given, said["Parameters"], strict=True):
        kind = head.partition(" :")[2]
        default = re.search(r", default (.+)$", kind)
        optional = kind.endswith("optional")
        if not text.endswith("."):
            wrong.append(f"{p.name}: no sentence")
        if p.default is inspect.Parameter.empty:
            if default or (optional and p.kind not in marks):
                wrong.append(f"{p.name} has no default")
        elif p.default is None:
            if not optional:
                wrong.append(f"{p.name} may be left out")
        elif default is None or ast.literal_eval(default[1]) != p.default:
            wrong.append(f"{p.name}: the default is {p.default!r}")
    (back,) = said["Returns"]
    annotated = str(inspect.signature(function).return_annotation).strip("'")
    if annotated.isidentifier() and annotated != "Any" and annotated not in re.split(r"\W+", back[0]):
        wrong.append(f"gives {annotated}, not {back[0]}")
    if not back[1].endswith("."):
        wrong.append("no sentence about what comes back")
    return wrong


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_says_what_it_takes_and_gives(name):
    assert complaints(VERBS[name]) == []


def test_there_are_verbs():
    assert {"simulate", "check", "derive", "fit"} <= set(VERBS)


def test_faults_are_found():
    def good(a, b=1, *, c=None) -> int:
        """Text.

        Parameters
        ----------
        a : number
            What.
        b : int, default 1
            How many.
        c : int, optional
            Where.

        Returns
        -------
        int
            The answer.
        """

    assert complaints(good) == []
    for old, new in (("    a : number\n            What.\n    ", ""), ("default 1", "default 2"), (", default 1", ""),
                     (", optional", ""), ("        int\n            The answer", "        str\n            The answer"),
                     ("What.", "what"), ("Returns", "Yields "), ("a : number", "a : number, optional"), ("The answer.", "the")):
        text = good.__doc__

        def bad(a, b=1, *, c=None) -> int: ...

        bad.__doc__ = text.replace(old.strip(" ") if old not in text else old, new)
        assert bad.__doc__ != text, old
        assert complaints(bad), old
