"""Fields along the motion: were the particles enough where the bodies went?

The particles of a Field are chosen where the model is drawn (elements/forces/field.py).  A field that is steeper elsewhere needs
more.  At up to SAMPLES samples, the first and the last among them, force and moment on each body are compared with those of the
next order of particles; the size is that of the field over the body's mass, so bodies at rest in its zeros are not blamed.
"""

from __future__ import annotations

import copy

import numpy as np

from dalembert import expressions
from dalembert.equations.workspace import workspace
from dalembert.errors import DalembertError
from dalembert.system import poses

SAMPLES = 9
AGREE = 1e-6  # of the field's force on the mass
POINTS = 8  # of a body, at which the size of the field is taken


def steep_fields(run) -> list[str]:
    """A sentence for every field and body whose particles were not enough."""
    s, model = run.system, run.model
    names = [name for name, e in model.elements.items() if e.by_particles]
    if not names or run.lost or not len(run._t):
        return []
    finer = _finer(model, names)
    if len(finer.tables.particles) == len(s.tables.particles):
        return []
    samples = np.unique(np.linspace(0, len(run._t) - 1, SAMPLES).round().astype(int))
    found = []
    for name in names:
        worst = np.zeros(s.nb)
        when = np.zeros(s.nb)
        sums = [_sums(x, name, run, samples) for x in (s, finer)]
        for k, one, two in zip(samples, *sums, strict=True):
            part = _apart(s, name, one, two, _sizes(run, name, k))
            later = ~(part <= worst)
            worst[later], when[later] = part[later], run._t[k]
        found += [f"{model.elements[name].title} is steeper over '{s.bodies[b]}' where it goes than where it is drawn: at "
                  f"t = {when[b]:g} more particles change force and moment by {worst[b]:.1e} of the field. Draw the model nearer "
                  "to where it goes, or cut the body into shorter ones, welded together"
                  for b in range(s.nb) if not worst[b] <= AGREE]
    return found


def _finer(model, names):
    other = model.copy()
    for name in names:
        other.elements[name] = field = copy.copy(other.elements[name])
        object.__setattr__(field, "further", True)  # of the copy: elements do not change
    return other.compile()


def _sums(system, name, run, samples):
    """Generalised forces of the field alone, per body."""
    w = workspace(system)
    w.only[0] = system.numbers[name]
    out = []
    for k in samples:
        w.set(run._t[k], run._q[k], run._v[k])
        w.run("generalized_forces")
        out.append(w.Q[: system.nv].copy().reshape(system.nb, -1))
    return out


def _particles(system, name):
    row = next(f for f in system.tables.field if f["element"] == system.numbers[name])
    return system.tables.particles[row["start"]:row["stop"]]


def _apart(system, name, one, two, sizes):
    d, parts = system.dim, _particles(system, name)
    reach = np.array([np.abs(parts["s"][parts["body"] == b]).max(initial=0.0) for b in range(system.nb)])
    change = np.abs(two - one)
    moment = np.divide(change[:, d:].max(axis=1), reach, out=np.zeros(system.nb), where=reach > 0.0)
    with np.errstate(all="ignore"):
        part = np.maximum(change[:, :d].max(axis=1), moment) / sizes
    return np.where((change == 0.0).all(axis=1), 0.0, part)


def _sizes(run, name, k):
    """Mass times the largest of the field at a few particles, per body."""
    s, d = run.system, run.system.dim
    parts = _particles(s, name)
    values = {n: float(v) for n, v in run.model.parameter_values().items()} | {"t": float(run._t[k])}
    formulas = [expressions.parse(x if isinstance(x, str) else repr(float(x))) for x in run.model.elements[name].components]
    out = np.zeros(s.nb)
    for b in range(s.nb):
        own = parts[parts["body"] == b]
        r, A = poses.body(s, run.observed.pose[k], b)
        for p in own[:: max(1, len(own) // POINTS)]:
            at = dict(zip("xyz", r + A @ p["s"][:d], strict=False))
            try:
                size = max(abs(f.evaluate(values | at)) for f in formulas)
            except DalembertError:
                continue
            out[b] = max(out[b], own["mass"].sum() * size)
    return out
