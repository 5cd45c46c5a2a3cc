"""Space cases."""

from contract_cases_plane import bend, drag_in_space
from contract_scene import Case

import dalembert as da

CASES: list[Case] = []
O, A, B = (0.11, 0.07, -0.09), (0.83, 0.52, 0.13), (1.61, 0.33, 0.42)
E, F, G = (0.4, -0.3, 0.8), (0.7, 0.5, -0.2), (-0.2, 0.9, 0.4)  # axes


def case(*fits):
    def keep(build):
        CASES.append(Case(build, 3, fits))
        return build
    return keep


def chain(S, joint=da.Revolute, names="ab", **more):
    """ground – a – b – c on joints of one kind."""
    S.bodies(names)
    for name, i, j, at, axis in zip("OAB", ("ground", *names), names, (O, A, B), (E, F, G), strict=False):
        own = {} if joint in (da.Spherical, da.Weld) else {"axis": S.d(axis)}
        S.add(joint(name, *S.ij(i, j), at=S.x(*at), **own, **more))


@case("swapped", "turned")
def free_bodies_in_space(S):
    S.bodies("ab")


@case("swapped", "turned")
def revolute(S):
    chain(S, names="abc")


@case()
def revolute_on(S):
    S.bodies("ab")
    S.add(da.Revolute("O", "ground", "a", on_i=(0.1, 0.2, 0.1), on_j=(-0.3, 0.1, 0.0),
                      axis_i=(0.3, -0.2, 0.8), axis_j=(0.1, -0.5, 0.7)))
    S.add(da.Revolute("A", "b", "a", on_i=(-0.4, 0.1, 0.2), on_j=(0.3, 0.2, -0.1), axis_i=(0.1, 0.2, 0.8),
                      axis_j=(0.6, 0.5, 0.7)))


@case("swapped", "turned")
def prismatic(S):
    chain(S, da.Prismatic)


@case("swapped", "turned")
def weld(S):
    S.bodies("ab")
    S.add(da.Weld("A", *S.ij("a", "b"), at=S.x(*A)))
    S.add(da.Spherical("O", *S.ij("ground", "a"), at=S.x(*O)))


@case("swapped", "turned")
def cylindrical(S):
    chain(S, da.Cylindrical)


@case("swapped", "turned")
def spherical(S):
    chain(S, da.Spherical, names="abc")


@case("swapped", "turned")
def planar(S):
    chain(S, da.Planar)


@case("swapped", "turned")
def universal(S):
    S.bodies("ab")
    first, second = (0.4, -0.3, 0.8), (0.6, 0.8, 0.0)
    if S.swap:
        first, second = second, first
    for name, i, j, at in (("O", "ground", "a", O), ("A", "a", "b", A)):
        S.add(da.Universal(name, *S.ij(i, j), at=S.x(*at), axis=S.d(first), axis2=S.d(second)))


@case("swapped", "turned")
def screw(S):
    chain(S, da.Screw, pitch=0.4)


@case("turned")
def clutch_and_band(S):
    """Their torque is friction's (tests/contacts/test_pressed.py); none here: without any they do nothing."""
    chain(S, da.Revolute)
    S.add(da.Clutch("k", *S.ij("a", "b"), force="2*t", friction=0, radius=0.1, axis=S.d(E)))
    S.add(da.BandBrake("h", "ground", "a", force=3.0, friction=0.0, radius=0.2, wrap=2.0, axis=S.d(F)))


@case("swapped", "turned")
def distance(S):
    S.bodies("ab")
    S.add(da.Distance("O", *S.ij("ground", "a"), **S.ends(O, (0.6, 0.4, 0.2))))
    S.add(da.Distance("A", *S.ij("a", "b"), length=1.1, **S.ends((0.5, 0.2, -0.3), B)))


@case("turned")
def revolute_spherical(S):
    S.bodies("ab")
    S.add(da.RevoluteSpherical("O", "ground", "a", axis=S.d((0.1, 0.3, 0.9)), at_i=S.x(*O),
                               at_j=S.x(0.6, 0.4, -0.2)))
    S.add(da.RevoluteSpherical("A", "a", "b", axis=S.d((0.6, -0.4, 0.1)), at_i=S.x(0.5, 0.2, 0.1),
                               at_j=S.x(0.9, 0.8, 0.2)))


@case("swapped", "turned")
def dp1(S):
    S.bodies("ab")
    (e1, e2), (f1, f2) = S.ij(S.d(E), S.d(F)), S.ij(S.d(G), S.d(E))
    S.add(da.DP1("e", *S.ij("a", "b"), axis=e1, axis2=e2, law="0.2*sin(t) + 0.1"))
    S.add(da.DP1("f", *S.ij("ground", "b"), axis=f1, axis2=f2))


@case("turned")
def dp2(S):
    S.bodies("ab")
    S.add(da.DP2("e", "a", "b", axis=S.d(E), at_i=S.x(*A), at_j=S.x(*B), law="0.3*cos(2*t)"))
    S.add(da.DP2("f", "ground", "b", axis=S.d(F), at_i=S.x(*O), at_j=S.x(*B)))
    S.add(da.DP2("g", "b", "ground", axis=S.d(G), at_i=S.x(*A), at_j=S.x(*O)))


@case("swapped", "turned")
def cd(S):
    S.bodies("ab")
    S.add(da.CD("e", *S.ij("a", "b"), axis=S.d(E), law=f"{S.sign}*(0.3*cos(2*t) + 0.2)", **S.ends(A, B)))
    S.add(da.CD("f", *S.ij("ground", "b"), axis=S.d(F), **S.ends(O, B)))


@case("swapped", "turned")
def d(S):
    S.bodies("ab")
    S.add(da.D("e", *S.ij("a", "b"), law="1 + 0.3*cos(2*t)", **S.ends((0.5, 0.2, -0.3), B)))
    S.add(da.D("f", *S.ij("ground", "b"), **S.ends(O, B)))


@case("swapped", "turned")
def parallel(S):
    S.bodies("ab")
    S.add(da.Parallel("A", *S.ij("a", "b"), axis=S.d(G)))
    S.add(da.Parallel("O", *S.ij("ground", "a"), axis=S.d(E)))


@case("swapped", "turned")
def gear(S):
    chain(S, names="abc")
    S.add(da.Gear("g", *S.ij("O", "A"), ratio=1 / -0.7 if S.swap else -0.7))
    S.add(da.Gear("h", *S.ij("A", "B"), radii=(0.5, 0.2) if not S.swap else (0.2, 0.5), internal=True))


@case("turned")
def gear_on_carrier(S):
    S.bodies("abc")
    for name, body, at in (("P", "a", O), ("Q", "b", A), ("R", "c", B)):
        S.add(da.Revolute(name, "ground", body, at=S.x(*at), axis=S.d(E)))
    S.add(da.GearOnCarrier("g", "P", "Q", "R", radii=(0.4, 0.3)))


@case("turned")
def rack_and_pinion(S):
    S.bodies("ab")
    S.add(da.Revolute("O", "ground", "a", at=S.x(*O), axis=S.d(E)))
    S.add(da.Cylindrical("P", "a", "b", at=S.x(*A), axis=S.d(F)))
    S.add(da.RackPinion("r", "O", "P", radius=0.35))


@case()
def equation(S):
    S.bodies("ab")
    S.add(da.Revolute("O", "ground", "a", at=O, axis=E))
    S.add(da.Equation("e", "b.x - 1.3*cos(O + 0.3*t)*b.y + 0.2*a.z*b.z - sin(t)"))


@case("turned")
def equation_of_joints(S):
    chain(S, da.Cylindrical)
    S.add(da.Equation("e", "sin(O.angle)*A.slide + 0.7*O.slide**2 - 0.4*A + 0.1*t"))


@case()
def orientation(S):
    S.bodies("ab")
    S.add(da.Orientation("o", "a", "b", quaternion=("1 + 0.1*t", "0.3*t", "0.2*sin(t)", 0.1)))


@case()
def pose(S):
    S.bodies("ab")
    S.add(da.Pose("p", "a", "b", position=("0.1*t", 0.2, "t**2"), euler=("0.3*t", 0.2, "-t"), sequence="zxz", on_j=(0.1, 0.2, 0)))


@case()
def velocity_equation(S):
    S.bodies("ab")
    S.add(da.Revolute("O", "ground", "a", at=O, axis=E))
    S.add(da.VelocityEquation("e", {"b.x": "sin(O) + t", "O": "b.y*a.x", "b.z": 0.4}, "0.3*t*cos(b.x)"))


@case("turned")
def knife_edge(S):
    S.bodies("ab")
    S.add(da.KnifeEdge("k", "ground", "a", axis=S.d(E), normal=S.d((0.5, 0.6, 0.1)), at=S.x(*O)))
    S.add(da.KnifeEdge("l", "a", "b", axis=S.d(F), normal=S.d((0.2, -0.3, 0.7)), on_j=(0.2, 0.1, -0.1)))


@case()
def knife_edge_upright(S):
    S.bodies("ab")
    S.add(da.KnifeEdge("l", "a", "b", axis=F, at=A))


@case("turned")
def rolling_disc(S):
    S.bodies("ab")
    S.add(da.RollingDisc("r", "ground", "a", radius=0.45, at=S.x(0.5, 0.4, 0.1),
                         ground_point=S.x(0.2, -0.1, -0.3), ground_normal=S.d((0.3, 0.2, 0.9)),
                         axis=S.d((0.8, 0.5, 0.1))))
    S.add(da.RollingDisc("s", "ground", "b", radius=0.3, on_j=(0.1, 0.05, 0.02), axis_j=(0.2, 0.7, -0.4),
                         ground_normal=S.d((0.1, -0.2, 0.8)), ground_point=S.x(1.0, 0.5, -0.1)))


@case("swapped", "turned")
def drive(S):
    chain(S, da.Cylindrical)
    S.add(da.Drive("e", "O", f"{S.sign}*(0.3*sin(2*t) - 0.3*t)"))
    heights = [S.sign * k for k in (0.2, -0.1, 0.3, 0.1)]
    S.add(da.Drive("f", "A.slide", da.Table([-1, 0.3, 0.9, 2.5], heights)))


@case()
def drive_on_body(S):
    S.bodies("ab")
    S.add(da.Distance("E", "ground", "b", at_i=O, at_j=(1.3, 0.7, 0.4)))
    S.add(da.Drive("e", "a.z", bend))
    S.add(da.Drive("f", "b.y", "0.6 + 0.1*exp(-t)"))


@case("turned")
def force(S):
    chain(S)
    S.add(da.Force("f", "a", S.components("3*sin(t)", "2 - t", "0.7*t"), at=S.x(*B)))
    S.add(da.Force("g", "b", ("1.5*t", "0.7", -0.9), on=(0.2, -0.3, 0.1), frame="body"))


@case("turned")
def torque(S):
    chain(S, da.Spherical)
    S.add(da.Torque("t1", "a", S.torque("0.6*cos(2*t)", "0.2", "-0.3*t")))
    S.add(da.Torque("t2", "b", ("0.4", "t", "0.3"), frame="body"))


@case("turned")
def field(S):
    chain(S, da.Spherical)
    S.add(da.Field("f", S.field("-2*x + 0.5*y + t", "0.5*y + 0.5*x - 0.3*z", "-0.3*y + 0.7*z")))
    S.add(da.Field("g", S.field("y*z", "0.4*x**2 - t", "-x*y")))


@case("swapped", "turned")
def spring(S):
    chain(S)
    S.add(da.Spring("s", *S.ij("a", "b"), stiffness=30, damping=2, length=0.8,
                    actuator="0.4*sin(t) + 0.3*length - 0.2*rate", **S.ends((0.2, 0.5, 0.3), B)))
    S.add(da.Spring("r", *S.ij("ground", "b"), stiffness=20, **S.ends((0.2, 0.9, 0.1), (1.3, 0.2, -0.2))))


@case("swapped", "turned")
def torsion_spring(S):
    chain(S)
    S.add(da.TorsionSpring("s", "A", stiffness=7, damping=0.5, angle=0.4 * S.sign,
                           actuator="0.3*angle + 0.1*rate"))


@case("swapped", "turned")
def motor(S):
    chain(S, da.Cylindrical)
    S.add(da.Motor("m", "O", f"{S.sign}*2*sin(t) - 0.3*rate + 0.2*coordinate"))
    S.add(da.Motor("n", "A.slide", f"{S.sign}*(1 + t) - 0.4*rate"))


@case("swapped", "turned")
def limit(S):
    chain(S, da.Cylindrical)
    S.add(da.Limit("m", "O", **S.range(5.0, 6.0), stiffness=30, damping=2))
    S.add(da.Limit("n", "A.slide", **S.range(-7.0, -5.0), stiffness=20, damping=1))


@case("turned")
def bushing(S):
    S.bodies("ab")
    flat = {"stiffness": 50, "damping": 2, "torsion": 3, "torsion_damping": 0.4}
    S.add(da.Bushing("s", "ground", "a", at=S.x(*O), **flat))
    S.add(da.Bushing("r", "a", "b", at=S.x(*A), **flat))


@case()
def bushing_of_many_stiffnesses(S):
    S.bodies("ab")
    S.add(da.Bushing("s", "ground", "a", at=O, stiffness=(50, 40, 30), damping=(2, 1, 3)))
    S.add(da.Bushing("r", "a", "b", at=A, torsion=(5, 4, 3), torsion_damping=(0.2, 0.1, 0.3)))


@case("swapped")
def elastic_bushing(S):
    S.bodies("ab")
    S.add(da.Bushing("r", *S.ij("a", "b"), at=S.x(*A), stiffness=40, torsion=3))


@case("turned")
def user_force(S):
    chain(S)
    S.add(da.UserForce("u", "b", drag_in_space, at=S.x(*B)))


@case("swapped", "turned")
def space_particles(S):
    S.bodies("a")
    S.add(da.Spherical("O", *S.ij("ground", "a"), at=S.x(*O)))
    S.add(da.Particle("p", mass=1.1, position=S.x(*A)))
    S.add(da.Particle("q", mass=0.7, position=S.x(*B)))
    S.add(da.Spherical("A", *S.ij("a", "p"), at=S.x(*A)))
    S.add(da.Distance("B", *S.ij("p", "q"), **S.ends(A, B)))
