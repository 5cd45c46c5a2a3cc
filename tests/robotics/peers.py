"""States of a tree of ours as MuJoCo's and Pinocchio's, and back: the maps that comparisons need.

A free body's speeds are here those of its centre of mass (ground axes) and its angular velocity (own axes); those of MuJoCo and
Pinocchio are of its origin, Pinocchio's in its own axes:   ṙ_C = R v_O + ω × R c   and so   u = T(q) w,   H_w = Tᵀ H T,
u̇ = T ẇ + Ṫ w.  A ball's are along the axes B of its outer marker, MuJoCo's along the body's: ω_body = B ω, R_body = B R Bᵀ.
"""

import importlib.util
from pathlib import Path

import numpy as np

from dalembert.algebra.rotations import matrix_of_quaternion


def gymnasium_models():
    """MJCF files of gymnasium's wheel, where it is installed (it is not imported)."""
    found = importlib.util.find_spec("gymnasium")
    if found is None or not found.submodule_search_locations:
        return []
    return sorted(Path(next(iter(found.submodule_search_locations))).glob("envs/mujoco/assets/*.xml"))


def skew(x):
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def as_rows(tree, of):
    """Places in our q and v: {joint or free body: (in q, in v, kind)}; ``of`` maps a name to hinge, slide, ball or free."""
    found, q = {}, 0
    names = list(tree.names)
    v = 0
    while v < len(names):
        name = names[v].rpartition(".")[0] if "." in names[v] else names[v]
        kind = of(name)
        found[name] = (q, v, kind)
        q, v = q + {"free": 7, "ball": 4}.get(kind, 1), v + {"free": 6, "ball": 3}.get(kind, 1)
    return found


class Mujoco:
    """A model of MuJoCo with nothing but inertia and gravity in it, beside our tree of the same file."""

    def __init__(self, mj, compiled, model, tree):
        self.mj, self.m, self.tree = mj, compiled, tree
        off = mj.mjtDisableBit
        for name in ("CONSTRAINT", "CONTACT", "SPRING", "DAMPER", "ACTUATION", "LIMIT", "EQUALITY", "PASSIVE"):
            flag = getattr(off, f"mjDSBL_{name}", None)
            if flag is not None:
                compiled.opt.disableflags |= int(flag)
        compiled.opt.density = compiled.opt.viscosity = 0.0
        self.d = mj.MjData(compiled)
        labels = list(model.joints.values())
        kinds = {0: "free", 1: "ball", 2: "slide", 3: "hinge"}
        self.joints = []
        free = {}
        for k in range(compiled.njnt):
            kind = kinds[int(compiled.jnt_type[k])]
            body = mj.mj_id2name(compiled, mj.mjtObj.mjOBJ_BODY, compiled.jnt_bodyid[k]) or ""
            own = next(b for n, (b, _, _) in model.links.items() if n == body) if kind == "free" else labels[k]
            free[own] = kind
            self.joints.append((own, kind, int(compiled.jnt_qposadr[k]), int(compiled.jnt_dofadr[k])))
        self.rows = as_rows(tree, lambda n: free[n])
        self.com = {n: np.array(model.bodies[n].com or (0, 0, 0)) for n, kind in free.items() if kind == "free"}

    def outer(self, joint):
        s = self.tree.system
        return np.reshape(s.tables.markers[s.markers[joint][1]]["axes"], (3, 3))

    def state(self, q, v, a):
        """Put our (q, v, v̇) into MuJoCo's data; T of the speeds (u = T w) and Ṫ w."""
        n = self.tree.nv
        T, bias = np.zeros((n, n)), np.zeros(n)
        self.d.qpos[:] = self.m.qpos0
        for name, kind, x, u in self.joints:
            i, j, _ = self.rows[name]
            if kind == "free":
                R, c, w = matrix_of_quaternion(q[i + 3:i + 7]), self.com[name], v[j + 3:j + 6]
                self.d.qpos[x:x + 3] = q[i:i + 3] - R @ c
                self.d.qpos[x + 3:x + 7] = q[i + 3:i + 7]
                T[j:j + 3, u:u + 3] = np.eye(3)
                T[j:j + 3, u + 3:u + 6] = -R @ skew(c)
                T[j + 3:j + 6, u + 3:u + 6] = np.eye(3)
                bias[j:j + 3] = R @ np.cross(w, np.cross(w, c))
            elif kind == "ball":
                B = self.outer(name)
                self.d.qpos[x], self.d.qpos[x + 1:x + 4] = q[i], B @ q[i + 1:i + 4]
                T[j:j + 3, u:u + 3] = B.T
            else:
                self.d.qpos[x] = q[i] + self.m.qpos0[x]
                T[j, u] = 1.0
        self.d.qvel[:] = np.linalg.solve(T, v)
        self.d.qacc[:] = np.linalg.solve(T, a - bias)
        return T, bias

    def answers(self, q, v, a, tau):
        """H, inverse dynamics of a, forward dynamics of τ, all in our coordinates."""
        mj, m, d = self.mj, self.m, self.d
        T, bias = self.state(q, v, a)
        back = np.linalg.inv(T)
        mj.mj_inverse(m, d)
        inverse = back.T @ d.qfrc_inverse
        d.qfrc_applied[:] = T.T @ tau
        mj.mj_forward(m, d)
        forward = T @ d.qacc + bias
        H = np.zeros((m.nv, m.nv))
        mj.mj_fullM(m, d, H)
        return back.T @ H @ back, inverse, forward


def random_state(tree, rows, rng):
    q, v, a, tau = (rng.uniform(-1, 1, n) for n in (tree.nq, tree.nv, tree.nv, tree.nv))
    for i, _, kind in rows.values():
        if kind in ("free", "ball"):
            at = i + 3 if kind == "free" else i
            q[at:at + 4] /= np.linalg.norm(q[at:at + 4])
    return q, v, a, tau
