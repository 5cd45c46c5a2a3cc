"""All derivatives of the dynamics of a tree by one recursion: ∂τ/∂q, ∂τ/∂v, H of τ = H a + c; ∂a/∂q, ∂a/∂v, H⁻¹ of its inverse.

Twists x = (x_v, x_ω) and wrenches (f, n) of all links are taken at *one* point, the mean c of the places of heavy links, in
ground axes: nothing has to be shifted from link to link, and what a subtree holds is a plain sum.

    twists         x × y = (x_ω × y_v + x_v × y_ω,  x_ω × y_ω)          wrenches    x ×* (f, n) = (x_ω × f,  x_ω × n + x_v × f)
    speed i        S_i = (a, 0) shift,  (ρ × a + lead a, a) turn about the axis a through c + ρ; its link carries it along
    link k         V_k = V_p + Σ S u        A_k = A_p + Σ S u̇ + V_p × Σ S u        (p: the parent; A of the ground −g)
    needs          F_k = I A + V ×* (I V),  I (x_v, x_ω) = (m x_v + x_ω × h,  h × x_v + J x_ω)
    joint force    τ_i = S_i · F_k^C        ^C: the sum over k and all that hangs on it

**Along q_j** everything beyond joint j is turned by S_j as one piece: twists change by S_j × (…), wrenches by S_j ×* (…), and
S_i · F of two things turned alike does not change.  What is not turned is the motion of j's parent p, so beyond j

    δV = S_j × V + Ψ̇_j,   Ψ̇_j = V_p × S_j          δA = S_j × A + Ψ̈_j − V × Ψ̇_j,   Ψ̈_j = A_p × S_j + V_p × Ψ̇_j

and with it   δF = S_j ×* F + 2B Ψ̇_j + I Ψ̈_j,   2B x = V ×* (I x) − I (V × x) + x ×* (I V).

**Along u_j**  δV = S_j and δA = E_j − V × S_j with E_j = Ψ̇_j + Ṡ_j, Ṡ_j = V_k × S_j (k: j's link), so  δF = 2B S_j + I E_j.

Hence, for j on the way from i to the root, or a speed of i's own link (then by the first line only, in both orders),

    ∂τ_i/∂q_j = S_iᵀ (2B^C Ψ̇_j + I^C Ψ̈_j)           ∂τ_i/∂u_j = S_iᵀ (2B^C S_j + I^C E_j)           H_ij = S_iᵀ I^C S_j
    ∂τ_j/∂q_i = S_jᵀ (2B^C Ψ̇_i + I^C Ψ̈_i + S_i ×* F^C)        ∂τ_j/∂u_i = S_jᵀ (2B^C S_i + I^C E_i)      all ^C of i's link

and zero for two speeds neither of which carries the other.  2B of a rigid body has twelve numbers only: with its momentum
p = m v + ω × h and E = ½ tr J 1 − J = ∫ r rᵀ dm,

    2B x = (2 x_ω × p,  N x_ω),     N = −2 (h̃ ṽ + ω̃ E)

(written out, the terms in x_v cancel by Jacobi's identity; the rest is 2 ∫ r × (x_ω × ṙ) dm).  So with a_i = I^C S_i,
b_i = 2 p × s_v + Nᵀ s_ω, and c_i, d_i the brackets of the second line, a pair costs 36 multiplications.

**Forward dynamics**: a from H a = τ − c, H = LᵀDL with L zero where H is (Featherstone), and from H(q) a + c(q, v) = τ

    ∂a/∂q = −H⁻¹ ∂τ/∂q,      ∂a/∂v = −H⁻¹ ∂τ/∂v,      ∂a/∂τ = H⁻¹            one substitution with all right sides

For a ball a "coordinate" here is a small turn about an axis of the outer marker, as its speeds are (a quaternion has four).

Numbers of LANES speeds lie side by side (``columns``): row i against LANES columns is one bundle of lanes.py, in one state.
"""

import numpy as np

from dalembert._jit import LANES, bundle, dispatch, entry, get, kernel, put, struct

from . import planar_derivatives, spatial_derivatives
from .passes import transform
from .tables import Motion, PlanarTree, SpatialTree

Slopes = struct("Slopes", {
    "centre": "f8",  # c
    "twist": "f8", "acc": "f8", "more": "f8", "own": "f8",  # per link: V, A with u̇ = 0, what u̇ adds to it, the numbers of I
    "whole": "f8", "drag": "f8", "force": "f8", "gain": "f8",  # per link, summed over what hangs on it: I, (p, N), F, what u̇ adds
    "columns": "f8",  # per LANES speeds: S, Ψ̇, Ψ̈, E, each component LANES numbers
    "H": "f8", "right": "f8", "below": "f8",  # rows in bundles: H, then L; [∂τ/∂q, ∂τ/∂v, 1]; their transposed parts
    "bias": "f8",  # per speed
    "above": "i8", "beyond": "i8", "last": "i8",  # per speed: the next towards the root; that of another link; its link's last
    "mask": "f8"})  # per speed and column: 1 where it depends on it

States = struct("States", {"count": "i8", "q": "f8", "u": "f8", "x": "f8", "out": "f8"})

centre = dispatch(planar_derivatives.centre, spatial_derivatives.centre)
outward = dispatch(planar_derivatives.outward, spatial_derivatives.outward)
inward = dispatch(planar_derivatives.inward, spatial_derivatives.inward)
accelerated = dispatch(planar_derivatives.accelerated, spatial_derivatives.accelerated)
force_inward = dispatch(planar_derivatives.force_inward, spatial_derivatives.force_inward)
mass_row = dispatch(planar_derivatives.mass_row, spatial_derivatives.mass_row)
slope_row = dispatch(planar_derivatives.slope_row, spatial_derivatives.slope_row)


def slopes_arrays(dim, links, nv) -> dict[str, np.ndarray]:
    """Arrays of a Slopes for the table of links."""
    n, w, blocks = len(links), 3 if dim == 2 else 6, -(-nv // LANES)
    wide = LANES * blocks
    above, beyond, last = (np.full(nv, -1, np.int64) for _ in range(3))
    mask = np.zeros((nv, wide))
    tail = np.full(n, -1, np.int64)  # of each link: the last speed on its way to the root
    for k in range(1, n):
        before, first, speeds = tail[links[k]["parent"]], int(links[k]["v"]), int(links[k]["speeds"])
        tail[k] = first + speeds - 1 if speeds else before
        for v in range(first, first + speeds):
            above[v], beyond[v], last[v] = before if v == first else v - 1, before, first + speeds - 1
            mask[v] = mask[before] if before >= 0 else 0.0
            mask[v, first:first + speeds] = 1.0
    numbers, drag = (4, 3) if dim == 2 else (10, 12)
    sizes = dict.fromkeys(("twist", "acc", "more", "force", "gain"), n * w) | {
             "centre": w, "own": n * numbers, "whole": n * numbers, "drag": n * drag,
             "columns": 4 * w * wide, "H": nv * wide, "right": 3 * nv * wide, "below": 2 * nv * wide, "bias": nv}
    arrays = {name: np.zeros(size) for name, size in sizes.items()}
    return arrays | {"above": above, "beyond": beyond, "last": last, "mask": mask.ravel()}


@kernel
def moving(T, X, Y):
    """All that does not need the accelerations: columns S, Ψ̇, E; composite I, p, N; F with u̇ = 0; H."""
    n, nv = T.links.size, X.u.size
    blocks = Y.H.size // (LANES * nv) if nv > 0 else 0
    for k in range(1, n):
        transform(T, 1.0, X, k)
    centre(T, X, Y)
    for k in range(1, n):
        outward(T, X, Y, k)
    for k in range(n - 1, 0, -1):
        inward(T, Y, k)
        for i in range(T.links[k].speeds):
            v = np.int64(T.links[k].v) + i
            mass_row(T, bundle(), Y, k, v, blocks)


@kernel
def factor(Y, nv, blocks):
    """H = LᵀDL: D in the diagonal's place, L below it, zero where no speed carries the other."""
    wide = LANES * blocks
    one = bundle()
    for k in range(nv - 1, -1, -1):
        inverse = 1.0 / Y.H[wide * k + k]
        i = Y.above[k]
        while i >= 0:
            a = Y.H[wide * k + i] * inverse
            for b in range(i // LANES + 1):
                put(one, Y.H, blocks * i + b, get(one, Y.H, blocks * i + b) - a * get(one, Y.H, blocks * k + b))
            Y.H[wide * k + i] = a
            i = Y.above[i]


@kernel
def accelerate(X, Y, nv, wide):
    """u̇ = H⁻¹ (τ − c), by the factors."""
    for k in range(nv):
        X.udot[k] = X.tau[k] - Y.bias[k]
    for k in range(nv - 1, -1, -1):
        x = X.udot[k]
        i = Y.above[k]
        while i >= 0:
            X.udot[i] -= Y.H[wide * k + i] * x
            i = Y.above[i]
    for k in range(nv):
        x = X.udot[k] / Y.H[wide * k + k]
        i = Y.above[k]
        while i >= 0:
            x -= Y.H[wide * k + i] * X.udot[i]
            i = Y.above[i]
        X.udot[k] = x


@kernel
def slopes(T, X, Y, nv, blocks):
    """∂τ/∂q and ∂τ/∂u at u̇, into ``right``."""
    n = T.links.size
    wide = LANES * blocks
    one = bundle()
    for k in range(1, n):
        accelerated(T, X, Y, k)
    for k in range(n - 1, 0, -1):
        force_inward(T, Y, k)
    for i in range(nv):
        for b in range(Y.last[i] // LANES + 1, blocks):
            put(one, Y.right, 3 * blocks * i + b, 0.0 * one)
            put(one, Y.right, 3 * blocks * i + blocks + b, 0.0 * one)
    for k in range(n - 1, 0, -1):
        for i in range(T.links[k].speeds):
            slope_row(T, one, Y, k, np.int64(T.links[k].v) + i, blocks)
    for i in range(nv):
        j = Y.beyond[i]
        while j >= 0:
            Y.right[3 * wide * j + i] = Y.below[2 * wide * i + j]
            Y.right[3 * wide * j + wide + i] = Y.below[2 * wide * i + wide + j]
            j = Y.above[j]


@kernel
def substitute(Y, nv, blocks):
    """right ← −H⁻¹ [∂τ/∂q, ∂τ/∂u], H⁻¹; of the last only blocks from the diagonal on."""
    wide = LANES * blocks
    one = bundle()
    row = 3 * blocks
    for k in range(nv):
        for b in range(k // LANES, blocks):
            put(one, Y.right, row * k + 2 * blocks + b, 0.0 * one)
        Y.right[3 * wide * k + 2 * wide + k] = -1.0
    for k in range(nv - 1, -1, -1):
        i = Y.above[k]
        while i >= 0:
            a = Y.H[wide * k + i]
            for b in range(2 * blocks):
                put(one, Y.right, row * i + b, get(one, Y.right, row * i + b) - a * get(one, Y.right, row * k + b))
            for b in range(2 * blocks + k // LANES, row):
                put(one, Y.right, row * i + b, get(one, Y.right, row * i + b) - a * get(one, Y.right, row * k + b))
            i = Y.above[i]
    for k in range(nv):
        inverse = -1.0 / Y.H[wide * k + k]
        for b in range(row):
            x = inverse * get(one, Y.right, row * k + b)
            i = Y.above[k]
            if b < 2 * blocks + k // LANES and b >= 2 * blocks:
                i = -1
            while i >= 0:
                x = x - Y.H[wide * k + i] * get(one, Y.right, row * i + b)
                i = Y.above[i]
            put(one, Y.right, row * k + b, x)


@kernel
def inverse_derivatives(T, X, Y, B):
    """∂τ/∂q, ∂τ/∂u, H for every state (q, u, u̇) of B, into rows of 3 nv² numbers."""
    nq, nv = X.q.size, X.u.size
    blocks = Y.H.size // (LANES * nv) if nv > 0 else 0
    wide = LANES * blocks
    for state in range(B.count[0]):
        take(X.q, B.q, state * nq)
        take(X.u, B.u, state * nv)
        take(X.udot, B.x, state * nv)
        moving(T, X, Y)
        slopes(T, X, Y, nv, blocks)
        at = 3 * nv * nv * state
        for i in range(nv):
            for j in range(nv):
                B.out[at + nv * i + j] = Y.right[3 * wide * i + j]
                B.out[at + nv * nv + nv * i + j] = Y.right[3 * wide * i + wide + j]
            for j in range(i + 1):
                B.out[at + 2 * nv * nv + nv * i + j] = Y.H[wide * i + j]
                B.out[at + 2 * nv * nv + nv * j + i] = Y.H[wide * i + j]
    return 0


@kernel
def forward_derivatives(T, X, Y, B):
    """∂u̇/∂q, ∂u̇/∂u, ∂u̇/∂τ for every state (q, u, τ) of B, into rows of 3 nv² numbers."""
    nq, nv = X.q.size, X.u.size
    blocks = Y.H.size // (LANES * nv) if nv > 0 else 0
    wide = LANES * blocks
    for state in range(B.count[0]):
        take(X.q, B.q, state * nq)
        take(X.u, B.u, state * nv)
        take(X.tau, B.x, state * nv)
        moving(T, X, Y)
        factor(Y, nv, blocks)
        accelerate(X, Y, nv, wide)
        slopes(T, X, Y, nv, blocks)
        substitute(Y, nv, blocks)
        at = 3 * nv * nv * state
        for i in range(nv):
            for j in range(nv):
                B.out[at + nv * i + j] = Y.right[3 * wide * i + j]
                B.out[at + nv * nv + nv * i + j] = Y.right[3 * wide * i + wide + j]
            for j in range(i, nv):
                B.out[at + 2 * nv * nv + nv * i + j] = Y.right[3 * wide * i + 2 * wide + j]
                B.out[at + 2 * nv * nv + nv * j + i] = Y.right[3 * wide * i + 2 * wide + j]
    return 0


@kernel
def take(target, source, start):
    for k in range(target.size):
        target[k] = source[start + k]


ENTRIES = {}
for _dim, _group, _tree in ((2, "planar_slopes", PlanarTree), (3, "spatial_slopes", SpatialTree)):
    for _function in (inverse_derivatives, forward_derivatives):
        _name = getattr(_function, "py_func", _function).__name__
        ENTRIES[_dim, _name] = entry(_group, _name, _function, _tree, Motion, Slopes, States, module=__name__)
