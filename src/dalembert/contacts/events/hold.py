"""Projection: joints, closed gaps and velocities that are held, by the response of the rows at the state itself."""

from dalembert._jit import call, kernel
from dalembert.contacts.events.active import HELD, NORMALS, closed, collect, to_base
from dalembert.contacts.events.features import place
from dalembert.contacts.events.small import solve
from dalembert.contacts.events.tables import BASE, BASE_PROJECT, BASE_RHS, GAP, GEO, MOVE, NV, ROWS

TINY = 1e-13  # m: less is not projected


@kernel
def corrected(w, what):
    """Solve for the change of rows by −speed (or −gap, in ``right``) into ``shift``."""
    m, nv = w.size[ROWS], w.size[NV]
    for i in range(m):
        w.found[i] = 0.0
    solve(w.matrix, w.factor, w.pivot, w.right, w.found, w.rest, m)
    for c in range(nv):
        w.shift[c] = 0.0
    for i in range(m):
        for c in range(nv):
            w.shift[c] += w.answer[nv * i + c] * w.found[i]


@kernel
def project(w):
    """y onto joints, closed gaps and velocities that are held."""
    to_base(w)
    status = 0
    if w.handle[BASE_PROJECT] != 0:
        status = call(w.handle[BASE_PROJECT])
    if status == 0 and closed(w) > 0:
        status = hold(w)
    for c in range(w.size[BASE]):
        w.y[c] = w.base_y[c]
    return status


@kernel
def hold(w):
    for turn in range(4):
        status = call(w.handle[BASE_RHS])
        if status != 0:
            return status
        place(w)
        m = collect(w, NORMALS)
        worst = 0.0
        for i in range(m):
            w.right[i] = -w.geo[GEO * w.of[2 * i] + GAP]
            worst = max(worst, abs(w.right[i]))
        if worst <= TINY or turn == 3:
            break
        corrected(w, NORMALS)
        call(w.handle[MOVE])
    m = collect(w, HELD)
    worst = 0.0
    for i in range(m):
        w.right[i] = -w.speed[i]
        worst = max(worst, abs(w.right[i]))
    if worst > 0.0:
        corrected(w, HELD)
        for c in range(w.size[NV]):
            w.v[c] += w.shift[c]
    return 0
