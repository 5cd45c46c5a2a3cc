"""Robots and other trees: inverse and forward dynamics, mass matrix and Jacobians in joint coordinates, one state or many.

    arm = da.robotics.Tree(model)                       # or da.robotics.load("arm.urdf")
    tau = arm.inverse_dynamics(q, v, a)                 # τ that gives the accelerations a
    a   = arm.forward_dynamics(q, v, tau)
    H   = arm.mass_matrix(q)
    J   = arm.jacobian(q, "hand", (0, 0, 0.1))          # of a point of a body: translation rows, then rotation rows
    D   = arm.forward_derivatives(q, v, tau)            # D.q, D.v, D.tau: all derivatives of a, exact; inverse_derivatives: of τ

Each takes one state (vectors) or many (rows of matrices): many states are one compiled call.
"""

from .tree import Tree, load

__all__ = ["Tree", "load"]
