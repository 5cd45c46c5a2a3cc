"""Point masses: two or three coordinates, no idle motions anywhere, refused where an orientation is needed."""

import itertools

import numpy as np
import pytest

import dalembert as da

FORMS = ("augmented", "embedded", "recursive")
CORNERS = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.2, 1.0, 0.0), (0.3, 0.2, 0.9)]


def haug():
    """Four particles and six massless links: a rigid body made of points."""
    m = da.Model("four particles", gravity=(0, 0, -9.81))
    for k, p in enumerate(CORNERS):
        m.add(da.Particle(f"p{k}", mass=1.0 + k, position=p, velocity=(0.1 * k, 0.3 - 0.1 * k, 0.2 * k * k)))
    for i, j in itertools.combinations(range(4), 2):
        m.add(da.Distance(f"d{i}{j}", f"p{i}", f"p{j}", at_i=CORNERS[i], at_j=CORNERS[j]))
    return m


def rod_and_bob(l=1.0, bob=0.5):
    m = da.Model("rod and bob", dim=2, gravity=(0, -9.81), parameters={"l": l, "mb": bob})
    m.add(da.Body.rod("rod", (0, 0), ("l", 0), mass=1.0))
    m.add(da.Particle("bob", mass="mb", position=("l", 0)))
    m.add(da.Revolute("O", m.ground, "rod", at=(0, 0)))
    m.add(da.Revolute("B", "rod", "bob", at=("l", 0)))
    return m


def ball_and_string():
    m = da.Model("ball and string", gravity=(0, 0, -9.81))
    m.add(da.Body("arm", mass=1, inertia=(0.1, 0.2, 0.25), position=(1, 0, 0)))
    m.add(da.Particle("p", mass=2, position=(2, 0, 0)))
    m.add(da.Particle("q", mass=1, position=(2, 1, 0)))
    m.add(da.Revolute("O", m.ground, "arm", at=(0, 0, 0), axis=(0, 1, 0)))
    m.add(da.Spherical("S", "arm", "p", at=(2, 0, 0)))
    m.add(da.Distance("string", "p", "q", at_i=(2, 0, 0), at_j=(2, 1, 0)))
    m.add(da.Spring("k", m.ground, "q", at_i=(3, 3, 3), at_j=(2, 1, 0), stiffness=30, length=1))
    return m


def test_four_particles_count_twelve_coordinates_and_six_freedoms():
    found = da.check(haug())
    assert (found.nq, found.nk, found.rank, found.dof, found.redundant) == (12, 6, 6, 6, [])


def test_internal_forces_do_no_virtual_work():
    m = haug()
    solved = da.accelerations(m)
    assert np.abs(solved.multipliers).max() > 0.01  # links that move do pull
    work = da.virtual_work(m)
    for link in (f"d{i}{j}" for i, j in itertools.combinations(range(4), 2)):
        assert abs(work.constraint[link]) < 1e-14 < work.single[link]


def test_four_particles_move_as_the_rigid_body_they_make():
    m = haug()
    run = da.simulate(m, 1.0, times=[0.0, 0.5, 1.0], rtol=1e-10, atol=1e-12)
    masses, r = np.array([1.0, 2.0, 3.0, 4.0]), np.array(CORNERS)
    c = masses @ r / masses.sum()
    s = r - c
    J = sum(mk * (sk @ sk * np.eye(3) - np.outer(sk, sk)) for mk, sk in zip(masses, s, strict=True))
    v = np.array([run[f"p{k}"].velocity[0] for k in range(4)])
    vc = masses @ v / masses.sum()
    omega = np.linalg.solve(J, sum(mk * np.cross(sk, vk) for mk, sk, vk in zip(masses, s, v, strict=True)))
    one = da.Model("one body", gravity=(0, 0, -9.81))
    one.add(da.Body("b", mass=masses.sum(), inertia=J.tolist(), position=tuple(c), velocity=tuple(vc), omega=tuple(omega)))
    same = da.simulate(one, 1.0, times=[0.0, 0.5, 1.0], rtol=1e-10, atol=1e-12)
    for k in range(4):
        assert np.abs(run[f"p{k}"].position - same.point("b", s[k])).max() < 1e-8
    assert np.all(run["p3"].omega == 0.0)


@pytest.mark.parametrize("make", [haug, rod_and_bob, ball_and_string])
def test_forms_agree(make):
    table = da.compare(make()).table
    for form in FORMS[1:]:
        assert max(table[form][key] for key in ("acceleration", "reaction")) < 1e-12
        assert table[form]["motion"] < 1e-9


def test_a_bob_on_a_rod_is_a_heavier_rod():
    m = rod_and_bob()
    assert (da.check(m).nq, da.check(m).dof) == (5, 1)
    expected = -9.81 * (0.5 + 0.5) / (1 / 3 + 0.5)
    assert da.accelerations(m)["rod"].angular_acceleration == pytest.approx(expected, rel=1e-13)
    modes = da.linearize(m, at=da.equilibrium(m)).eigenvalues
    assert sorted(modes.imag) == pytest.approx([-np.sqrt(-expected), np.sqrt(-expected)], rel=1e-6)
    assert np.abs(modes.real).max() < 1e-6


def test_a_particle_on_a_string_has_two_eigenvalues_and_no_more():
    m = da.Model("string", dim=2, gravity=(0, -9.81))
    m.add(da.Particle("p", mass=2.0, position=(0.6, -0.8)))
    m.add(da.Distance("d", m.ground, "p", at_i=(0, 0), at_j=(0.6, -0.8)))
    rest = da.equilibrium(m)
    assert rest.stable and rest["p"].position == pytest.approx([0.0, -1.0], abs=1e-9)
    assert sorted(da.linearize(m, at=rest).eigenvalues.imag) == pytest.approx([-np.sqrt(9.81), np.sqrt(9.81)], rel=1e-6)
    assert da.null_space(m, rest).matrix.shape[1] == 1


@pytest.mark.parametrize("make", [haug, rod_and_bob, ball_and_string])
@pytest.mark.parametrize("method", ["newton-euler", "lagrange"])
def test_derivations_count_no_turns_and_agree(make, method):
    m = make()
    eqs = da.derive(m, method)
    assert not any(name.startswith(("p0.omega", "bob.angle", "p.omega", "q.omega")) for name in eqs.coordinates)
    assert max(eqs.verify(m).differences.values()) < 1e-10
    if make is haug:
        assert len(eqs.coordinates) == 12


def test_files_tables_and_states_leave_the_turn_out(tmp_path):
    m = rod_and_bob()
    m.save(tmp_path / "m.toml")
    assert 'type = "particle"' in (tmp_path / "m.toml").read_text(encoding="utf-8")
    again = da.load_model(tmp_path / "m.toml")
    assert da.check(again).nq == 5
    run = da.simulate(again, 0.1, step=0.05)
    run.to_csv(tmp_path / "m.csv")
    header = (tmp_path / "m.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
    assert [h for h in header if h.startswith("bob")] == [
        f"bob.{q}.{a} [{u}]" for q, u in (("position", "m"), ("velocity", "m/s"), ("acceleration", "m/s^2")) for a in "xy"]
    assert "angle" not in repr(run.state()).splitlines()[-1]
    run.save(tmp_path / "m.h5")
    assert np.array_equal(da.load(tmp_path / "m.h5")["bob"].position, run["bob"].position)


def test_a_field_acts_at_the_point():
    m = da.Model("field", dim=2)
    m.add(da.Particle("p", mass=3.0, position=(2.0, 1.0)))
    m.add(da.Field("f", ("x**3", "0")))
    assert da.accelerations(m)["p"].acceleration == pytest.approx([8.0, 0.0], rel=1e-14)


REFUSED = {
    "weld": (lambda m: m.add(da.Weld("W", "rod", "bob", at=(1, 0))), "orientation of Particle 'bob'"),
    "torque": (lambda m: m.add(da.Torque("T", "bob", 1.0)), "orientation of Particle 'bob'"),
    "follower": (lambda m: m.add(da.Force("F", "bob", (1, 0), frame="body")), "orientation of Particle 'bob'"),
    "bushing": (lambda m: m.add(da.Bushing("K", "bob", "rod", at=(1, 0), stiffness=1.0)), "orientation of Particle 'bob'"),
    "torsion": (lambda m: m.add(da.TorsionSpring("K", ("rod", "bob"), stiffness=2)), "orientation of Particle 'bob'"),
    "slot on it": (lambda m: m.add(da.PinInSlot("K", "bob", "rod", at=(1, 0), axis=(1, 0))), "orientation of Particle 'bob'"),
    "beside it": (lambda m: m.add(da.Spring("S", "rod", "bob", at_i=(0, 0), at_j=(1, 0.1), stiffness=3)), "0.1 beside Particle"),
    "drive": (lambda m: m.add(da.Drive("D", "B", "t")), "does not turn"),
    "rate": (lambda m: m.initial("B", rate=2.0), "does not turn"),
    "angle": (lambda m: m.initial("bob.angle", rate=2.0), "bob.x, bob.y, not bob.angle"),
    "knife": (lambda m: m.add(da.KnifeEdge("K", m.ground, "bob", at=(1, 0), axis=(1, 0))), "orientation of Particle 'bob'"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_needs_an_orientation_is_refused_by_name(what):
    act, words = REFUSED[what]
    m = rod_and_bob()
    with pytest.raises(da.DalembertError, match=words):
        act(m)
        da.check(m)
        da.assemble(m)


def test_trees_of_robotics_refuse_particles():
    with pytest.raises(da.ModelError, match="Particle 'bob'"):
        da.robotics.Tree(rod_and_bob())


def test_a_pin_in_a_slot_of_the_other_body_is_allowed():
    m = rod_and_bob()
    m.remove("B")
    m.add(da.PinInSlot("K", "rod", "bob", at=(1, 0), axis=(1, 0)))
    assert (da.check(m).nq, da.check(m).dof) == (5, 2)
    assert da.compare(m).table["recursive"]["acceleration"] < 1e-12


def test_a_particle_is_drawn_as_a_dot():
    from dalembert.viewer.scene.from_results import scene_of

    scene = scene_of(da.simulate(haug(), 0.1, step=0.05))
    for k in range(4):
        parts = [p for p in scene.parts if p.body == k and p.role == "body"]
        assert len(parts) == 1 and np.ptp(parts[0].scale) == 0.0
