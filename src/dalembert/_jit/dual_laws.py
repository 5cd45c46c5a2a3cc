"""Users' laws with their derivatives: the address of a function that gives both (see duals.py for what it writes).

A law that is compiled is compiled once more on duals, by a process of its own, and kept on disk as the law itself.  What numba
cannot compile so, and what runs as a Python callback, is differentiated by differences of order eight of the law alone, argument
by argument, with the largest step that agrees with the next smaller one; that is said in words (``note``).
"""

from __future__ import annotations

import ctypes
import itertools
import math
import os
import pickle
import struct
import subprocess
import sys
from typing import Any

import numpy as np

from . import laws, loader, store
from .dual_objects import Dual, lifted
from .functions import Law, address_of, pointers
from .kernels import CALLS, MODE
from .shipment import Undescribable, pack

_DOUBLE, _POINTER = ctypes.c_double, ctypes.POINTER(ctypes.c_double)
_SCALAR = ctypes.CFUNCTYPE(None, _DOUBLE, _DOUBLE, _DOUBLE, _POINTER)
_VECTOR = ctypes.CFUNCTYPE(None, _DOUBLE, _POINTER, _POINTER, _POINTER)
WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
STEPS = (2e-2, 2e-3, 2e-4, 2e-5, 2e-6)
AGREE = 1e-8
FILES = ("dual_laws", "dual_lawmaker", "dual_arithmetic", "dual_arrays", "lawmaker", "shipment", "loader")


class Derivative:
    """The derivatives of one law, kept alive as long as their address is in use."""

    def __init__(self, law: Law):
        self.law, self.note, self._keep = law, "", None
        self.address = 0
        if MODE == "python":
            self.address = id(self)
            CALLS[self.address] = self._python_scalar if law.kind == "scalar" else self._python_vector
            return
        reason = law.note.partition(": ")[2] or self._compile()
        if reason:
            self.note = f"{law.title}: its function is differentiated by differences ({reason})"
            if law.kind == "scalar":
                self._keep = _SCALAR(self._scalar)
            else:
                nx, nv, nf = law.sizes
                self._keep = _VECTOR(pointers(self._vector, (nx, nv, 3 + nf * (2 + nx + nv))))
            self.address = address_of(self._keep)

    # ---------------------------------------------------------------------------------------------------- compiled

    def _compile(self) -> str:
        """Why it could not be compiled on duals, or ""."""
        law = self.law
        try:
            shipment = pack(law.function)
        except Undescribable as error:
            return str(error)
        maker = store.digest(b"".join((store.PACKAGE / "_jit" / f"{name}.py").read_bytes() for name in FILES))
        key = f"law-{store.digest(repr(('duals', law.kind, law.sizes, maker)).encode() + shipment)}"
        found = laws.from_disk(key)
        if found is None:
            answer = _ordered((shipment, law.kind, law.sizes))
            if "object" not in answer:
                laws.save(key, {"refused": answer["refused"]})
                return str(answer["refused"])
            library = loader.load(answer["object"], [answer["symbol"]])
            found = library, answer["symbol"], self._wrong(library[answer["symbol"]])
            laws.save(key, {"symbol": answer["symbol"], "refused": found[2]}, b"" if found[2] else answer["object"])
        library, symbol, refused = found
        if refused:
            return refused
        self._keep, self.address = library, library[symbol]
        return ""

    def _wrong(self, address) -> str:
        """In words, if what the compiled code gives for the value is not the law's (a sign that it was understood otherwise)."""
        law = self.law
        if law.kind == "scalar":
            for point in ((0.3, 0.2, -0.4), (1.7, -0.6, 0.9)):
                out = np.zeros(4)
                _SCALAR(address)(*point, out.ctypes.data_as(_POINTER))
                plain = law.native(law.address, point[: law.sizes])
                if math.isfinite(plain) and not abs(out[0] - plain) <= 1e-9 * max(abs(plain), 1e-300):
                    return f"on duals it gives {out[0]:.9g} instead of {plain:.9g}"
            return ""
        nx, nv, nf = law.sizes
        for t, sign in ((0.3, 1.0), (1.7, -1.0)):
            x, v, out = sign * np.linspace(0.2, 0.8, nx), sign * np.linspace(-0.9, 0.7, nv), np.zeros(3 + nf * (2 + nx + nv))
            if nx == 7:
                x[3:] /= np.linalg.norm(x[3:])
            _VECTOR(address)(t, *(a.ctypes.data_as(_POINTER) for a in (x, v, out)))
            plain, found = law.native(law.address, (t, x, v)), out[3:3 + nf]
            if np.all(np.isfinite(plain)) and not np.all(np.abs(found - plain) <= 1e-9 * np.maximum(np.abs(plain).max(), 1e-300)):
                return f"on duals it gives {found.round(9).tolist()} instead of {plain.round(9).tolist()}"
        return ""

    # ------------------------------------------------------------------------------------------------- differences

    def _scalar(self, t, x, v, out):
        found = self._slopes(lambda p: np.array([self._ask(*p)]), (t, x, v), range(self.law.sizes))
        for k in range(4):
            out[k] = float(found[0] if k == 0 else found[k][0])

    def _ask(self, t, x, v):
        law = self.law
        return law.native(law.address, (t, x, v)[: law.sizes]) if law.compiled else law.scalar(t, x, v)

    def _vector(self, t, x, v, out):
        nx, nv, nf = self.law.sizes

        def ask(p):
            place, rate, wrench = np.array(p[1:1 + nx]), np.array(p[1 + nx:]), np.zeros(nf)
            if self.law.compiled:
                return self.law.native(self.law.address, (p[0], place, rate))
            self.law.vector(p[0], place, rate, wrench)
            return wrench

        found = self._slopes(ask, (t, *x, *v), range(1 + nx + nv))
        out[:3] = nf, nx, nv
        for k, part in enumerate(found):
            out[3 + k * nf:3 + (k + 1) * nf] = part

    @staticmethod
    def _slopes(ask, point, which) -> list:
        """The value, then a derivative for every argument."""
        base = ask(point)
        out: list[Any] = [base if base.size > 1 else base[0]]
        for k in range(len(point)):
            if k not in which:
                out.append(np.zeros(base.size))
                continue
            unit, tried = max(abs(point[k]), 0.1), []
            for step in STEPS:
                h, total = step * unit, np.zeros(base.size)
                for n, weight in enumerate(WEIGHTS, start=1):
                    up, down = list(point), list(point)
                    up[k] += n * h
                    down[k] -= n * h
                    total = total + weight * (ask(up) - ask(down)) / h
                tried.append(total)
                if len(tried) > 1 and np.all(np.abs(tried[-1] - tried[-2]) <= AGREE * (np.abs(tried[-1]) + 1e-12)):
                    break
            apart = [float(np.abs(a - b).max()) for a, b in itertools.pairwise(tried)]
            out.append(tried[int(np.argmin(apart))])
        return out

    # ------------------------------------------------------------------------------------------------- Python mode

    def _python_scalar(self, t, x, v):
        args = [lifted(a) for a in (t, x, v)]
        with np.errstate(all="ignore"):
            try:
                return lifted(self.law.function(*args[: self.law.sizes]))
            except TypeError:
                out = np.zeros(4)
                self._scalar(args[0].x, args[1].x, args[2].x, out)
                return Dual(out[0], sum(a.d * s for a, s in zip(args, out[1:], strict=True)))

    def _python_vector(self, t, x, v, out):
        nx, nv, nf = self.law.sizes
        room = np.zeros(3 + nf * (2 + nx + nv))
        t = lifted(t)
        self._vector(t.x, x.x[:nx].copy(), v.x[:nv].copy(), room)
        values = room[3:].reshape(-1, nf)
        moved = np.vstack([t.d[None], x.d[:nx], v.d[:nv]])
        for c in range(nf):
            out[c] = Dual(values[0, c], values[1:, c] @ moved)


def derivative_of(law: Law) -> Derivative:
    """Of a law of a system; made once."""
    found = law.__dict__.get("derivative")
    if found is None or found.law.address != law.address:
        found = law.__dict__["derivative"] = Derivative(law)
    return found


def _ordered(order) -> dict:
    """What the process that compiles it answers."""
    done = subprocess.run([sys.executable, "-m", "dalembert._jit.dual_lawmaker"], input=pickle.dumps(order),
                          env=store.environment() | {"NUMBA_OPT": "3"}, cwd=os.path.abspath(os.sep), capture_output=True)
    try:
        size = struct.unpack("<q", done.stdout[:8])[0]
        return pickle.loads(done.stdout[8:8 + size])
    except (struct.error, EOFError, pickle.UnpicklingError):
        return {"refused": "the process that compiles it ended early"}
