"""Random mechanisms × random parameters: derivatives of runs within the own error of differences of whole runs (verify=True)."""

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
    """Two to four rods on hinges, and a spring, a torsion spring, a motor or end stops; all its numbers are parameters."""
    p = Numbers(rng)
    m = da.Model("random", dim=dim, gravity=(0, f"-{p(9.81)}") if dim == 2 else (0.3, 0, f"-{p(9.81)}"))
    flat = (lambda x, y: (x, y)) if dim == 2 else (lambda x, y: (x, "0", y))
    before, at = "ground", ("0", "0")
    for k in range(int(rng.integers(2, 5))):
        length, angle = p(0.3, 1.0), float(rng.uniform(-1.5, 1.5))
        end = (f"({at[0]} + {length}*cos({angle!r}))", f"({at[1]} + {length}*sin({angle!r}))")
        m.add(da.Body.rod(f"b{k}", flat(*at), flat(*end), mass=p(0.5, 2.0), **({} if dim == 2 else {"radius": 0.03})))
        axis = {} if dim == 2 else {"axis": (0, 1, 0) if rng.random() < 0.5 else (0, 1, 0.3)}
        m.add(da.Revolute(f"j{k}", before, f"b{k}", at=flat(*at), **axis))
        before, at = f"b{k}", end
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


@pytest.mark.parametrize("seed", range(16))
def test_derivatives_and_differences_of_runs_agree(seed):
    rng = np.random.default_rng(seed)
    m = mechanism(rng, 2 if seed % 3 else 3)
    names = [str(n) for n in rng.choice(list(m.parameters), size=3, replace=False)]
    s = da.sensitivities(m, names, da.simulate, 0.6, times=[0.3, 0.6], rtol=1e-10, atol=1e-12, verify=True, outputs={
        "place": lambda run: run["b0"].position[-1], "angle": lambda run: run["j1"].coordinate[-1]})
    assert "apart" in s.certificate
