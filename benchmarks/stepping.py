"""Stepping side by side: a 7-joint arm at 1 ms beside MuJoCo, and 64 four-bars in one call; one run, CPU time.

    python benchmarks/stepping.py

The arm of robotics.py swings for one second under joint torques that are set anew in every step.  Errors are of the joint angles
in the end, against a run of ours at 1e-12.  MuJoCo with its own integrators (Euler, RK4), stepped from Python as ours is.
"""

from __future__ import annotations

import time

import numpy as np

import dalembert as da
from benchmarks.robotics import geometry

STEPS, DT = 1000, 1e-3


def torques(k, n):
    return 2.0 * np.sin(0.01 * k + np.arange(n))


def model(parts):
    m = da.Model("arm", dim=3, gravity=(0, 0, -9.81))
    before, p, R = "ground", np.zeros(3), np.eye(3)
    for k, (d, Q, mass, c, J) in enumerate(parts):
        p, R = p + R @ d, R @ Q
        m.add(da.Body(f"b{k}", mass=mass, inertia=J.tolist(), position=tuple(p), rotation=R.tolist(), com=tuple(c)))
        m.add(da.Revolute(f"j{k}", before, f"b{k}", at=tuple(p), axis=tuple(R[:, 2])))
        m.add(da.Motor(f"m{k}", f"j{k}", 0.0))
        before = f"b{k}"
    return m


def ours(m, n, **options):
    sim, found = da.stepper(m, sets=[f"m{k}" for k in range(n)], **options), np.inf
    for _ in range(3):
        sim.reset()
        spent = 0.0
        for k in range(STEPS):
            u = torques(k, n)
            begin = time.process_time_ns()
            sim.write(u)
            sim.step(DT)
            spent += time.process_time_ns() - begin
        found = min(found, spent / STEPS / 1e3)
    return found, np.array([sim[f"j{k}"].coordinate for k in range(n)])


def mujoco(parts, integrator):
    import mujoco as mj

    spec = mj.MjSpec()
    spec.option.gravity, spec.option.timestep = [0, 0, -9.81], DT
    spec.option.integrator = integrator
    spec.compiler.balanceinertia = False
    body = spec.worldbody
    for d, R, mass, c, J in parts:
        quaternion = np.zeros(4)
        mj.mju_mat2Quat(quaternion, R.ravel())
        body = body.add_body(pos=d, quat=quaternion, mass=mass, ipos=c, explicitinertial=True,
                             fullinertia=[J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]])
        body.add_joint(type=mj.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])
    m = spec.compile()
    found = np.inf
    for _ in range(3):
        data = mj.MjData(m)
        spent = 0.0
        for k in range(STEPS):
            u = torques(k, len(parts))
            begin = time.process_time_ns()
            data.qfrc_applied[:] = u
            mj.mj_step(m, data)
            spent += time.process_time_ns() - begin
        found = min(found, spent / STEPS / 1e3)
    return found, data.qpos.copy()


def arm(n=7):
    parts = geometry(n)
    m = model(parts)
    _, exact = ours(m, n, rtol=1e-12, atol=1e-13, integrator="rk8")
    rows = {f"dalembert {name}": ours(m, n, integrator=name) for name in ("rk4", "rk5")}
    try:
        import mujoco as mj

        rows["mujoco Euler"] = mujoco(parts, mj.mjtIntegrator.mjINT_EULER)
        rows["mujoco RK4"] = mujoco(parts, mj.mjtIntegrator.mjINT_RK4)
    except ImportError:
        print("mujoco is not installed")
    for name, (spent, q) in rows.items():
        print(f"{name:<24}{spent:>8.2f} µs per step   error {np.abs(q - exact).max():.1e} rad")


def crowd(n=64):
    m = da.catalog.make("four-bar")
    m.add(da.Motor("motor", "A", 0.0))
    u = np.random.default_rng(1).normal(size=n)
    sims, ones = da.steppers(m, n, threads=1), [da.stepper(m) for _ in range(n)]
    state = da.assemble(m)

    def together():
        sims.inputs["motor"] = u
        sims.step(DT)

    def one_by_one():
        for one, x in zip(ones, u, strict=True):
            one.inputs["motor"] = float(x)
            one.step(DT)

    def by_simulate():
        da.simulate(m, DT, times=[DT], state=state)

    for name, f, each in (("one call, one thread", together, n), ("one by one", one_by_one, n), ("simulate", by_simulate, 1)):
        f()
        best = np.inf
        for _ in range(7):
            begin = time.process_time()
            for _ in range(5):
                f()
            best = min(best, (time.process_time() - begin) / 5 / each)
        print(f"four-bar, {name:<24}{1e6 * best:>10.2f} µs per step")


if __name__ == "__main__":
    arm()
    crowd()
