"""OpenSim, that is Simbody: trees in joint coordinates, loops by ``PointConstraint`` (two points for a hinge) projected at every
step; Simbody's error-controlled Runge–Kutta methods, the whole loop in C++, nothing stored on the way.

All frames are parallel to the ground in the drawing but those of hinges, whose z axis is the hinge's, and of sliders, whose x
axis is theirs; q = 0 is the drawn pose.
"""

from __future__ import annotations

import time

import numpy as np

from benchmarks.engines.engine import Engine, Unable
from benchmarks.mechanism import Samples, relative_spins, space

METHODS = ("RungeKuttaFeldberg", "RungeKuttaMerson")
LARGE = 200  # bodies; building a longer tree takes minutes


def upright(axis) -> np.ndarray:
    """Body-fixed x, y, z angles of a frame whose z axis is the given one: (sin b, −sin a cos b, cos a cos b)."""
    x, y, z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    return np.array([np.arctan2(-y, z), np.arcsin(np.clip(x, -1.0, 1.0)), 0.0])


def lying(axis) -> np.ndarray:
    """The same of a frame whose x axis is the given one: (cos b cos c, sin c, −sin b cos c)."""
    x, y, z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    return np.array([0.0, np.arctan2(-z, x), np.arcsin(np.clip(y, -1.0, 1.0))])


class Opensim(Engine):
    name = "OpenSim"
    module = "opensim"

    def __init__(self, mechanism):
        super().__init__(mechanism)
        import opensim as osim

        m = mechanism
        if len(m.bodies) > LARGE:
            raise Unable("building so long a tree takes minutes")
        if any(s.damping for s in m.springs):
            raise Unable("springs with dampers between points")
        osim.Logger.setLevelString("off")
        self.osim, self.tree = osim, m.tree()[0]
        loops = m.tree()[1]
        parents = {k: parent for k, parent, _ in self.tree}
        self.model = model = osim.Model()
        model.setGravity(self._vector(space(m.gravity)))
        self.bodies, self.joints, origin = {-1: model.getGround()}, {}, {-1: np.zeros(3)}
        for k, parent, joint in self.tree:
            b = m.bodies[k]
            R = np.eye(3) if m.dim == 2 else np.asarray(b.rotation)
            J = R @ (np.diag([b.inertia] * 3) if m.dim == 2 else np.asarray(b.inertia)) @ R.T
            inertia = osim.Inertia(*(float(x) for x in (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])))
            body = osim.Body(f"body_{k}", b.mass, osim.Vec3(0), inertia)
            model.addBody(body)
            self.bodies[k], origin[k] = body, space(b.position)
            at = origin[k] if joint is None else space(joint.at)
            hinge = m.dim == 2 or (joint is not None and joint.axis is not None)
            slides = joint is not None and joint.slides
            turn = lying(joint.axis) if slides else upright([0, 0, 1] if m.dim == 2 else joint.axis) if hinge else np.zeros(3)
            kind = osim.FreeJoint if joint is None else osim.SliderJoint if slides else osim.PinJoint if hinge else osim.BallJoint
            self.joints[k] = made = kind(
                f"joint_{k}",
                self.bodies[parent],
                self._vector(at - origin[parent]),
                self._vector(turn),
                body,
                self._vector(at - origin[k]),
                self._vector(turn),
            )
            model.addJoint(made)
        index = m.index
        for number, joint in enumerate(loops):
            points = [space(joint.at)] if joint.axis is None else [space(joint.at), space(joint.at) + joint.axis]
            i, j = index[joint.i], index[joint.j]
            for n, point in enumerate(points):
                closure = osim.PointConstraint(
                    self.bodies[i], self._vector(point - origin[i]), self.bodies[j], self._vector(point - origin[j])
                )
                closure.setName(f"closure_{number}_{n}")
                model.addConstraint(closure)
        for s in m.springs:
            i, j = index[s.i], index[s.j]
            a, b = self._vector(space(s.at_i) - origin[i]), self._vector(space(s.at_j) - origin[j])
            model.addForce(osim.PointToPointSpring(self.bodies[i], a, self.bodies[j], b, s.stiffness, s.length))
        for n, t in enumerate(m.torques):
            if parents[index[t.body]] != -1:
                raise Unable("torques on bodies that are not hinged to the ground")
            coordinate = self.joints[index[t.body]].get_coordinates(0).getName()
            force = osim.ExpressionBasedCoordinateForce(coordinate, repr(float(t.value)))
            force.setName(f"torque_{n}")
            model.addForce(force)
        model.finalizeConnections()
        self.start = model.initSystem()
        spins, first = relative_spins(m), m.start()
        for k, _, joint in self.tree:
            coordinates = self.joints[k]
            values = np.atleast_1d(spins[k]) if joint is not None else np.concatenate([first.w[0, k], first.v[0, k]])
            for n, value in enumerate(values):
                coordinates.get_coordinates(n).setSpeedValue(self.start, float(value))
                if joint is None and n >= 3:
                    coordinates.get_coordinates(n).setValue(self.start, 0.0, False)

    def _vector(self, p):
        return self.osim.Vec3(*(float(x) for x in p))

    def settings(self, problem):
        for exponent in np.arange(2.0, 11.01, 0.5):
            for method in METHODS:
                yield {"method": method, "rtol": float(f"{10.0**-exponent:.1e}")}

    def precise(self, step):
        return {"method": METHODS[0], "rtol": 1e-11}

    def _manager(self, settings):
        osim = self.osim
        manager = osim.Manager(self.model)
        manager.setPerformAnalyses(False)
        manager.setWriteToStorage(False)
        manager.setIntegratorMethod(getattr(osim.Manager, f"IntegratorMethod_{settings['method']}"))
        manager.setIntegratorAccuracy(settings["rtol"])
        manager.initialize(osim.State(self.start))
        return manager

    def run(self, settings, until):
        manager = self._manager(settings)
        begin = time.process_time()
        manager.integrate(until)
        return time.process_time() - begin

    def sample(self, settings, times):
        manager, m = self._manager(settings), self.mechanism
        s = Samples.empty(m, times)
        for row, t in enumerate(times):
            state = manager.integrate(float(t))
            self.model.realizeVelocity(state)
            turned = {-1: 0.0}
            for k, parent, _ in self.tree:
                pose, speed = self.bodies[k].getTransformInGround(state), self.bodies[k].getVelocityInGround(state)
                at, spin, velocity = (x.to_numpy() for x in (pose.p(), speed.get(0), speed.get(1)))
                s.r[row, k], s.v[row, k] = at[: m.dim], velocity[: m.dim]
                if m.dim == 2:
                    turned[k] = turned[parent] + self.joints[k].get_coordinates(0).getValue(state)
                    s.R[row, k], s.w[row, k] = m.bodies[k].rotation + turned[k], spin[2]
                else:
                    R = pose.R()
                    s.R[row, k] = np.array([[R.get(i, j) for j in range(3)] for i in range(3)]) @ np.asarray(m.bodies[k].rotation)
                    s.w[row, k] = spin
        return s

    def mass(self):
        return float(self.model.getTotalMass(self.start))

    def energy(self):
        self.model.realizeDynamics(self.start)
        m = self.mechanism
        springs = sum(0.5 * s.stiffness * (np.linalg.norm(np.subtract(s.at_j, s.at_i)) - s.length) ** 2 for s in m.springs)
        return float(self.model.calcKineticEnergy(self.start) + self.model.calcPotentialEnergy(self.start) - springs)
