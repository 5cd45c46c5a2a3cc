"""The discrete adjoint of explicit Runge-Kutta methods: a covector goes back through the very steps that were taken.

A step is  Y_i = x + h Σ a_ij k_j,  k_i = f(t_i, Y_i),  x' = P(x + h Σ b_i k_i).  With μ the derivative of a goal in x', and
G_i that in k_i,

    μ ← Pᵀ μ,   G_i = h b_i μ,   and for i = s … 1:   w = f_yᵀ G_i,   G_j += h a_ij w (j < i),   μ += w

Stages are computed again from x.  Samples between the ends of steps are the projected interpolant (tableaus.py): Pᵀ there, then
its weights on x, x' and every k; with  u = (τ − t)/h,  v = 1 − u,  W_1, W_2, W_3, W_4 … = u, u v, u² v, u² v² …

    on x'  W_1 − W_2 + 2 W_3        on x  1 less that        on k_1  h (W_2 − W_3)        on k_{s+1}  −h W_3
    on k_i  h Σ_m W_{3+m} d_mi

Nothing of mechanics is known here: f, f_yᵀ and Pᵀ are entries of the owner of the equations, called by handle.

    EVALUATE   ẏ at (t, y), remembered as stage ``place``
    TRANSPOSE  out ← f_yᵀ g at stage ``place``
    UNPROJECT  g ← Pᵀ g at (t, y); 0: steps are not projected
"""

from __future__ import annotations

from .._jit import call, entry, kernel, struct
from .layout import DENSE, ERRORS, EXTRA, STAGES
from .stages import copy

Backward = struct("Backward", {
    "t": "f8", "y": "f8", "ydot": "f8", "place": "i8", "g": "f8", "out": "f8", "handle": "i8",  # shared with the equations
    "shape": "i8", "c": "f8", "start": "i8", "coef": "f8", "index": "i8",  # the method (layout.py: Tableau)
    "times": "f8", "states": "f8", "crossing": "i8",  # ends of the steps; 1: a step that only crosses the break of a law
    "sample_t": "f8", "sample_y": "f8", "sample": "f8",  # samples, and their covectors
    "mu": "f8", "gx": "f8", "k": "f8", "G": "f8"})  # covectors of x' and x; stages and their covectors
EVALUATE, TRANSPOSE, UNPROJECT = range(3)

Recorder = struct("Recorder", {"handle": "i8", "t": "f8", "y": "f8", "times": "f8", "states": "f8", "count": "i8"})
DONE, ONE_MORE = range(2)  # count: states kept; the status that asks to go on


@kernel
def record(r):
    """Attempts of single steps, and every new point kept, until there is no more room or a reason to stop."""
    n = r.y.size
    while r.count[DONE] < r.times.size:
        status = call(r.handle[0])
        done = r.count[DONE]
        if done == 0 or r.t[0] != r.times[done - 1]:
            r.times[done] = r.t[0]
            copy(r.states[done * n:(done + 1) * n], r.y)
            r.count[DONE] += 1
        if status != r.count[ONE_MORE]:
            return status
    return r.count[ONE_MORE]


@kernel
def hand_on(r, row, h, x):
    """G_j += h coefficient_j x for the stages of a row of the tableau."""
    n = r.y.size
    for m in range(r.start[row], r.start[row + 1]):
        factor, j = h * r.coef[m], r.index[m]
        if factor != 0.0:
            for i in range(n):
                r.G[j * n + i] += factor * x[i]


@kernel
def stage(r, row, t, h, x):
    """y ← x + h Σ a k, and its k."""
    n = r.y.size
    for i in range(n):
        r.y[i] = 0.0
    for m in range(r.start[row], r.start[row + 1]):
        factor, j = r.coef[m], r.index[m]
        if factor != 0.0:
            for i in range(n):
                r.y[i] += factor * r.k[j * n + i]
    for i in range(n):
        r.y[i] = x[i] + h * r.y[i]
    return evaluate(r, row, t)


@kernel
def evaluate(r, row, t):
    n = r.y.size
    r.t[0] = t
    r.place[0] = row
    status = call(r.handle[EVALUATE])
    copy(r.k[row * n:(row + 1) * n], r.ydot)
    return status


@kernel
def transpose(r, row):
    """out ← f_yᵀ G_row."""
    n = r.y.size
    copy(r.g, r.G[row * n:(row + 1) * n])
    r.place[0] = row
    return call(r.handle[TRANSPOSE])


@kernel
def unproject(r, t, y, g):
    """g ← Pᵀ g at (t, y)."""
    if r.handle[UNPROJECT] == 0:
        return 0
    r.t[0] = t
    copy(r.y, y)
    copy(r.g, g)
    status = call(r.handle[UNPROJECT])
    copy(g, r.g)
    return status


@kernel
def sampled(r, u, h, g):
    """The covector g on the interpolant at u, onto x, x' and every k."""
    n, s = r.y.size, r.shape[STAGES]
    v = 1.0 - u
    w2, w3 = u * v, u * u * v
    end = u - w2 + 2.0 * w3
    for i in range(n):
        r.gx[i] += (1.0 - end) * g[i]
        r.mu[i] += end * g[i]
        r.G[i] += h * (w2 - w3) * g[i]
        r.G[s * n + i] -= h * w3 * g[i]
    row = s + 1 + r.shape[EXTRA] + r.shape[ERRORS]
    weight = w3
    for m in range(r.shape[DENSE]):
        weight *= v if m % 2 == 0 else u
        hand_on(r, row + m, h * weight, g)


@kernel
def inside(r, t0, t1, h, x, new):
    """What the interpolant adds: the extra stages and the end of the step, transposed (the stages must be there)."""
    n, s = r.y.size, r.shape[STAGES]
    copy(r.y, new)
    status = evaluate(r, s, t1)
    for q in range(s + 1, s + 1 + r.shape[EXTRA]):
        if status == 0:
            status = stage(r, q, t0 + r.c[q] * h, h, x)
    for q in range(s + r.shape[EXTRA], s - 1, -1):
        if status == 0:
            status = transpose(r, q)
        to = r.mu if q == s else r.gx
        for i in range(n):
            to[i] += r.out[i]
        if q > s:
            hand_on(r, q, h, r.out)
    return status


@kernel
def step(r, t0, t1, x, new, first, last):
    """mu at x' → mu at x; samples first … last − 1 lie inside."""
    n, s = r.y.size, r.shape[STAGES]
    h, status = t1 - t0, 0
    for i in range(n):
        r.gx[i] = 0.0
    for i in range(r.G.size):
        r.G[i] = 0.0
    for j in range(first, last):
        g = r.sample[j * n:(j + 1) * n]
        if status == 0:
            status = unproject(r, r.sample_t[j], r.sample_y[j * n:(j + 1) * n], g)
        sampled(r, (r.sample_t[j] - t0) / h, h, g)
    for q in range(s):
        if status == 0:
            status = stage(r, q, t1 if r.c[q] == 1.0 else t0 + r.c[q] * h, h, x)
    if status == 0 and last > first:
        status = inside(r, t0, t1, h, x, new)
    if status == 0:
        status = unproject(r, t1, new, r.mu)
    for i in range(n):
        r.gx[i] += r.mu[i]
    hand_on(r, s, h, r.mu)
    for q in range(s - 1, -1, -1):
        if status == 0:
            status = transpose(r, q)
        for i in range(n):
            r.gx[i] += r.out[i]
        hand_on(r, q, h, r.out)
    copy(r.mu, r.gx)
    return status


@kernel
def back(r):
    """mu after the last state → mu at the first one, through all steps.  Status of the equations."""
    n, status = r.y.size, 0
    last = r.sample_t.size
    for k in range(r.times.size - 2, -1, -1):
        t0, t1 = r.times[k], r.times[k + 1]
        x, new = r.states[k * n:(k + 1) * n], r.states[(k + 1) * n:(k + 2) * n]
        last = at_end(r, last, t1)
        if r.crossing[k] != 0:
            status = unproject(r, t1, new, r.mu)
        else:
            first = last
            while first > 0 and r.sample_t[first - 1] > t0:
                first -= 1
            status = step(r, t0, t1, x, new, first, last)
            last = first
        if status != 0:
            return status
    at_end(r, last, r.times[0])
    return 0


@kernel
def at_end(r, last, t):
    """Samples at t (or beyond) are the state there; how many are left."""
    n = r.y.size
    while last > 0 and r.sample_t[last - 1] >= t:
        last -= 1
        for i in range(n):
            r.mu[i] += r.sample[last * n + i]
    return last


BACK = entry("backward", "back", back, Backward, module=__name__)
RECORD = entry("backward", "record", record, Recorder, module=__name__)
