"""Equations to read: virtual work, d'Alembert, Lagrange and Newton–Euler in SymPy, tied to the engine by ``verify``.

    Model ──SymbolicBuilder──▶ markers, measures, rows, forces with symbols ──Kinematics──▶ jets ──method──▶ Equations

The elements' own recipes (``build``) write into a builder whose numbers carry a formula beside their value, so an element
that the engine knows has its equations here too.  SymPy is imported by this package only, and only when it is used.
"""

from importlib.util import find_spec

from dalembert.errors import AnalysisError

if find_spec("sympy") is None:
    raise AnalysisError("derive needs SymPy, which is not installed: pip install 'dalembert[symbolic]'")
