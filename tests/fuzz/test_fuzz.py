"""Model files, result files and formulas that somebody mangled: see guard.py for what must hold."""

import hashlib
import io
from unittest import mock

import h5py
import numpy as np
from guard import cases, harmless, mutated, mutated_bytes
from hypothesis import given
from hypothesis import strategies as st

import dalembert as da
from dalembert import expressions
from dalembert.catalog import CATALOG
from dalembert.io.document import arguments, sections
from dalembert.io.files import dumps, loads
from dalembert.io.reader import Reader
from dalembert.results.files import store

NAMES = ["slider-crank", "slider-crank-spring", "bricard", "planetary-gear", "rolling-disc", "car-axis", "chaplygin-sleigh"]
TEXTS = {kind: [dumps(CATALOG[n].make(), kind) for n in NAMES] for kind in ("toml", "json")}
TEXTS["toml"].append("""dalembert = 1
dim = 2
[parameters]
l = 1.0
k = "2*l"
[[body]]
name = "a"
mass = "l"
inertia = 1
shapes = [{type = "box", size = [1, 2]}, {type = "mesh", file = "a.stl"}]
[[constraint]]
type = "velocity_equation"
name = "v"
coefficients = {"a.x" = 1.0, "a.y" = "sin(a.angle)"}
[[force]]
name = "f"
body = "a"
components = [{x = [0, 1, 2], y = [0, 1, 0]}, "k*t"]
[[initial]]
of = "a.x"
rate = 1.0
""")
for texts in TEXTS.values():  # everything that is loaded at first use
    for text in texts:
        loads(text, "toml" if text.startswith("dalembert") else "json").compile()


def try_model(text, kind):
    with harmless():
        loads(text, kind).compile()


@cases(200)
@given(st.integers(0, 2**63), st.integers(0, len(NAMES)))
def test_mangled_toml(seed, which):
    try_model(mutated(TEXTS["toml"][which], seed), "toml")


@cases(120)
@given(st.integers(0, 2**63), st.integers(0, len(NAMES) - 1))
def test_mangled_json(seed, which):
    try_model(mutated(TEXTS["json"][which], seed), "json")


NUMBERS = st.one_of(
    st.integers(-3, 3), st.floats(), st.sampled_from(["l", "2*l", "1/0", "t", "x", "sqrt(-1)", ""]), st.integers()
)
VALUES = st.recursive(
    st.one_of(NUMBERS, st.booleans(), st.text(max_size=6), st.sampled_from(["a", "b", "A", "ground", "a.x"])),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=8,
)
PLAUSIBLE = st.one_of(
    VALUES,
    st.lists(st.floats(-2, 2), min_size=2, max_size=3),
    st.lists(st.sampled_from(["a", "b", "ground"]), min_size=2, max_size=2),
)


@st.composite
def documents(draw):
    """Documents that are nearly models: known sections, types and keys with all sorts of values."""
    found = {"dalembert": 1, "dim": draw(st.sampled_from([2, 3])), "parameters": {"l": draw(NUMBERS)}}
    known = sections()
    size = 1.0 if found["dim"] == 2 else [1.0, 1.0, 1.0]
    found["body"] = [{"name": n, "mass": 1.0, "inertia": size} for n in "ab"]
    for section in draw(st.lists(st.sampled_from(list(known)), max_size=3)):
        name, cls = draw(st.sampled_from(list(known[section].items())))
        keys = draw(st.lists(st.sampled_from([*arguments(cls), "between"]), max_size=6))
        entry = {"type": name, "name": draw(st.sampled_from("ABCD")), **{k: draw(PLAUSIBLE) for k in keys if k not in "ij"}}
        found.setdefault(section, []).append(entry)
    if draw(st.booleans()):
        found[draw(st.text(max_size=5))] = draw(VALUES)
    return found


@cases(200)
@given(documents())
def test_made_up_documents(document):
    with harmless():
        try:
            Reader(document, lambda file: file).model().compile()
        except Exception as error:
            if type(error).__name__ != "Wrong":
                raise


def saved() -> bytes:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "r.h5"
        da.simulate(CATALOG["pendulum"].make(), 0.1, step=0.05).save(file, extra={"a": np.arange(3)})
        return file.read_bytes()


GOOD = saved()


@cases(100)
@given(st.integers(0, 2**63))
def test_damaged_results(tmp_path_factory, seed):
    file = tmp_path_factory.mktemp("r") / "r.h5"
    file.write_bytes(mutated_bytes(GOOD, seed))
    with harmless():
        da.load(file)


PLACES = ["model", "t", "q", "v", "ledger", "extra", "integrator", "certificate/position"]
ATTRIBUTES = ["format", "version", "status", "message", "versions", "stats", "events", "watched", "lost", "model_hash"]
ODD = st.one_of(
    st.integers(-5, 2**40),
    st.floats(),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8),
    st.sampled_from(["[]", "{}", "[[1]]", '[["x", "a"]]', '["rod"]', "null", "1", "dalembert = 1", '[["e", "t"]]']),
    st.lists(st.floats(), max_size=4).map(np.array),
    st.just(np.zeros((2, 2))),
    st.just(np.array([b"x"])),
)


@cases(80)
@given(st.sampled_from([*PLACES, *(f"@{a}" for a in ATTRIBUTES)]), ODD, st.booleans())
def test_results_that_say_something_else(tmp_path_factory, place, value, remove):
    """Sealed again after the change, so that the reader itself has to find out."""
    image = io.BytesIO(GOOD)
    with h5py.File(image, "r+") as file:
        if place.startswith("@"):
            del file.attrs[place[1:]]
            if not remove:
                file.attrs[place[1:]] = value
        else:
            del file[place]
            if not remove:
                file[place] = value
    content = image.getvalue()[store.HEAD :]
    digest = hashlib.blake2b(content, digest_size=16).hexdigest()
    path = tmp_path_factory.mktemp("r") / "r.h5"
    path.write_bytes(f"{store.FORMAT} 1 {len(content)} {digest}\n".encode().ljust(store.HEAD, b"\0") + content)
    with harmless(), mock.patch.object(store, "look_through_apart"):  # the reader in this process is what is asked
        da.load(path)


PIECES = [
    "1",
    "2.5e3",
    "t",
    "x",
    "a.b",
    "`rod 1`.x",
    "+",
    "-",
    "*",
    "/",
    "**",
    "(",
    ")",
    ",",
    "sin",
    "min",
    "atan2",
    "pi",
    "e",
    " ",
    "\n",
    "1e400",
    "lambda",
    "__class__",
    "import os",
    "'",
    '"',
    "\\",
    ";",
    "=",
    "if",
    "for",
    "^",
    "%",
    "0x10",
    "1_0",
    "é",
    "\u2212",
    "9" * 50,
]


@cases(200)
@given(st.one_of(st.text(max_size=40), st.lists(st.sampled_from(PIECES), max_size=25).map("".join)))
def test_formulas(text):
    with harmless():
        found = expressions.parse(text)
        values = dict.fromkeys(found.names, 0.7)
        found.program(sorted(found.names))
        found.derivative("t")
        assert expressions.parse(str(found)) == found
        found.evaluate(values)


@cases(20)
@given(st.integers(1, 100_000), st.sampled_from(["(", "-", "sin(", "1+", "2**", "x*", "((", "1,", "--1*"]))
def test_long_formulas(count, piece):
    with harmless():
        expressions.parse(piece * count + "1")
