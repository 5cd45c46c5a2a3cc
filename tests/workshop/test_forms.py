"""Forms come from the registry alone: every element a file may name, every argument, and elements that are new."""

import inspect

import pytest

import dalembert as da
from dalembert.io.arguments import KINDS, kind_of
from dalembert.io.document import arguments, sections, type_name
from dalembert.io.schema import needs_code
from dalembert.workshop.forms import _form, forms

ELEMENTS = [(section, cls) for section, types in sections().items() for cls in types.values()]


@pytest.mark.parametrize(("section", "cls"), ELEMENTS, ids=[cls.__name__ for _, cls in ELEMENTS])
def test_every_argument_of_every_element_has_a_field(section, cls):
    found = [f for f in forms() if (f["section"], f["type"]) == (section, type_name(cls))]
    assert len(found) == (0 if needs_code(cls) else 1)
    for form in found:
        given, fields = arguments(cls), {f["key"]: f for f in form["fields"]}
        wanted = {k for k in given if kind_of(cls, k) != "function"}
        if {"i", "j"} <= wanted:
            wanted = wanted - {"i", "j"} | {"between"}
        assert set(fields) == wanted and len(form["fields"]) == len(fields)
        for key, field in fields.items():
            default = inspect.Parameter.empty if key == "between" else given[key].default
            assert field["required"] == (default is inspect.Parameter.empty), key
            if key != "between":
                enum = KINDS[field["kind"]].schema.get("enum") if field["kind"] in KINDS else None
                assert field.get("choices") == enum, key
        assert form["about"].strip() and form["title"] == cls.__name__ and set(form["dims"]) <= {2, 3}


def test_numbers_say_their_units():
    """Of arguments that are numbers with a dimension; a docstring without one would leave the reader guessing."""
    by = {(f["type"], x["key"]): x["unit"] for f in forms() for x in f["fields"]}
    for element, key, unit in (("body", "mass", "kg"), ("body", "start", "m"), ("body", "angle", "rad"), ("spring", "stiffness",
                               "N/m"), ("spring", "damping", "N·s/m"), ("revolute", "at", "m"), ("gear", "radii", "m")):
        assert by[element, key] == unit, (element, key)
    bare = [f"{f['type']}.{x['key']}" for f in forms() for x in f["fields"] if x["kind"] in ("number", "vector") and not x["unit"]
            and not x["help"]]
    assert not bare, f"neither unit nor words in their docstrings: {bare}"


def test_a_new_element_has_its_form_at_once():
    class Elastic(da.Spring):
        """A spring with a name of its own.

        Parameters
        ----------
        i, j : names
            The bodies.
        strength : number [N/m]
            How strong it is.
        mood : text
            Anything.
        """

        def __init__(self, name, i, j, *, strength, mood=None, at_i=None):
            super().__init__(name, i, j, stiffness=strength, at_i=at_i)

    form = _form("force", Elastic)
    assert [(f["key"], f["required"], f["unit"]) for f in form["fields"]] == [
        ("name", True, ""), ("between", True, ""), ("strength", True, "N/m"), ("mood", False, ""), ("at_i", False, "")]
    assert form["title"] == "Elastic" and form["about"] == "A spring with a name of its own."
    assert form["fields"][2]["help"] == "How strong it is."
