"""Joint-space dynamics side by side with Pinocchio and MuJoCo, and long chains, in one run, one thread, CPU time.

    python benchmarks/robotics.py [--states 10000] [--json FILE]

Arms of 7 and 30 hinges with random geometry and inertia, the same numbers for every engine.  Pinocchio at its best: its C++ loop
over states (rneaInParallel, abaInParallel with one thread); for the mass matrix, which has none, the plain call.  MuJoCo:
mj_inverse, mj_forward, and mj_crb after the kinematics, per call from Python.  Peers that are not installed are left out.
Derivatives of forward dynamics (all of them: ∂a/∂q, ∂a/∂v, H⁻¹) of an arm of 20 hinges beside Pinocchio's computeABADerivatives.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

import dalembert as da
from dalembert import catalog


def best(function, number, repeats=7) -> float:
    """CPU microseconds of one call."""
    function()
    found = np.inf
    for _ in range(repeats):
        begin = time.process_time()
        for _ in range(number):
            function()
        found = min(found, (time.process_time() - begin) / number)
    return 1e6 * found


def geometry(n):
    """Per joint: offset and turn from the joint before, mass, centre, inertia about it."""
    rng = np.random.default_rng(n)
    found = []
    for k in range(n):
        Q, _ = np.linalg.qr(rng.standard_normal((3, 3)))
        B = 0.3 * rng.standard_normal((3, 3))
        J = B @ B.T
        found.append((rng.uniform(-0.5, 0.5, 3), Q * np.sign(np.linalg.det(Q)), 1.0 + k % 3, rng.uniform(-0.2, 0.2, 3),
                      np.trace(J) * np.eye(3) - J + 0.01 * np.eye(3)))
    return found


def arm(parts):
    m = da.Model("arm", dim=3, gravity=(0, 0, -9.81))
    before, p, R = "ground", np.zeros(3), np.eye(3)
    for k, (d, Q, mass, c, J) in enumerate(parts):
        p, R = p + R @ d, R @ Q
        m.add(da.Body(f"b{k}", mass=mass, inertia=J.tolist(), position=tuple(p), rotation=R.tolist(), com=tuple(c)))
        m.add(da.Revolute(f"j{k}", before, f"b{k}", at=tuple(p), axis=tuple(R[:, 2])))
        before = f"b{k}"
    return da.robotics.Tree(m)


def ours(parts, Q, V, A):
    tree = arm(parts)
    q, v, a = (np.ascontiguousarray(x[0]) for x in (Q, V, A))
    tau, acc, H = tree.inverse_dynamics(Q, V, A), tree.forward_dynamics(Q, V, A), tree.mass_matrix(Q)
    n = len(Q)
    return {"single": (best(lambda: tree.inverse_dynamics(q, v, a), 3000), best(lambda: tree.forward_dynamics(q, v, a), 3000),
                       best(lambda: tree.mass_matrix(q), 3000)),
            "batch": (best(lambda: tree.inverse_dynamics(Q, V, A, out=tau), 1) / n,
                      best(lambda: tree.forward_dynamics(Q, V, A, out=acc), 1) / n,
                      best(lambda: tree.mass_matrix(Q, out=H), 1) / n),
            "tau": tau, "acc": acc, "H": H}


def pinocchio_model(parts):
    import pinocchio as pin

    m, joint = pin.Model(), 0
    m.gravity.linear = np.array([0, 0, -9.81])
    for k, (d, R, mass, c, J) in enumerate(parts):
        joint = m.addJoint(joint, pin.JointModelRZ(), pin.SE3(R, d), f"j{k}")
        m.appendBodyToJoint(joint, pin.Inertia(mass, c, J), pin.SE3.Identity())
    return pin, m


def pinocchio(parts, Q, V, A):
    pin, m = pinocchio_model(parts)
    data, pool = m.createData(), pin.ModelPool(m, 1)
    q, v, a = (np.ascontiguousarray(x[0]) for x in (Q, V, A))
    columns = [np.asfortranarray(x.T) for x in (Q, V, A)]
    out, n = np.zeros(columns[0].shape, order="F"), len(Q)
    crba = best(lambda: pin.crba(m, data, q), 3000)
    return {"single": (best(lambda: pin.rnea(m, data, q, v, a), 3000), best(lambda: pin.aba(m, data, q, v, a), 3000), crba),
            "batch": (best(lambda: pin.rneaInParallel(1, pool, *columns, out), 1) / n,
                      best(lambda: pin.abaInParallel(1, pool, *columns, out), 1) / n, crba),
            "tau": np.array([pin.rnea(m, data, *x) for x in zip(Q[:200], V[:200], A[:200], strict=True)])}


def mujoco(parts, Q, V, A):
    import mujoco as mj

    spec = mj.MjSpec()
    spec.option.gravity = [0, 0, -9.81]
    spec.compiler.balanceinertia = False
    body = spec.worldbody
    for d, R, mass, c, J in parts:
        quaternion = np.zeros(4)
        mj.mju_mat2Quat(quaternion, R.ravel())
        body = body.add_body(pos=d, quat=quaternion, mass=mass, ipos=c, explicitinertial=True,
                             fullinertia=[J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]])
        body.add_joint(type=mj.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])
    model = spec.compile()
    data = mj.MjData(model)
    data.qpos[:], data.qvel[:], data.qacc[:] = Q[0], V[0], A[0]
    mj.mj_inverse(model, data)
    tau = data.qfrc_inverse.copy()
    inverse = best(lambda: mj.mj_inverse(model, data), 2000)
    forward = best(lambda: mj.mj_forward(model, data), 2000)

    def mass_matrix():
        mj.mj_kinematics(model, data)
        mj.mj_comPos(model, data)
        mj.mj_crb(model, data)

    crb = best(mass_matrix, 2000)
    return {"single": (inverse, forward, crb), "batch": (inverse, forward, crb), "tau": tau[None, :]}


def arms(states, figures):
    print(f"{'arm':<6}{'engine':<12}{'':<8}{'inverse':>10}{'forward':>10}{'mass matrix':>13}   µs per state")
    for n in (7, 30):
        rng = np.random.default_rng(1)
        Q, V, A = (rng.standard_normal((states, n)) for _ in range(3))
        parts = geometry(n)
        mine = ours(parts, Q, V, A)
        rows = {"dalembert": mine}
        for name, engine in (("pinocchio", pinocchio), ("mujoco", mujoco)):
            try:
                rows[name] = engine(parts, Q, V, A)
            except ImportError:
                print(f"{n:<6}{name:<12}not installed")
                continue
            other = rows[name]["tau"]
            error = np.abs(mine["tau"][: len(other)] - other).max() / np.abs(other).max()
            print(f"{n:<6}{name:<12}inverse dynamics agree to {error:.1e}")
            figures[f"arm {n} agreement {name}"] = float(error)
        for name, row in rows.items():
            for kind in ("single", "batch"):
                print(f"{n:<6}{name:<12}{kind:<8}"
                      + "".join(f"{x:>{w}.2f}" for x, w in zip(row[kind], (10, 10, 13), strict=True)))
                figures[f"arm {n} {name} {kind}"] = [float(x) for x in row[kind]]
        if "pinocchio" in rows:
            batch = [p / d for p, d in zip(rows["pinocchio"]["batch"], mine["batch"], strict=True)]
            single = [d / p for p, d in zip(rows["pinocchio"]["single"], mine["single"], strict=True)]
            print(f"{n:<6}batch: {', '.join(f'{x:.1f}×' for x in batch)} faster than Pinocchio; single call: "
                  f"{', '.join(f'{x:.2f}×' for x in single)} its time")


def derivatives(figures, n=20, states=1000):
    """All derivatives of forward and of inverse dynamics."""
    rng = np.random.default_rng(2)
    Q, V, X = (rng.standard_normal((states, n)) for _ in range(3))
    q, v, x = (np.ascontiguousarray(y[0]) for y in (Q, V, X))
    parts = geometry(n)
    tree, out = arm(parts), np.empty((states, 3, n, n))
    calls = (tree.forward_derivatives, tree.inverse_derivatives, tree.forward_dynamics)
    rows = {"dalembert": [best(lambda f=f: f(q, v, x), 1000) for f in calls]}
    batch = best(lambda: tree.forward_derivatives(Q, V, X, out=out), 1) / states
    try:
        pin, m = pinocchio_model(parts)
    except ImportError:
        print(f"\nderivatives, {n} hinges: pinocchio not installed")
    else:
        data = m.createData()
        calls = (pin.computeABADerivatives, pin.computeRNEADerivatives, pin.aba)
        rows["pinocchio"] = [best(lambda f=f: f(m, data, q, v, x), 1000) for f in calls]
        theirs = [np.array(y) for y in pin.computeABADerivatives(m, data, q, v, x)]
        theirs[2] = np.triu(theirs[2]) + np.triu(theirs[2], 1).T
        error = max(float(np.abs(a - b).max() / np.abs(b).max())
                    for a, b in zip(tree.forward_derivatives(q, v, x), theirs, strict=True))
        print(f"\nderivatives of forward dynamics, {n} hinges: agree to {error:.1e}")
    print(f"{'engine':<12}{'of forward':>12}{'of inverse':>12}{'forward alone':>15}   µs a call; batch {batch:.1f} per state")
    for name, row in rows.items():
        print(f"{name:<12}{row[0]:>12.1f}{row[1]:>12.1f}{row[2]:>15.1f}")
        figures[f"derivatives {n} {name}"] = [float(y) for y in row]
    figures[f"derivatives {n} dalembert batch"] = float(batch)


def chains(figures):
    """Unit links released level, 1 s; and one evaluation against the number of links."""
    print(f"\n{'chain':<8}{'evaluation µs':>14}{'simulation s':>14}{'with tables s':>15}{'steps':>7}{'energy residual J':>19}")
    for n in (10, 100, 1000, 10000):
        m = catalog.make("chain", n=n, length=n, mass=n)
        state = da.assemble(m)

        def simulate(until, m=m, state=state):
            return da.simulate(m, until, times=[0.0, until], state=state, formulation="recursive", rtol=3e-5, atol=3e-8)

        run = simulate(1e-9)
        run.form.enter(0.0, state.q, state.v)
        evaluation = best(run.form.bound("accelerations"), max(3, 20000 // n))
        line, figures[f"chain {n}"] = f"{n:<8}{evaluation:>14.1f}", [evaluation]
        if n <= 1000:
            whole, tables = (1e-6 * best(lambda t=t, f=simulate: f(t), 1, 5) for t in (1.0, 1e-9))
            run = simulate(1.0)
            figures[f"chain {n}"] += [whole - tables, whole]
            line += (f"{whole - tables:>14.3f}{whole:>15.3f}{run.stats['steps']:>7}"
                     f"{np.abs(run.energy.residual).max():>19.1e}")
        print(line)
    ratio = figures["chain 10000"][0] / figures["chain 1000"][0]
    print(f"10,000 links cost {ratio:.1f}× an evaluation of 1,000")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--states", type=int, default=10000)
    parser.add_argument("--json", help="write the figures to this file too")
    options = parser.parse_args()
    figures: dict = {}
    arms(options.states, figures)
    derivatives(figures)
    chains(figures)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)


if __name__ == "__main__":
    main()
