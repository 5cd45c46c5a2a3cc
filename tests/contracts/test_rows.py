"""Laws of the constraint rows: D, ν and γ against differences of Φ and of D v − ν; no element is left out."""

import importlib

import numpy as np
from contract_cases import CASES
from contract_scene import assert_near, shift, slope

import dalembert as da
from dalembert.elements.element import REGISTRY


def position_rows(system):
    return np.array([k for k, row in enumerate(system.rows) if row.level == 0], dtype=int)


def phi_along(w, t, q, twist, rate):
    """h ↦ Φ(t + rate h, q ⊕ h twist)."""
    def at(h):
        w.set(t + rate * h, q, w.v)
        shift(w, h * twist)
        w.run("rows")
        return w.phi.copy()
    return at


def test_every_element_has_a_case():
    for module in da.ELEMENT_MODULES:
        importlib.import_module(f"dalembert.{module}")
    covered = {("Body", c.dim) for c in CASES}
    for c in CASES:
        m = c.scene()
        covered |= {(type(e).__name__, m.dim) for e in (*m.elements.values(), *m.bodies.values())}
    wanted = {(name, dim) for name, cls in REGISTRY.items() for dim in cls.dims
              if cls.kind not in ("contact", "surface", "pair", "fixture", "signal")}  # no rows: contacts, analyses/test_states
    assert not wanted - covered, f"without a case: {sorted(wanted - covered)}"


def test_D_is_the_derivative_of_phi(case):
    for w, rng in case.states():
        w.run("rows")
        D, rows, t, q = w.jacobian(), position_rows(w.system), w.t[0], w.q.copy()
        for _ in range(3):
            twist = rng.standard_normal(w.system.nv)
            assert_near(slope(phi_along(w, t, q, twist, 0.0))[rows], (D @ twist)[rows], 1e-9)


def test_nu_is_what_time_adds(case):
    """Φ̇ = D v − ν along the motion."""
    for w, _ in case.states():
        w.run("rows")
        D, nu, rows = w.jacobian(), w.nu.copy(), position_rows(w.system)
        t, q, v = w.t[0], w.q.copy(), w.v.copy()
        assert_near(slope(phi_along(w, t, q, v, 1.0))[rows], (D @ v - nu)[rows], 1e-9)


def test_gamma_is_what_accelerations_miss(case):
    """d/dt (D v − ν) = D v̇ − γ along any motion, rows of velocity level included."""
    for w, rng in case.states():
        w.run("rows")
        D, gamma, t, q, v = w.jacobian(), w.gamma.copy(), w.t[0], w.q.copy(), w.v.copy()
        a = rng.standard_normal(w.system.nv)

        def error(h, w=w, t=t, q=q, v=v, a=a):
            w.set(t + h, q, v + h * a)
            shift(w, h * v + 0.5 * h * h * a)
            w.run("rows")
            return w.jacobian() @ w.v - w.nu

        assert_near(slope(error), D @ a - gamma, 1e-8)


def test_state_follows_its_rates(case):
    """q̇ of ``accelerations`` is the derivative of q along v, running angles included."""
    for w, _ in case.states(2):
        w.run("project")
        t, q, v = w.t[0], w.q.copy(), w.v.copy()
        w.run("accelerations")
        qdot = w.qdot.copy()

        def moved(h, w=w, t=t, q=q, v=v):
            w.set(t, q, v)
            shift(w, h * v)
            w.run("rows")
            for m in w.system.tables.tracked:
                measure = w.system.tables.measures[m]
                w.q[measure["slot"]] = w.measured[3 * m] + measure["offset"]
            return w.q.copy()

        assert_near(slope(moved), qdot, 1e-9)
