"""Points and axes fixed on bodies, for plane and space alike: what constraints and forces see of a body.

    r = r_c + s        ṙ = ṙ_c + ω × s        r̈ = (terms in v̇) + ω × (ω × s)          s = A s̄
    e                  ė = ω × e              ë = (terms in v̇) + ω × (ω × e)
"""

from dalembert._jit import dispatch, inline
from dalembert.algebra.vectors import add, turn

from . import planar, spatial

NONE = 0xFFFFFFFF  # "no place": the side of an element that is on the ground has no columns in D

at_q = dispatch(planar.at_q, spatial.at_q)
at_v = dispatch(planar.at_v, spatial.at_v)
at_pose = dispatch(planar.at_pose, spatial.at_pose)
at_twist = dispatch(planar.at_twist, spatial.at_twist)
kinematics = dispatch(planar.kinematics, spatial.kinematics)
as_twist = dispatch(planar.as_twist, spatial.as_twist)
from_twist = dispatch(planar.from_twist, spatial.from_twist)
displace = dispatch(planar.displace, spatial.displace)
position = dispatch(planar.position, spatial.position)
rotation = dispatch(planar.rotation, spatial.rotation)
velocity = dispatch(planar.velocity, spatial.velocity)
omega = dispatch(planar.omega, spatial.omega)
arm = dispatch(planar.arm, spatial.arm)
axis = dispatch(planar.axis, spatial.axis)
add_row = dispatch(planar.add_row, spatial.add_row)
add_turn = dispatch(planar.add_turn, spatial.add_turn)
write_point = dispatch(planar.write_point, spatial.write_point)
store = dispatch(planar.store, spatial.store)
load = dispatch(planar.load, spatial.load)
load_turn = dispatch(planar.load_turn, spatial.load_turn)
store_turn = dispatch(planar.store_turn, spatial.store_turn)
relative_turn = dispatch(planar.relative_turn, spatial.relative_turn)
turn_from_marker = dispatch(planar.turn_from_marker, spatial.turn_from_marker)
orientation = dispatch(planar.orientation, spatial.orientation)
dimension = dispatch(planar.dimension, spatial.dimension)
block = dispatch(planar.block, spatial.block)
push = dispatch(planar.push, spatial.push)
inertia_forces = dispatch(planar.inertia_forces, spatial.inertia_forces)
weigh = dispatch(planar.weigh, spatial.weigh)
angle = dispatch(planar.angle, spatial.angle)
turn_rate = dispatch(planar.turn_rate, spatial.turn_rate)
unit_turn = dispatch(planar.unit_turn, spatial.unit_turn)


@inline
def point(s, w, m, arm_m):
    """Position of marker m, given its arm."""
    return add(position(s, w, s.markers[m].body), arm_m)


@inline
def point_velocity(s, w, m, arm_m):
    b = s.markers[m].body
    return add(velocity(s, w, b), turn(omega(s, w, b), arm_m))


@inline
def spun(s, w, m, vector):
    """ω × vector: the rate of a vector fixed on marker m's body."""
    return turn(omega(s, w, s.markers[m].body), vector)


@inline
def bias(s, w, m, vector):
    """ω × (ω × vector): acceleration of a body-fixed vector with v̇ = 0."""
    rate = omega(s, w, s.markers[m].body)
    return turn(rate, turn(rate, vector))
