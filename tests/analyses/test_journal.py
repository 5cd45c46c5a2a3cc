"""Journals: what is in their key, two sweeps at once, rows that are not what they should be, files of others."""

import functools
import hashlib
import importlib
import json
import os
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import dalembert as da
from dalembert.analyses.studies import journal, key
from dalembert.analyses.studies.outputs import Output
from dalembert.analyses.sweep import Job
from dalembert.io.functions import identified

SRC = str(Path(da.__file__).parents[1])
KILLS = int(os.environ.get("DALEMBERT_KILLS", "1"))


def pendulum(**kw):
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81), parameters={"l": 1.0, "m": 1.0})
    m.add(da.Body.rod("rod", (0, 0), ("l", 0), mass="m"))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    return m


def swept(path, count=5, analysis=da.simulate, until=0.1, outputs=None, model=None, **options):
    options = {"times": [0.1], "workers": 1} | options if analysis is da.simulate else {"workers": 1} | options
    return da.sweep(
        model or pendulum(),
        {"l": np.linspace(0.5, 2, count)},
        analysis,
        until,
        save=path,
        outputs=outputs or {"angle": "last rod.angle"},
        **options,
    )


@pytest.mark.parametrize(
    "other",
    [
        {"rtol": 1e-9},
        {"atol": 1e-12},
        {"integrator": "rk5"},
        {"formulation": "augmented"},
        {"times": [0.05, 0.1]},
        {"until": 0.2},
        {"start": 0.01},
        {"max_steps": 500},
        {"fixed_step": 0.01},
        {"stop": "t - 0.05"},
        {"outputs": {"angle": "first rod.angle"}},
        {"outputs": {"turn": "last rod.angle"}},
        {"outputs": {"angle": lambda run: run["rod"].angle[-1]}},
        {"count": 6},
        {"model": lambda l: pendulum()},
        {"state": "x"},
        {"events": ["rod.x"]},
    ],
)
def test_everything_the_numbers_depend_on_is_in_the_key(tmp_path, other):
    """Every option of the analysis: another value, another sweep."""
    swept(tmp_path / "j")
    before = (tmp_path / "j").read_bytes()
    with pytest.raises(da.FileError, match="belongs to another sweep"):
        swept(tmp_path / "j", **other)
    assert (tmp_path / "j").read_bytes() == before


def test_the_key_holds_all_arguments_and_versions(tmp_path):
    import inspect

    swept(tmp_path / "j")
    head = json.loads((tmp_path / "j").read_bytes().splitlines()[0])
    assert list(head["arguments"]) == list(inspect.signature(da.simulate).parameters)[1:]
    assert head["arguments"]["rtol"] == 1e-6 and head["versions"]["dalembert"].startswith(da.__version__)
    assert swept(tmp_path / "j", rtol=1e-6, atol=1e-9).failed == []  # defaults, said


@pytest.mark.parametrize("changed", ["versions", "sources"])
def test_another_version_is_another_sweep(tmp_path, monkeypatch, changed):
    swept(tmp_path / "j")
    if changed == "versions":
        monkeypatch.setattr(key.np, "__version__", "0.0")
    else:
        monkeypatch.setattr(key, "_sources", lambda: "other")
    with pytest.raises(da.FileError, match="different: versions"):
        swept(tmp_path / "j")


# ------------------------------------------------------------------------------------------------- functions by their code


def made(text: str, name="f", **known):
    space = {"__name__": "__main__", **known}
    exec(text, space)
    return space[name]


EDITS = [
    ("def f(x): return x + 1", "def f(x): return x + 2"),
    ("def f(x): return x + 1", "def f(x): return x - 1"),
    ("def f(x, a=1): return x + a", "def f(x, a=2): return x + a"),
    ("def f(x, *, a=1): return x + a", "def f(x, *, a=2): return x + a"),
    ("K = 1\ndef f(x): return x + K", "K = 2\ndef f(x): return x + K"),
    ("def g(x): return x\ndef f(x): return g(x)", "def g(x): return -x\ndef f(x): return g(x)"),
    ("def h(k):\n def f(x): return x + k\n return f\nf = h(1)", "def h(k):\n def f(x): return x + k\n return f\nf = h(2)"),
    ("class C:\n def __call__(self, x): return x\nf = C()", "class C:\n def __call__(self, x): return -x\nf = C()"),
    (
        "class C:\n k = 1\n def go(self): return self.k\ndef f(x): return C().go()",
        "class C:\n k = 2\n def go(self): return self.k\ndef f(x): return C().go()",
    ),
    ("def f(x): return [y + 1 for y in x]", "def f(x): return [y + 2 for y in x]"),
    ("def f(x): return (lambda z: z * 2)(x)", "def f(x): return (lambda z: z * 3)(x)"),
    (
        "import numpy as np\nA = np.arange(3)\ndef f(x): return A[x]",
        "import numpy as np\nA = np.arange(3) * 1.5\ndef f(x): return A[x]",
    ),
    (
        "from functools import partial\ndef g(a, x): return a\nf = partial(g, 1)",
        "from functools import partial\ndef g(a, x): return a\nf = partial(g, 2)",
    ),
    *(
        (form.format(a), form.format(b))
        for form, a, b in [
            ("import numpy as np\nK = np.{}(100)\ndef f(x): return K + K", "int8", "int64"),
            ("import numpy as np\nK = np.array([0.5], {})\ndef f(x): return K / 3", "'f4'", "'f8'"),
            ("import numpy as np\nK = np.zeros({})\ndef f(x): return len(K)", "(0, 3)", "(3, 0)"),
            ("import numpy as np\nK = np.ma.array([1.0, 2.0], mask=[0, {}])\ndef f(x): return K.sum()", 0, 1),
            ("def f(x): return f.scale * x\nf.scale = {}", 1, 2),
            ("class P(dict):\n def go(self): return {}\np = P()\ndef f(x): return p.go()", 1, 2),
            ("import typing\nclass P(typing.NamedTuple):\n a: int\n go = lambda s: {}\np = P(1)\ndef f(x): return p.go()", 1, 2),
            ("from collections import defaultdict\np = defaultdict(lambda: {})\ndef f(x): return p[x]", 1, 2),
            ("class C:\n k = property(lambda s: s.a, lambda s, v: setattr(s, 'a', v + {}))\ndef f(x): C().k = 1", 1, 2),
            ("def f({}x): return len(x)", "", "*"),
            ("p = [{}]\np.append(p)\ndef f(x): return p[0]", 1, 2),  # a list in itself
        ]
    ),
]


def with_a_limit(model, until, limit=float("nan"), exact=True):
    return da.simulate(model, until, times=[until])


def test_an_argument_that_is_not_a_number_does_not_make_it_another_sweep(tmp_path):
    swept(tmp_path / "j", analysis=with_a_limit)
    before = (tmp_path / "j").read_bytes()
    swept(tmp_path / "j", analysis=with_a_limit)
    assert (tmp_path / "j").read_bytes() == before
    for other in ({"limit": 1.0}, {"exact": 1}):  # equal to True, and not the same
        with pytest.raises(da.FileError, match=r"belongs to another sweep .different: arguments"):
            swept(tmp_path / "j", analysis=with_a_limit, **other)


@pytest.mark.parametrize("before, after", EDITS)
def test_an_edited_function_is_another_one(tmp_path, before, after):
    assert identified(made(before)) == identified(made(before)) != identified(made(after))


@pytest.mark.parametrize("line", ["from away.inner.mine import go", "from away.inner import mine\n go = mine.go",
                                  "import away.inner.mine as m\n go = m.go", "from .inner.mine import go"])
def test_what_a_function_imports_when_it_is_called_counts(tmp_path, monkeypatch, line):
    """An edit in a module that is not loaded yet when the sweep begins: old rows must not come back."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "away" / "inner").mkdir(parents=True)
    for place in ("away", "away/inner"):
        (tmp_path / place / "__init__.py").write_text("")
    found = []
    for k in (1, 1, 22):  # another length: files of one second are told apart by it
        for name in [n for n in sys.modules if n.partition(".")[0] == "away"]:
            del sys.modules[name]
        (tmp_path / "away/inner/mine.py").write_text(f"K = {k}\ndef go(x): return K * x")
        importlib.invalidate_caches()
        f = made(f"def f(x):\n {line}\n return go(x)", __package__="away")
        found.append(identified(f))
        assert f(2) == 2 * k and identified(f) == found[-1]  # whether it was called before or not
    assert found[0] == found[1] != found[2]



def test_an_edited_module_of_the_users_own(monkeypatch):
    helper = types.ModuleType("helper")
    monkeypatch.setitem(sys.modules, "helper", helper)
    texts = ("import helper\ndef f(x): return helper.g(x)", "def f(x):\n import helper\n return helper.g(x)")
    found = set()
    for text in texts:
        for body in ("def g(x): return x", "def g(x): return -x"):
            exec(body, helper.__dict__)
            found.add(identified(made(text)))
    assert len(found) == 4


def test_identities_are_the_same_in_every_process():
    code = (
        "import functools, numpy as np\nfrom dalembert.io.functions import identified\nK = {1.0, 2.0, 'x'}\n"
        "class C:\n __slots__ = ('a',)\n def __init__(self): self.a = 3\n def __call__(self, r): return K\n"
        "def f(x, a=np.arange(3)): return np.sin(x) in K\n"
        "print(identified([f, C(), functools.partial(f, 2), lambda r: f(r), np.float64(0.1)]))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONPATH": SRC, "PYTHONHASHSEED": seed},
            text=True,
            capture_output=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(said) == 1


@pytest.mark.parametrize("what", ["outputs", "model", "analysis", "element"])
def test_an_edited_function_does_not_bring_old_rows_back(tmp_path, what):
    def tried(factor):
        if what == "element":

            class Odd(da.Force):
                def build(self, b):
                    return factor

            m = pendulum()
            m.elements["odd"] = Odd("odd", "rod", (0, 0))
            return key.key(Job(m, [{"l": 1.0}], da.simulate, (0.1,), {}, {}))
        made_ = {
            "outputs": {"outputs": {"a": lambda run: factor * run.t[-1]}},
            "model": {"model": lambda l: (factor, pendulum())[1]},
            "analysis": {"analysis": lambda m, until: types.SimpleNamespace(a=factor), "outputs": {"a": "a"}},
        }[what]
        return swept(tmp_path / "j", **made_)

    if what == "element":
        assert tried(1) != tried(2)
        return
    tried(1.0)
    with pytest.raises(da.FileError, match=f"different: {what}"):
        tried(2.0)


# ------------------------------------------------------------------------------------------------------- two at once

WRITER = """
import sys
sys.path[:0] = [{here!r}]
import test_journal as t, dalembert as da
try:
    t.swept({path!r}, 300, workers=1)
except da.FileError as error:
    assert "another sweep is writing" in str(error), error
    print("refused")
"""


@pytest.mark.parametrize("seed", range(min(20, 2 * KILLS)))
def test_two_writers_write_every_variant_once(tmp_path, seed):
    code = WRITER.format(here=str(Path(__file__).parent), path=str(tmp_path / "j"))
    env = os.environ | {"PYTHONPATH": SRC}
    both = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=env) for _ in range(2)]
    said = [p.communicate()[0] for p in both]
    assert [p.returncode for p in both] == [0, 0]
    rows = [json.loads(x) for x in (tmp_path / "j").read_bytes().splitlines()[1:]]
    assert sorted(r["k"] for r in rows) == list(range(300)), said


def test_in_one_process_too(tmp_path):
    def inside(done, total):
        with pytest.raises(da.FileError, match="another sweep is writing"):
            swept(tmp_path / "j")

    assert len(swept(tmp_path / "j", progress=inside).known) == 5
    swept(tmp_path / "j")


def test_workers_do_not_keep_the_lock(tmp_path):
    """Forked processes let go of the journal, so that a resume right after kill -9 is not refused."""

    def held(run):
        with pytest.raises(da.FileError, match="another sweep"):  # the parent has it
            journal.Journal(tmp_path / "j", {}, None, 1, [])
        return float(len(journal._open))

    assert set(swept(tmp_path / "j", workers=2, outputs={"open": held})["open"]) == {0.0}


# --------------------------------------------------------------------------------------------------- what is in the file


@pytest.mark.parametrize(
    "content",
    [
        b"my thesis in one line",
        b"my thesis\n",
        b"{}",
        b'{"format": "dalembert sweep 2"',
        b"\0" * 40,
        b"\n",
        b"{",
        b'{"format": "dalembert sweep 9"}\n',
        b'{"a": 1}\nmore',
    ],
)
def test_files_of_others_are_refused_and_kept(tmp_path, content):
    (tmp_path / "j").write_bytes(content)
    ours = content in (b"{", b'{"format": "dalembert sweep 2"')  # a first line of ours, cut by a kill
    if ours:
        assert len(swept(tmp_path / "j").known) == 5
        return
    with pytest.raises(da.FileError, match="is not the journal of a sweep"):
        swept(tmp_path / "j")
    assert (tmp_path / "j").read_bytes() == content


@pytest.mark.parametrize(
    "row",
    [
        {"k": 2},
        {"k": 2, "out": {}},
        {"k": 2, "out": {"angel": 1.0}},
        {"k": 2, "out": {"angle": {"a": 1}}},
        {"k": 2, "out": {"angle": 1.0}, "more": 1},
        {"k": 2, "out": [1.0]},
        {"k": 2, "error": 7},
        {"k": True},
        {"k": 99, "out": {"angle": 1.0}},
        {"k": -1, "error": "x"},
        {"k": 2.0, "out": {"angle": 1.0}},
        [1],
        None,
    ],
)
@pytest.mark.parametrize("summed", [True, False])
def test_rows_that_are_none_are_computed_anew(tmp_path, row, summed):
    whole = swept(tmp_path / "j")
    lines = (tmp_path / "j").read_bytes().splitlines(keepends=True)
    if summed and isinstance(row, dict):
        row = {**row, "sum": journal._sum(row)}
    lines[3] = json.dumps(row).encode() + b"\n"
    (tmp_path / "j").write_bytes(b"".join(lines))
    again = swept(tmp_path / "j")
    assert np.array_equal(again["angle"], whole["angle"])
    assert len((tmp_path / "j").read_bytes().splitlines()) == 7  # the line stays, the variant is added


def test_an_altered_number_is_noticed(tmp_path):
    whole = swept(tmp_path / "j")
    data = (tmp_path / "j").read_bytes()
    at = data.index(b'"angle": -0.', data.index(b"\n")) + 14
    (tmp_path / "j").write_bytes(data[:at] + (b"7" if data[at : at + 1] != b"7" else b"8") + data[at + 1 :])
    assert np.array_equal(swept(tmp_path / "j")["angle"], whole["angle"])


def test_journals_of_before_are_taken_up(tmp_path):
    """Format 1, as it was: no sums, functions by name; only where no function of the user's own is in it."""
    job = Job(
        pendulum(),
        [{"l": float(x)} for x in np.linspace(0.5, 2, 5)],
        da.simulate,
        (0.1,),
        {"times": [0.1]},
        {"angle": Output("last rod.angle")},
    )
    head = {"format": "dalembert sweep 1", **key.first_key(job)}
    assert set(head) == {"format", "model", "analysis", "args", "options", "outputs", "parameters", "variants"}
    rows = [head, {"k": 1, "out": {"angle": 42.0}}, {"k": 3, "error": "because"}]
    (tmp_path / "j").write_bytes(b"".join(json.dumps(r).encode() + b"\n" for r in rows))
    table = swept(tmp_path / "j")
    assert table["angle"][1] == 42.0 and table.failed[0]["message"] == "because" and len(table.known) == 5
    assert len(swept(tmp_path / "j").known) == 5
    assert key.first_key(Job(job.model, job.rows, da.simulate, (), {}, {"a": lambda run: 1})) is None


@functools.cache
def digest_of(count=40):
    return hashlib.blake2b(swept(None, count)["angle"].tobytes()).hexdigest()


def test_rows_are_on_the_disk_before_they_are_reported(tmp_path, monkeypatch):
    synced = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda h: (synced.append(os.fstat(h).st_size), real(h)))

    def reported(done, total):
        assert synced[-1] == (tmp_path / "j").stat().st_size

    swept(tmp_path / "j", progress=reported)
    assert len(synced) >= 2


def test_every_source_file_is_in_the_key(tmp_path, monkeypatch):
    """In any folder, by its name and content."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.setattr(key.dalembert, "__file__", str(tmp_path / "__init__.py"))
    found = [key._sources.__wrapped__()]
    for name, text in (("__init__.py", ""), ("a/x.py", "1"), ("a/b/y.py", "1"), ("a/b/y.py", "2"), ("a/b/z.py", "2")):
        (tmp_path / name).write_text(text)
        found.append(key._sources.__wrapped__())
    (tmp_path / "a/b/z.py").rename(tmp_path / "a/z.py")
    assert len({*found, key._sources.__wrapped__()}) == len(found) + 1


def test_what_wraps_a_function_of_the_package_counts():
    """simulate is wrapped by the package itself and is known by its name; a user's wrapper is a function of the user's own."""
    import functools

    @functools.wraps(da.simulate)
    def mine(*args, **given):
        return da.simulate(*args, **given)

    assert key._of_dalembert(da.simulate) and key._of_dalembert(da.kinematics) and not key._of_dalembert(mine)
