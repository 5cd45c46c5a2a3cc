"""Volume, centre and second moments of the solid inside a closed mesh (divergence theorem).

Every face (a, b, c) with its corners counter-clockwise from outside spans a tetrahedron with the point o; seen with their signs,
d = (a − o)·((b − o) × (c − o)), these add up to the solid, wherever o is (o: the middle of the corners, against rounding):

    V = Σ d/6          ∫ s dV = Σ d/24 (a + b + c)          ∫ s sᵀ dV = Σ d/120 ((a+b+c)(a+b+c)ᵀ + aaᵀ + bbᵀ + ccᵀ)

That is so when the faces close: every edge is run through as often one way as the other.  Files differ: corners are repeated face
by face (STL), faces look inwards, single faces are turned over.  Corners at one place are taken together; a mesh of one
piece whose faces look both ways is turned face by face until neighbours agree; a mesh inside out is turned over.  A piece inside
another that looks the other way is a cavity.  Refused: an edge with one face (open), pieces that look different ways without
one lying inside the other, no volume.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from dalembert.errors import ModelError

MOST_FACES = 400  # of a mesh whose tetrahedra get particles of their own; finer ones go by their second moments
GRID = 1e-7  # of the mesh's extent: corners nearer than this are one
FLAT = 1e-9  # volume over extent³: less is a surface


def moments(corners, faces, what: str) -> tuple[float, np.ndarray, np.ndarray]:
    """V, centre, and ∫ s sᵀ dV / V about the centre."""
    corners, faces = solid(corners, faces, what)
    V, first, second = _sums(corners, faces)
    centre = first / V
    return V, centre, second / V - np.outer(centre, centre)


def solid(corners, faces, what: str) -> tuple[np.ndarray, np.ndarray]:
    """Corners taken together, and faces that close and look outwards; refuses what has no inside."""
    corners, faces = _together(np.asarray(corners, float), np.asarray(faces, int))
    if len(faces) == 0:
        raise ModelError(f"{what}: its mesh has no faces with an area; a solid is needed, or give mass= and inertia=")
    if not _closes(faces):
        faces = _agreeing(corners, faces, what)
    pieces = _pieces(faces)
    volumes = [_sums(corners, faces[p])[0] for p in pieces]
    extent = float(np.ptp(corners[faces.ravel()], axis=0).max())
    if abs(sum(volumes)) <= FLAT * extent**3:
        raise ModelError(f"{what}: its mesh has no volume; a solid is needed, or give mass= and inertia=")
    sign = 1.0 if sum(volumes) > 0 else -1.0
    for piece, volume in zip(pieces, volumes, strict=True):
        if sign * volume < 0 and not any(_inside(corners, faces, piece, other) for other, v in zip(pieces, volumes, strict=True)
                                         if sign * v > 0):
            raise ModelError(f"{what}: its mesh has {len(pieces)} separate pieces whose faces look different ways, and one that "
                             "looks inwards lies inside no other; turn the normals outwards in the program that wrote it, or "
                             "give the pieces as a list of meshes")
    return corners, faces if sign > 0 else faces[:, ::-1]


def quadrature(corners, faces, centre, order):
    """Points and shares of the volume (bodies/particles.py): tetrahedra from the centre to the faces, (order + 1)³ points each.

    The cube onto a tetrahedron: p = o + u (a + v (b − a + w (c − b))), volume element u² v d.  None when there are too many
    faces, or not all tetrahedra lie inside (a solid that is not star-shaped about its centre).
    """
    a, b, c = (corners[faces[:, k]] - centre for k in range(3))
    d = np.einsum("ni,ni->n", a, np.cross(b, c))
    if len(faces) > MOST_FACES or d.min() < -1e-12 * np.abs(d).max():
        return None
    x, weights = np.polynomial.legendre.leggauss(order + 1)  # one more than order: the volume element has degree two
    points, shares = [], []
    for u, i in zip((x + 1) / 2, weights, strict=True):
        for v, j in zip((x + 1) / 2, weights, strict=True):
            for w, k in zip((x + 1) / 2, weights, strict=True):
                points.append(centre + u * (a + v * (b - a + w * (c - b))))
                shares.append(i * j * k * u * u * v * d)
    share = np.concatenate(shares)
    return np.concatenate(points), share / share.sum()


def by_moments(centre, second):
    """Six points with the centre and the second moments of the solid: right for fields quadratic over it."""
    values, axes = np.linalg.eigh(second)
    arms = (axes * np.sqrt(3 * np.maximum(values, 0.0))).T
    return np.concatenate([centre + arms, centre - arms]), np.full(6, 1 / 6)


def _sums(corners, faces):
    o = corners[faces.ravel()].mean(axis=0)
    a, b, c = (corners[faces[:, k]] - o for k in range(3))
    d = np.einsum("ni,ni->n", a, np.cross(b, c))
    V, total = float(d.sum()) / 6, a + b + c
    first = d @ total / 24
    second = sum(np.einsum("n,ni,nj->ij", d, x, x) for x in (total, a, b, c)) / 120
    return V, first + V * o, second + np.outer(first, o) + np.outer(o, first) + V * np.outer(o, o)


def _together(corners, faces):
    """One number for corners at one place; faces that have lost an edge are left out."""
    used, faces = np.unique(faces, return_inverse=True)
    corners, faces = corners[used], faces.reshape(-1, 3)
    low, extent = corners.min(axis=0), float(np.ptp(corners, axis=0).max()) or 1.0
    best: tuple | None = None
    for shift in (0.25, 0.75):  # corners on the border of a cell of the grid are inside one of the other
        cells = np.floor((corners - low) / (GRID * extent) + shift).astype(np.int64)
        _, first, number = np.unique(cells, axis=0, return_index=True, return_inverse=True)
        if best is None or len(first) < len(best[0]):
            best = first, number.reshape(-1)
    assert best is not None
    first, number = best
    found = number[faces]
    whole = (found[:, 0] != found[:, 1]) & (found[:, 1] != found[:, 2]) & (found[:, 2] != found[:, 0])
    return corners[first], found[whole]


def _closes(faces) -> bool:
    """Whether every edge is run through as often one way as the other."""
    a, b = faces.ravel(), faces[:, [1, 2, 0]].ravel()
    size = int(faces.max()) + 1
    return np.array_equal(np.sort(a * size + b), np.sort(b * size + a))


def _neighbours(faces):
    """Edge (smaller corner first) → (face, whether it runs through it from the smaller to the larger)."""
    out = defaultdict(list)
    for n, f in enumerate(faces.tolist()):
        for k in range(3):
            a, b = f[k], f[(k + 1) % 3]
            out[min(a, b), max(a, b)].append((n, a < b))
    return out


def _agreeing(corners, faces, what):
    """Faces turned so that neighbours agree; refused where the mesh is open or has no two sides."""
    near = _neighbours(faces)
    odd = [e for e, found in near.items() if len(found) % 2]
    if odd:
        place = ", ".join(f"{x:.4g}" for x in corners[list(odd[0])].mean(axis=0))
        raise ModelError(f"{what}: its mesh is open: {len(odd)} edge(s) belong to an odd number of faces, one of them at "
                         f"({place}); close the holes in the program that wrote it (fill holes, merge corners), or give mass= "
                         "and inertia=")
    several = max(map(len, near.values())) > 2
    pieces = _pieces(faces)
    if several or len(pieces) > 1:
        raise ModelError(f"{what}: the faces of its mesh look both inwards and outwards, and it has {len(pieces)} piece(s) that "
                         "touch or lie apart: which side is inside cannot be told; make the normals consistent in the program "
                         "that wrote it")
    turned = {0: False}
    queue = [0]
    touching = defaultdict(list)
    for (a, ahead), (b, too) in near.values():
        touching[a].append((b, ahead == too))
        touching[b].append((a, ahead == too))
    while queue:
        n = queue.pop()
        for other, differ in touching[n]:
            wanted = turned[n] != differ
            if other not in turned:
                turned[other] = wanted
                queue.append(other)
            elif turned[other] != wanted:
                raise ModelError(f"{what}: the surface of its mesh has no two sides (as a Möbius strip), so no inside; repair "
                                 "it, or give mass= and inertia=")
    return np.array([f[::-1] if turned[n] else f for n, f in enumerate(faces)])


def _pieces(faces) -> list[np.ndarray]:
    """Faces that hang together, by their corners."""
    parent = np.arange(int(faces.max()) + 1)

    def root(k):
        while parent[k] != k:
            parent[k] = parent[parent[k]]
            k = parent[k]
        return k

    for a, b, c in faces.tolist():
        parent[root(b)] = root(a)
        parent[root(c)] = root(a)
    roots = np.array([root(a) for a in faces[:, 0].tolist()])
    return [np.flatnonzero(roots == r) for r in np.unique(roots)]


def _inside(corners, faces, piece, other) -> bool:
    """Whether a piece lies within the bounds of another."""
    p, q = corners[faces[piece].ravel()], corners[faces[other].ravel()]
    return bool(np.all(p.min(axis=0) >= q.min(axis=0)) and np.all(p.max(axis=0) <= q.max(axis=0)))
