"""Random mechanisms: trees, loops, mixed joints, velocity-level rows, gears, drives, springs; plane and space.

Bodies lie anywhere; joints are drawn between them where they are, so every drawing is closed.  Joints are added in random
order and direction.  ``mechanism(seed)`` is a model, ``state(model, seed)`` a consistent state away from the drawing.
"""

import numpy as np

import dalembert as da
from dalembert.analyses.assembly.facing import flipped
from dalembert.analyses.toolbox.closing import metric, scaled_rows
from dalembert.equations.workspace import workspace

TREE_2 = ("Revolute", "Revolute", "Prismatic", "PinInSlot", "Weld")
TREE_3 = ("Revolute", "Revolute", "Prismatic", "Cylindrical", "Spherical", "Universal", "Planar", "Screw", "Weld")
LOOP_2 = ("Revolute", "PinInSlot", "DoubleRevolute")
LOOP_3 = ("Spherical", "Cylindrical", "Distance", "RevoluteSpherical", "Universal", "Planar")


def unit(rng, dim):
    a = rng.standard_normal(dim)
    return tuple(float(x) for x in a / np.linalg.norm(a))


def body(rng, name, dim):
    where = tuple(float(x) for x in rng.uniform(-1, 1, dim))
    com = tuple(float(x) for x in rng.uniform(-0.2, 0.2, dim))
    if dim == 2:
        return da.Body(name, mass=float(rng.uniform(0.5, 3)), inertia=float(rng.uniform(0.1, 1)), position=where, com=com,
                       angle=float(rng.uniform(-8, 8)))
    B = rng.standard_normal((3, 3))
    J = 0.1 * (B @ B.T)
    J = np.trace(J) * np.eye(3) - J + 0.05 * np.eye(3)
    A, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    A *= np.sign(np.linalg.det(A))
    return da.Body(name, mass=float(rng.uniform(0.5, 3)), inertia=J.tolist(), position=where, com=com, rotation=A.tolist())


def joint(rng, kind, name, i, j, dim):
    i, j = (i, j) if rng.random() < 0.5 else (j, i)
    cls = getattr(da, kind)
    at = tuple(float(x) for x in rng.uniform(-1, 1, dim))
    other = tuple(float(x) for x in rng.uniform(-1, 1, dim))
    if kind in ("Distance", "DoubleRevolute"):
        return cls(name, i, j, at_i=at, at_j=other)
    if kind == "RevoluteSpherical":
        a = np.cross(np.subtract(other, at), unit(rng, 3))
        return cls(name, i, j, at_i=at, at_j=other, axis=tuple(float(x) for x in a))
    axis = unit(rng, dim)
    if kind in ("Weld", "Spherical"):
        return cls(name, i, j, at=at)
    if kind == "Revolute" and dim == 2:
        return cls(name, i, j, at=at)
    if kind == "Universal":
        second = np.cross(axis, unit(rng, 3))
        return cls(name, i, j, at=at, axis=axis, axis2=tuple(float(x) for x in second))
    if kind == "Screw":
        return cls(name, i, j, at=at, axis=axis, pitch=float(rng.uniform(-1, 1)))
    return cls(name, i, j, at=at, axis=axis)


def mechanism(seed):
    """Kind of mechanism by seed: dimension, loops (0 … 3), velocity-level rows, extra constraints, forces."""
    rng = np.random.default_rng(seed)
    dim = 2 + seed % 2
    m = da.Model(f"random {seed}", dim=dim, gravity=tuple(float(x) for x in rng.uniform(-10, 10, dim)))
    n = int(rng.integers(2, 9))
    names = [f"b{k}" for k in range(n)]
    for k in rng.permutation(n):
        m.add(body(rng, names[k], dim))
    elements = []
    for k, name in enumerate(names):
        if k and rng.random() < 0.07:
            continue  # a part of its own, floating
        before = "ground" if k == 0 and rng.random() < 0.8 else names[int(rng.integers(k))] if k else None
        if before is not None:
            elements.append(joint(rng, str(rng.choice(TREE_2 if dim == 2 else TREE_3)), f"J{k}", before, name, dim))
    for k in range(int((0, 0, 1, 2, 3)[rng.integers(5)])):
        i, j = rng.choice(n + 1, 2, replace=False)
        ends = [("ground" if x == n else names[x]) for x in (i, j)]
        elements.append(joint(rng, str(rng.choice(LOOP_2 if dim == 2 else LOOP_3)), f"L{k}", *ends, dim))
    for k in rng.permutation(len(elements)):
        m.add(elements[k])
    _more(rng, m, names, dim)
    return m


def _more(rng, m, names, dim):
    turning = [e.name for e in m.elements.values() if "angle" in getattr(e, "coordinate_name", {})]
    last, first = names[-1], names[0]
    if rng.random() < 0.3:
        m.add(da.KnifeEdge("edge", "ground", last, axis=unit(rng, dim), at=tuple(rng.uniform(-1, 1, dim).tolist())))
    if rng.random() < 0.25:
        m.add(da.VelocityEquation("slip", {f"{first}.x": "1 + 0.2*t", f"{last}.y": f"cos({first}.x)"}, 0.3))
    if len(turning) > 1 and rng.random() < 0.25:
        m.add(da.Gear("mesh", turning[0], turning[-1], ratio=float(rng.uniform(0.5, 2))))
    if turning and rng.random() < 0.25:
        name = str(rng.choice(turning))
        start = 0.0
        m.add(da.Drive("motor", name, f"{start} + 0.4*sin(2*t)"))
    if rng.random() < 0.5:
        m.add(da.Spring("spring", "ground", last, at_i=tuple(rng.uniform(2, 3, dim).tolist()), on_j=tuple(rng.uniform(-1, 1,
                dim).tolist()),
                        stiffness=30.0, damping=2.0, length=0.5, actuator="3*sin(t)"))
    if turning and rng.random() < 0.4:
        m.add(da.TorsionSpring("coil", turning[0], stiffness=5.0, damping=0.7))
    if rng.random() < 0.4:
        m.add(da.Force("push", first, tuple(f"{x:.3f}*cos(t)" for x in rng.uniform(-5, 5, dim)), on=tuple(rng.uniform(-1, 1,
                dim).tolist()),
                       frame="body"))


def state(model, seed, tolerance=1e-2):
    """A workspace in a consistent state, moving and away from the drawing; None where the rows are nearly dependent.

    Nearly: a singular value of the rows (unit length, metric of the masses) between 1e-5, where it counts as zero, and
    ``tolerance``:
    there accelerations are known to fewer digits than the comparison asks for, whatever the formulation.
    """
    rng = np.random.default_rng(seed + 10_000)
    system = model.compile()
    w = workspace(system)
    weight = metric(w)
    for size in (0.3, 0.03, 0.0):
        w.set(0.0, system.q_drawn, system.v_drawn)
        w.move(size * rng.standard_normal(system.nv))
        w.set(0.0 if "motor" in model else 0.4, w.q, rng.standard_normal(system.nv))
        if w.run("project") or not np.all(np.isfinite(w.q)):
            continue
        w.run("project")
        if system.dim == 3 and flipped(system, w.q):
            continue  # axes ended opposite: another assembly, which assemble() refuses as well
        if system.nc:
            _, rows, _ = scaled_rows(w, weight)
            sigma = np.linalg.svd(rows, compute_uv=False)
            w.run("speeds")
            if np.any((sigma > 1e-7) & (sigma < tolerance)) or np.abs(w.speed).max() > 1e-9 or np.abs(w.phi).max() > 1e-9:
                continue
            if rows.shape[0] > (sigma > 1e-7).sum() and not _consistent(w):
                continue
        return w
    return None


def _consistent(w):
    """Whether dependent rows agree at the level of accelerations (a locked loop driven by force may not)."""
    w.run("observe")
    return w.report.residual < 1e-9


def quaternions_apart(system, q, p):
    """q − p with each quaternion on the nearer side."""
    if system.dim == 2:
        return q - p
    out = (q - p)[: 7 * system.nb].reshape(-1, 7)
    other = (q + p)[: 7 * system.nb].reshape(-1, 7)
    flip = np.abs(other[:, 3:]).max(axis=1) < np.abs(out[:, 3:]).max(axis=1)
    out[flip, 3:] = other[flip, 3:]
    return out

