"""Why friction in joints has no answer, or several: sentences with names and advice."""

from __future__ import annotations

ADVICE = "less friction, a longer guide or a load nearer to it has one answer"


def none(names, t: float) -> str:
    return (f"{names}: friction that slides presses its own surfaces together more than they give way (it jams), and the forces "
            f"at t = {t:.6g} have no answer; {ADVICE}")


def fold(names, t: float) -> str:
    return (f"{names}: friction that slides presses its own surfaces together so much that its forces at t = {t:.6g} have "
            f"several answers or none (it jams); {ADVICE}")


def no_modes(names, t: float) -> str:
    return f"{names}: neither sticking nor sliding fulfils Coulomb's law at t = {t:.6g} (it jams); {ADVICE}"


def several(names, t: float) -> str:
    return (f"{names}: Coulomb's law has several answers at t = {t:.6g}, for friction presses the surfaces of the joint together "
            f"as much as they give way; what holds, or else the smallest force, was taken; {ADVICE}")


def shared(names, t: float) -> str:
    return (f"{names}: they hold each other at t = {t:.6g}, so how friction is shared among them is not unique; it was shared by "
            "what each can hold")


def reaction(names) -> str:
    return (f"{names}: friction goes by the reaction, which is not unique here, for rows of joints depend on each other "
            "(da.check(m) names them): take redundant joints away, or joints with fewer rows (Spherical, Cylindrical), or "
            "friction= away from these")


def moves(names, t: float) -> str:
    return (f"{names} sticks and moves: at t = {t:.6g} surfaces slide that were taken to stick, so friction is not as the law "
            "says; a smaller max_step may find where sliding began")


def over(names, t: float) -> str:
    return (f"{names} sticks over its limit: at t = {t:.6g} friction holds more than static · N; a smaller max_step may find "
            "where it lets go")


def partly(names, t: float) -> str:
    return (f"{names}: drives or other joints prescribe some of its directions of sliding and leave others free, and it rests at "
            f"t = {t:.6g}: where it will begin to slide is not known yet; let the law begin with a speed or an acceleration "
            "(t, t**2), or drive it through a Prismatic or Revolute that rubs")


def creeps(names, t: float) -> str:
    return (f"{names} creeps at t = {t:.6g}: friction in several directions at once nearly holds the load, and the direction of "
            "so slow a sliding is stiff, so that steps stay short (the limit on steps was reached). Let the load be clearly "
            "above or below what friction holds (hold tells its range; `static` above `coulomb` lets it hold), or raise "
            "max_steps")


def pushes(names, t: float) -> str:
    return f"{names} pushes at t = {t:.6g}: a rope that is not taut goes slack, which this one does not know"


def lifted(names, t: float) -> str:
    return (f"{names} is pulled from the ground at t = {t:.6g}: it would lift off, which this one does not know; it has no "
            "rolling resistance where it is pulled. Contacts (shapes= and Contact) let a wheel lift off")


def other_axis(names, axis, turns) -> str:
    return (f"{names}: its bodies cannot turn on each other about its axis {axis} as they are; they turn about {turns}. Give the "
            "axis= of their hinges")


def not_alone(names, axis) -> str:
    return (f"{names} has bodies that turn on each other about other axes than its own, {axis}: its faces do not stay on each "
            "other, and it acts about its axis alone. Give the axis= of their hinges, or hinge both bodies on that axis")


def bearing(band, names) -> str:
    return (f"{names} rubs and bears the pull of {band}, which is left out, for the directions of its ends are not known: the "
            "friction of that bearing would be too small. Take friction= away from it, or put a Clutch in the place of the band "
            "and its pull as a Force on the drum (at= of the band says where the drum's centre is)")


def restless(names, count: int, span: float, t: float) -> str:
    return (f"{names}: friction changed {count} times between sticking and sliding in {span:.1e} s at t = {t:.6g}, without end; "
            "static= equal to coulomb=, or a stribeck_m_per_s= that is larger, may go through")


def leaves(names, t: float) -> str:
    return f"{names} covers no part of its drum at t = {t:.6g}: it would be straight there, and this one goes on around the drum"
