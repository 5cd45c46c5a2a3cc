"""Types: every public name is annotated, the stub has what the lazy table has, views are declared as they are."""

import dataclasses
import functools
import importlib.util
import inspect
import typing
from pathlib import Path

import dalembert as da
from dalembert.results import contacts
from dalembert.results.views import bodies, elements, gears, signals
from dalembert.results.views.view import View

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = ("dalembert.system", "dalembert.formulations", "dalembert.viewer", "dalembert.model.builder")  # not for users to call
AUTHORS = {"build", "recipe", "resolve", "quadrature", "mass_properties", "moments", "pitch_radius", "without_functions", "kinks",
           "held", "held_length", "relation", "radii_of", "ratio_of", "tangent_of", "at_value", "kind_for",
           "on_joint", "teeth", "outline", "surface_of"}  # who writes elements


def stub():
    spec = importlib.util.spec_from_file_location("stub", ROOT / "docs" / "_ext" / "stub.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_stub_is_in_step():
    made = stub()
    assert made.TARGET.read_text(encoding="utf-8") == made.stub(), "run: python docs/_ext/stub.py"
    assert (ROOT / "src" / "dalembert" / "py.typed").exists()


def methods(cls):
    for name, value in vars(cls).items():
        if name.startswith("_") or name in AUTHORS:
            continue
        value = getattr(value, "__func__", value)
        value = value.fget if isinstance(value, property) else value
        value = value.func if isinstance(value, functools.cached_property) else value
        if inspect.isfunction(value):
            yield name, value


def untyped(function) -> list[str]:
    signature = inspect.signature(function)
    found = [n for n, p in signature.parameters.items() if p.annotation is p.empty and n not in ("self", "cls")]
    return found + (["return"] if signature.return_annotation is signature.empty else [])


def classes(hint):
    if isinstance(hint, type):
        yield hint
    for part in typing.get_args(hint):
        yield from classes(part)


def hints(function) -> dict:
    try:
        return typing.get_type_hints(function)
    except NameError:  # named for checkers only
        return {}


def surface() -> tuple[dict, set[type]]:
    """Public functions and the methods of all classes that can be reached from them: name → function."""
    functions, queue, seen = {}, [], set()
    for name in da.__all__:
        thing = getattr(da, name)
        if inspect.isclass(thing):
            queue.append(thing)
            if not dataclasses.is_dataclass(thing) and "__init__" in vars(thing):
                functions[f"{name}()"] = vars(thing)["__init__"]
        elif inspect.isfunction(thing):
            functions[name] = thing
            queue += classes(hints(thing).get("return"))
    while queue:
        for cls in queue.pop().__mro__:
            if cls in seen or not cls.__module__.startswith("dalembert.") or cls.__module__.startswith(OUTSIDE):
                continue
            seen.add(cls)
            for name, function in methods(cls):
                functions[f"{cls.__name__}.{name}"] = function
                queue += classes(hints(function).get("return"))
    return functions, seen


def test_every_public_name_is_annotated():
    functions, seen = surface()
    missing = {}
    for name, function in functions.items():
        if function.__module__.startswith(OUTSIDE):
            continue
        parts = [p for p in untyped(function) if not (p == "return" and name.endswith("()"))]
        if parts:
            missing[name] = parts
    assert not missing
    assert len(functions) > 200 and len(seen) > 60


def test_views_are_declared_as_they_are():
    real = {name for module, names in ((bodies, ("BodyView",)), (elements, ("JointView", "DriveView", "ForceView")),
                                       (gears, ("GearView",)), (signals, ("SignalView",)), (contacts, ("ContactView",)))
            for cls in names for base in getattr(module, cls).__mro__ if base is not View
            for name in vars(base) if not name.startswith("_")}
    text = (ROOT / "src" / "dalembert" / "results" / "views" / "view.py").read_text(encoding="utf-8")
    declared = {line.split("def ")[1].split("(")[0] for line in text.splitlines() if line.startswith("        def ")}
    assert declared == real
