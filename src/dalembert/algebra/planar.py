"""Vectors and rotations of the plane, as tuples of floats (same function names as spatial.py).

A vector is (x, y); a turn (angular velocity, moment) is the 1-tuple (w,); a rotation is (cos θ, sin θ).

    moment(s, n) = s × n = s_x n_y − s_y n_x          turn(w, s) = w × s = (−w s_y, w s_x)
"""

from dalembert._jit import inline


@inline
def add(a, b):
    return (a[0] + b[0], a[1] + b[1])


@inline
def sub(a, b):
    return (a[0] - b[0], a[1] - b[1])


@inline
def scale(a, k):
    return (a[0] * k, a[1] * k)


@inline
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1]


@inline
def moment(s, n):
    """s × n."""
    return (s[0] * n[1] - s[1] * n[0],)


@inline
def turn(w, s):
    """w × s."""
    return (-w[0] * s[1], w[0] * s[0])


@inline
def turn_add(a, b):
    return (a[0] + b[0],)


@inline
def turn_scale(a, k):
    return (a[0] * k,)


@inline
def turn_dot(a, b):
    return a[0] * b[0]


@inline
def rotate(A, s):
    """A s: body axes to ground axes."""
    return (A[0] * s[0] - A[1] * s[1], A[1] * s[0] + A[0] * s[1])


@inline
def unrotate(A, s):
    """Aᵀ s: ground axes to body axes."""
    return (A[0] * s[0] + A[1] * s[1], A[0] * s[1] - A[1] * s[0])


@inline
def turn_to_body(A, w):
    """A turn in body axes; in the plane it has only the one component."""
    return w


@inline
def rim(N, e, w):
    """Contact of a disc on a line with normal N: direction u from the centre to the contact, u̇, and −N·u."""
    return (-N[0], -N[1]), (0.0, 0.0), 1.0
