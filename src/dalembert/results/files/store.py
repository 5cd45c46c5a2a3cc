"""Results on disk: one HDF5 file that any HDF5 reader can open, and that ``read`` turns back into a Run.

    (512 bytes)      "dalembert result 1", the length of the rest and its checksum: damage is found before HDF5 sees it;
                     then the user's seal (seals.py), if there is one
    /                attributes: format, version, conventions, units, versions, model hash, status, message, statistics …
    /model           the model as text (TOML), the same as a model file
    /t /q /v /ledger states of the centres of mass and the energy ledger: everything else follows from these
    /bodies/NAME     position, angle or quaternion, velocity, omega, acceleration …    with units (results/channels/offered.py)
    /elements/NAME   coordinate, rate, force, torque, multipliers …, where the element has them; names as in tables
    /energy          kinetic, potential, work, dissipated, total, residual
    /certificate     the histories behind run.certificate, and its error estimate if the run was verified
    /observed        where it cannot be computed again: what laws in Python led to, which no file holds; limits in singular poses
    /vdot            accelerations of a motion that its drives give (attribute "analysis": its kind; "singular": poses in words)
    /contacts        sums, points and histories of contacts (results/contacts.py), where the model has any
    /integrator      what the integrator needs to go on        /extra    whatever the caller asked to keep

Written to a temporary file, forced to disk, then renamed: a crash leaves the previous file or the whole new one.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from dalembert.elements.element import OwnName
from dalembert.elements.event import Event
from dalembert.errors import DalembertError, FileError
from dalembert.io import atomic, endings, files, toml
from dalembert.io.document import document
from dalembert.results.channels.offered import ENERGY
from dalembert.results.channels.reading import quantities
from dalembert.results.contacts import Touching
from dalembert.results.driven import Driven, DrivenCertificate
from dalembert.results.files import seals
from dalembert.results.files.apart import look_through_apart
from dalembert.results.files.guarded import look_through, reason
from dalembert.results.files.items import array, get_dict, plain, put, put_dict, safe, text_of
from dalembert.results.files.without_code import parted
from dalembert.results.motion import Observed
from dalembert.results.rubbing import Rubbed
from dalembert.results.run import Run
from dalembert.results.trust.certificate import Certificate, certify
from dalembert.results.trust.estimate import restored
from dalembert.system.arrays import REPORT

FORMAT, VERSION = "dalembert result", 1
HEAD = 512  # bytes in front of the HDF5 content
CONVENTIONS = """SI units, radians; quaternions scalar first. Equations: M v' + D^T lambda = Q, D v' = gamma; the reaction of a
constraint on a body is -D^T lambda. Force and torque of an element: on its second body, at its marker there, ground axes.
Relative motion is that of the second body with respect to the first. omega: body axes (space). q, v: centres of mass."""
CALLED = {"missing": "work"}  # names in files that are others now
FARTHEST, UNIT = 1e100, 1e-2  # coordinates; what the length of a quaternion may miss one by
HISTORIES = ("position", "velocity", "acceleration", "energy", "dropped", "residual")


def write(path: str | os.PathLike[str], run: Run, extra: dict[str, Any] | None = None, named: bool = True) -> None:
    """Save a run; ``extra`` is a dict of arrays, numbers, strings and such dicts.

    ``named=False`` leaves /bodies and /elements out.
    """
    import h5py

    endings.fits(path, (".h5", ".hdf5"), "a result")
    if not len(run.t):
        raise FileError(f"{path}: nothing was sampled in this run of '{run.model.name}', there is nothing to save")
    image = io.BytesIO()  # HDF5 does not end well on a full disk: it writes to memory, and Python writes to the disk
    with h5py.File(image, "w", userblock_size=HEAD, libver=("earliest", "v110")) as file:
        _fill(file, run, named)
        put_dict(file.create_group("extra"), extra or {})
    content = image.getbuffer()[HEAD:]
    digest, key = hashlib.blake2b(content, digest_size=16).hexdigest(), seals.key(make=True)
    seal = ""
    if key is not None:
        mark = seals.sealing(key)
        mark.update(content)
        seal = f" {mark.hexdigest()}"
    with atomic.replacing(path) as handle:
        handle.write(f"{FORMAT} {VERSION} {len(content)} {digest}{seal}\n".encode().ljust(HEAD, b"\0"))
        handle.write(content)


def read(path: str | os.PathLike[str], verify: bool = True) -> Run:
    """A saved run, with everything it could say when it was saved; ``run.extra`` is what the caller kept in it.

    ``verify=False`` reads a file that another program has changed.  A file without this user's seal is first looked through by
    a process of its own: HDF5 may crash on it.
    """
    import h5py

    own = check(path) if verify else False
    try:
        if not os.path.isfile(path):
            raise FileError("this is not a file that can be read" if os.path.exists(path) else "there is no such file")
        if not own:
            look_through_apart(path)
        with h5py.File(path, "r", locking=False) as file:
            look_through(file, os.path.getsize(path))
            return _run(file)
    except DalembertError as error:
        raise FileError(f"{path}: {error}") from None
    except Exception as error:  # whatever a damaged file makes HDF5 and its parts say
        raise FileError(f"{path}: this is not a whole dalembert result ({reason(error)})") from None


def check(path: str | os.PathLike[str]) -> bool:
    """Refuse a file that is not a result, or not the bytes that were written; is it sealed by this user?"""
    key = seals.key()
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise FileError(f"cannot read '{path}': it is not an ordinary file")
        with open(path, "rb") as handle:
            head = handle.read(HEAD)
            if not head.startswith(f"{FORMAT} ".encode()):
                raise FileError(f"{path}: this is not a dalembert result (saved by run.save)")
            found = head.rstrip(b"\0 \n").decode("ascii", "replace").split()
            if len(found) not in (5, 6) or found[2] != str(VERSION):
                raise FileError(f"{path}: the result has format {found[2:3]}; this version of dalembert reads format {VERSION}")
            digest, seal, size = _digests(handle, key if len(found) == 6 else None)
    except OSError as error:
        raise FileError(f"cannot read '{path}': {error.strerror or error}") from error
    except ValueError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"cannot read {str(path)!r}: {error}") from None
    if (found[3], found[4]) != (str(size), digest):
        raise FileError(f"{path}: the file is damaged or was changed after it was saved ({size} bytes, {found[3]:.20} were "
                        "written); if another program changed it on purpose, use da.load(path, verify=False)")
    return bool(seal) and hmac.compare_digest(seal.encode(), found[5].encode("ascii", "replace"))


def _digests(handle, key: bytes | None) -> tuple[str, str, int]:
    """Checksum, seal ("" without a key) and size of the rest of a file."""
    h, size = hashlib.blake2b(digest_size=16), 0
    mark = None if key is None else seals.sealing(key)
    while block := handle.read(1 << 20):
        h.update(block)
        if mark is not None:
            mark.update(block)
        size += len(block)
    return h.hexdigest(), "" if mark is None else mark.hexdigest(), size


# --------------------------------------------------------------------------------------------------------- writing


def _fill(file, run: Run, named: bool) -> None:
    c = run.certificate
    text, lost = _model_text(run.model)
    file.attrs.update({
        "format": FORMAT, "version": VERSION, "conventions": CONVENTIONS, "model_name": run.model.name, "dim": run.system.dim,
        "model_hash": c.model_hash, "status": run.status, "message": run.message, "bodies": json.dumps(run.system.bodies),
        "versions": json.dumps(c.versions), "stats": json.dumps(plain(run.stats)), "events": json.dumps(run.events),
        "watched": json.dumps([[e.name, e.expression] for e in run.model.elements.values() if e.kind == "event" and e.asked]),
        "lost": json.dumps(lost), "certificate": str(c)})
    file.create_dataset("model", data=text.encode())
    file["model"].attrs["format"] = "toml"
    put(file, "t", run._t, "s", "times of the samples")
    put(file, "q", run._q, "m, rad, 1", "per body: centre of mass, angle (plane) or quaternion; then running angles of joints")
    put(file, "v", run._v, "m/s, rad/s", "per body: velocity of the centre of mass (ground axes), angular velocity (body axes)")
    put(file, "ledger", run._ledger, "J", "work of loads, dissipated, work of drives")
    group = file.create_group("certificate")
    for name in HISTORIES:
        put(group, name, getattr(c, name))
    group.attrs["exchanged"] = c.exchanged
    if c.error_estimate is not None:
        put_dict(group.create_group("error_estimate"), c.error_estimate.plain())
    energy = file.create_group("energy")
    for name in ENERGY:
        put(energy, name, getattr(run.energy, name), "J")
    if isinstance(run, Driven):
        file.attrs.update({"analysis": run.label, "singular": json.dumps([str(pose) for pose in run.singular])})
        put(file, "vdot", run._vdot, "m/s^2, rad/s^2", "accelerations that belong to v")
    if lost or (isinstance(run, Driven) and run.limits):
        group = file.create_group("observed")
        for name in (*Observed.FIELDS, "status", "second"):
            found = getattr(run.observed, name)
            put(group, CALLED.get(name, name), found.view("f8").reshape(len(found), -1) if name == "report" else found)
    if named:
        _name(file, run)
    if run.touching is not None:
        put_dict(file.create_group("contacts"), run.touching.plain())
    if isinstance(run._state, dict):
        put_dict(file.create_group("integrator"), _lean(run))


def _name(file, run: Run) -> None:
    """Channels by name: the same quantities as in tables (results/channels), vectors whole."""
    groups = {"body": file.create_group("bodies"), "element": file.create_group("elements")}
    inner: dict[str, Any] = {}
    for q, values in quantities(run):
        if q.kind == "energy":
            continue
        group = groups[q.kind]
        if q.owner not in inner:
            inner[q.owner] = group.create_group(safe(q.owner, group))
            inner[q.owner].attrs["name"] = q.owner
        put(inner[q.owner], q.name, values, q.units, "; ".join((q.words, *q.each)))
        inner[q.owner][q.name].attrs["channel"] = q.title
        if q.parts:
            inner[q.owner][q.name].attrs["parts"] = ", ".join(q.parts)


def _lean(run: Run) -> dict[str, Any]:
    """What the integrator needs to go on, without the states that are in the file anyway."""
    state = run._state
    arrays = state.get("arrays", {})
    if run.touching is not None:
        return {**state, "arrays": {k: a for k, a in arrays.items() if k not in run.touching.shared(run)}}
    if "y" in arrays and np.array_equal(arrays["y"], _states(run._q, run._v, run._ledger)):
        state = {**state, "arrays": {k: a for k, a in arrays.items() if k != "y"}}
    return state


def _states(q, v, ledger) -> np.ndarray:
    return np.hstack([q, v, ledger])


def _model_text(model) -> tuple[str, list[str]]:
    """The model as TOML, and the elements whose laws are Python functions (described, not kept)."""
    for element in model.elements.values():
        cls = type(element)
        if element.kind != "event" and not element.of_the_package:
            raise FileError(f"{element.title}: {cls.__module__}.{cls.__name__} is an element of your own, and da.load could not "
                            "build it again from the file: keep the numbers with run.to_csv(path) or run.to_pandas()")
    name_only = lambda file: Path(file).name  # noqa: E731
    written = document(model, name_only, describe_functions=True)
    lost = [x["name"] for entries in written.values() if isinstance(entries, list) for x in entries
            if isinstance(x, dict) and "function" in json.dumps(x) and _has_function(x)]
    return toml.dumps(written), lost


def _has_function(value) -> bool:
    if isinstance(value, dict):
        return set(value) == {"function"} or any(map(_has_function, value.values()))
    return isinstance(value, list) and any(map(_has_function, value))


# --------------------------------------------------------------------------------------------------------- reading


def _run(file) -> Run:
    if file.attrs.get("format") != FORMAT:
        raise FileError("this HDF5 file is not a dalembert result (saved by run.save)")
    if int(file.attrs["version"]) != VERSION:
        raise FileError(f"the result has format {file.attrs['version']}; this version of dalembert reads format {VERSION}")
    text = text_of(file["model"]).decode()
    lost = json.loads(file.attrs["lost"])
    model = files.loads(text, "toml", title="its model", lost=True)
    for k, (_, expression) in enumerate(json.loads(file.attrs["watched"])):
        name = OwnName(f"event {k}")
        model.elements[name] = Event(name, expression)
    system = (parted(model, lost) if lost else model).compile()
    t, q, v, ledger = (array(file, name) for name in ("t", "q", "v", "ledger"))
    n = t.size if t.ndim == 1 else -1
    if n < 1 or not np.isfinite(t).all() or np.any(np.diff(t) < 0):
        raise FileError("t is not a list of times in order")
    if not all(a.dtype.kind == "f" for a in (t, q, v, ledger)) or not np.isfinite(q).all():
        raise FileError("the states are not finite real numbers")
    if n < 1 or (q.shape, v.shape, ledger.shape) != ((n, system.nq), (n, system.nv), (n, 3)):
        raise FileError(f"the states do not fit the model (q has shape {q.shape}, {(n, system.nq)} was expected)")
    if not _bodily(q, system):
        raise FileError("the states are not those of bodies (a place beyond all measure, or a quaternion that is no attitude)")
    state = get_dict(file["integrator"]) if "integrator" in file else None
    kind = Rubbed if system.rubbing else Touching
    touching = kind.restored(get_dict(file["contacts"]), n, system.nb) if "contacts" in file else None
    if state is not None and touching is None and "y" not in state.get("arrays", {"y": 0}):
        state["arrays"]["y"] = _states(q, v, ledger)
    stats, told = json.loads(file.attrs["stats"]), json.loads(file.attrs["versions"])
    if not _statistics(stats) or not isinstance(told, dict):
        raise FileError("its statistics or versions are not what a run keeps")
    about = (str(file.attrs["status"]), str(file.attrs["message"]))
    if "analysis" in file.attrs:
        run: Run = _driven(file, Driven(model, system, t, q, v, stats, status=about[0], message=about[1], versions=told,
                                        model_hash=str(file.attrs["model_hash"])))
    else:
        run = Run(model, system, t, q, v, ledger, stats, *about, state, told, str(file.attrs["model_hash"]))
    run.touching = touching
    if touching is not None and isinstance(state, dict) and isinstance(state.get("arrays"), dict):
        state["arrays"] |= touching.shared(run)
    run.events = [(str(name), float(at)) for name, at in json.loads(file.attrs["events"])]
    run.extra = get_dict(file["extra"])
    if "error_estimate" in file["certificate"]:
        run.__dict__["error_estimate"] = restored(get_dict(file["certificate/error_estimate"]))
    run.lost = tuple(lost)
    if lost or "observed" in file:
        _restore(run, file)
    return run


def _driven(file, run: Driven) -> Driven:
    """A motion given by its drives: its accelerations are those that were found."""
    vdot = array(file, "vdot")
    if vdot.shape != run._v.shape or vdot.dtype.kind != "f":
        raise FileError(f"the accelerations do not fit the model (vdot has shape {vdot.shape}, {run._v.shape} was expected)")
    run._vdot, run.label = vdot, str(file.attrs["analysis"])
    run.singular = [str(line) for line in json.loads(file.attrs["singular"])]
    return run


def _bodily(q: np.ndarray, system) -> bool:
    """Whether bodies can be there: nothing is asked of constraints, which a run may miss (it says so)."""
    if np.abs(q).max(initial=0.0) > FARTHEST:
        return False
    lengths = np.linalg.norm(system.each_q(q)[..., 3:], axis=-1) if system.dim == 3 else np.ones(1)
    return bool(np.abs(lengths - 1.0).max(initial=0.0) <= UNIT)


def _statistics(found: Any) -> bool:
    """Whether a file's statistics are those of a run: numbers, names and sentences, each where it is used as one."""
    rules = {"notes": _sentences, "doubts": _sentences, "rtol": _number, "atol": _number, "seconds": _number,
             "switched": lambda x: x is None or _number(x),
             **dict.fromkeys(("contact", "friction"), lambda x: isinstance(x, dict) and all(
                 isinstance(k, str) and _number(y) for k, y in x.items()))}
    other = lambda x: x is None or isinstance(x, (bool, str)) or _number(x)  # noqa: E731
    return isinstance(found, dict) and all(rules.get(name, other)(x) for name, x in found.items())


def _number(x: Any) -> bool:
    return isinstance(x, float) or (isinstance(x, int) and not isinstance(x, bool) and abs(x) < 2**63)


def _sentences(x: Any) -> bool:
    return isinstance(x, list) and all(isinstance(line, str) for line in x)


def _restore(run: Run, file) -> None:
    """What laws in Python led to, as it was."""
    observed = Observed.__new__(Observed)
    for name in (*Observed.FIELDS, "status", "second"):
        kept = array(file["observed"], CALLED.get(name, name))
        if kept.ndim < 1 or len(kept) != len(run._t):
            raise FileError(f"'observed/{name}' does not have one entry per sample")
        setattr(observed, name, _columns(kept, name, run.system.nv))
    run.__dict__["observed"] = observed
    histories: dict[str, Any] = {name: array(file["certificate"], name) for name in HISTORIES}
    histories["exchanged"] = float(file["certificate"].attrs["exchanged"])
    run.__dict__["certificate"] = certify(run, DrivenCertificate if isinstance(run, Driven) else Certificate, histories)


def _columns(kept, name: str, nv: int):
    """As it is used; files of before have room for more behind a report and what the equations miss."""
    if name == "report":
        wanted = len(REPORT.names or ())
        if kept.ndim != 2 or kept.shape[1] < wanted:
            raise FileError(f"'observed/report' does not have {wanted} numbers per sample")
        return np.ascontiguousarray(kept[:, :wanted], dtype=float).view(REPORT).view(np.recarray).ravel()
    return kept[:, :nv] if name == "missing" else kept
