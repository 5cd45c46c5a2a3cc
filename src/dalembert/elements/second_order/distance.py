"""A distance (measures/distance.py): c = |d|, p = u = d/c (offsets.py).

    ċ = u·ḋ    u̇ = (ḋ − ċ u)/c    c̈ = u·d̈ + c u̇·u̇    ü = (d̈ − c̈ u − 2 ċ u̇)/c        ∂u/∂d = (1 − u uᵀ)/c: α = 1/c, β = −1/c

Points that coincide have no direction: nothing is added there.
"""

import math

from dalembert._jit import inline
from dalembert.algebra.vectors import dot, scale, sub


@inline
def direction(s, w, row, d, dd, ddd):
    c = math.sqrt(dot(d, d))
    if c == 0.0:
        return d, d, d, 0.0, 0.0
    f = 1.0 / c
    u = scale(d, f)
    rate = dot(u, dd)
    du = scale(sub(dd, scale(u, rate)), f)
    second = dot(u, ddd) + c * dot(du, du)
    return u, du, scale(sub(sub(ddd, scale(u, second)), scale(du, 2.0 * rate)), f), f, -f
