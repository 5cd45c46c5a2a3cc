"""One set of names for plane and space: the kernel is chosen by the length of the first tuple, at compile time."""

from dalembert._jit import dispatch

from . import planar, spatial

add = dispatch(planar.add, spatial.add)
sub = dispatch(planar.sub, spatial.sub)
scale = dispatch(planar.scale, spatial.scale)
dot = dispatch(planar.dot, spatial.dot)
moment = dispatch(planar.moment, spatial.moment)
turn = dispatch(planar.turn, spatial.turn)
turn_add = dispatch(planar.turn_add, spatial.turn_add)
turn_scale = dispatch(planar.turn_scale, spatial.turn_scale)
turn_dot = dispatch(planar.turn_dot, spatial.turn_dot)
rotate = dispatch(planar.rotate, spatial.rotate)
unrotate = dispatch(planar.unrotate, spatial.unrotate)
turn_to_body = dispatch(planar.turn_to_body, spatial.turn_to_body)
rim = dispatch(planar.rim, spatial.rim)
