"""One model that is open in the studio: messages in, answers out.

A message is a dict with ``do``; each has one method here, which says what it needs.  What is not a message, or asks for what
there is not, is refused in words and changes nothing.  Edits are made on the text (edits.py), the model is read from it, and what
cannot be read or compiled is refused with the path of the field that is wrong; texts typed or written by others are taken as they
are, and the last model that could be read stays on the page beside the complaint.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.analyses.assemble import assemble
from dalembert.catalog import EVERY
from dalembert.errors import AnalysisError, DalembertError, FileError
from dalembert.io import locate
from dalembert.io.arguments import Wrong
from dalembert.io.files import parse
from dalembert.io.origin import Origin
from dalembert.io.reader import Reader
from dalembert.model.model import Model
from dalembert.results.motion import State
from dalembert.viewer.scene.from_results import scene_of
from dalembert.workshop import edits, opening, sharing
from dalembert.workshop.answers import answer
from dalembert.workshop.drag import Drag
from dalembert.workshop.drawing import poses
from dalembert.workshop.forms import forms
from dalembert.workshop.live import LONGEST, Stopped, Wish, shown
from dalembert.workshop.opening import Opened
from dalembert.workshop.paper import Paper
from dalembert.workshop.realtime import Realtime
from dalembert.workshop.restart import from_pose

Reply = dict[str, Any] | bytes | Callable[[], dict[str, Any]]


class Refused(Exception):
    """An edit that cannot be: what is wrong, and where in the document."""

    def __init__(self, text: str, path: tuple = ()):
        super().__init__(text)
        self.path = path


class Session:
    """The open document, the model read from it, what is looked at."""

    def __init__(self, folder: Path, opened: Opened):
        self.folder = folder
        self.take(opened)

    def take(self, opened: Opened) -> None:
        """Another document."""
        self.opened, self.history = opened, opened.history
        self.wish = Wish(until=opened.until)
        self.model: Model = Model("mechanism", dim=2)
        self.complaint: dict[str, Any] | None = None
        self.drag: Drag | None = None
        self.real: Realtime | None = None
        self._reread()

    # ------------------------------------------------------------------------------------------ text → model

    def read(self, paper: Paper) -> Model:
        """The model of a text; Refused says what is wrong with it."""
        folder = self.history.path.parent if self.history.path is not None else self.folder
        try:
            model = Reader(paper.plain, lambda file: _mesh(file, folder), "mechanism", lost=bool(self.opened.code)).model()
        except Wrong as wrong:
            raise Refused(wrong.message, wrong.path) from None
        for name, element in self.opened.code.items():  # laws in Python stay with their elements
            if name in model.elements:
                model.elements[name] = element
            elif name in model.bodies:
                model.bodies[name] = element
        if model.bodies:
            try:
                drawable(model)
            except DalembertError as error:
                origin = Origin("", paper.text, paper.kind, paper.plain)
                raise Refused(str(error), origin.path(str(error)) or ()) from None
        return model

    def _reread(self) -> None:
        """After a text that may be wrong."""
        paper = self.history.paper
        try:
            self.model, self.complaint = self.read(paper), None
            self.drag = None
            self._go_on()
        except Refused as error:
            lines = locate.toml_lines(paper.text) if paper.kind == "toml" else locate.json_lines(paper.text)
            self.complaint = {"text": str(error), "path": list(error.path), "line": locate.line_of(lines, error.path)}

    def _change(self, paper: Paper, label: str) -> None:
        model = self.read(paper)
        self.history.change(paper, label)
        self.model, self.complaint, self.drag = model, None, None
        self._go_on()
        self._keep()

    def _go_on(self) -> None:
        """Gravity, motors and loads change while it runs."""
        if self.real is not None:
            self.real.model = self.model.copy()

    def _keep(self) -> None:
        """Write the file, where there is one; a disk that refuses is told, and the document does not count as saved."""
        self.trouble = ""
        if self.history.path is not None and not self.opened.code:
            try:
                self.history.save()
            except FileError as error:
                self.trouble = str(error)

    trouble = ""

    def document(self) -> dict[str, Any]:
        """What the page knows of the document."""
        h = self.history
        name = None
        if h.path is not None:
            name = h.path.relative_to(self.folder).as_posix() if h.path.is_relative_to(self.folder) else h.path.name
        values = {}
        if self.complaint is None:
            try:
                values = self.model.parameter_values()
            except DalembertError:
                values = {}
        return {"what": "document", "text": h.paper.text, "kind": h.paper.kind, "plain": h.paper.plain, "file": name,
                "saved": h.saved, "undo": len(h.past), "redo": len(h.future), "undo_label": h.past[-1][0] if h.past else "",
                "redo_label": h.future[-1][0] if h.future else "", "complaint": self.complaint, "dim": self.model.dim,
                "name": self.model.name, "parameters": values, "until": self.wish.until, "note": self.opened.note,
                "code": list(self.opened.code), "trouble": self.trouble, "unreadable": h.unreadable,
                "rewritten": h.paper.rewritten, "owed": self.owed}

    # ------------------------------------------------------------------------------------------ messages

    def handle(self, m: dict[str, Any], newer: Callable[[], bool] = lambda: False) -> list[Reply]:
        """Replies to one message; a function makes one that may come later, or not at all where something newer waits."""
        do = m.get("do")
        act = ACTIONS.get(do) if isinstance(do, str) else None
        if act is None:
            raise AnalysisError(f"there is no message {str(do)[:40]!r}")
        return act(self, m, newer)

    def scene(self, wish: Wish | None = None, newer: Callable[[], bool] = lambda: False) -> bytes:
        found, data = shown(self.model, wish or self.wish, newer)
        self.around, self.owed = found.around, False
        return data

    around: Any = None
    owed = False  # the page has the document, and no picture of it yet

    def _both(self, newer) -> list[Reply]:
        listing = Wish(**{**vars(self.wish), "listing": True})
        try:
            return [self.document(), self.scene(listing, newer=newer)]
        except Stopped:  # the next change waits already, and brings its own (or, refused, leaves it to server.py)
            self.owed = True
            return [self.document(), {"what": "skipped"}]
        except DalembertError as error:  # the document is as it is, and what cannot be shown of it is told
            self.complaint, self.owed = {"text": str(error), "path": [], "line": None}, False
            return [self.document(), {"what": "skipped"}]

    def due(self, newer: Callable[[], bool] = lambda: False) -> list[Reply]:
        """The picture that a change left out for a newer one, where that one brought none."""
        if not self.owed:
            return []
        try:
            return self._both(newer)
        except Exception:  # a fault of ours, which server.py tells: the page waits for this picture no longer
            self.owed = False
            raise

    def _hello(self, m, newer):
        return [{"what": "forms", "forms": forms(), "catalogue": [
            {"name": e.name, "title": e.title, "tags": list(e.tags)} for e in EVERY.values()],
            "files": opening.listed(self.folder), "folder": self.folder.name}, *self._both(newer)]

    def _open(self, m, newer):
        if "catalogue" in m:
            opened = opening.from_catalogue(m["catalogue"])
        elif "new" in m:
            opened = opening.new(m["new"])
        else:
            opened = opening.from_file(opening.inside(self.folder, m.get("file")))
        self.take(opened)
        return self._both(newer)

    def _edit(self, m, newer):
        try:
            paper = edits.applied(self.history.paper, m.get("ops"))
        except Wrong as wrong:
            raise Refused(wrong.message, wrong.path) from None
        label = m.get("label")
        self._change(paper, label[:80] if isinstance(label, str) else "edit")
        return self._both(newer)

    def _text(self, m, newer):
        text = m.get("text")
        if not isinstance(text, str):
            raise AnalysisError("text: a text is needed")
        self.history.change(Paper(text, self.history.paper.kind, parse(text, self.history.paper.kind)), "text")
        self._reread()
        if self.complaint is None:
            self._keep()
        return self._both(newer)

    def _step(self, m, newer):
        label = self.history.undo() if m["do"] == "undo" else self.history.redo()
        if label is not None:
            self._reread()
            if self.complaint is None:
                self._keep()
        return self._both(newer)

    def _wish(self, m, newer):
        self.wish = _wished(self.wish, m)
        return [self.scene(newer=newer)]

    def _live(self, m, newer):
        """A slider moves: the same model with other numbers, the text stays; first the picture, then what is said of it."""
        wish = _wished(self.wish, m)
        wish.quick, wish.around = True, self.around
        found, data = shown(self._values(m.get("parameters")), wish, newer)
        return [data, lambda: {"what": "judged", **found.judged()}] if found.model.bodies else [data]

    def _values(self, values: Any) -> Model:
        """The model with other numbers for its parameters."""
        if not isinstance(values, dict):
            raise AnalysisError("parameters are names and numbers")
        model = self.model.copy()
        for name, value in values.items():
            if name not in model.parameters or isinstance(value, bool) or not isinstance(value, (int, float)) or (
                    not math.isfinite(value)):
                raise AnalysisError(f"'{str(name)[:40]}' is no parameter with a number")
            model.parameters[name] = float(value)
        return model

    def _grab(self, m, newer):
        body, local = m.get("body"), _numbers(m.get("local"), self.model.dim)
        start = self.drag.to(self.drag.point()).state if self.drag is not None and m.get("go_on") else None
        self.drag = Drag(self.model, str(body), local, start)
        return [{"what": "grabbed", "freedom": self.drag.freedom}]

    def _pull(self, m, newer):
        if self.drag is None:
            raise AnalysisError("nothing is grabbed")
        moved = self.drag.to(_numbers(m.get("to"), self.model.dim))
        return [{"what": "pulled", "poses": poses(moved.state)[0].tolist(), "missing": moved.missing, "jump": moved.jump,
                 "freedom": moved.freedom}]

    def _release(self, m, newer):
        """The pose reached becomes the drawing, where it is made of numbers or that is asked for."""
        if self.drag is None:
            raise AnalysisError("nothing is grabbed")
        state = self.drag.to(self.drag.point()).state
        operations, formulas = from_pose(self.model, self.history.paper.plain, assemble_or_drawn(self.model), state)
        if formulas and not m.get("anyway"):
            return [{"what": "kept", "formulas": formulas}]
        paper = edits.applied(self.history.paper, operations) if operations else self.history.paper
        self._change(paper, "move")
        return self._both(newer)

    def _advance(self, m, newer):
        """Real time: begin, go on by dt (with a pull by the mouse), or end."""
        if m.get("begin") or m.get("end"):
            self.real = Realtime(self.model.copy()) if m.get("begin") else None
            return [{"what": "moment", "t": 0.0, "poses": poses(self.real.state)[0].tolist() if self.real is not None else []}]
        if self.real is None:
            raise AnalysisError("real time is off")
        dt, pull = m.get("dt"), m.get("pull")
        if isinstance(dt, bool) or not isinstance(dt, (int, float)):
            raise AnalysisError("advance: dt is a number")
        if pull is not None:
            pull = pull if isinstance(pull, dict) else {}
            dim = self.model.dim
            pull = (str(pull.get("body")), _numbers(pull.get("local"), dim), _numbers(pull.get("to"), dim))
        values = self._values(m["parameters"]).parameters if isinstance(m.get("parameters"), dict) else {}
        state = self.real.advance(float(dt), pull, {k: values[k] for k in m.get("parameters") or ()})
        return [{"what": "moment", "t": self.real.t, "poses": poses(state)[0].tolist()}]

    def _answer(self, m, newer):
        options = m.get("options")
        found = answer(m.get("name"), self.model, self.wish.until, options if isinstance(options, dict) else {})
        return [{"what": "answer", "name": m.get("name"), **found}]

    def _save(self, m, newer):
        path = opening.inside(self.folder, m["file"]) if "file" in m else None
        if path is not None and path.suffix.lower() != f".{self.history.paper.kind}":
            path = path.with_name(path.name + f".{self.history.paper.kind}")
        if path is not None and path.exists() and path != self.history.path and not m.get("replace"):
            return [{"what": "exists", "file": m["file"]}]
        if self.opened.code and not m.get("anyway"):
            return [{"what": "loses", "names": list(self.opened.code)}]
        if self.opened.code:
            gone = [n for n in self.opened.code if n in edits.named(self.history.paper.plain)]
            self.opened.code = {}
            paper = edits.applied(self.history.paper, [{"op": "remove", "name": n} for n in gone])
            self._change(paper, "without laws in Python")
        self.history.save(path, over=bool(m.get("over")) or path is not None)
        self.trouble = ""
        return [self.document()]

    def _share(self, m, newer):
        return sharing.shared(self, m)

    def _files(self, m, newer):
        return [{"what": "files", "files": opening.listed(self.folder)}]

    def outside(self) -> list[Reply]:
        """Where somebody else wrote the file: take it over."""
        text = self.history.changed_outside()
        if text is None:
            return []
        kind = self.history.paper.kind
        try:
            self.history.change(Paper(text, kind), "changed on disk")
        except FileError as error:  # no TOML while it is being written; the model stays
            self.history.unreadable = str(error)
            self.complaint = {"text": f"the file on the disk: {error}", "path": [], "line": None}
            return [self.document()]
        self._reread()
        return self._both(lambda: False)


def drawable(model: Model) -> None:
    """Raise what is wrong with a model: its tables, and shapes that only drawing looks at."""
    system = model.compile()
    if any(b.shapes or b.solids for b in model.bodies.values()) or model.ground.shapes:
        state = State(model, system, 0.0, system.q_drawn, np.zeros(system.nv))
        scene_of(state, traces=[], forces=False, channels=False, trust=False)


def assemble_or_drawn(model: Model) -> Any:
    """The start as it is shown; None where it cannot be assembled."""
    try:
        return assemble(model)
    except DalembertError:
        return None


def _wished(wish: Wish, m: dict) -> Wish:
    new = Wish(**vars(wish))
    until = m.get("until", wish.until)
    if isinstance(until, bool) or not isinstance(until, (int, float)) or not 0 < until <= LONGEST:
        raise AnalysisError(f"the time to look at lies between 0 and {LONGEST:g} s")
    new.until = float(until)
    if isinstance(m.get("plotted"), list):
        new.plotted = [x for x in m["plotted"] if isinstance(x, str)][:24]
    if m.get("kind") in ("simulate", "kinematics", "drawing"):
        new.kind = m["kind"]
    new.forces = bool(m.get("forces", wish.forces))
    return new


def _numbers(values: Any, dim: int) -> list[float]:
    if not isinstance(values, list) or len(values) != dim or not all(
            isinstance(x, (int, float)) and not isinstance(x, bool) and math.isfinite(x) for x in values):
        raise AnalysisError(f"a place is {dim} finite numbers")
    return [float(x) for x in values]


def _mesh(file: str, folder: Path) -> str:
    try:
        return str(opening.inside(folder, file))
    except FileError as error:
        raise ValueError(str(error)) from None


ACTIONS: dict[str, Callable[..., list[Reply]]] = {
    "hello": Session._hello, "open": Session._open, "edit": Session._edit, "text": Session._text, "undo": Session._step,
    "redo": Session._step, "wish": Session._wish, "live": Session._live, "grab": Session._grab, "pull": Session._pull,
    "release": Session._release, "advance": Session._advance, "answer": Session._answer, "save": Session._save,
    "share": Session._share, "files": Session._files}
