"""Every element of the registry brings what its page and help() need: arguments, units, defaults, notes, an example, a picture.

The rules are written where the pages are made: docs/_ext/docstrings.py and elements.py.
"""

import inspect
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

import docstrings  # noqa: E402
import elements  # noqa: E402

from dalembert.io.document import arguments, registry  # noqa: E402

CLASSES = list(registry().values())
UNIT = re.compile(r"m|rad|kg|s|N|Pa|–|W|J")


def named(cls):
    return cls.__name__


@pytest.mark.parametrize("cls", CLASSES, ids=named)
def test_every_argument_has_its_unit_and_default(cls):
    told = docstrings.parameters(cls.__dict__.get("__doc__") or "")
    taken = arguments(cls)
    assert set(told) == set(taken), f"{cls.__name__}: Parameters of its docstring and of its signature differ"
    for name, p in taken.items():
        entry = told[name]
        assert entry.kind and entry.text, f"{cls.__name__}: say what {name} is"
        assert UNIT.search(entry.unit), f"{cls.__name__}: give the unit of {name} in brackets, [–] for none"
        wanted = "" if p.default is p.empty else "optional" if p.default is None else repr(p.default)
        assert entry.default == wanted, f"{cls.__name__}: {name} has the default {wanted or 'none'}, not {entry.default}"


@pytest.mark.parametrize("cls", CLASSES, ids=named)
def test_what_is_held_signs_and_degenerate_poses_are_told(cls):
    first = elements.summary(cls)
    assert first[0].isupper() and first.endswith(".") and len(first) < 130, f"{cls.__name__}: the first line is one sentence"
    leads = docstrings.leads(cls.__doc__)
    touches = cls.kind in ("contact", "surface", "pair", "fixture", "signal")
    wanted = {"body": "Frame", "force": "Acts"}.get(cls.kind, "Acts" if touches else "Holds")
    for lead in (wanted, "Signs", "Degenerate"):
        assert len(leads.get(lead, "")) > 5, f"{cls.__name__}: its Notes need a paragraph '{lead}: …'"
    if cls.kind not in ("body", "force") and not touches:
        assert "λ" in leads["Signs"], f"{cls.__name__}: say under Signs what λ means"


@pytest.mark.parametrize("cls", CLASSES, ids=named)
def test_the_example_runs_and_gives_the_picture(cls, tmp_path):
    space = docstrings.run_examples(cls.__doc__, cls.__name__)
    model = space["m"]
    everything = (*model.bodies.values(), *model.elements.values(), *model.contacts.values())
    assert any(type(e) is cls for e in everything), f"{cls.__name__}: not in its example"
    path = tmp_path / "picture.png"
    elements.picture(model, path, size=(120, 80), run=space.get("run"))
    assert path.read_bytes().startswith(b"\x89PNG") and path.stat().st_size > 400
    text = elements.page(cls, model)
    assert f"autoclass:: dalembert.{cls.__name__}" in text and all(f"| `{a}` |" in text for a in arguments(cls))


def test_help_shows_the_same_text():
    import dalembert as da

    assert "Degenerate:" in inspect.getdoc(da.Revolute)
