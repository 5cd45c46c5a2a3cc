"""Small scenes for the tests, in any frame and in any units: plane or space, turned, with other metres, seconds and kilograms."""

import numpy as np

import dalembert as da
from dalembert.algebra.rotations import matrix_of_quaternion, quaternion_of_matrix

G = 9.81


class Stage:
    """Vectors of a drawing with x to the right and z (plane: y) upwards, in the frame and units of this stage."""

    def __init__(self, dim=3, turned=False, length=1.0, time=1.0, mass=1.0):
        self.dim, self.length, self.time, self.mass = dim, length, time, mass
        random = np.random.default_rng(5)
        if dim == 3:
            e = random.normal(size=4)
            self.turn = np.asarray(matrix_of_quaternion(e / np.linalg.norm(e))) if turned else np.eye(3)
        else:
            a = 0.7 if turned else 0.0
            self.angle = a
            self.turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        self.force, self.speed = mass * length / time**2, length / time

    def direction(self, x, z, y=0.0):
        return tuple(self.turn @ ([x, z] if self.dim == 2 else [x, y, z]))

    def place(self, x, z, y=0.0):
        return tuple(self.length * np.array(self.direction(x, z, y)))

    def velocity(self, x, z, y=0.0):
        return tuple(self.speed * np.array(self.direction(x, z, y)))

    def read(self, vectors, unit):
        """Back to the drawing's axes and SI units: columns x, z."""
        found = np.asarray(vectors) @ self.turn / unit
        return found if self.dim == 2 else found[..., [0, 2]]

    def model(self, slope=0.0, gravity=G):
        g = gravity * self.length / self.time**2
        m = da.Model("case", dim=self.dim, gravity=tuple(g * np.array(self.direction(np.sin(slope), -np.cos(slope)))))
        m.add(da.Fixture("floor", shapes=[da.HalfSpace(self.direction(0, 1))]))
        return m

    def body(self, m, name, shape, at, mass=1.0, moment=None, tilt=0.0, velocity=(0, 0), spin=0.0):
        """A body drawn in the frame; ``moment`` about the out-of-plane axis (a sphere's is the same about all)."""
        s = self.mass * self.length**2
        common = {"position": self.place(*at), "velocity": self.velocity(*velocity), "mass": self.mass * mass,
                  "shapes": shape if isinstance(shape, list) else [shape]}
        if self.dim == 2:
            return m.add(da.Body(name, inertia=s * moment, angle=self.angle + tilt, omega=spin / self.time, **common))
        c, d = np.cos(tilt), np.sin(tilt)
        own = np.array([[c, 0, -d], [0, 1, 0], [d, 0, c]])  # x towards z: the plane's sense
        return m.add(da.Body(name, inertia=(s * moment,) * 3, rotation=tuple(quaternion_of_matrix(self.turn @ own)),
                             omega=(0, -spin / self.time, 0), **common))

    def _own(self, at):
        """A place on a body, in its own axes."""
        return {"position": tuple(self.length * np.array(at if self.dim == 2 else (at[0], 0.0, at[1])))} if at else {}

    def box(self, width, height, depth=None, at=None):
        a = self.length
        size = (a * width, a * height) if self.dim == 2 else (a * width, a * (depth or width), a * height)
        return da.Box(size, **self._own(at))

    def ball(self, radius, at=None):
        return da.Sphere(self.length * radius, **self._own(at))

    def upright(self):
        """The turn of a fixture drawn upright in the frame."""
        return {"angle": self.angle} if self.dim == 2 else {"rotation": tuple(quaternion_of_matrix(self.turn))}

    def run(self, m, until, step, h=None, **options):
        return da.simulate(m, until * self.time, step=step * self.time, fixed_step=None if h is None else h * self.time,
                           **{"contact": "stepping", **options})


STAGES = {"plane": {"dim": 2}, "space": {"dim": 3}, "plane turned": {"dim": 2, "turned": True}, "space turned": {"turned": True},
          "millimetres": {"length": 1e3, "mass": 1e3, "turned": True}, "slow": {"dim": 2, "time": 60.0, "length": 0.01,
                                                                                "mass": 1e-3}}
