"""Answers beside the drawing: each of them is a verb of the package on the model as it is, told in words, tables and pictures.

    answer(name, model, until, options) → {"text": …} or {"html": …}, {"svg": …}, {"vectors": …}, {"modes": …}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dalembert.analyses.check import Check, check
from dalembert.analyses.equilibrium import equilibrium
from dalembert.analyses.inverse_dynamics import inverse_dynamics
from dalembert.analyses.kinematics import kinematics
from dalembert.analyses.linearize import linearize
from dalembert.analyses.matrices import matrices
from dalembert.analyses.virtual_work import virtual_work
from dalembert.errors import AnalysisError, DalembertError
from dalembert.io.arguments import shown
from dalembert.model.model import Model
from dalembert.viewer.scene.channels import offered, read
from dalembert.workshop.drawing import poses


def mobility(model: Model, found: Check) -> dict[str, Any]:
    """Degrees of freedom in words, which elements are redundant, what is missing to drive it."""
    drives = [e.name for e in model.elements.values() if e.kind == "drive"]
    owners = [max((n for n in model.elements if r.startswith(f"{n}: ")), key=len, default="") for r in found.redundant]
    redundant = [n for n in dict.fromkeys(owners) if n]  # a row's title is "name: label"
    dof, n = found.dof, len(drives)
    said = []
    if not found.assembled.startswith("assembled: yes"):
        said.append(found.assembled)
    if redundant:
        said.append(f"{len(found.redundant)} redundant equation{'s' * (len(found.redundant) > 1)}: {', '.join(redundant)} "
                    f"hold{'s' * (len(redundant) == 1)} what others hold already; the motion is right, their forces are not "
                    "unique.")
    if found.singular:
        said.append(f"Singular pose: nearby it has {found.nq - found.nearby_rank} degrees of freedom.")
    if not found.nb:
        said.append("Draw a link to begin: tool Link, click two points.")
    elif dof == 0 and not n:
        said.append("A structure: nothing can move. Remove a joint, or let one slide.")
    elif dof == 0:
        said.append(f"Driven by {', '.join(drives)}: every position follows from time.")
    elif dof > 0:
        free = _drivable(model, drives)
        more = f"{dof} drive{'s' * (dof > 1)}" + (f", on {' or '.join(free[:3])} for example" if free else "")
        said.append(f"Moves freely in {dof} way{'s' * (dof > 1)}. To drive it completely: {more}.")
    return {"dof": dof, "gruebler": found.gruebler, "rank": found.rank, "redundant": redundant, "drives": drives,
            "said": said, "singular": found.singular, "assembled": found.assembled.startswith("assembled: yes")}


def _drivable(model: Model, drives: list[str]) -> list[str]:
    """Joints with a coordinate, those on the ground first."""
    taken = {str(getattr(model.elements[d], "of", "")).partition(".")[0] for d in drives}
    joints = [e for e in model.elements.values() if e.kind == "joint" and e.coordinate_name and e.name not in taken]
    return [e.name for e in sorted(joints, key=lambda e: "ground" not in (_plain(e.given.get("i")), _plain(e.given.get("j"))))]


def _plain(ref) -> str:
    return str(getattr(ref, "name", ref))


# ------------------------------------------------------------------------------------------------ the answers


def _checked(model, until, options):
    return {"text": str(check(model))}


def _kinematics(model, until, options):
    t = float(options.get("t", 0.0))
    run = kinematics(model, times=np.linspace(0.0, until, 201))
    k = int(np.argmin(np.abs(run.t - t)))
    bodies = []
    for name in run.system.bodies:
        view = run[name]
        v, a = view.velocity[k], view.acceleration[k]
        turning = [] if view.is_particle or model.dim == 3 else [float(view.omega[k]), float(view.angular_acceleration[k])]
        bodies.append({"name": name, "at": view.position[k].tolist(), "v": v.tolist(), "a": a.tolist(), "turning": turning,
                       "centre": _centre(view, k) if turning else None})
    head = ["body", "|v| m/s", "|a| m/s²", "ω rad/s", "α rad/s²"]
    values = [[np.linalg.norm(b["v"]), np.linalg.norm(b["a"]), *(b["turning"] or _turns(run[b["name"]], k))] for b in bodies]
    least = [1e-12 * max((abs(row[c]) for row in values if len(row) > c), default=0.0) for c in range(4)]  # rounding is nothing
    rows = [[b["name"], *(_number(x if abs(x) > least[c] else 0.0) for c, x in enumerate(row))]
            for b, row in zip(bodies, values, strict=True)]
    notes = [str(s) for s in run.singular]
    return {"table": {"head": head, "rows": rows}, "vectors": bodies, "text": "\n".join(notes), "t": float(run.t[k])}


def _turns(view, k) -> list[float]:
    """Sizes of angular velocity and acceleration in space; particles have none."""
    return [] if view.is_particle else [float(np.linalg.norm(x[k])) for x in (view.omega, view.angular_acceleration)]


def _centre(view, k) -> list[float] | None:
    """The instant centre against the ground: r + ẑ × v / ω."""
    w, v, r = float(view.omega[k]), view.velocity[k], view.position[k]
    if abs(w) < 1e-9 * max(1.0, float(np.linalg.norm(v))):
        return None
    return [float(r[0] - v[1] / w), float(r[1] + v[0] / w)]


def _inverse(model, until, options):
    found = inverse_dynamics(model, times=np.linspace(0.0, until, 201))
    rows = []
    for name, element in found.model.elements.items():
        if element.kind not in ("drive", "joint") or name not in found.system.groups:
            continue
        wanted = [k for k in offered(found, name) if k in ("torque", "force")] if element.kind == "drive" else ["force.norm"]
        for c in (c for k in wanted for c in read(found, f"{name}.{k}")):
            values = c.values[np.isfinite(c.values)]
            if len(values):
                rows.append([c.name, c.unit, *map(_number, (values.min(), values.max(), np.sqrt(np.mean(values**2))))])
    return {"table": {"head": ["over the motion", "unit", "least", "largest", "rms"], "rows": rows}, "text": repr(found)}


def _statics(model, until, options):
    found = equilibrium(model)
    return {"text": repr(found), "note": f"{found.stability}; unbalanced {found.residual:.1e}", "pose": poses(found)[0].tolist()}


def _modes(model, until, options):
    linear = linearize(model) if options.get("moving") else linearize(model, equilibrium(model))
    found = linear.modes()
    rows = [[str(k + 1), _number(m.frequency), _number(m.damping), f"{m.eigenvalue:.5g}"] for k, m in enumerate(found)]
    out: dict[str, Any] = {"table": {"head": ["mode", "frequency Hz", "damping", "eigenvalue 1/s"], "rows": rows},
                           "text": f"{linear!r}\n{found}"}
    k = options.get("mode")
    if isinstance(k, int) and not isinstance(k, bool) and 0 <= k < len(found):
        shown_mode = found[k].animate()
        out["animation"] = {"t": shown_mode.t.tolist(), "poses": poses(shown_mode).tolist()}
    return out


def _work(model, until, options):
    return {"text": str(virtual_work(model))}


def _equations(model, until, options):
    from dalembert.symbolic.derive import derive

    method = options.get("method", "lagrange")
    if method not in ("lagrange", "virtual-work", "newton-euler", "dalembert"):
        raise AnalysisError(f"equations: there is no method {shown(method)}")
    if len(model.bodies) > 6:
        raise AnalysisError("equations of more than six bodies take long: dalembert derive writes them to a file")
    derived = derive(model, method)
    return {"html": derived._repr_html_()}


def _matrices(model, until, options):
    return {"text": str(matrices(model))}


def _free_bodies(model, until, options):
    from dalembert.analyses.dynamics import simulate
    from dalembert.viewer.diagrams.fbd import fbd

    t = float(options.get("t", 0.0))
    body = options.get("body")
    names = [body] if isinstance(body, str) and body in model.bodies else None
    run = simulate(model, times=[0.0, max(t, 1e-6)], progress=False)
    return {"svg": fbd(run, names, t=t if t > 0 else 0.0).svg, "t": t}


def _number(x) -> str:
    return f"{float(x):.5g}"


ANSWERS: dict[str, Callable[[Model, float, dict], dict[str, Any]]] = {
    "check": _checked, "kinematics": _kinematics, "inverse dynamics": _inverse, "statics": _statics, "modes": _modes,
    "virtual work": _work, "equations": _equations, "matrices": _matrices, "free bodies": _free_bodies}


def answer(name: Any, model: Model, until: float, options: dict) -> dict[str, Any]:
    """One of the answers; what cannot be answered says why."""
    if name not in ANSWERS:
        raise AnalysisError(f"there is no answer {shown(name)} (there are {', '.join(ANSWERS)})")
    try:
        return ANSWERS[name](model, until, options)
    except DalembertError as error:
        return {"refused": str(error)}
