"""What counts as zero, and what is stable: stiff mounts, small units, flutter, damping of either sign; against motion."""

from contextlib import suppress

import numpy as np
import pytest
from static_models import some, stiff

import dalembert as da
from dalembert import catalog
from dalembert.analyses.statics.at_rest import Rest
from dalembert.analyses.toolbox.mobility import null_space
from dalembert.equations.workspace import workspace
from dalembert.results.motion import State


def mounted(up, length=1.0, mass=1.0, k=1e8, unit=1.0):
    """A rod that stands on (or hangs from) a stiff mount that lets it turn."""
    m = da.Model("rod on a mount", dim=2, gravity=(0, -9.81 * unit))
    m.add(da.Body.rod("rod", (0, 0), (0, up * length * unit), mass=mass))
    m.add(da.Bushing("mount", "ground", "rod", at=(0, 0), stiffness=(k, k)))
    return m


@pytest.mark.parametrize("length, mass, k, unit", [(0.01, 1e-3, 1e5, 1), (1e-3, 1e-6, 10, 1), (1, 1, 1e4, 1e-3), (1, 1, 1e8, 1),
                                                   (1, 1, 1e12, 1)])
def test_rod_on_a_stiff_mount(length, mass, k, unit):
    """The slow eigenvalue beside the stiff ones: ±√(3g/2l), to the part in which the mount gives way (3 m g/k l)."""
    slow, give = 1.5 * 9.81 / length, 4 * mass * 9.81 / (k * length)
    for up in (1, -1):
        m = mounted(up, length, mass, k, unit)
        rest = da.equilibrium(m, kind="any")
        lin = da.linearize(m, at=rest)
        assert rest.stability == ("unstable" if up > 0 else "stable") and not rest.doubts
        assert lin.stable is (up < 0) and not lin.doubts
        np.testing.assert_allclose(rest.eigenvalues[0], -up * slow, rtol=2 * give + 1e-4)
        found = lin.eigenvalues[np.argmin(np.abs(lin.eigenvalues))]
        np.testing.assert_allclose(abs(found), slow**0.5, rtol=2 * give + 1e-4)
        assert (found.real == 0) or abs(found.real) > abs(found.imag) or up < 0
    assert da.equilibrium(mounted(1, length, mass, k, unit)).stable  # falls over, and hangs


def test_too_stiff_to_tell_is_said():
    for up in (1, -1):
        rest = da.equilibrium(mounted(up, k=1e16), kind="any")
        assert rest.stability == "neutral" and "too different for a verdict" in rest.doubts[0] and "doubtful" in repr(rest)
        assert "too different" in da.linearize(mounted(up, k=1e16), at=rest).doubts[0]
    assert "known to" in da.linearize(mounted(1, k=1e12), at=da.equilibrium(mounted(1, k=1e12), kind="any")).notes[0]


def test_column_above_its_critical_load():
    """A hinged column with a coil at its foot buckles at P l = k; on a mount of 1e8 N/m too."""
    for load, bent in ((0.9, False), (1.1, True)):
        m = da.Model("column", dim=2)
        m.add(da.Body.rod("column", (0, 0), (0, 1), mass=1.0))
        m.add(da.Bushing("mount", "ground", "column", at=(0, 0), stiffness=(1e8, 1e8), torsion=10.0))
        m.add(da.Force("load", "column", (0, -10.0 * load), at=(0, 1)))
        rest = da.equilibrium(m)
        assert rest.stable and bool(abs(rest["column"].angle - np.pi / 2) > 0.5) is bent


def ziegler(load, damping=0.0, second=None, frame="body"):
    m = da.Model("Ziegler's column", dim=2)
    m.add(da.Body("a", mass=2, inertia=1e-3, position=(1, 0)))
    m.add(da.Body("b", mass=1, inertia=1e-3, position=(2, 0)))
    m.add(da.Revolute("A", m.ground, "a", at=(0, 0)))
    m.add(da.Revolute("B", "a", "b", at=(1, 0)))
    m.add(da.TorsionSpring("k1", "A", stiffness=1.0, damping=damping))
    m.add(da.TorsionSpring("k2", "B", stiffness=1.0, damping=damping if second is None else second))
    m.add(da.Force("P", "b", (-load, 0), on=(0, 0), frame=frame))
    return m


@pytest.mark.parametrize("load, damping, stable", [(1.0, 0, True), (2.08, 0, True), (2.09, 0, False), (3.0, 0, False),
                                                   (1.4, 0.01, True), (1.5, 0.01, False)])
def test_flutter(load, damping, stable):
    """Critical 7/2 − √2 without damping, 41/28 with a little of it (Ziegler's paradox)."""
    rest = da.equilibrium(ziegler(load, damping))
    assert rest.stable is stable and da.linearize(ziegler(load, damping), at=rest).stable is stable
    assert (rest.verdict.manner == "flutter") is not stable and ("flutter" in repr(rest)) is not stable
    if load > 2.085:
        assert np.iscomplexobj(rest.eigenvalues) and abs(rest.eigenvalues[0].imag) > 0.01


def test_negative_damping_and_rolling():
    m = da.Model("pendulum", dim=2, gravity=(0, -9.81))
    m.add(da.Body.rod("rod", (0, 0), (0, -1), mass=1.0))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Motor("push", "O", "0.01*rate"))
    assert da.equilibrium(m).stability == "unstable" and not da.linearize(m).stable
    for factor, stable in ((0.99, False), (1.01, True), (3.0, True)):  # zeros are zeros, not ±1e-7
        rates = (0.0, 0.0, factor * np.sqrt(9.81 * 0.5 / 3) / 0.5)
        lin = da.linearize(catalog.make("rolling-disc", theta=np.pi / 2, rates=rates))
        assert lin.stable is stable and (lin.eigenvalues == 0).sum() == 6


@pytest.mark.parametrize("seed", some(60))
def test_eigenvalues_do_not_depend_on_units_or_coordinates(seed):
    """Millimetres, kilometres, grams, tonnes, milliseconds, another coordinate: 1e-9, or within the bound that is told."""
    m = stiff(seed)
    rest = da.equilibrium(m, kind="any")
    first, others = da.linearize(m, at=rest), []
    last = rest.system.bodies[-1]
    for name in ("x", "y", "angle" if m.dim == 2 else "turn_z"):
        with suppress(da.AnalysisError):
            others.append((1.0, da.linearize(m, at=rest, coordinates=[f"{last}.{name}"])))
    for L, M, T in ((1e-3, 1, 1), (1e3, 1, 1), (1, 1e-3, 1), (1, 1e3, 1), (1, 1, 1e-3), (1e-3, 1e-3, 1e-3)):
        other = stiff(seed, L, M, T)
        s, q = other.compile(), rest.q.copy()
        q[: s.kind.SIZE_Q * s.nb].reshape(s.nb, -1)[:, : s.dim] /= L
        others.append((T, da.linearize(other, at=Rest(other, s, 0.0, q, np.zeros(s.nv)))))
    for T, lin in others:
        left = list(range(len(lin.eigenvalues)))
        for value, bound in zip(first.eigenvalues, first.uncertainty, strict=True):
            k = min(left, key=lambda k: abs(lin.eigenvalues[k] / T - value))
            left.remove(k)
            apart = abs(lin.eigenvalues[k] / T - value)
            assert apart <= 1e-9 * abs(value) + bound + lin.uncertainty[k] / T
            assert apart <= 1e-8 * abs(value) or first.notes or lin.notes or first.doubts or lin.doubts
        assert lin.stable is first.stable or lin.doubts or first.doubts


@pytest.mark.parametrize("seed", some(100))
def test_verdict_against_a_simulation(seed):
    """A small push stays small when the pose was called stable, grows when it was called unstable, or a doubt is told."""
    from static_models import network

    rng = np.random.default_rng(seed)
    m = (lambda: mounted(int(rng.choice([1, -1])), k=float(10 ** rng.uniform(2, 5))),
         lambda: ziegler(float(rng.uniform(0.5, 5)), float(rng.choice([0, 0.02])), 0.05, str(rng.choice(["body", "ground"]))),
         lambda: network(seed))[seed % 3]()
    rest = da.equilibrium(m, kind="any")
    if rest.stability == "neutral" or rest.doubts:
        return
    lin = da.linearize(m, at=rest)
    assert lin.stable is rest.stable or lin.doubts
    slow, growth = np.abs(lin.eigenvalues[lin.eigenvalues != 0]).min(), lin.eigenvalues.real.max()
    s = rest.system
    w = workspace(s)
    w.set(0.0, rest.q, rest.v)
    w.run("rows")
    push = null_space(w)
    push = push @ rng.standard_normal(push.shape[1])
    push *= 1e-5 * slow * s.size / np.sqrt(push @ w.mass() @ push)
    until = 60 / slow if rest.stable else min(12 / growth, 1000.0)
    run = da.simulate(m, until, state=State(rest.model, s, 0.0, rest.q, push), step=until / 200, rtol=1e-9, atol=1e-13)
    speed = np.sqrt(np.einsum("ti,ij,tj->t", run._v, w.mass(), run._v))
    assert (speed.max() < 300 * speed[0]) if rest.stable else (speed.max() > 10 * speed[0])
