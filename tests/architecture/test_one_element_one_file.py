"""One element, one file: what places.py lists is there, and nothing else is; the builder knows primitives only."""

import ast
import inspect
from importlib import import_module
from pathlib import Path

import pytest

import dalembert as da
from dalembert import places
from dalembert.elements import element, families
from dalembert.elements.measures import table
from dalembert.model.builder import Builder
from dalembert.model.model import CONTACTS

ROOT = Path(da.__file__).parent
LISTED = {name: place for place, names in places.PLACES.items() for name in names}
LISTED |= {name: place for place, names in da._PLACES.items() for name in names if place.startswith("elements.signals.")}
FAMILIES = list(families.FAMILIES)  # (Python at instants has no rows either)


def test_every_element_is_listed_in_its_file():
    """Also one whose line in places.py was forgotten: all files of the rooms are loaded here."""
    for path in (ROOT / "elements").rglob("*.py"):
        import_module(f"dalembert.{path.relative_to(ROOT).with_suffix('').as_posix().replace('/', '.')}")
    found = {name: cls.__module__.removeprefix("dalembert.") for name, cls in element.REGISTRY.items()
             if cls.kind not in ("", "body", *CONTACTS)}  # contacts have no rows: listed beside the bodies, in dalembert/__init__
    assert found == LISTED


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_is_whole(name):
    """Row and kernel in the file; its own elements' recipes there too, and nobody else's."""
    family = families.FAMILIES[name]
    assert ("row" in family.ROW.names) != ("element" in family.ROW.names)
    assert callable(family.evaluate)
    own = places.FAMILIES[family.__name__.removeprefix("dalembert.")]
    text = Path(family.__file__).read_text(encoding="utf-8")
    for title in own:
        assert f"class {title}(" in text
    if own:
        wanted = f'"{name}"'
        using = [p for p in (ROOT / "elements").rglob("*.py") if wanted in p.read_text(encoding="utf-8") and p.stem != "base"]
        assert [p.stem for p in using] == [Path(family.__file__).stem]


def test_files_hold_one_kind_of_thing():
    """Kernels of rows live in listed files only."""
    listed = {*places.FAMILIES}
    for room in ("rows", "joints", "constraints", "drives", "forces"):
        for path in (ROOT / "elements" / room).glob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            rows = any(isinstance(n, ast.Assign) and getattr(n.targets[0], "id", "") == "ROW" for n in tree.body)
            assert rows == (f"elements.{room}.{path.stem}" in listed), path


def test_the_builder_knows_no_element():
    """Its methods are primitives: none takes an element's name, and no element class is imported by it."""
    source = inspect.getsource(inspect.getmodule(Builder))
    imported = {a.name for n in ast.walk(ast.parse(source)) if isinstance(n, ast.ImportFrom) for a in n.names}
    assert not imported & set(LISTED)
    own = {name for name in FAMILIES if places.FAMILIES[families.FAMILIES[name].__name__.removeprefix("dalembert.")]} - {"force"}
    assert not own & set(dir(Builder))


@pytest.mark.parametrize("name", table.NAMES)
def test_a_measure_is_whole(name):
    measure = import_module(f"dalembert.elements.measures.{name}")
    assert measure.UNIT in ("m", "rad", "m²", "")
    assert callable(measure.evaluate) and callable(measure.drawn)


def test_defaults_are_on_the_base():
    facts = ("pulls", "law_names", "unknowns", "drawn_as", "free", "coordinate_name", "by_particles", "no_formula", "kinks",
             "pitch_radius", "without_functions", "joins_bodies", "dims")
    assert all(hasattr(element.Element, fact) for fact in facts)
