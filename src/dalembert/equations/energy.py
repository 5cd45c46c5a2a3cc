"""Kinetic and potential energy, and the powers of the ledger.

    T = ½ vᵀ M v          V = −Σ m g·r + Σ ½ k δ² (and what other forces store: elements/families.py)
    ledger rates:  power[0]  what loads, actuators, fields and user laws put in:  Q·v − (gravity) − (springs) + (dampers)
                   power[1]  what the dampers take:  Σ d ċ²
                   power[2]  what drivers put in:  −λ·ν        (workless constraints have ν = 0)
    so that  T + V − ∫(power[0] − power[1] + power[2]) dt  stays what it was: its change is the residual.
"""

from dalembert._jit import kernel
from dalembert.algebra.vectors import dot
from dalembert.elements import families
from dalembert.elements.bodies.markers import at_v, block, load, position, velocity, weigh


@kernel
def powers(s, w):
    """After forces and accelerate: complete the rates of the ledger."""
    g = load(s, s.gravity, 0)
    total = w.power[0] + w.power[1]
    n = block(s)
    for b in range(s.bodies.size):  # body by body: short sums do not wait for each other
        at = at_v(s, b)
        part = 0.0
        for c in range(n):
            part += w.Q[at + c] * w.v[at + c]
        total += part - s.bodies[b].mass * dot(g, velocity(s, w, b))
    w.power[0] = total
    drive = 0.0
    for k in range(w.lam.size):
        drive -= w.lam[k] * w.nu[k]
    w.power[2] = drive


@kernel
def energy(s, w):
    """T and V into the report, at poses and twists already evaluated; V of element ``w.only`` alone if that is ≥ 0."""
    n = block(s)
    g = load(s, s.gravity, 0)
    kinetic = 0.0
    potential = 0.0
    for b in range(s.bodies.size):
        at = at_v(s, b)
        weigh(s, b, False, w.v, at, w.weighed, 0)
        for c in range(n):
            kinetic += 0.5 * w.weighed[c] * w.v[at + c]
        if w.only[0] < 0:
            potential -= s.bodies[b].mass * dot(g, position(s, w, b))
    potential = families.stored(s, w, potential)
    w.report.kinetic = kinetic
    w.report.potential = potential
