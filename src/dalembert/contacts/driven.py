"""What drives do through contacts: the share of a substep's impulses that joints with a motion of their own put in or take out.

Impulses p at points change jointed bodies by M (v₁ − v̂) = Cᵀ p − Dᵀ μ, with the impulses μ of joints.  Their work is

    Σ ½ (v₀ + v₁)·M (v₁ − v̂)  =  Σ p·½ (u₀ + u₁)  −  μ·½ D (v₀ + v₁)

and the last term is zero where joints only hold, but not where they move by a law of time (D v = ν): a hoist that lifts what
fingers hold.  That is work of drives, not a loss of contacts, and balance.account, which goes by bodies, has booked it as one.
It goes to the impacts where a body that takes part was hit: what a drive moves is never hit itself, the ball on the racket is.
"""

from dalembert._jit import kernel
from dalembert.contacts.tables import LINK, RA, RN, ROW, RT, TRACE


@kernel
def through_contacts(w):
    """Work of drives through contacts in this substep, from the losses to the drives' account."""
    work = 0.0
    hit = False
    for b in range(w.rules.bodies):
        if w.jointed[b] != 1:
            continue
        o, k = 6 * b, 9 * b
        hit = hit or w.hit[b] != -1.0
        for c in range(3):
            work += 0.5 * w.mass[b] * (w.before[o + c] + w.v[o + c]) * (w.v[o + c] - w.free[o + c])
            mean, change = 0.0, 0.0  # ½ (ω₀ + ω₁) and J (ω₁ − ω̂), body axes
            for i in range(3):
                mean += 0.5 * w.turn[k + 3 * i + c] * (w.before[o + 3 + i] + w.v[o + 3 + i])
                for d in range(3):
                    change += w.inertia[k + 3 * c + d] * w.turn[k + 3 * i + d] * (w.v[o + 3 + i] - w.free[o + 3 + i])
            work += mean * change
    for m in range(w.report.active):
        a, b = w.link[LINK * m], w.link[LINK * m + 1]
        if w.jointed[a] != 1 and w.jointed[b] != 1:
            continue
        first = w.link[LINK * m + 2]
        for c in range(first, first + w.link[LINK * m + 3]):
            k = ROW * c
            n = w.row[k + RN]
            if n == 0.0:
                continue
            for body in (a, b):
                hit = hit or (n > TRACE and body < w.rules.bodies and w.hit[body] != -1.0)
            px, py, pz = (n * w.normal[3 * m] + w.row[k + RT], n * w.normal[3 * m + 1] + w.row[k + RT + 1],
                          n * w.normal[3 * m + 2] + w.row[k + RT + 2])
            for side in range(2):
                body, s = (a, -0.5) if side == 0 else (b, 0.5)
                if w.jointed[body] != 1:
                    continue
                o, at = 6 * body, k + RA + 3 * side
                x, y, z = w.row[at], w.row[at + 1], w.row[at + 2]
                ox, oy, oz = w.before[o + 3] + w.v[o + 3], w.before[o + 4] + w.v[o + 4], w.before[o + 5] + w.v[o + 5]
                work -= s * (px * (w.before[o] + w.v[o] + oy * z - oz * y) + py * (w.before[o + 1] + w.v[o + 1] + oz * x - ox * z)
                             + pz * (w.before[o + 2] + w.v[o + 2] + ox * y - oy * x))
    w.ledger[2] += work
    if hit:
        w.report.impact += work
    else:
        w.report.friction += work
    return 0
