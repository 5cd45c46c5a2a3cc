"""Sweeps over the tree (Featherstone's algorithms in ground axes), for one state or a bundle of states.

inverse dynamics    outwards  a_k = (parent's, shifted) + Ṡu + S u̇,      inwards  f_k = I a_k + … + Σ f_children,  τ = Sᵀ f
forward dynamics    outwards  poses, speeds, own inertia I and force p (u̇ = 0)
                    inwards   p ← p + I Ṡu;  U = I S,  D = SᵀU,  r = τ − Sᵀp;  to the parent: I − U D⁻¹ Uᵀ and p + U D⁻¹ r
                    outwards  u̇ = D⁻¹ (r − Uᵀ a_parent),   a = a_parent + S u̇ + Ṡu
mass matrix         inwards   composite inertia;  F = I S,  H_kk = SᵀF,  and H_jk = S_jᵀ F along the way to the root

Gravity is the acceleration −g of link 0.  Cost grows linearly with the number of links (the mass matrix: with the sum of depths).
A joint with several speeds is eliminated speed by speed, the last one first; the answers come in the opposite order.
"""

import numpy as np

from dalembert._jit import dispatch, kernel, put

from . import planar, spatial, spatial_inertia

transform = dispatch(planar.transform, spatial.transform)
angular_velocity = dispatch(planar.angular_velocity, spatial.angular_velocity)
linear_velocity = dispatch(planar.linear_velocity, spatial.linear_velocity)
rates = dispatch(planar.rates, spatial.rates)
acceleration = dispatch(planar.acceleration, spatial.acceleration)
newton_euler = dispatch(planar.newton_euler, spatial.newton_euler)
joint_force = dispatch(planar.joint_force, spatial.joint_force)
joint_component = dispatch(planar.joint_component, spatial.joint_component)
to_parent = dispatch(planar.to_parent, spatial.to_parent)
rigid_inertia = dispatch(planar.rigid_inertia, spatial_inertia.rigid_inertia)
articulated_inertia = dispatch(planar.articulated_inertia, spatial_inertia.articulated_inertia)
bias_force = dispatch(planar.bias_force, spatial_inertia.bias_force)
articulated_force = dispatch(planar.articulated_force, spatial_inertia.articulated_force)
articulated_acceleration = dispatch(planar.articulated_acceleration, spatial_inertia.articulated_acceleration)
rigid_composite = dispatch(planar.rigid_composite, spatial_inertia.rigid_composite)
composite_inertia = dispatch(planar.composite_inertia, spatial_inertia.composite_inertia)
composite_force = dispatch(planar.composite_force, spatial_inertia.composite_force)


@kernel
def positions(T, one, X):
    """Poses and axes of all links."""
    for k in range(1, T.links.size):
        transform(T, one, X, k)


@kernel
def speeds(T, one, X):
    """ω, the velocity of each origin, and the bias, at poses already known."""
    for k in range(1, T.links.size):
        angular_velocity(T, one, X, k)
        linear_velocity(T, one, X, k)


@kernel
def inverse(T, one, X):
    """τ from q, u, u̇ (and what is applied, ``wrench``)."""
    for k in range(1, T.links.size):
        transform(T, one, X, k)
        angular_velocity(T, one, X, k)
        acceleration(T, one, X, k)
        newton_euler(T, one, X, k)
    for k in range(T.links.size - 1, 0, -1):
        joint_force(T, one, X, k)


@kernel
def prepare(T, one, X):
    """Poses, speeds, own inertia and force of all links."""
    for k in range(1, T.links.size):
        transform(T, one, X, k)
        angular_velocity(T, one, X, k)
        rigid_inertia(T, one, X, k)


@kernel
def solve(T, one, X):
    """u̇ and the accelerations, after ``prepare``; the factors U, 1/D stay for further right-hand sides (``response``)."""
    for k in range(T.links.size - 1, 0, -1):
        bias_force(T, one, X, k)
        articulated_inertia(T, one, X, k)
        articulated_force(T, one, X, k)
    for k in range(1, T.links.size):
        articulated_acceleration(T, one, X, k)


@kernel
def forward(T, one, X):
    """u̇ from q, u, τ (and what is applied, ``wrench``)."""
    prepare(T, one, X)
    solve(T, one, X)


@kernel
def response(T, one, Y):
    """u̇ and accelerations that belong to the forces in ``force`` alone (Y shares U, 1/D, axes and d with a solved X)."""
    for k in range(T.links.size - 1, 0, -1):
        articulated_force(T, one, Y, k)
    for k in range(1, T.links.size):
        articulated_acceleration(T, one, Y, k)


@kernel
def matrix(T, one, X, nv):
    """H, by rows; entries of two branches that share no joint are zero and never written (X.H starts as zeros)."""
    for k in range(1, T.links.size):
        transform(T, one, X, k)
        rigid_composite(T, one, X, k)
    for k in range(T.links.size - 1, 0, -1):
        composite_inertia(T, one, X, k)
        link = T.links[k]
        for i in range(link.speeds):
            v = np.int64(link.v) + i
            F = composite_force(T, one, X, k, i)
            for j in range(i + 1):
                x = joint_component(T, one, X, k, j, F)
                put(one, X.H, nv * v + np.int64(link.v) + j, x)
                put(one, X.H, nv * (np.int64(link.v) + j) + v, x)
            m = np.int64(k)
            while T.links[m].parent != 0:
                F = to_parent(T, one, X, m, F)
                m = np.int64(T.links[m].parent)
                base = np.int64(T.links[m].v)
                for j in range(T.links[m].speeds):
                    x = joint_component(T, one, X, m, j, F)
                    put(one, X.H, nv * v + base + j, x)
                    put(one, X.H, nv * (base + j) + v, x)
