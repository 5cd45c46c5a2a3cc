"""The document: texts that keep what was written, operations, undo, the file on the disk."""

import tomllib

import pytest

import dalembert as da
from dalembert import catalog
from dalembert.io import toml
from dalembert.io.arguments import Wrong
from dalembert.io.document import document
from dalembert.io.files import loads
from dalembert.workshop.edits import applied, literal, users
from dalembert.workshop.paper import Paper
from dalembert.workshop.session import Refused

TEXT = """# my crank
dalembert = 1
dim = 2   # plane

[parameters]
l = 0.3  # length

# the crank itself
[[body]]
name = "crank"   # first
mass = 1
inertia = 0.1
position = ["l/2", 0]  # half way

# the pin
[[joint]]
type = "revolute"
name = "O"
between = ["ground", "crank"]
at = [
  0, # x
  0,
]

[[drive]]
name = "motor"
of = "O"
law = "2*t"
"""


def test_changes_leave_the_rest_of_the_text_alone():
    p = applied(Paper(TEXT), [{"op": "parameter", "name": "l", "value": 0.4},
                              {"op": "set", "name": "crank", "key": "mass", "value": "2*l"},
                              {"op": "set", "name": "crank", "key": "angle", "value": 0.1},
                              {"op": "head", "key": "gravity", "value": [0, -9.81]}])
    new = [line for line in p.text.splitlines() if line not in TEXT.splitlines()]
    assert new == ["gravity = [0, -9.81]", "l = 0.4  # length", 'mass = "2*l"', "angle = 0.1"] and not p.rewritten
    assert [x for x in TEXT.splitlines() if x not in p.text.splitlines()] == ["l = 0.3  # length", "mass = 1"]
    gone = applied(p, [{"op": "remove", "name": "O"}])
    assert "motor" not in gone.text and "the pin" not in gone.text and "# the crank itself" in gone.text
    assert tomllib.loads(gone.text) == gone.plain


def test_renaming_reaches_every_reference():
    m = catalog.make("planetary-gear")
    paper = Paper(toml.dumps(document(m)))
    for name in [*m.bodies, *m.elements]:
        paper = applied(paper, [{"op": "rename", "name": name, "to": f"{name}_2"}])
    other = loads(paper.text)
    assert [*other.bodies, *other.elements] == [f"{n}_2" for n in (*m.bodies, *m.elements)]
    a, b = da.simulate(m, 0.2), da.simulate(other, 0.2)
    assert abs(a.q - b.q).max() == 0.0


def test_a_text_written_otherwise_is_written_anew_and_says_so():
    text = '# kept?\ndalembert = 1\ndim = 2\nbody = [{name = "a", mass = 1, inertia = 1}]\n'
    p = applied(Paper(text), [{"op": "set", "name": "a", "key": "mass", "value": 2}])
    assert p.rewritten and tomllib.loads(p.text)["body"][0]["mass"] == 2


def test_operations_that_cannot_be_are_refused():
    p = Paper(TEXT)
    for bad in ([{"op": "add", "section": "body", "entry": {"name": "crank"}}], [{"op": "add", "section": "body", "entry": {}}],
                [{"op": "rename", "name": "crank", "to": "a.b"}], [{"op": "rename", "name": "crank", "to": "O"}],
                [{"op": "head", "key": "dalembert", "value": 2}], []):
        with pytest.raises(Wrong):
            applied(p, bad)
    assert users(p.plain, "crank") == ["O", "motor"]
    assert literal({"text": "0.5"}) == 0.5 and literal({"text": "l/2"}) == "l/2"
    assert literal([{"text": "1"}, {"text": "l"}]) == [1, "l"]
    assert literal({"text": '1\ny = 2'}) == "1\ny = 2" and literal({"text": '"a"'}) == "a"


def test_fifty_changes_and_back(session):
    s = session()
    empty = s.history.paper.text
    for k in range(50):
        s.handle({"do": "edit", "ops": [{"op": "add", "section": "body", "entry": {"name": f"b{k}", "mass": 1, "inertia": 1}}]})
    full = s.history.paper.text
    for k in range(49, -1, -1):
        assert len(s.handle({"do": "undo"})[0]["plain"].get("body", [])) == k, "one undo is one step"
    assert s.history.paper.text == empty and not s.history.past
    for k in range(1, 51):
        assert len(s.handle({"do": "redo"})[0]["plain"]["body"]) == k
    assert s.history.paper.text == full
    s.handle({"do": "undo"})
    s.handle({"do": "edit", "ops": [{"op": "parameter", "name": "a", "value": 1}]})
    told = s.handle({"do": "redo"})[0]  # what was undone is gone with the next change
    assert told["redo"] == 0 and told["plain"]["parameters"] == {"a": 1} and len(told["plain"]["body"]) == 49


def test_refused_edits_name_their_field_and_change_nothing(session):
    s = session("slider-crank-driven")
    text = s.history.paper.text
    for key, value, field in (("mass", -1, "mass"), ("mass", "zzz", "mass"), ("nokey", 1, "nokey")):
        with pytest.raises(Refused) as error:
            s.handle({"do": "edit", "ops": [{"op": "set", "name": "rod", "key": key, "value": value}]})
        assert error.value.path[0] == "body" and error.value.path[2] == field
    assert s.history.paper.text == text


def test_the_file_is_the_truth(session, folder):
    path = folder / "crank.toml"
    path.write_text(TEXT)
    s = session(str(path))
    assert s.document()["saved"] and not s.outside()
    s.handle({"do": "edit", "ops": [{"op": "parameter", "name": "l", "value": 0.5}]})
    assert s.document()["saved"] and "l = 0.5  # length" in path.read_text()
    path.write_text(path.read_text().replace("0.5", "0.6"))
    pushed = s.outside()
    assert pushed[0]["parameters"]["l"] == 0.6 and pushed[0]["saved"] and s.model.parameters["l"] == 0.6
    s.handle({"do": "undo"})
    assert "l = 0.5" in path.read_text()
    path.write_text(TEXT.replace('"revolute"', '"revolut"'))
    complaint = s.outside()[0]["complaint"]
    assert complaint["line"] == 17 and "revolute" in complaint["text"] and s.model.parameters["l"] == 0.5
    path.write_text("[[")  # half written: the model stays
    assert s.outside()[0]["complaint"] and s.model.parameters["l"] == 0.5


def test_a_file_that_is_being_written_is_looked_at_again(session, folder):
    (folder / "a.toml").write_text(TEXT)
    s = session(folder / "a.toml")
    (folder / "a.toml").write_text("")  # emptied, as editors do before they write
    assert s.outside() == [] and s.complaint is None and not s.history.past
    (folder / "a.toml").write_text(TEXT.replace("mass = 1", "mass = 4", 1))
    assert s.outside() and s.complaint is None and len(s.history.past) == 1
    (folder / "a.toml").write_text("")  # and one that stays empty is told
    assert s.outside() == [] and s.outside() and "no model file" in s.complaint["text"]


def test_a_disk_that_refuses_is_told(session, folder, monkeypatch):
    path = folder / "crank.toml"
    path.write_text(TEXT)
    s = session(str(path))

    def full(*_):
        raise da.FileError("cannot write: no space")

    monkeypatch.setattr("dalembert.io.atomic.write_text", full)
    s.handle({"do": "edit", "ops": [{"op": "parameter", "name": "l", "value": 0.5}]})
    told = s.document()
    assert not told["saved"] and "no space" in told["trouble"] and path.read_text() == TEXT


def test_laws_in_python_open_and_saving_says_what_is_lost(session, folder):
    m = da.Model("own", dim=2)
    rod = m.add(da.Body.rod("rod", (0, 0), (1, 0), mass=3.0))
    m.add(da.Revolute("pin", m.ground, rod, at=(0, 0)))
    table = {0: 0.5}
    m.add(da.Motor("motor", "pin", lambda t: table[0] if t < 1e9 else float(hash("x"))))
    s = session(m)
    assert s.document()["code"] == ["motor"]
    assert s.handle({"do": "save", "file": "own.toml"})[0] == {"what": "loses", "names": ["motor"]}
    assert not (folder / "own.toml").exists()
    s.handle({"do": "edit", "ops": [{"op": "set", "name": "rod", "key": "mass", "value": 4}]})
    assert callable(s.model.elements["motor"].law) and s.model.bodies["rod"].mass == 4
    s.handle({"do": "save", "file": "own.toml", "anyway": True})
    assert "motor" not in da.load_model(folder / "own.toml").elements
    assert s.handle({"do": "save", "file": "own.toml"})[0]["saved"]


def test_edits_that_wait_stop_the_motion_before(session):
    s = session("four-bar")
    replies = s.handle({"do": "edit", "ops": [{"op": "parameter", "name": "l2", "value": 0.31}]}, lambda: True)
    assert [r["what"] for r in replies] == ["document", "skipped"] and s.model.parameters["l2"] == 0.31


def test_what_cannot_be_opened_says_so(folder):
    from dalembert.workshop.launch import Started

    for what in ("nothing.json", "no-such-mechanism", "page.html", 5):
        with pytest.raises(da.DalembertError, match="studio"):
            Started(what)
    made = Started("new.toml")
    assert made.session.document()["file"] == "new.toml" and not (folder / "new.toml").exists()
    made.listener.close()


def test_the_file_is_replaced_at_once_never_written_into(session, folder):
    path, kept = folder / "crank.toml", folder / "kept"
    path.write_text(TEXT)
    kept.hardlink_to(path)  # the old file itself: who reads it while it is saved reads all of it
    session(str(path)).handle({"do": "edit", "ops": [{"op": "parameter", "name": "l", "value": 0.5}]})
    assert kept.read_text() == TEXT and "l = 0.5" in path.read_text()


def test_what_others_wrote_is_never_written_over_unseen(session, folder):
    path = folder / "mine.toml"
    path.write_text("dalembert = 1\ndim = 2\n\n[parameters]\nl = 1.0\n")
    s = session(path)
    edit = {"do": "edit", "ops": [{"op": "parameter", "name": "l", "value": 5.0}]}
    theirs = "dalembert = 1\ndim = 2\n\n[parameters]\nl = 2.0  # theirs\n"
    path.write_text(theirs)  # between two looks
    assert s.handle(edit)[0]["saved"] and "5.0" in path.read_text()
    assert s.handle({"do": "undo"})[0]["text"] == theirs == path.read_text()
    broken = theirs + "[[bod"
    path.write_text(broken)  # half typed: it stays, whatever is drawn meanwhile
    assert "not TOML" in s.outside()[0]["complaint"]["text"]
    told = s.handle(edit)[0]
    assert path.read_text() == broken and not told["saved"] and "Save" in told["trouble"] and told["unreadable"]
    assert s.handle({"do": "undo"})[0]["text"] == theirs and path.read_text() == broken
    path.write_text(theirs.replace("2.0", "3.0"))
    told = s.outside()[0]
    assert told["parameters"]["l"] == 3.0 and told["saved"] and not told["unreadable"] and told["complaint"] is None
    path.write_text(broken)
    s.outside()
    assert s.handle({"do": "save", "over": True})[0]["saved"] and "l = 3.0" in path.read_text()
    s = session(folder / "new.toml")  # a name without a file, which somebody makes
    (folder / "new.toml").write_text(theirs)
    assert s.outside()[0]["text"] == theirs


def test_texts_that_are_no_model_stay_out_of_the_file_by_undo_and_redo_too(session, folder):
    path = folder / "mine.toml"
    path.write_text("dalembert = 1\ndim = 2\n")
    s = session(path)
    good = path.read_text()
    assert s.handle({"do": "text", "text": good + "gravity = 5\n"})[0]["complaint"]
    s.handle({"do": "undo"})
    assert s.handle({"do": "redo"})[0]["complaint"] and path.read_text() == good


def test_undo_reaches_what_runs_in_real_time(session):
    s = session("pendulum")
    s.handle({"do": "advance", "begin": True})
    s.handle({"do": "edit", "ops": [{"op": "head", "key": "gravity", "value": [0, 0]}]})
    assert list(s.real.model.gravity) == [0, 0]
    s.handle({"do": "undo"})
    assert list(s.real.model.gravity) == list(s.model.gravity) != [0, 0]
