"""The examples of the lecture on forms of dynamic equations with its names: bodies 2, 3, 4, parameters m2, J2, l_O_2, …"""

import dalembert as da

G = {"g": 9.81}


def _model(name, **parameters):
    return da.Model(name, dim=2, gravity=(0, "-g"), parameters=G | parameters)


def rod_on_block():
    """Block 1 slides as z(t); rod 2 on it."""
    m = _model("rod on a block", l=1.1, m2=2.0, J2=0.23, M2=0.7)
    m.add(da.Body("1", mass=1.3, inertia=0.1))
    m.add(da.Body("2", mass="m2", inertia="J2", position=("l/2", 0)))
    m.add(da.Prismatic("slide", m.ground, "1", axis=(1, 0)))
    m.add(da.Revolute("O", "1", "2", at=(0, 0)))
    m.add(da.Drive("z", "slide", "0.1*sin(3*t)"))
    m.add(da.Torque("moment", "2", "M2"))
    return m


def two_link():
    """Torques M² and M³ act on the links themselves; l_O² and l_A² from the centre of mass of link 2 to its joints."""
    m = _model("two-link arm", l_O_2=0.45, l_A_2=0.55, l_A_3=0.35, m2=3.0, m3=2.0, J2=0.3, J3=0.2, M2=1.5, M3=0.4)
    m.add(da.Body("2", mass="m2", inertia="J2", position=("l_O_2", 0)))
    m.add(da.Body("3", mass="m3", inertia="J3", position=("l_O_2 + l_A_2 + l_A_3", 0)))
    m.add(da.Revolute("O", m.ground, "2", at=(0, 0)))
    m.add(da.Revolute("A", "2", "3", at=("l_O_2 + l_A_2", 0)))
    m.add(da.Torque("torque 2", "2", "M2"))
    m.add(da.Torque("torque 3", "3", "M3"))
    return m


def four_bar():
    """Links 2, 3, 4 from O by A and B to C, not closed as drawn (``assemble`` does it); a force at the coupler's centre of mass.

    l_O², l_A³, l_B⁴ from the first pin of each link to its centre of mass; l_A² = l² − l_O² and so on.
    """
    m = _model("four-bar", l1=1.0, l2=0.3, l3=0.9, l4=0.7, l_O_2=0.12, l_A_3=0.4, l_B_4=0.37, m2=0.6, m3=1.8, m4=1.4,
               J2=0.005, J3=0.12, J4=0.06, M2=0.5, M4=-0.3, F_x_3=0.7, F_y_3=-1.1)
    m.add(da.Body("2", mass="m2", inertia="J2", com=("l_O_2", 0), angle=1.0))
    m.add(da.Body("3", mass="m3", inertia="J3", com=("l_A_3", 0), position=(0.2, 0.25), angle=0.4))
    m.add(da.Body("4", mass="m4", inertia="J4", com=("l_B_4", 0), position=(1.0, 0.6), angle=-1.5))
    m.add(da.Revolute("O", m.ground, "2", on_i=(0, 0), on_j=(0, 0)))
    m.add(da.Revolute("A", "2", "3", on_i=("l2", 0), on_j=(0, 0)))
    m.add(da.Revolute("B", "3", "4", on_i=("l3", 0), on_j=(0, 0)))
    m.add(da.Revolute("C", "4", m.ground, on_i=("l4", 0), on_j=("l1", 0)))
    m.add(da.Torque("torque 2", "2", "M2"))
    m.add(da.Torque("torque 4", "4", "M4"))
    m.add(da.Force("push", "3", ("F_x_3", "F_y_3"), on=("l_A_3", 0)))
    return m


def slider_crank(angle=0.9):
    m = _model("slider-crank", l2=0.15, l3=0.35, l_O_2=0.07, l_A_3=0.16, m2=1.0, m3=1.5, m4=2.0, J2=0.003, J3=0.02, M2=0.8,
               F4=-12.0)
    m.add(da.Body("2", mass="m2", inertia="J2", com=("l_O_2", 0)))
    m.add(da.Body("3", mass="m3", inertia="J3", position=("l2", 0), com=("l_A_3", 0)))
    m.add(da.Body("4", mass="m4", inertia=0.01, position=("l2 + l3", 0)))
    m.add(da.Revolute("O", m.ground, "2", at=(0, 0)))
    m.add(da.Revolute("A", "2", "3", at=("l2", 0)))
    m.add(da.Revolute("B", "3", "4", at=("l2 + l3", 0)))
    m.add(da.Prismatic("guide", "4", m.ground, axis=(1, 0)))
    m.add(da.Torque("torque", "2", "M2"))
    m.add(da.Force("push", "4", ("F4", 0)))
    m.initial("O", coordinate=angle)
    return m


def spring():
    """Two bodies with a spring, a damper and an actuator between them."""
    m = _model("spring-damper-actuator", k=10.0, c=0.5, l_0=0.3, f_a=1.0, a=0.5, m2=1.0, m3=2.0, J2=0.1, J3=0.2)
    m.add(da.Body("2", mass="m2", inertia="J2", position=(0.5, 0)))
    m.add(da.Body("3", mass="m3", inertia="J3", position=(1.5, 0.4)))
    m.add(da.Revolute("O", m.ground, "2", at=(0, 0)))
    m.add(da.Spring("s", "2", "3", on_i=("a", 0), on_j=(0, 0.2), stiffness="k", damping="c", length="l_0", actuator="f_a"))
    return m
