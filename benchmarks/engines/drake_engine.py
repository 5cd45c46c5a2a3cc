"""Drake: trees as a continuous ``MultibodyPlant`` with its error-controlled Runge–Kutta 5(4) or 3(2), where a problem is stiff
also its Radau 3 and implicit Euler, the whole loop in C++.

Loops exist in its discrete plants only (``AddBallConstraint`` with the SAP solver, two points for a hinge): first order in the
step. A ball joint is ``BallRpyJoint`` (roll, pitch, yaw; Drake has no quaternion ball). All frames are parallel to the ground
in the drawing, so that q = 0 is the drawn pose. A plant has one step for life, so one is built per setting, before the clock
starts.
"""

from __future__ import annotations

import time

import numpy as np

from benchmarks.engines.engine import Engine, Unable
from benchmarks.mechanism import Samples, relative_spins, space


class Drake(Engine):
    name = "Drake"
    module = "pydrake"

    def __init__(self, mechanism):
        super().__init__(mechanism)
        self.tree, self.loops = mechanism.tree()
        if mechanism.dim == 2 and any(joint is None for _, _, joint in self.tree):
            raise Unable("free planar bodies are not used here")
        parents = {k: parent for k, parent, _ in self.tree}
        for t in mechanism.torques:
            if parents[mechanism.index[t.body]] != -1:
                raise Unable("torques on bodies that are not hinged to the ground")
        self.v0 = relative_spins(mechanism)
        self._build(0.0 if not self.loops else 1e-3)

    def _build(self, step: float) -> None:
        from pydrake.math import RigidTransform
        from pydrake.multibody.plant import DiscreteContactApproximation, MultibodyPlant
        from pydrake.multibody.tree import (
            BallRpyJoint,
            FixedOffsetFrame,
            LinearSpringDamper,
            PrismaticJoint,
            RevoluteJoint,
            RotationalInertia,
            SpatialInertia,
        )

        m = self.mechanism
        self.plant = plant = MultibodyPlant(step)
        if step:
            plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
        plant.mutable_gravity_field().set_gravity_vector(space(m.gravity))
        self.bodies, origin = {-1: plant.world_body()}, {-1: np.zeros(3)}
        self.joints = {}
        for k, parent, joint in self.tree:
            b = m.bodies[k]
            R = np.eye(3) if m.dim == 2 else np.asarray(b.rotation)
            J = R @ (np.diag([b.inertia] * 3) if m.dim == 2 else np.asarray(b.inertia)) @ R.T
            central = RotationalInertia(J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
            body = plant.AddRigidBody(b.name, SpatialInertia.MakeFromCentralInertia(b.mass, np.zeros(3), central))
            self.bodies[k], origin[k] = body, space(b.position)
            if joint is None:
                continue
            at = space(joint.at)
            frames = [
                plant.AddFrame(FixedOffsetFrame(f"{joint.name} {n}", self.bodies[i], RigidTransform(at - origin[i])))
                for n, i in enumerate((parent, k))
            ]
            if m.dim == 3 and joint.axis is None:
                self.joints[k] = plant.AddJoint(BallRpyJoint(joint.name, *frames))
            else:
                axis = np.array([0, 0, 1.0]) if m.dim == 2 else np.asarray(joint.axis, dtype=float)
                kind = PrismaticJoint if joint.slides else RevoluteJoint
                self.joints[k] = plant.AddJoint(kind(joint.name, *frames, axis))
        index = m.index
        for joint in self.loops:
            points = [space(joint.at)] if joint.axis is None else [space(joint.at), space(joint.at) + joint.axis]
            i, j = index[joint.i], index[joint.j]
            for point in points:
                plant.AddBallConstraint(self.bodies[i], point - origin[i], self.bodies[j], point - origin[j])
        for s in m.springs:
            i, j = index[s.i], index[s.j]
            ends = (self.bodies[i], space(s.at_i) - origin[i], self.bodies[j], space(s.at_j) - origin[j])
            plant.AddForceElement(LinearSpringDamper(*ends, s.length, s.stiffness, s.damping))
        for n, t in enumerate(m.torques):
            plant.AddJointActuator(f"torque {n}", self.joints[index[t.body]])
        plant.Finalize()

    def _start(self):
        """A context in the drawn state."""
        from pydrake.multibody.math import SpatialVelocity

        m, plant = self.mechanism, self.plant
        context = plant.CreateDefaultContext()
        start = m.start()
        for k, _, joint in self.tree:
            if joint is None:
                from pydrake.math import RigidTransform

                plant.SetFreeBodyPose(context, self.bodies[k], RigidTransform(space(m.bodies[k].position)))
                plant.SetFreeBodySpatialVelocity(context, self.bodies[k], SpatialVelocity(start.w[0, k], start.v[0, k]))
            elif m.dim == 3 and joint.axis is None:
                self.joints[k].set_angular_velocity(context, self.v0[k])
            elif joint.slides:
                self.joints[k].set_translation_rate(context, self.v0[k])
            else:
                self.joints[k].set_angular_rate(context, float(self.v0[k]))
        if m.torques:
            plant.get_actuation_input_port().FixValue(context, np.array([t.value for t in m.torques]))
        return context

    def settings(self, problem):
        if self.loops:
            for count in (100, 250, 600, 1600, 4000, 10000, 25000):
                n = max(1, round(problem.grid * count * (1 if problem.until > 0.1 else 1 / problem.until)))
                yield {"step": problem.grid / n}
            return
        for methods in (("implicit_euler", "radau3"),) * problem.stiff + (("runge_kutta3", "runge_kutta5"),):
            for exponent in np.arange(2.0, 12.01, 0.5):
                for method in methods:
                    if method in ("runge_kutta5", "radau3") or exponent <= 6:
                        yield {"method": method, "rtol": float(f"{10.0**-exponent:.1e}")}

    def precise(self, step):
        if self.loops:  # springs beside loops act with a step's delay, and loops on what slides as well: more steps there
            slides = any(joint.slides for joint in self.mechanism.joints)
            return {"step": step / (500 if slides else 20 if self.mechanism.springs else 1)}
        return {"method": "runge_kutta5", "rtol": 1e-12}

    def _simulator(self, settings):
        from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig

        if self.loops:
            self._build(settings["step"])
        simulator = Simulator(self.plant, self._start())
        if not self.loops:
            ApplySimulatorConfig(
                SimulatorConfig(integration_scheme=settings["method"], accuracy=settings["rtol"], max_step_size=0.5), simulator
            )
        simulator.Initialize()
        return simulator

    def run(self, settings, until):
        simulator = self._simulator(settings)
        begin = time.process_time()
        simulator.AdvanceTo(until)
        return time.process_time() - begin

    def sample(self, settings, times):
        simulator, m, plant = self._simulator(settings), self.mechanism, self.plant
        s = Samples.empty(m, times)
        for row, t in enumerate(times):
            simulator.AdvanceTo(float(t))
            context = simulator.get_context()
            turned = {-1: 0.0}
            for k, parent, _ in self.tree:
                pose = plant.EvalBodyPoseInWorld(context, self.bodies[k])
                speed = plant.EvalBodySpatialVelocityInWorld(context, self.bodies[k])
                s.r[row, k], s.v[row, k] = pose.translation()[: m.dim], speed.translational()[: m.dim]
                if m.dim == 2:
                    turned[k] = turned[parent] + self.joints[k].get_angle(context)
                    s.R[row, k], s.w[row, k] = m.bodies[k].rotation + turned[k], speed.rotational()[2]
                else:
                    s.R[row, k], s.w[row, k] = pose.rotation().matrix() @ np.asarray(m.bodies[k].rotation), speed.rotational()
        return s

    def mass(self):
        return float(sum(self.bodies[k].default_mass() for k, _, _ in self.tree))

    def energy(self):
        context, m = self._start(), self.mechanism
        springs = sum(0.5 * s.stiffness * (np.linalg.norm(np.subtract(s.at_j, s.at_i)) - s.length) ** 2 for s in m.springs)
        return float(self.plant.CalcPotentialEnergy(context) + self.plant.CalcKineticEnergy(context) - springs)
