"""Sweeps over the tree (Featherstone's algorithms in ground axes), for one state or a bundle of states.

inverse dynamics    outwards  a_k = (parent's, shifted) + Ṡu + S u̇,      inwards  f_k = I a_k + … + Σ f_children,  τ = Sᵀ f
forward dynamics    outwards  poses, speeds, own inertia I and force p (u̇ = 0)
                    inwards   p ← p + I Ṡu;  U = I S,  D = SᵀU,  rest = τ − Sᵀp;  to the parent: I − U D⁻¹ Uᵀ and p + U D⁻¹ rest
                    outwards  u̇ = D⁻¹ (rest − Uᵀ a_parent),   a = a_parent + S u̇ + Ṡu
mass matrix         inwards   composite inertia;  F = I S,  H_kk = SᵀF,  and H_jk = S_jᵀ F along the way to the root

Gravity is the acceleration −g of link 0.  Cost grows linearly with the number of links (the mass matrix: with the sum of depths).
A joint with several speeds is eliminated speed by speed, the last one first; the answers come in the opposite order.
"""

import numpy as np

from dalembert._jit import dispatch, kernel, put

from . import planar, spatial, spatial_inertia

place = dispatch(planar.place, spatial.place)
spin = dispatch(planar.spin, spatial.spin)
flow = dispatch(planar.flow, spatial.flow)
rates = dispatch(planar.rates, spatial.rates)
carry = dispatch(planar.carry, spatial.carry)
newton = dispatch(planar.newton, spatial.newton)
supply = dispatch(planar.supply, spatial.supply)
along = dispatch(planar.along, spatial.along)
shift = dispatch(planar.shift, spatial.shift)
load = dispatch(planar.load, spatial_inertia.load)
factor = dispatch(planar.factor, spatial_inertia.factor)
burden = dispatch(planar.burden, spatial_inertia.burden)
gather = dispatch(planar.gather, spatial_inertia.gather)
follow = dispatch(planar.follow, spatial_inertia.follow)
collect = dispatch(planar.collect, spatial_inertia.collect)
compose = dispatch(planar.compose, spatial_inertia.compose)
push = dispatch(planar.push, spatial_inertia.push)


@kernel
def positions(T, one, X):
    """Poses and axes of all links."""
    for k in range(1, T.links.size):
        place(T, one, X, k)


@kernel
def speeds(T, one, X):
    """ω, the velocity of each origin, and the bias, at poses already known."""
    for k in range(1, T.links.size):
        spin(T, one, X, k)
        flow(T, one, X, k)


@kernel
def inverse(T, one, X):
    """τ from q, u, u̇ (and what is applied, ``wrench``)."""
    for k in range(1, T.links.size):
        place(T, one, X, k)
        spin(T, one, X, k)
        carry(T, one, X, k)
        newton(T, one, X, k)
    for k in range(T.links.size - 1, 0, -1):
        supply(T, one, X, k)


@kernel
def prepare(T, one, X):
    """Poses, speeds, own inertia and force of all links."""
    for k in range(1, T.links.size):
        place(T, one, X, k)
        spin(T, one, X, k)
        load(T, one, X, k)


@kernel
def solve(T, one, X):
    """u̇ and the accelerations, after ``prepare``; the factors U, 1/D stay for further right-hand sides (``respond``)."""
    for k in range(T.links.size - 1, 0, -1):
        burden(T, one, X, k)
        factor(T, one, X, k)
        gather(T, one, X, k)
    for k in range(1, T.links.size):
        follow(T, one, X, k)


@kernel
def forward(T, one, X):
    """u̇ from q, u, τ (and what is applied, ``wrench``)."""
    prepare(T, one, X)
    solve(T, one, X)


@kernel
def respond(T, one, Y):
    """u̇ and accelerations that belong to the forces in ``force`` alone (Y shares U, 1/D, axes and d with a solved X)."""
    for k in range(T.links.size - 1, 0, -1):
        gather(T, one, Y, k)
    for k in range(1, T.links.size):
        follow(T, one, Y, k)


@kernel
def matrix(T, one, X, nv):
    """H, by rows; entries of two branches that share no joint are zero and never written (X.H starts as zeros)."""
    for k in range(1, T.links.size):
        place(T, one, X, k)
        collect(T, one, X, k)
    for k in range(T.links.size - 1, 0, -1):
        compose(T, one, X, k)
        link = T.links[k]
        for i in range(link.speeds):
            v = np.int64(link.v) + i
            F = push(T, one, X, k, i)
            for j in range(i + 1):
                x = along(T, one, X, k, j, F)
                put(one, X.H, nv * v + np.int64(link.v) + j, x)
                put(one, X.H, nv * (np.int64(link.v) + j) + v, x)
            m = np.int64(k)
            while T.links[m].parent != 0:
                F = shift(T, one, X, m, F)
                m = np.int64(T.links[m].parent)
                base = np.int64(T.links[m].v)
                for j in range(T.links[m].speeds):
                    x = along(T, one, X, m, j, F)
                    put(one, X.H, nv * v + base + j, x)
                    put(one, X.H, nv * (base + j) + v, x)
