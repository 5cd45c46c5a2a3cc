"""The reference that the source tells of itself (docs/_ext) leaves nothing out."""

import ast
import dataclasses
import importlib
import inspect
import re
import sys
from functools import cached_property
from pathlib import Path

import pytest

import dalembert as da
from dalembert.expressions import FUNCTIONS
from dalembert.integrators.registry import records
from dalembert.io.document import arguments, registry, type_name

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "dalembert"
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

import docstrings  # noqa: E402
import pages  # noqa: E402
import reference  # noqa: E402

TEXTS = [p for p in sorted((ROOT / "docs").rglob("*.md")) if not {"_build", "_generated"} & set(p.parts)]
SPOKEN = {"Path", "None", "Any", "Callable", "Iterable", "Iterator", "Sequence", "Mapping", "Self", "Named", "Model", "Partition",
          "Displacement", "Image", "DataFrame", "Dataset", "Figure"}  # annotations that need no page of results


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("theory")
    pages._theory(folder)
    return pages.CHAPTERS, "\n".join(p.read_text(encoding="utf-8") for p in folder.glob("*.md"))


def test_every_header_of_a_chapter_is_in_it(written):
    chapters, text = written
    for place in (p for places in chapters.values() for p in places if not p.endswith(".py")):
        for file in (SOURCE / place).rglob("*.py"):
            if ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))):
                name = file.relative_to(SOURCE).as_posix().removesuffix("/__init__.py")
                assert f"\n## {name}\n" in text, f"{name} is in no chapter"


def test_every_package_of_equations_and_elements_has_a_chapter(written):
    chapters, text = written
    for room in (p.parent.relative_to(SOURCE).as_posix() for p in (SOURCE / "elements").glob("*/__init__.py")):
        assert f"\n## {room}/" in text, f"docs/_ext/pages.py: no chapter for {room}"


def test_methods_by_their_records(written):
    assert all(f"| {m.name} | {m.order} | {m.dense} |" in written[1] for m in records().values())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("reference")
    reference.write(found)
    return found


def test_every_public_name_has_a_page(folder):
    index = (folder / "api.md").read_text(encoding="utf-8")
    for name in set(da.__all__) - {"__version__"} - set(registry()):
        text = (folder / "api" / f"{type_name(type(name, (), {}))}.md").read_text(encoding="utf-8")
        assert f":: dalembert.{name}\n" in text and f"[`{name}`]" in index
        assert inspect.getdoc(getattr(da, name)), f"{name} has no docstring"
    assert all(f"dalembert.robotics.{n}" in (folder / "api" / "robotics.md").read_text() for n in da.robotics.__all__)
    assert all(f"dalembert.parts.{n}" in (folder / "api" / "parts.md").read_text() for n in da.parts.__all__)


def test_every_ready_mechanism_has_its_card_and_picture(folder):
    from dalembert import catalog

    text = (folder / "catalog.md").read_text(encoding="utf-8")
    for name in catalog.CATALOG:
        assert f"`{name}`" in text and 500 < (folder / "catalog" / f"{name}.png").stat().st_size < 60_000


def test_what_verbs_and_results_give_back_has_a_page(folder):
    """By the annotations of public functions and of the members of result classes."""
    told = {n for names in reference.RESULTS.values() for n in names}
    asked = [(n, getattr(da, n)) for n in da.__all__ if inspect.isfunction(getattr(da, n))]
    assert len(asked) > 20
    for name, function in asked:
        for word in re.findall(r"\b[A-Z]\w+", str(function.__annotations__.get("return", ""))):
            assert word in told | SPOKEN | set(da.__all__), f"da.{name} gives {word}: RESULTS of docs/_ext/reference.py"
    assert all((folder / "results" / f"{type_name(type(n, (), {}))}.md").exists() for n in told)


@pytest.mark.parametrize(("place", "name"), [(place, n) for place, names in reference.RESULTS.items() for n in names])
def test_everything_public_of_a_result_is_told(place, name):
    """A member has a docstring, a field a comment beside it, or the docstring of the class speaks of it."""
    cls = getattr(importlib.import_module(f"dalembert.{place}"), name)
    said = " ".join(b.__dict__.get("__doc__") or "" for b in cls.__mro__ if b.__module__.startswith("dalembert."))
    told = set(re.findall(r"\w+", said)) | set(reference._comments(cls))
    for base in cls.__mro__:
        for key, member in vars(base).items() if base.__module__.startswith("dalembert.") else ():
            open_ = isinstance(member, (property, cached_property)) or inspect.isfunction(member)
            if open_ and not key.startswith("_") and not inspect.getdoc(member):
                assert key in told, f"{name}.{key}: a docstring, or a line in the Attributes of {base.__name__}"
    for f in dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ():
        assert f.name in told or f.name.startswith("_"), f"{name}.{f.name}: a comment beside it, or a line in its Attributes"


def test_functions_of_formulas_are_all_told():
    assert set(reference.FORMULAS) == set(FUNCTIONS)
    assert all(f"`{call}`" in reference.formulas() for call, _ in reference.FORMULAS.values())


@pytest.mark.parametrize("page", [*TEXTS, ROOT / "README.md"], ids=lambda p: p.relative_to(ROOT).as_posix())
def test_names_in_texts_exist(page):
    known = {*da.__all__, "robotics", "catalog", "parts", "errors", "name"}
    used = set(re.findall(r"(?<![\w.])da\.([A-Za-z]\w*)", page.read_text(encoding="utf-8")))
    assert used <= known, f"{page.name} speaks of {', '.join(sorted(used - known))}"


def test_there_are_25_recipes_and_the_index_names_each():
    recipes = sorted((ROOT / "docs" / "recipes").glob("[0-9]*.md"))
    index = (ROOT / "docs" / "recipes" / "index.md").read_text(encoding="utf-8")
    assert len(recipes) >= 25 and all(f"({p.name})" in index for p in recipes)
    assert all("```python\n" in p.read_text(encoding="utf-8") for p in recipes)


def test_most_recipes_have_a_picture(tmp_path):
    import recipes

    found = {p.stem: recipes.model(p) for p in recipes.recipes()}
    drawn = [name for name, model in found.items() if model is not None]
    assert len(drawn) >= 0.8 * len(found) and found["02-pid"].bodies.keys() == {"arm"}


@pytest.mark.parametrize("name", [n for n in reference.others() if inspect.isclass(getattr(da, n))
                                  and not issubclass(getattr(da, n), Exception)])
def test_arguments_of_public_classes_are_told(name):
    cls = getattr(da, name)
    told = docstrings.parameters(cls.__doc__ or "")
    taken = arguments(cls)
    assert set(told) == set(taken), f"{name}: Parameters of its docstring and of its signature differ"
    for key, p in taken.items():
        wanted = "" if p.default is p.empty else "optional" if p.default is None else repr(p.default)
        assert told[key].default == wanted and told[key].unit and told[key].text, f"{name}: {key}"
