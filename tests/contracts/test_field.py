"""Field: force and moment on bodies of known shape against an independent quadrature; what is not known is said or refused."""

import math

import numpy as np
import pytest
from scipy.integrate import nquad

import dalembert as da
from dalembert.equations.workspace import workspace

POSE = {2: {"position": (0.3, -0.2), "angle": 0.6}, 3: {"position": (0.3, -0.2, 0.4), "rotation": ("xyz", (0.4, -0.7, 1.1))}}
FIELDS = {
    2: {"linear": ("0", "x"), "polynomial": ("x**2*y - y", "x*y + x**3"), "smooth": ("exp(x)*cos(2*y)", "sin(x*y) + 1/(4 + x)")},
    3: {"linear": ("0", "x", "y - z"), "polynomial": ("x**2", "y*z", "x*y"),
        "smooth": ("exp(x)*cos(y)", "sin(x*y) + z", "1/(4 + x + z)")},
}
SHAPES = {
    "box": lambda dim: da.Box((0.6, 0.4, 0.2)[:dim]),
    "cylinder": lambda dim: da.Cylinder(0.3, 0.5),
    "sphere": lambda dim: da.Sphere(0.35),
    "capsule": lambda dim: da.Capsule(0.2, 0.4),
}


def particles(shape, dim):
    """(weight, local point) of a fine rule in Cartesian, cylindrical or spherical coordinates, by hand."""
    g, w = np.polynomial.legendre.leggauss(24)
    w = w / 2
    turn = 2 * np.pi * np.arange(48) / 48
    if isinstance(shape, da.Box):
        e = [*shape.size, 1.0][:3]
        return [(a * b * c, (x * e[0] / 2, y * e[1] / 2, z * e[2] / 2)) for x, a in zip(g, w, strict=True)
                for y, b in zip(g, w, strict=True) for z, c in (zip(g, w, strict=True) if dim == 3 else [(0.0, 1.0)])]
    r = shape.radius
    if isinstance(shape, da.Sphere):  # r² dr dcosθ dφ
        return [(3 * ((1 + x) / 2) ** 2 * a * b / 48,
                 (q * math.sqrt(1 - z * z) * math.cos(f), q * math.sqrt(1 - z * z) * math.sin(f), q * z))
                for x, a in zip(g, w, strict=True) for q in [r * (1 + x) / 2] for z, b in zip(g, w, strict=True) for f in turn]
    tube = [(2 * (1 + x) / 2 * a * b / 48, (q * math.cos(f), q * math.sin(f), z * shape.length / 2))
            for x, a in zip(g, w, strict=True) for q in [r * (1 + x) / 2] for z, b in zip(g, w, strict=True) for f in turn]
    if isinstance(shape, da.Cylinder):
        return tube
    part = (math.pi * r * r * shape.length) / (math.pi * r * r * shape.length + 4 / 3 * math.pi * r**3)
    caps = []
    for x, a in zip(g, w, strict=True):  # half spheres need their own rule: cosθ from 0 to 1
        q = r * (1 + x) / 2
        for z, b in zip(g, w, strict=True):
            c = (1 + z) / 2
            for f in turn:
                s = q * math.sqrt(1 - c * c)
                for side in (-1, 1):
                    caps.append((3 * ((1 + x) / 2) ** 2 * a * b / 96,
                                 (s * math.cos(f), s * math.sin(f), side * (q * c + shape.length / 2))))
    return [(part * a, p) for a, p in tube] + [((1 - part) * a, p) for a, p in caps]


def share(m, body="b"):
    s = m.compile()
    w = workspace(s)
    w.set(0.0, s.q_drawn, s.v_drawn)
    w.only[0] = s.numbers["f"]
    w.run("generalized_forces")
    return w.Q.copy()


def integral(weights, mass, laws, dim):
    p = POSE[dim]
    one = da.Model("pose", dim=dim)
    one.add(da.Body("b", mass=1, inertia=1 if dim == 2 else (1, 1, 1), **p))
    s = da.assemble(one)["b"]
    A = (np.array([[math.cos(0.6), -math.sin(0.6)], [math.sin(0.6), math.cos(0.6)]]) if dim == 2 else s.rotation)
    a, q = np.array([x for x, _ in weights]), np.array([x for _, x in weights])[:, :dim]
    arm = q @ A.T
    at = np.array(p["position"]) + arm
    names = dict(zip("xyz", at.T, strict=False)) | {"exp": np.exp, "sin": np.sin, "cos": np.cos}
    f = np.array([np.broadcast_to(eval(law, {}, names), a.shape) for law in laws]).T
    F = mass * (a @ f)
    if dim == 2:
        return np.array([*F, mass * (a @ (arm[:, 0] * f[:, 1] - arm[:, 1] * f[:, 0]))])
    return np.array([*F, *(A.T @ (mass * (a @ np.cross(arm, f))))])


@pytest.mark.parametrize("field", ["linear", "polynomial", "smooth"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dim", [2, 3])
def test_shapes(dim, shape, field):
    laws, form = FIELDS[dim][field], SHAPES[shape](dim)
    m = da.Model("m", dim=dim)
    m.add(da.Body.from_shape("b", form, mass=2.5, **POSE[dim]))
    m.add(da.Field("f", laws))
    exact = integral(particles(form, dim), 2.5, laws, dim)
    assert np.abs(share(m) - exact).max() <= 1e-10 * np.abs(exact).max()
    assert not m.compile().notes


@pytest.mark.parametrize("field", ["linear", "polynomial", "smooth"])
@pytest.mark.parametrize("dim", [2, 3])
def test_rod(dim, field):
    laws = FIELDS[dim][field]
    start, end = (np.array([0.3, -0.2, 0.4])[:dim], np.array([1.1, 0.5, -0.2])[:dim])
    m = da.Model("m", dim=dim)
    m.add(da.Body.rod("b", tuple(start), tuple(end), mass=1.7))
    m.add(da.Field("f", laws))
    Q = share(m)

    def value(u, component):
        at = start + u * (end - start)
        names = dict(zip("xyz", at, strict=False)) | {"exp": math.exp, "sin": math.sin, "cos": math.cos}
        f, arm = np.array([eval(law, {}, names) for law in laws], dtype=float), at - (start + end) / 2
        turn = [arm[0] * f[1] - arm[1] * f[0]] if dim == 2 else np.cross(arm, f)
        return 1.7 * np.array([*f, *turn])[component]

    exact = np.array([nquad(value, [(0, 1)], args=(k,), opts={"epsabs": 1e-13})[0] for k in range(3 * dim - 3)])
    if dim == 3:
        exact[3:] = da.assemble(m)["b"].rotation.T @ exact[3:]
    assert np.abs(Q - exact).max() <= 1e-10 * np.abs(exact).max()


def test_the_faults():
    """A rod along x of length 2√3 …: ("0", "x") turns it by ∫ x² dm, not by half of it; the box of the fault list."""
    m = da.Model("m", dim=2)
    m.add(da.Body.rod("b", (-0.5, 0), (0.5, 0), mass=12))
    m.add(da.Field("f", ("0", "x")))
    assert share(m)[2] == pytest.approx(1.0, rel=1e-12)


def test_mass_and_inertia():
    """In space: second moments, right for quadratic fields, with a note; in the plane refused, or second_moments=."""
    box = da.Box((0.6, 0.4, 0.2))
    laws = FIELDS[3]["polynomial"]
    m = da.Model("m", dim=3)
    J = 2.5 / 12 * np.array([0.4**2 + 0.2**2, 0.6**2 + 0.2**2, 0.6**2 + 0.4**2])
    m.add(da.Body("b", mass=2.5, inertia=tuple(J), **POSE[3]))
    m.add(da.Field("f", laws))
    exact = integral(particles(box, 3), 2.5, laws, 3)
    assert np.abs(share(m)[:3] - exact[:3]).max() <= 1e-12 * np.abs(exact).max()
    assert "second moments" in str(da.check(m))
    for where in ("body", "field"):
        flat = da.Model("m", dim=2)
        P = (2.5 * 0.36 / 12, 2.5 * 0.16 / 12, 0.0)
        flat.add(da.Body("b", mass=2.5, inertia=P[0] + P[1], second_moments=P if where == "body" else None, **POSE[2]))
        flat.add(da.Field("f", FIELDS[2]["linear"], second_moments={"b": P} if where == "field" else None))
        assert np.abs(share(flat) - integral(particles(da.Box((0.6, 0.4)), 2), 2.5, FIELDS[2]["linear"], 2)).max() <= 1e-12
    bare = da.Model("m", dim=2)
    bare.add(da.Body("b", mass=2.5, inertia=0.1))
    bare.add(da.Field("f", ("0", "x")))
    with pytest.raises(da.ModelError, match="second_moments"):
        bare.compile()
    bare.remove("f")
    bare.add(da.Field("f", ("t", "2")))
    np.testing.assert_allclose(share(bare), (0.0, 5.0, 0.0))
    wrong = da.Model("m", dim=2)
    wrong.add(da.Body("b", mass=1, inertia=0.1, second_moments=(0.1, 0.1, 0)))
    wrong.add(da.Field("f", ("0", "x")))
    with pytest.raises(da.ModelError, match="add up to"):
        wrong.compile()


def test_ledger_and_formulas():
    """A rod in a field with the potential V = −∫ (x y + x³/3) dm: energy closes; derived equations agree with the engine."""
    m = da.Model("m", dim=2, gravity=(0, -1.0), parameters={"l": 1.2})
    m.add(da.Body.rod("rod", (0, 0), ("l", 0), mass=2))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Field("f", ("y + x**2", "x")))
    m.initial("O", rate=1.0)
    run = da.simulate(m, 1.0, rtol=1e-10)
    assert run.certificate.energy_relative < 1e-9 and not run.certificate.doubts()
    angle = run["rod"].angle
    c, s, l = np.cos(angle), np.sin(angle), 1.2
    V = -2 * (l**2 * c * s / 3 + (l * c) ** 3 / 12)
    np.testing.assert_allclose(run.energy.work - run.energy.work[0], -(V - V[0]), rtol=0, atol=1e-9)
    assert da.derive(m, "lagrange").verify().ok


@pytest.mark.parametrize("gate", ["step(t-1)", "max(0, t-1)", "exp(-((t-1.5)/0.01)**2)"])
def test_a_field_that_begins_later_is_integrated_too(gate):
    """∫ x² dm = 4 about the pin, whatever the field is when the particles are chosen."""
    m = da.Model("m", dim=2, gravity=(0, 0))
    m.add(da.Body.rod("b", (0, 0), (1, 0), mass=12))
    m.add(da.Field("f", ("0", f"({gate})*x")))
    s = m.compile()
    w = workspace(s)
    w.set(1.5, s.q_drawn, s.v_drawn)
    w.run("generalized_forces")
    force = 12 * 0.5 * {"s": 1.0, "m": 0.5, "e": 1.0}[gate[0]]
    np.testing.assert_allclose(w.Q, (0, force, force / 6), rtol=0, atol=1e-11)


def test_a_field_that_switches_elsewhere_is_integrated_there_and_noted():
    """A rod across the motion is driven into the field at x > 5: the guide holds ∫ y² dm = 1."""
    m = da.Model("m", dim=2, gravity=(0, 0))
    m.add(da.Body.rod("b", (0, -0.5), (0, 0.5), mass=12))
    m.add(da.Prismatic("S", m.ground, "b", at=(0, 0), axis=(1, 0)))
    m.add(da.Drive("d", "S", "10*t"))
    m.add(da.Field("f", ("step(x-5)*y", "0")))
    run = da.simulate(m, 1.0)
    assert run["S"].torque[-1] == pytest.approx(1.0, rel=1e-9)
    assert "switches in space" in str(da.check(m))


def driven(to, law="-1/(x*x + y*y)", drawn=100.0):
    m = da.Model("m", dim=2, gravity=(0, 0))
    m.add(da.Body.rod("b", (drawn, 0), (drawn + 0.2, 0), mass=1))
    m.add(da.Prismatic("P", m.ground, "b", at=(drawn, 0), axis=(1, 0)))
    m.add(da.Field("f", (law, "0")))
    m.add(da.Drive("d", "P", f"({to} - {drawn})*t"))
    return m


@pytest.mark.parametrize("analysis", [da.simulate, da.inverse_dynamics])
def test_a_field_that_grows_steep_along_the_motion_is_doubted(analysis):
    said = analysis(driven(0.2), 1.0).certificate.doubts()
    assert len(said) == 1 and "Field 'f' is steeper over 'b'" in said[0] and "at t = 1 " in said[0]
    assert "Draw the model nearer" in said[0]
    assert not analysis(driven(99.0), 1.0).certificate.doubts()
    assert not analysis(driven(0.2, "x**3 - y"), 1.0).certificate.doubts()  # polynomials are exact everywhere
    assert not analysis(driven(-0.1, "x - 1e-3*x**3", 0.9), 1.0).certificate.doubts()  # ends in a zero of the field


def test_a_field_that_is_out_of_range_as_drawn_has_not_converged():
    m = driven(0.2, "log(200 - x)", 300.0)
    assert len(m.compile().tables.particles) == 32
    assert any("cannot be evaluated where 'b' is drawn" in n for n in m.compile().notes)


def test_steep_fields_in_space():
    m = da.Model("m", dim=3, gravity=(0, 0, 0))
    m.add(da.Body.from_shape("b", da.Box((0.2, 0.1, 0.1)), mass=2.0, position=(20, 0.1, 0), rotation=("xyz", (0.4, -0.7, 1.1))))
    m.add(da.Prismatic("P", m.ground, "b", at=(20, 0.1, 0), axis=(1, 0, 0)))
    m.add(da.Field("f", ("-1/(x*x + y*y + z*z)", "0", "0.1*x")))
    near, far = m.copy(), m.copy()
    near.add(da.Drive("d", "P", "-19.7*t"))
    far.add(da.Drive("d", "P", "-0.5*t"))
    assert [d for d in da.kinematics(near, 1.0).certificate.doubts() if "'f' is steeper over 'b'" in d]
    assert not da.kinematics(far, 1.0).certificate.doubts()
