"""How long a derivation takes, and what SymPy's own KanesMethod needs for the same arm in the same run.

    python benchmarks/symbolic.py [--kane N]      arms up to N joints for KanesMethod (default 6)

CPU seconds, one thread.  "derive" is da.derive; "compile" is eqs.function() (accelerations as machine code); "call" one call
of it.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import sympy as sp
from sympy.physics import mechanics as me

import dalembert as da
from dalembert import catalog

AXES = ((0, 0, 1), (0, 1, 0), (0, 1, 0), (1, 0, 0), (0, 1, 0), (1, 0, 0))
LENGTHS = (0.3, 0.5, 0.4, 0.3, 0.2, 0.1)


def arm(joints: int):
    """An arm of revolute joints in space, stretched along x as drawn."""
    m = da.Model(f"arm with {joints} joints", dim=3, gravity=(0, 0, -9.81))
    before, x = "ground", 0.0
    for k in range(joints):
        length, mass = LENGTHS[k], 3.0 - 0.4 * k
        inertia = (0.01 * mass, mass * length**2 / 12 + 0.01, mass * length**2 / 12 + 0.02)
        m.add(da.Body(f"link{k + 1}", mass=mass, inertia=inertia, position=(x, 0, 0), com=(length / 2, 0, 0)))
        m.add(da.Revolute(f"J{k + 1}", before, f"link{k + 1}", at=(x, 0, 0), axis=AXES[k]))
        before, x = f"link{k + 1}", x + length
    return m


def kane(joints: int) -> tuple[float, float]:
    """KanesMethod for the same arm: seconds to form the equations, and to lambdify M and f with common subexpressions."""
    begin = time.process_time()
    q, u = me.dynamicsymbols(f"q1:{joints + 1}"), me.dynamicsymbols(f"u1:{joints + 1}")
    N = me.ReferenceFrame("N")
    O = me.Point("O")
    O.set_vel(N, 0)
    frame, pin, bodies, forces = N, O, [], []
    for k in range(joints):
        length, mass = sp.Rational(str(LENGTHS[k])), sp.Rational(str(round(3.0 - 0.4 * k, 3)))
        new = me.ReferenceFrame(f"F{k}")
        axis = sum(a * e for a, e in zip(AXES[k], (frame.x, frame.y, frame.z), strict=True))
        new.orient_axis(frame, axis, q[k])
        new.set_ang_vel(frame, u[k] * axis)
        centre, end = pin.locatenew(f"G{k}", length / 2 * new.x), pin.locatenew(f"P{k}", length * new.x)
        centre.v2pt_theory(pin, N, new)
        end.v2pt_theory(pin, N, new)
        J = me.inertia(new, mass / 100, mass * length**2 / 12 + sp.Rational("0.01"), mass * length**2 / 12 + sp.Rational("0.02"))
        bodies.append(me.RigidBody(f"B{k}", centre, new, mass, (J, centre)))
        forces.append((centre, -mass * sp.Rational("9.81") * N.z))
        frame, pin = new, end
    method = me.KanesMethod(N, list(q), list(u), kd_eqs=[a.diff(me.dynamicsymbols._t) - b for a, b in zip(q, u, strict=True)])
    method.kanes_equations(bodies, forces)
    formed = time.process_time() - begin
    begin = time.process_time()
    sp.lambdify([*q, *u], [method.mass_matrix, method.forcing], cse=True)
    return formed, time.process_time() - begin


def ours(model, method, **kw) -> dict[str, float]:
    begin = time.process_time()
    eqs = da.derive(model, method, **kw)
    derived = time.process_time() - begin
    begin = time.process_time()
    f = eqs.function()
    compiled = time.process_time() - begin
    difference = eqs.verify(count=10).largest
    state = da.assemble(model)
    q, v = f.read(state)
    y = f.start(q, v)
    rates, clock = np.zeros_like(y), np.zeros(1)
    bound = f.code.bind(clock, y, rates)
    best = np.inf
    for _ in range(5):
        begin = time.process_time()
        for _ in range(2000):
            bound()
        best = min(best, (time.process_time() - begin) / 2000)
    return {"derive": derived, "compile": compiled, "call": best * 1e6, "ops": f.operations, "difference": difference}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kane", type=int, default=6)
    parser.add_argument("--joints", type=int, default=6)
    limit = parser.parse_args()
    da.derive(catalog.make("two-link-arm"), "dalembert")  # imports and first calls
    print(
        f"{'mechanism':28s} {'method':14s} {'derive s':>9s} {'compile s':>9s} {'call µs':>8s} {'ops':>7s} {'against engine':>15s}"
    )
    cases = [
        (catalog.make(n), n, method)
        for n in (
            "rod-on-block",
            "rod-and-disc",
            "two-link-arm",
            "slider-crank",
            "four-bar",
            "planetary-gear",
            "chaplygin-sleigh",
            "lagrange-top",
            "rolling-disc",
        )
        for method in ("newton-euler", "virtual-work", "dalembert", "lagrange")
    ]
    cases += [(arm(n), f"arm, {n} joints in space", method) for n in (2, limit.joints) for method in ("dalembert", "lagrange")]
    for model, name, method in cases:
        r = ours(model, method)
        times = f"{r['derive']:9.2f} {r['compile']:9.2f} {r['call']:8.2f}"
        print(f"{name:28s} {method:14s} {times} {r['ops']:7.0f} {r['difference']:15.1e}")
    for n in range(2, limit.kane + 1):
        formed, made = kane(n)
        name = f"arm, {n} joints in space"
        print(f"{name:28s} {'KanesMethod':14s} {formed:9.2f} {made:9.2f}   (SymPy {sp.__version__}; lambdify with cse)")


if __name__ == "__main__":
    main()
