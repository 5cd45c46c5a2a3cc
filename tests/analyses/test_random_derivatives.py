"""Random mechanisms × random parameters: derivatives of runs within the own error of differences of whole runs (verify=True).

``make gradients`` asks 200 of them (DALEMBERT_GRADIENTS=200).  Every third is in space; of those with three bodies and more every
other is closed to a loop (in space with parallel axes: with redundant rows), which is closed beside the parameters' values too.
"""

import os

import numpy as np
import pytest

import dalembert as da


class Numbers:
    """Numbers of a model that are parameters: each gets a name of its own."""

    def __init__(self, rng):
        self.rng, self.values = rng, {}

    def __call__(self, low, high=None):
        name = f"p{len(self.values)}"
        self.values[name] = float(low if high is None else self.rng.uniform(low, high))
        return name


def mechanism(rng, dim):
    """Two to four rods on hinges, open or closed; a spring, torsion spring, motor or stops; all its numbers are parameters."""
    p = Numbers(rng)
    m = da.Model("random", dim=dim, gravity=(0, f"-{p(9.81)}") if dim == 2 else (0.3, 0, f"-{p(9.81)}"))
    flat = (lambda x, y: (x, y)) if dim == 2 else (lambda x, y: (x, "0", y))
    before, at = "ground", ("0", "0")
    count = int(rng.integers(2, 5))
    loop = count > 2 and rng.random() < 0.5
    for k in range(count):
        length, angle = p(0.3, 1.0), float(rng.uniform(-1.5, 1.5))
        end = (f"({at[0]} + {length}*cos({angle!r}))", f"({at[1]} + {length}*sin({angle!r}))")
        m.add(da.Body.rod(f"b{k}", flat(*at), flat(*end), mass=p(0.5, 2.0), **({} if dim == 2 else {"radius": 0.03})))
        axis = {} if dim == 2 else {"axis": (0, 1, 0) if loop or rng.random() < 0.5 else (0, 1, 0.3)}
        m.add(da.Revolute(f"j{k}", before, f"b{k}", at=flat(*at), **axis))
        before, at = f"b{k}", end
    if loop:
        m.add(da.Revolute("closing", "ground", before, at=flat(*at), **({} if dim == 2 else {"axis": (0, 1, 0)})))
    kind = int(rng.integers(0, 4))
    if kind == 0:
        m.add(da.Spring("force", "ground", before, at_i=(1.5, 0.2) if dim == 2 else (1.5, 0.3, 0.2), at_j=flat(*at),
                        stiffness=p(5.0, 80.0), damping=p(0.5), length=p(0.7)))
    elif kind == 1:
        m.add(da.TorsionSpring("force", "j1", stiffness=p(4.0), damping=p(0.1)))
    elif kind == 2:
        m.add(da.Motor("force", "j0", f"{p(3.0)}*sin({p(4.0)}*t) - 0.2*rate"))
    else:
        m.add(da.Limit("force", "j1", lower=-0.15, upper=0.15, stiffness=p(300.0), damping=p(5.0)))
    m.initial("j0", rate=p(-2.0, 2.0))
    for name, value in p.values.items():
        m.parameters[name] = value
    return m


@pytest.mark.parametrize("seed", range(int(os.environ.get("DALEMBERT_GRADIENTS", "16"))))
def test_derivatives_and_differences_of_runs_agree(seed):
    rng = np.random.default_rng(seed)
    m = mechanism(rng, 2 if seed % 3 else 3)
    names = [str(n) for n in rng.choice(list(m.parameters), size=3, replace=False)]
    s = da.sensitivities(m, names, da.simulate, 0.6, times=[0.3, 0.6], rtol=1e-10, atol=1e-12, verify=True, outputs={
        "place": lambda run: run["b0"].position[-1], "angle": lambda run: run["j1"].coordinate[-1]})
    assert "apart" in s.certificate
    back = da.sensitivities(m, names, da.simulate, 0.6, times=[0.3, 0.6], rtol=1e-10, atol=1e-12, method="adjoint", outputs={
        "angle": lambda run: run["j1"].coordinate[-1]})
    size = max(abs(s["angle"][n]) * abs(m.parameters[n]) for n in names)
    for n in names:
        assert abs(back["angle"][n] - s["angle"][n]) * abs(m.parameters[n]) <= 1e-7 * size, n
