"""Joints that rub: their surfaces are pressed together by the joint's own reaction (contacts/rubbing/rows.py says by which part
of it, joint by joint); the law is that of elements/friction.py."""

from __future__ import annotations

from typing import ClassVar

from dalembert.elements.friction import Rubbing, Rubs
from dalembert.elements.given import Number, Ref, Vector
from dalembert.elements.joints.joint import BaseJoint
from dalembert.errors import ModelError


class RubbingJoint(BaseJoint, Rubs, listed=False):
    """A joint that may have friction; ``surfaces``: what each of its pairs of surfaces is (contacts/rubbing/tables.py)."""

    surfaces: ClassVar[tuple[str, ...]] = ()
    wants: ClassVar[dict[int, tuple[str, ...]]] = {}  # dim → lengths that its friction needs
    why: ClassVar[str] = ""  # what for

    def __init__(self, name: str, i: Ref, j: Ref, *, at: Vector | None = None, axis: Vector | None = None,
                 on_i: Vector | None = None, on_j: Vector | None = None, axis_i: Vector | None = None,
                 axis_j: Vector | None = None, friction: Rubbing | None = None, radius: Number | None = None,
                 length: Number | None = None) -> None:
        super().__init__(name, i, j, at=at, axis=axis, on_i=on_i, on_j=on_j, axis_i=axis_i, axis_j=axis_j)
        self.friction, self.radius, self.length = friction, radius, length
        self._known(friction)

    def build(self, b):
        super().build(b)
        self._rub(b)

    def _rub(self, b) -> None:
        """Tell the builder of its surfaces."""
        if not self.rubs:
            given = [f"{k}=" for k in ("radius", "length") if getattr(self, k) is not None]
            if given and self.friction is None:
                b.note(f"{self.title}: {' and '.join(given)} is of surfaces that rub, and there is no friction=: it does not rub")
            return
        law = self._law(b)
        needed = self.wants.get(b.dim, ())
        sizes = {}
        for key in ("radius", "length"):
            value = getattr(self, key)
            if value is None and key in needed:
                raise ModelError(f"{self.title}: friction needs {' and '.join(f'{k}=' for k in needed)} [m] here: {self.why}")
            sizes[key] = 1.0 if value is None else b.positive(value, f"{key} of {self.title}")
        for kind in self.surfaces:
            b.rub(self, kind, **law, **sizes, lead=self._lead(b))

    def _lead(self, b) -> float:
        """Advance per radian, of a thread."""
        return 0.0
