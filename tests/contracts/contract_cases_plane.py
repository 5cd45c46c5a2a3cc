"""Plane cases.  Those marked ``embedded`` are also built in the plane z = 0 of space."""

from contract_scene import Case

import dalembert as da

CASES: list[Case] = []
O, A, B = (0.11, 0.07), (0.83, 0.52), (1.61, 0.33)  # generic places for joints


def case(*fits):
    def keep(build):
        CASES.append(Case(build, 2, fits))
        return build
    return keep


def revolute(S, name, i, j, at):
    S.add(da.Revolute(name, *S.ij(i, j), at=S.x(*at), **S.hinge))


def chain(S, names="abc"):
    """ground – a – b – c on hinges."""
    S.bodies(names)
    for name, i, j, at in zip("OAB", ("ground", *names), names, (O, A, B), strict=False):
        revolute(S, name, i, j, at)


@case("swapped", "turned", "embedded")
def free_bodies(S):
    S.bodies("ab")


@case("swapped", "turned", "embedded")
def plane_revolute(S):
    chain(S)


@case()
def plane_revolute_on(S):
    S.bodies("ab")
    S.add(da.Revolute("O", "ground", "a", on_i=(0.1, 0.2), on_j=(-0.3, 0.1)))
    S.add(da.Revolute("A", "b", "a", on_i=(-0.4, 0.1), on_j=(0.3, 0.2)))


@case("swapped", "turned")
def plane_particles(S):
    S.bodies("a")
    revolute(S, "O", "ground", "a", O)
    S.add(da.Particle("p", mass=1.1, position=S.x(*A)))
    S.add(da.Particle("q", mass=0.7, position=S.x(*B)))
    S.add(da.Revolute("A", *S.ij("a", "p"), at=S.x(*A)))
    S.add(da.Distance("B", *S.ij("p", "q"), **S.ends(A, B)))


@case("swapped", "turned", "embedded")
def plane_prismatic(S):
    S.bodies("ab")
    S.add(da.Prismatic("O", *S.ij("ground", "a"), at=S.x(*O), axis=S.d((0.8, 0.5))))
    S.add(da.Prismatic("A", *S.ij("a", "b"), at=S.x(*A), axis=S.d((-0.3, 0.7))))


@case("swapped", "turned", "embedded")
def plane_weld(S):
    S.bodies("ab")
    S.add(da.Weld("A", *S.ij("a", "b"), at=S.x(*A)))
    revolute(S, "O", "ground", "a", O)


@case("turned")
def plane_clutch_and_band(S):
    """Their torque is friction's (tests/contacts/test_pressed.py); none here: without any they do nothing."""
    chain(S, "ab")
    S.add(da.Clutch("k", *S.ij("a", "b"), force="2*t", friction=0, radius=0.1))
    S.add(da.BandBrake("h", "ground", "a", force=3.0, friction=0.0, radius=0.2, wrap=2.0))


@case("turned")
def capstan(S):
    S.bodies("abc")
    revolute(S, "O", "ground", "b", O)
    S.add(da.Capstan("R", "a", "c", "b", centre=S.x(*A), radius=0.11, at_i=S.x(0.25, 0.18), at_j=S.x(1.9, -0.1)))
    S.add(da.Capstan("T", "a", "c", "ground", centre=S.x(*B), radius=0.2, at_i=S.x(0.3, 0.4), at_j=S.x(1.8, -0.3), turns=1,
                     clockwise=False))


@case("turned")
def pin_in_slot(S):
    S.bodies("ab")
    S.add(da.PinInSlot("O", "ground", "a", at=S.x(*O), axis=S.d((0.6, -0.9))))
    S.add(da.PinInSlot("A", "a", "b", at=S.x(*A), axis=S.d((0.4, 0.9))))


@case("swapped", "turned", "embedded")
def plane_distance(S):
    S.bodies("ab")
    S.add(da.Distance("O", *S.ij("ground", "a"), **S.ends(O, (0.6, 0.4))))
    S.add(da.Distance("A", *S.ij("a", "b"), **S.ends((0.5, 0.2), B)))


@case("swapped", "turned", "embedded")
def plane_distance_squared(S):
    S.bodies("ab")
    S.add(da.Distance("A", *S.ij("a", "b"), **S.ends((0.5, 0.2), B), length=0.9, squared=True))


@case("swapped", "turned")
def double_revolute(S):
    S.bodies("ab")
    S.add(da.DoubleRevolute("A", *S.ij("a", "b"), length=0.9, **S.ends((0.5, 0.2), B)))


@case("swapped", "turned", "embedded")
def plane_parallel(S):
    S.bodies("ab")
    S.add(da.Parallel("A", *S.ij("a", "b"), axis=S.d((0.3, 0.8))))
    revolute(S, "O", "ground", "a", O)


@case("swapped", "turned")
def relative_angle(S):
    S.bodies("ab")
    sign = S.sign
    S.add(da.RelativeAngle("A", *S.ij("a", "b"), law=f"{sign}*(0.3*sin(2*t) + 0.2*t**2)"))
    S.add(da.RelativeAngle("O", *S.ij("ground", "a")))


@case("swapped", "turned")
def plane_gear(S):
    chain(S)
    k = -0.7
    S.add(da.Gear("g", *S.ij("a", "b"), ratio=1 / k if S.swap else k))
    S.add(da.Gear("h", *S.ij("b", "c"), radii=(0.5, 0.2) if not S.swap else (0.2, 0.5), internal=True))


@case("swapped", "turned", "embedded")
def plane_gear_of_joints(S):
    chain(S)
    S.add(da.Gear("g", *S.ij("A", "O"), ratio=1 / -0.7 if S.swap else -0.7))


@case("turned", "embedded")
def plane_gear_on_carrier(S):
    S.bodies("abc")
    for name, body, at in (("P", "a", O), ("Q", "b", A), ("R", "c", B)):
        revolute(S, name, "ground", body, at)
    S.add(da.GearOnCarrier("g", "P", "Q", "R", radii=(0.4, 0.3)))


@case("turned")
def plane_gear_on_carrier_bodies(S):
    chain(S)
    S.add(da.GearOnCarrier("g", "b", "c", "a", ratio=1.7))


@case("turned", "embedded")
def plane_rack_and_pinion(S):
    S.bodies("ab")
    revolute(S, "O", "ground", "a", O)
    S.add(da.Prismatic("P", *S.ij("ground", "b"), at=S.x(*A), axis=S.d((0.8, -0.5))))
    S.add(da.RackPinion("r", "O", "P", radius=0.35))


@case()
def plane_rack_and_pinion_bodies(S):
    S.bodies("ab")
    S.add(da.RackPinion("r", "a", "b.y", radius=-0.35))


@case()
def plane_equation(S):
    S.bodies("ab")
    revolute(S, "O", "ground", "a", O)
    S.m.parameters["k"] = 1.3
    S.add(da.Equation("e", "b.x - k*cos(O + 0.3*t)*b.y + 0.2*a.angle*b.angle - sin(t)"))
    S.add(da.Equation("f", "b.x**2 + b.y**2 - 1.7 - a.x*b.angle"))


@case("turned", "embedded")
def plane_equation_of_joints(S):
    chain(S)
    S.add(da.Equation("e", "sin(O)*A + 0.7*O**2 - 0.4*A + 0.3*B*t + 0.1*t"))


@case()
def plane_velocity_equation(S):
    S.bodies("ab")
    S.add(da.VelocityEquation("e", {"a.x": "sin(a.angle) + t", "b.angle": "b.y*a.x", "b.x": 0.4},
                              "0.3*t*cos(b.x)"))
    S.add(da.VelocityEquation("f", {"a.angle": "0.3", "b.y": "-cos(b.angle)"}))


@case("turned", "embedded")
def plane_velocity_equation_of_joints(S):
    chain(S)
    S.add(da.VelocityEquation("e", {"O": "1 + 0.3*sin(A)", "B": "-O - t"}, "0.2*A"))


@case("turned", "embedded")
def plane_knife_edge(S):
    S.bodies("ab")
    up = {"normal": (-0.7, 0.4, 0.0)} if S.embed else {}
    S.add(da.KnifeEdge("k", "ground", "a", axis=S.d((0.4, 0.7)), at=S.x(*O), **up))
    up = {"normal": (-0.3, 0.9, 0.0)} if S.embed else {}
    S.add(da.KnifeEdge("l", "a", "b", axis=S.d((0.9, 0.3)), on_j=S.on(0.2, 0.1), **up))


@case("turned", "embedded")
def plane_rolling_disc(S):
    S.bodies("ab")
    S.add(da.RollingDisc("r", "ground", "a", radius=0.45, at=S.x(0.5, 0.4), ground_point=S.x(0.2, -0.1),
                         ground_normal=S.d((0.3, 0.9)), **S.hinge))
    S.add(da.RollingDisc("s", "ground", "b", radius=0.3, on_j=S.on(0.1, 0.05), ground_point=S.x(0.0, 0.3),
                         ground_normal=S.d((-0.4, 0.8)), **S.hinge))


def bend(t):
    """A law with a branch, which cannot be turned into an expression."""
    return 0.3 * t * t if t > 0.1 else 0.06 * t - 0.003


@case("swapped", "turned", "embedded")
def plane_drive(S):
    chain(S)
    S.add(da.Drive("e", "O", f"{S.sign}*(0.3*sin(2*t) - 0.3*t)"))
    S.add(da.Drive("f", "A", da.Table([-1, 0.3, 0.9, 2.5], [S.sign * k for k in (0.2, -0.1, 0.3, 0.1)])))


@case()
def plane_drive_on_body(S):
    S.bodies("ab")
    S.add(da.PinInSlot("P", "a", "b", at=A, axis=(0.4, 0.9)))
    S.add(da.Drive("d", "P", "0.2*sin(3*t)"))
    S.add(da.Drive("e", "a.angle", bend))
    S.add(da.Drive("f", "b.y", "0.6 + 0.1*exp(-t)"))


@case("turned", "embedded")
def plane_force(S):
    chain(S, "ab")
    S.add(da.Force("f", "a", S.components("3*sin(t)", "2 - t"), at=S.x(*B)))
    own = ("1.5*t", "0.7", "0") if S.embed else ("1.5*t", "0.7")
    S.add(da.Force("g", "b", own, on=S.on(0.2, -0.3), frame="body"))


@case("turned", "embedded")
def plane_torque(S):
    chain(S, "ab")
    S.add(da.Torque("t1", "a", S.torque("0.6*cos(2*t)")))
    S.add(da.Torque("t2", "b", S.torque("0.4"), frame="body"))


@case("turned", "embedded")
def plane_field(S):
    chain(S, "ab")
    S.add(da.Field("f", S.field("-2*x + 0.5*y + t", "0.5*y + 0.5*x")))


@case("swapped", "turned", "embedded")
def plane_spring(S):
    chain(S, "ab")
    S.add(da.Spring("s", *S.ij("a", "b"), stiffness=30, damping=2, length=0.8,
                    actuator="0.4*sin(t) + 0.3*length - 0.2*rate", **S.ends((0.2, 0.5), B)))
    S.add(da.Spring("r", *S.ij("ground", "b"), stiffness=20, **S.ends((0.2, 0.9), (1.3, 0.2))))


@case("swapped", "turned", "embedded")
def plane_torsion_spring(S):
    chain(S, "ab")
    S.add(da.TorsionSpring("s", "A", stiffness=7, damping=0.5, angle=0.4 * S.sign,
                           actuator="0.3*angle + 0.1*rate"))


@case("swapped", "turned")
def plane_torsion_spring_of_bodies(S):
    S.bodies("ab")
    S.add(da.TorsionSpring("s", S.ij("a", "b"), stiffness=7, damping=0.5, angle=0.4 * S.sign))


@case("swapped", "turned")
def plane_torsion_spring_by_link_angles(S):
    S.bodies("ab")
    S.add(da.TorsionSpring("s", S.ij("a", "b"), stiffness=7, damping=0.5, angle=-1.3 * S.sign, reference="bodies"))


@case("swapped", "turned", "embedded")
def plane_motor(S):
    S.bodies("ab")
    revolute(S, "O", "ground", "a", O)
    S.add(da.Prismatic("P", *S.ij("a", "b"), at=S.x(*A), axis=S.d((0.8, -0.5))))
    S.add(da.Motor("m", "O", f"{S.sign}*2*sin(t) - 0.3*rate + 0.2*coordinate"))
    S.add(da.Motor("n", "P", f"{S.sign}*(1 + t) - 0.4*rate"))


@case("swapped", "turned", "embedded")
def plane_limit(S):
    S.bodies("ab")
    revolute(S, "O", "ground", "a", O)
    S.add(da.Prismatic("P", *S.ij("a", "b"), at=S.x(*A), axis=S.d((0.8, -0.5))))
    S.add(da.Limit("m", "O", **S.range(5.0, 6.0), stiffness=30, damping=2))
    S.add(da.Limit("n", "P", **S.range(-7.0, -5.0), stiffness=20, damping=1))


@case("turned", "embedded")
def plane_bushing(S):
    S.bodies("ab")
    flat = {"stiffness": 50, "damping": 2, "torsion": 3, "torsion_damping": 0.4}
    S.add(da.Bushing("s", "ground", "a", at=S.x(*O), **flat))
    S.add(da.Bushing("r", "a", "b", at=S.x(*A), **flat))


@case("embedded")
def plane_bushing_of_two_stiffnesses(S):
    S.bodies("ab")
    flat = {"stiffness": S.on(50, 30), "damping": S.on(2, 3)}
    S.add(da.Bushing("s", "ground", "a", at=S.x(*O), torsion=3, **flat))
    S.add(da.Bushing("r", "a", "b", at=S.x(*A), torsion_damping=0.4, **flat))


@case("swapped")
def plane_elastic_bushing(S):
    S.bodies("ab")
    S.add(da.Bushing("r", *S.ij("a", "b"), at=S.x(*A), stiffness=40, torsion=3, torsion_damping=0.3))


def drag(t, x, v, out):
    out[0] = -0.7 * v[0] * (1 + t)
    out[1] = -0.7 * v[1] * (1 + t)
    out[2] = -0.3 * v[2]


def drag_in_space(t, x, v, out):
    for k in range(3):
        out[k] = -0.7 * v[k] * (1 + t)
        out[3 + k] = -0.3 * v[3 + k]


@case("turned", "embedded")
def plane_user_force(S):
    chain(S, "ab")
    S.add(da.UserForce("u", "b", drag_in_space if S.embed else drag, at=S.x(*B)))
