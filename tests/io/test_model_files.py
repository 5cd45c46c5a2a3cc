"""Model files: what is read and written, what is refused, and how it is told."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from plain_schema import valid

import dalembert as da
from dalembert.catalog import CATALOG
from dalembert.io.document import document, sections
from dalembert.io.files import dumps, loads, parse
from dalembert.io.schema import needs_code, schema

BLOCK = """dalembert = 1
name = "rod on a sliding block"
dim = 2
gravity = [0, -9.81]
[parameters]
l = 1.0
[[body]]
name = "block"
mass = 1.0
inertia = 0.1
[[body]]
name = "rod"
mass = 2.0
inertia = "2*l**2/12"
position = ["l/2", 0]
[[joint]]
type = "prismatic"
name = "slide"
between = ["ground", "block"]
axis = [1, 0]
[[joint]]
type = "revolute"
name = "O"
between = ["block", "rod"]
at = [0, 0]
[[drive]]
name = "shake"
of = "slide"
law = "0.1*sin(3*t)"
"""


@pytest.mark.parametrize("name", CATALOG)
def test_the_catalogue_there_and_back(name, tmp_path):
    model = CATALOG[name].make()
    for kind in ("toml", "json"):
        file = tmp_path / f"{name}.{kind}"
        model.save(file)
        again = da.load_model(file)
        assert document(again) == document(model)
        a, b = model.compile(), again.compile()
        assert all(x.tobytes() == y.tobytes() for x, y in zip(a.tables, b.tables, strict=True))


def test_the_promised_file_runs_and_follows_its_closed_form(tmp_path):
    (tmp_path / "block.toml").write_text(BLOCK, encoding="utf-8")
    run = da.simulate(da.load_model(tmp_path / "block.toml"), 2.0)
    assert np.allclose(run["block"].position[:, 0], 0.1 * np.sin(3 * run.t), atol=1e-9)
    other = da.load_model(tmp_path / "block.toml")
    other.parameters["l"] = 2.0
    assert other.compile().tables.bodies["inertia"][1] == pytest.approx(8 / 12)


def test_laws_tables_functions_and_shapes():
    m = da.Model("laws", dim=2)
    m.add(da.Body("a", mass=1.0, inertia=np.float64(2.0), position=np.array([0.1, 0.2]), material="steel",
                  shapes=[da.Box((1, 2)), da.Link(((0, 0), (1, 0)), width=0.1, material="red")]))
    m.add(da.Revolute("O", m.ground, "a", at=(0, 0)))
    m.add(da.Drive("d", "O", da.Table([0, 1, 2], [0, 0.5, 0.1])))
    m.add(da.Force("f", "a", (lambda t: 3 * np.sin(t), "2*t")))
    again = loads(dumps(m))
    assert again["d"].law == da.Table([0, 1, 2], [0, 0.5, 0.1], kind="cubic") and again["a"].shapes == m["a"].shapes
    assert [c.replace(" ", "") for c in again["f"].components] == ["3*sin(t)", "2*t"]
    m.remove("f")
    m.add(da.Motor("q", "O", lambda t, x, v: 1.0 if x > 0 else -1.0))
    with pytest.raises(da.FileError, match=r"law of Motor 'q' is a Python function, and a file holds no code"):
        dumps(m)


def test_own_elements_are_refused_by_name():
    class Mine(da.Force):
        pass

    m = da.Model("own", dim=2)
    m.add(da.Body("a", mass=1, inertia=1))
    m.add(Mine("x", "a", (1, 0)))
    with pytest.raises(da.FileError, match="is an element of your own"):
        dumps(m)


CHANGES = [
    ("axis = [1", "axs = [1",
     "line 20: prismatic 'slide': there is no key 'axs': did you mean 'axis'?"),
    ('"revolute"', '"revolut"', "line 22: joint 'O': there is no joint of type 'revolut': did you mean 'revolute'? (allowed: "),
    ('type = "revolute"', 'type = "drive"', "line 22: joint 'O': there is no joint of type 'drive': it belongs in [[drive]]"),
    ('type = "revolute"\n', "", "line 21: joint 'O': 'type' is missing (allowed: "),
    ('["block", "rod"]', '["blok", "rod"]', "line 24: revolute 'O': there is no body or element 'blok': did you mean 'block'?"),
    ('["block", "rod"]', '["block"]', "line 24: revolute 'O': found ['block']; two names are needed, as between ="),
    ('["block", "rod"]', '["rod", "rod"]', "line 21: Revolute 'O': joins 'rod' to itself"),
    ("2*l**2/12", "2*k**2/12", "line 14: body 'rod': inertia: the formula '2*k**2/12' uses 'k', which is not a parameter"),
    ("2*l**2/12", "2*l**/12", "line 14: body 'rod': inertia: expression '2*l**/12'"),
    ("[1, 0]", "[1, 0, 0]", "line 20: prismatic 'slide': axis: found 3 items; a list of 2 numbers (dim = 2) is needed"),
    ("mass = 1.0", "mas = 1.0", "line 9: body 'block': there is no key 'mas': did you mean 'mass'?"),
    ("mass = 1.0", "mass = true", "line 9: body 'block': mass: found True; a number or a formula"),
    ("mass = 1.0", "mass = 1979-05-27", "line 9: body 'block': mass: found datetime.date(1979, 5, 27); a number or a formula"),
    ("mass = 1.0", "mass = inf", "line 9: body 'block': mass: found inf; a finite number is needed"),
    ("[[drive]]", "[[driv]]", "line 26: there is no 'driv' in a model file: did you mean 'drive'?"),
    ("[[drive]]", "[drive]", "line 26: found a table; 'drive' is a list: start each with [[drive]]"),
    ('of = "slide"\n', "", "line 26: drive 'shake': 'of' is missing"),
    ('of = "slide"', 'of = "slid"', "line 28: drive 'shake': of: there is no body or element 'slid': did you mean 'slide'?"),
    ("dalembert = 1", "dalembert = 2", "line 1: found format 2; this version of dalembert reads format 1"),
    ("dalembert = 1", "", "this is no model file: the first line of one says dalembert = 1"),
    ("dim = 2", "dim = 4", "line 3: found 4; 2 (plane) or 3 (space) is allowed"),
    ("l = 1.0", "l = [1", "this is not TOML: Unclosed array (at line 7"),
    ("l = 1.0", "sin = 1.0", "line 6: parameter 'sin': choose a name that formulas can spell"),
    ('name = "rod"', 'name = "block"', "line 11: model 'rod on a sliding block' already has 'block'"),
    ('name = "rod"', 'name = "a.b"', "line 11: Body 'a.b': a name must not contain a dot"),
    ('"0.1*sin(3*t)"', '"0.1*sn(3*t)"',
     "line 29: drive 'shake': law: expression '0.1*sn(3*t)': unknown function 'sn'; did you mean 'sin'?"),
    ('"0.1*sin(3*t)"', "{x = [0, 1], y = [1]}", "line 29: drive 'shake': law: Table: needs two lists of the same length"),
    ('"0.1*sin(3*t)"', "{x = [0, 1], z = [1]}", "line 29: drive 'shake': law: a table has no key 'z'"),
    ('type = "prismatic"', 'type = "cylindrical"', "line 16: cylindrical 'slide' does not exist in the plane (dim = 2)"),
    ('inertia = 0.1', 'shapes = {type = "bx", size = [1, 1]}',
     "line 10: body 'block': shapes: found 'bx'; a shape has the type"),
    ('inertia = 0.1', 'shapes = {type = "box"}', "line 10: body 'block': shapes: a box needs 'size'"),
]


@pytest.mark.parametrize(("old", "new", "message"), CHANGES, ids=[c[1][:24].strip() or c[0][:24].strip() for c in CHANGES])
def test_messages(old, new, message):
    assert old in BLOCK
    with pytest.raises(da.FileError) as caught:
        loads(BLOCK.replace(old, new, 1), title="x.toml")
    assert str(caught.value).startswith("x.toml") and message in str(caught.value), str(caught.value)


def test_messages_of_json_have_lines_too():
    text = json.dumps(document(loads(BLOCK)), indent=1)
    line = text[: text.index('"shake"')].count("\n") + 1
    with pytest.raises(da.FileError, match=rf"x.json, line {line + 1}: drive 'shake': there is no key 'off'"):
        loads(text.replace('"of"', '"off"'), "json", title="x.json")
    with pytest.raises(da.FileError, match="the key 'name' occurs twice"):
        loads('{"dalembert": 1, "name": "a", "name": "b"}', "json")
    with pytest.raises(da.FileError, match="NaN is not a number"):
        loads('{"dalembert": NaN}', "json")


def test_files_that_are_none(tmp_path):
    with pytest.raises(da.FileError, match=r"ends in '.tml': did you mean 'toml'\?; a model file is called something.toml"):
        da.load_model(tmp_path / "x.tml")
    with pytest.raises(da.FileError, match=r"cannot read .*: No such file"):
        da.load_model(tmp_path / "x.toml")
    with pytest.raises(da.FileError, match=r"cannot read .*: Is a directory"):
        (tmp_path / "d.toml").mkdir()
        da.load_model(tmp_path / "d.toml")
    (tmp_path / "y.toml").write_bytes(b"dalembert = 1\nname = '\xff'")
    with pytest.raises(da.FileError, match=r"y.toml, line 2: the file is not text in UTF-8"):
        da.load_model(tmp_path / "y.toml")


@pytest.mark.parametrize("kind", ["toml", "json"])
def test_limits(kind):
    for depth in (20, 100_000):
        with pytest.raises(da.FileError, match="nested too deeply"):
            parse(('{"a": ' if kind == "json" else "a = ") + "[" * depth + "]" * depth + "}" * (kind == "json"), kind)
    with pytest.raises(da.FileError, match="too long for a model"):
        parse(" " * 33_000_000, kind)


def test_long_dotted_keys_do_not_hang():
    with pytest.raises(da.FileError, match=r"more than 16 dots \(at line 2\)"):
        parse("x = 1\n" + "a." * 200_000 + "a = 1")
    with pytest.raises(da.FileError, match="more than 16 dots"):
        parse("[" + "a." * 200_000 + "a]")


def test_meshes_stay_in_the_folder(tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "secret.stl").write_text("x")
    (folder / "link.stl").symlink_to(tmp_path / "secret.stl")
    (folder / "parts").mkdir()
    m = da.Model("m", dim=3)
    m.add(da.Body("a", mass=1, inertia=(1, 1, 1), shapes=[da.Mesh(str(folder / "parts" / "a.stl"), scale=0.1)]))
    m.save(folder / "m.toml")
    text = (folder / "m.toml").read_text()
    assert 'file = "parts/a.stl"' in text
    assert Path(da.load_model(folder / "m.toml")["a"].shapes[0].file) == folder / "parts" / "a.stl"
    for bad in ("../secret.stl", "parts/../../secret.stl", str(tmp_path / "secret.stl"), "link.stl", "a\\\\b", ""):
        with pytest.raises(da.FileError, match=r"line .*folder"):
            loads(text.replace("parts/a.stl", bad), folder=folder)
    with pytest.raises(da.FileError, match="does not lie in the folder"):
        m.save(folder / "parts" / "b" / "m.toml")


def test_the_schema_accepts_what_is_written_and_knows_every_element():
    s = schema()
    assert set(s["$defs"]) >= {f"{section}.{name}" for section, types in sections().items()
                               for name, cls in types.items() if not needs_code(cls)}
    for name in CATALOG:
        assert valid(document(CATALOG[name].make()), s, s), name
    assert valid(parse(BLOCK), s, s)


@pytest.mark.parametrize(("old", "new"), [(o, n) for o, n, m in CHANGES if "there is no key" in m or "is missing" in m
                                          or "of type" in m or "found True" in m or "in a model file" in m])
def test_the_schema_refuses_what_the_reader_refuses(old, new):
    s = schema()
    assert not valid(parse(BLOCK.replace(old, new, 1)), s, s)


def test_a_full_disk_leaves_the_previous_file(tmp_path):
    """The file size is limited below what the second model needs."""
    file = tmp_path / "m.toml"
    loads(BLOCK).save(file)
    before = file.read_bytes()
    code = f"""
import signal, dalembert as da
from dalembert.catalog import make
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    make("chain").save({str(file)!r})
except da.FileError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env=os.environ | {"PYTHONPATH": str(Path(da.__file__).parents[1])},
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
    assert "cannot write" in done.stdout, done.stderr
    assert file.read_bytes() == before and os.listdir(tmp_path) == ["m.toml"]
