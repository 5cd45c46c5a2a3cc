"""Mass, centre and inertia from meshes and lists of shapes; principal axes; zero and impossible moments."""

import math

import numpy as np
import pytest

import dalembert as da

CUBE = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def obj(path, corners, faces):
    lines = [f"v {x:.17g} {y:.17g} {z:.17g}" for x, y, z in corners]
    path.write_text("\n".join([*lines, *("f " + " ".join(str(i + 1) for i in f) for f in faces)]) + "\n", encoding="utf-8")
    return str(path)


def prism(outline, height):
    """Corners and faces of a prism over an outline (counter-clockwise); the caps cut into quadrilaterals by hand."""
    n = len(outline)
    corners = [(x, y, 0.0) for x, y in outline] + [(x, y, height) for x, y in outline]
    return corners, [(k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)]


def ell(path):
    """An L: 2 × 1 at the bottom, 1 × 2 on top of its left half, height 1."""
    corners, sides = prism([(0, 0), (2, 0), (2, 1), (1, 1), (1, 3), (0, 3)], 1.0)
    corners += [(0, 1, 0), (0, 1, 1)]  # 12 and 13: where the caps are cut
    left = [(5, 12, 13, 11), (12, 0, 6, 13)]  # the left side goes through the cut
    caps = [(0, 12, 3, 1), (1, 3, 2), (12, 5, 4, 3), (6, 7, 9, 13), (7, 8, 9), (13, 9, 10, 11)]
    return obj(path, corners, [*(f for f in sides if f != sides[5]), *left, *caps])


def globe(path, n, r=0.7):
    """A sphere of bands and sectors."""
    corners = [(0, 0, r), (0, 0, -r)]
    for i in range(1, n):
        a = math.pi * i / n
        corners += [(r * math.sin(a) * math.cos(b), r * math.sin(a) * math.sin(b), r * math.cos(a))
                    for b in 2 * math.pi * np.arange(2 * n) / (2 * n)]
    at = lambda i, j: 2 + (i - 1) * 2 * n + j % (2 * n)  # noqa: E731
    faces = [(0, at(1, j), at(1, j + 1)) for j in range(2 * n)] + [(1, at(n - 1, j + 1), at(n - 1, j)) for j in range(2 * n)]
    faces += [(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)) for i in range(1, n - 1) for j in range(2 * n)]
    return obj(path, corners, faces)


def table(body, dim=3, **parameters):
    m = da.Model("one", dim=dim, parameters=parameters)
    m.add(body)
    row = m.compile().tables.bodies[0]
    return float(row["mass"]), np.array(row["com"]), np.reshape(row["inertia"], (3, 3)) if dim == 3 else float(row["inertia"])


# ------------------------------------------------------------------------------------------------------------------ meshes


@pytest.mark.parametrize("turned", [(), range(6), (1, 2), (0, 5)])
def test_unit_cube_whichever_way_its_faces_look(tmp_path, turned):
    faces = [f[::-1] if k in turned else f for k, f in enumerate(FACES)]
    mass, com, J = table(da.Body.from_shape("c", da.Mesh(obj(tmp_path / "c.obj", CUBE, faces)), density=2.0))
    assert mass == pytest.approx(2.0, rel=1e-14)
    assert com == pytest.approx([0.5] * 3, rel=1e-14)
    assert np.abs(J - np.eye(3) * 2.0 / 6).max() < 1e-15


def test_scale_position_and_rotation_of_a_mesh(tmp_path):
    shape = da.Mesh(obj(tmp_path / "c.obj", CUBE, FACES), scale=(1, 2, "a"), position=(1, 0, 0), rotation=("z", math.pi / 2))
    mass, com, J = table(da.Body.from_shape("c", shape, density=2.0), a=3.0)
    assert mass == pytest.approx(12.0, rel=1e-14)
    assert com == pytest.approx([1 - 1.0, 0.5, 1.5], abs=1e-14)  # (x, y, z) → (−y, x, z), then shifted
    assert np.diag(J) == pytest.approx([12 * (1 + 9) / 12, 12 * (4 + 9) / 12, 12 * (1 + 4) / 12], rel=1e-13)


def test_fine_sphere(tmp_path):
    r, n = 0.7, 96
    mass, com, J = table(da.Body.from_shape("s", da.Mesh(globe(tmp_path / "s.obj", n)), density=3.0))
    exact = 3.0 * 4 / 3 * math.pi * r**3
    assert mass == pytest.approx(exact, rel=2e-3) and mass < exact  # inscribed
    assert np.abs(com).max() < 1e-13
    assert np.abs(J / mass - 0.4 * r * r * np.eye(3)).max() < 2e-3 * 0.4 * r * r
    coarse = table(da.Body.from_shape("s", da.Mesh(globe(tmp_path / "s2.obj", n // 2)), density=3.0))[0]
    assert (exact - coarse) / (exact - mass) == pytest.approx(4.0, rel=0.01)  # the error falls with the square of the mesh


def test_ell_as_mesh_as_boxes_and_by_hand(tmp_path):
    mesh = table(da.Body.from_shape("L", da.Mesh(ell(tmp_path / "l.obj")), density=3.0))
    boxes = table(da.Body.from_shape("L", [da.Box((2, 1, 1), position=(1, 0.5, 0.5)), da.Box((1, 2, 1), position=(0.5, 2, 0.5))],
                                     density=3.0))
    for a, b in zip(mesh, boxes, strict=True):
        assert np.abs(np.asarray(a) - b).max() < 1e-13
    m1 = m2 = 6.0  # by hand: two boxes of mass 6 at (1, ½) and (½, 2)
    c = np.array([0.75, 1.25])
    Jz = m1 * (4 + 1) / 12 + m2 * (1 + 4) / 12 + m1 * ((1 - c[0]) ** 2 + (0.5 - c[1]) ** 2) + m2 * ((0.5 - c[0]) ** 2
                                                                                                  + (2 - c[1]) ** 2)
    assert mesh[2][2, 2] == pytest.approx(Jz, rel=1e-13) and mesh[1][:2] == pytest.approx(c, rel=1e-13)
    assert mesh[2][0, 1] == pytest.approx(-(m1 * (1 - c[0]) * (0.5 - c[1]) + m2 * (0.5 - c[0]) * (2 - c[1])), rel=1e-13)


def test_stl_repeats_its_corners(tmp_path):
    path = tmp_path / "c.stl"
    text = ["solid cube"]
    for f in FACES:
        for t in ((f[0], f[1], f[2]), (f[0], f[2], f[3])):
            text += ["facet normal 0 0 0", "outer loop", *(f"vertex {' '.join(map(str, CUBE[k]))}" for k in t), "endloop"]
            text.append("endfacet")
    path.write_text("\n".join([*text, "endsolid"]), encoding="utf-8")
    assert table(da.Body.from_shape("c", da.Mesh(str(path)), mass=5.0))[2] == pytest.approx(np.eye(3) * 5 / 6, abs=1e-14)


def test_a_cavity_is_taken_out(tmp_path):
    inner = [(0.25 + 0.5 * x, 0.25 + 0.5 * y, 0.25 + 0.5 * z) for x, y, z in CUBE]
    faces = [*FACES, *(tuple(8 + k for k in f[::-1]) for f in FACES)]
    mass, _, J = table(da.Body.from_shape("c", da.Mesh(obj(tmp_path / "c.obj", CUBE + inner, faces)), density=1.0))
    assert mass == pytest.approx(1 - 0.125, rel=1e-14)
    assert J[0, 0] == pytest.approx(1 / 6 - 0.125 * 0.25 / 6, rel=1e-13)


def bad_meshes(folder):
    apart = [(3 + x, y, z) for x, y, z in CUBE]
    band = [(math.cos(a) * (2 + s * math.cos(a / 2)), math.sin(a) * (2 + s * math.cos(a / 2)), s * math.sin(a / 2))
            for a in 2 * math.pi * np.arange(8) / 8 for s in (-0.5, 0.5)]
    return {
        "open": (obj(folder / "open.obj", CUBE, FACES[:5]), "its mesh is open: 4 edge"),
        "flat": (obj(folder / "flat.obj", CUBE, [FACES[0], FACES[0][::-1]]), "no volume"),
        "pieces": (obj(folder / "two.obj", CUBE + apart, [*FACES, *(tuple(8 + k for k in f[::-1]) for f in FACES[:5]),
                                                        tuple(8 + k for k in FACES[5])]), "look both inwards and outwards"),
        "twist": (obj(folder / "band.obj", band, [(2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2) for k in range(7)]
                      + [(14, 15, 0, 1)]), "open"),
        "inside out beside": (obj(folder / "beside.obj", [(2 * x, 2 * y, 2 * z) for x, y, z in CUBE] + apart,
                                  [*FACES, *(tuple(8 + k for k in f[::-1]) for f in FACES)]), "lies inside no other"),
    }


@pytest.mark.parametrize("what", ["open", "flat", "pieces", "twist", "inside out beside"])
def test_meshes_without_an_inside_are_refused(tmp_path, what):
    path, words = bad_meshes(tmp_path)[what]
    with pytest.raises(da.ModelError, match=words) as told:
        table(da.Body.from_shape("casing", da.Mesh(path), density=1.0))
    assert "casing" in str(told.value) and path in str(told.value)


# ------------------------------------------------------------------------------------------------------ fields and lists


def exact_field(corners_of_boxes, f):
    """∫ f dm and ∫ s × f dm over boxes by many Gauss points."""
    x, w = np.polynomial.legendre.leggauss(12)
    force, moment = np.zeros(3), np.zeros(3)
    for (low, high), density in corners_of_boxes:
        low, high = np.array(low, float), np.array(high, float)
        for i, a in zip(x, w, strict=True):
            for j, b in zip(x, w, strict=True):
                for k, c in zip(x, w, strict=True):
                    p = (low + high) / 2 + (high - low) / 2 * np.array([i, j, k])
                    dm = density * a * b * c * np.prod(high - low) / 8
                    force += dm * f(p)
                    moment += np.cross(p, dm * f(p))
    return force, moment


FIELD = ("exp(x)*y", "x**2*y", "sin(z)")


def _field(p):
    return np.array([math.exp(p[0]) * p[1], p[0] ** 2 * p[1], math.sin(p[2])])


def _loads(body):
    m = da.Model("field")
    m.add(body)
    m.add(da.Field("f", FIELD))
    solved = da.accelerations(m)
    row = solved.system.tables.bodies[0]
    F = row["mass"] * solved.observed.vdot[0, :3]
    n = np.reshape(row["inertia"], (3, 3)) @ solved.observed.vdot[0, 3:]
    return F, n + np.cross(np.array(row["com"]), F), solved.system.notes


def test_a_field_over_a_mesh_and_over_parts_is_integrated(tmp_path):
    F, n, notes = _loads(da.Body.from_shape("c", da.Mesh(obj(tmp_path / "c.obj", CUBE, FACES)), density=2.0))
    force, moment = exact_field([(((0, 0, 0), (1, 1, 1)), 2.0)], _field)
    assert pytest.approx(force, rel=1e-11) == F and n == pytest.approx(moment, rel=1e-11, abs=1e-12) and notes == []
    parts = [da.Box((2, 1, 1), position=(1, 0.5, 0.5)), da.Box((1, 2, 1), position=(0.5, 2, 0.5))]
    F, n, notes = _loads(da.Body.from_shape("L", parts, density=[3.0, 5.0]))
    force, moment = exact_field([(((0, 0, 0), (2, 1, 1)), 3.0), (((0, 1, 0), (1, 3, 1)), 5.0)], _field)
    assert pytest.approx(force, rel=1e-11) == F and n == pytest.approx(moment, rel=1e-11, abs=1e-11) and notes == []


def test_a_field_over_a_mesh_that_is_not_star_shaped_is_quadratic_and_says_so(tmp_path):
    m = da.Model("field")
    corners, sides = prism([(0, 0), (9, 0), (9, 1), (1, 1), (1, 9), (0, 9)], 1.0)
    m.add(da.Body.from_shape("L", da.Mesh(obj(tmp_path / "l.obj", [*corners, (0, 1, 0), (0, 1, 1)], [
        *(f for f in sides if f != sides[5]), (5, 12, 13, 11), (12, 0, 6, 13), (0, 12, 3, 1), (1, 3, 2), (12, 5, 4, 3),
        (6, 7, 9, 13), (7, 8, 9), (13, 9, 10, 11)])), density=1.0))
    m.add(da.Field("f", ("x**2", "x*y", "y**2 + z")))
    solved = da.accelerations(m)
    force, _ = exact_field([(((0, 0, 0), (9, 1, 1)), 1.0), (((0, 1, 0), (1, 9, 1)), 1.0)],
                           lambda p: np.array([p[0] ** 2, p[0] * p[1], p[1] ** 2 + p[2]]))
    assert 17.0 * solved.observed.vdot[0, :3] == pytest.approx(force, rel=1e-12)
    assert any("second moments" in note for note in solved.system.notes)


def test_masses_and_densities_of_parts():
    parts = [da.Sphere(0.5, position=(1, 0, 0)), da.Cylinder(0.2, 2.0, rotation=("y", math.pi / 2))]
    whole = table(da.Body.from_shape("b", parts, mass=[2.0, 3.0]))
    assert whole[0] == 5.0 and whole[1] == pytest.approx([0.4, 0, 0])
    assert whole[2][0, 0] == pytest.approx(2 * 0.4 * 0.25 + 3 * 0.04 / 2, rel=1e-13)  # about the common axis
    alike = table(da.Body.from_shape("b", parts, mass=5.0))
    volumes = np.array([4 / 3 * math.pi * 0.125, math.pi * 0.04 * 2])
    assert alike[1][0] == pytest.approx(volumes[0] / volumes.sum(), rel=1e-13)
    with pytest.raises(da.ModelError, match="2 shape"):
        table(da.Body.from_shape("b", parts, density=[1.0, 2.0, 3.0]))
    with pytest.raises(da.ModelError, match="centre of mass follows from its shapes"):
        table(da.Body.from_shape("b", parts, density=1.0, com=(0, 0, 0)))


def test_parts_in_the_plane_turn_by_an_angle_and_go_to_files(tmp_path):
    m = da.Model("plane", dim=2, parameters={"a": 0.3})
    m.add(da.Body.from_shape("L", [da.Box((2, 1), position=(1, 0.5)), da.Box((1, 2), position=(0.5, 2))], density=[3.0, "9*a"]))
    m.save(tmp_path / "m.toml")
    first, again = m.compile().tables.bodies[0], da.load_model(tmp_path / "m.toml").compile().tables.bodies[0]
    assert first == again and float(first["mass"]) == pytest.approx(6 + 5.4)
    m.add(da.Body.from_shape("turned", da.Box((4, 1), position=(1, 0), rotation="a"), density=1.0))
    m.save(tmp_path / "m.json")
    assert np.array_equal(m.compile().tables.bodies, da.load_model(tmp_path / "m.json").compile().tables.bodies)
    turned = table(da.Body.from_shape("b", da.Box((4, 1), position=(1, 0), rotation=0.7), density=1.0), dim=2)
    assert turned[2] == pytest.approx(4 * 17 / 12) and turned[1] == pytest.approx([1, 0])


def test_a_derivation_keeps_the_parameters_of_parts():
    m = da.Model("compound", dim=2, gravity=(0, "-g"), parameters={"g": 9.81, "l": 0.8, "r": 0.1})
    parts = [da.Box(("l", 0.05), position=("l/2", 0)), da.Cylinder("r", position=("l", 0))]
    m.add(da.Body.from_shape("b", parts, mass=[1.0, 2.0]))
    m.add(da.Revolute("O", m.ground, "b", at=(0, 0)))
    eqs = da.derive(m)
    assert {s.name for s in eqs.mass_matrix.free_symbols} == {"l", "r"}
    assert max(eqs.verify(m).differences.values()) < 1e-12


# --------------------------------------------------------------------------------------------- principal, zero, impossible


def test_principal_axes():
    J = np.diag([2.0, 3.0, 4.0])
    a = 0.3
    R = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
    found = da.Body("b", mass=2.0, inertia=(R @ J @ R.T).tolist(), com=(1, 2, 3)).principal()
    assert found.moments == pytest.approx([2, 3, 4]) and np.abs(found.axes - R).max() < 1e-12
    assert found.com == pytest.approx([1, 2, 3]) and found.mass == 2.0
    ball = da.Body.from_shape("s", da.Sphere("r"), density=1.0).principal({"r": 0.5})
    assert np.array_equal(ball.axes, np.eye(3)) and ball.moments == pytest.approx([0.1 * ball.mass] * 3)
    with pytest.raises(da.ModelError, match="plane"):
        da.Body("b", mass=1, inertia=0.1, position=(0, 0)).principal()


def thin(J):
    m = da.Model("thin", gravity=(0, 0, -9.81))
    m.add(da.Body("rod", mass=2.0, inertia=J, position=(0.5, 0, 0)))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0, 0), axis=(0.6, 0, 0.8)))
    m.add(da.Drive("D", "O", "3*t + t**2"))
    return m


def test_zero_moments_are_exact_where_the_motion_is_given():
    inv = da.inverse_dynamics(thin((0.0, 1 / 6, 1 / 6)), 0.5, step=0.05)
    limit = [da.inverse_dynamics(thin((e, 1 / 6, 1 / 6)), 0.5, step=0.05) for e in (2e-3, 1e-3)]
    for read in (lambda r: r["D"].torque, lambda r: r["O"].torque, lambda r: r["O"].force, lambda r: r.energy.kinetic):
        assert np.abs(read(inv) - (2 * read(limit[1]) - read(limit[0]))).max() < 1e-10  # linear in the moment
    assert np.abs(inv.ledger_residual["rod"]).max() < 1e-13
    assert "zero principal moment" in str(da.check(thin((0.0, 1 / 6, 1 / 6))))


@pytest.mark.parametrize("ask", [lambda m: da.simulate(m, 1.0), da.accelerations, da.linearize, da.equilibrium])
def test_zero_moments_are_refused_where_the_inverse_is_needed(ask):
    m = thin((0.0, 1 / 6, 1 / 6))
    m.remove("D")
    with pytest.raises(da.AnalysisError, match="body 'rod' has a zero principal moment"):
        ask(m)
    assert np.isnan(da.assemble(m)["O"].force).all()


def test_impossible_moments_need_a_word(tmp_path):
    with pytest.raises(da.ModelError, match="trust_inertia=True"):
        thin((1, 1, 3)).compile()
    m = da.Model("printed")
    m.add(da.Body("b", mass=1, inertia=(1, 1, 3), trust_inertia=True, omega=(1, 0, 2)))
    assert "no body has the principal moments" in str(da.check(m))
    m.save(tmp_path / "m.toml")
    assert da.check(da.load_model(tmp_path / "m.toml")).notes == da.check(m).notes
    with pytest.raises(da.ModelError, match="not be negative"):
        thin((-1, 1, 1)).compile()
