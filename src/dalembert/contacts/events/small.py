"""A small dense system G x = b whose rows may depend on each other.

    x ← x + (G + ε I)⁻¹ (b − G x),  from the x given

With ε small against G this is one solve and some corrections, until no more than rounding is left (rounding along a null space of
G grows by 1/ε); where G is singular but the system has solutions (four feet of
a table), x keeps its part along the null space of a symmetric G: of all
solutions the nearest to the x given.
"""

from dalembert._jit import kernel

EPSILON, ROUNDS, GOOD = 1e-5, 60, 3e-15


@kernel
def factor(G, F, pivot, m):
    """LU of G + ε I with rows exchanged."""
    largest = 0.0
    for i in range(m):
        largest = max(largest, abs(G[i * m + i]))
    for k in range(m * m):
        F[k] = G[k]
    for i in range(m):
        F[i * m + i] += EPSILON * largest if largest > 0.0 else 1.0
    for k in range(m):
        best = k
        for i in range(k + 1, m):
            if abs(F[i * m + k]) > abs(F[best * m + k]):
                best = i
        pivot[k] = best
        if best != k:
            for j in range(m):
                F[k * m + j], F[best * m + j] = F[best * m + j], F[k * m + j]
        if F[k * m + k] == 0.0:
            F[k * m + k] = 1e-300
        for i in range(k + 1, m):
            F[i * m + k] /= F[k * m + k]
            for j in range(k + 1, m):
                F[i * m + j] -= F[i * m + k] * F[k * m + j]


@kernel
def backsolve(F, pivot, x, m):
    for k in range(m):
        best = pivot[k]
        if best != k:
            x[k], x[best] = x[best], x[k]
    for i in range(m):
        for j in range(i):
            x[i] -= F[i * m + j] * x[j]
    for k in range(m):
        i = m - 1 - k
        for j in range(i + 1, m):
            x[i] -= F[i * m + j] * x[j]
        x[i] /= F[i * m + i]


@kernel
def solve(G, F, pivot, b, x, rest, m):
    """x of G x = b; what is left of b, at most."""
    factor(G, F, pivot, m)
    size = 0.0
    for i in range(m):
        size = max(size, abs(b[i]))
    left = size
    for _ in range(ROUNDS):
        worst, scale = 0.0, size
        for i in range(m):
            rest[i] = b[i]
            for j in range(m):
                rest[i] -= G[i * m + j] * x[j]
                scale = max(scale, abs(G[i * m + j] * x[j]))
            worst = max(worst, abs(rest[i]))
        left = worst
        if worst <= GOOD * scale:
            break
        backsolve(F, pivot, rest, m)
        for i in range(m):
            x[i] += rest[i]
    return left
