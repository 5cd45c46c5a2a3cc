"""Exudyn: planar bodies and joints for planar problems; nothing written, no sensors; one thread.

Loops: generalized-α (ρ∞ 0.8 and 0.95), modified Newton; sparse solver from 20 bodies on, and for redundant loops the dense Eigen
solver with singular Jacobians ignored.  Trees of the plane: one kinematic tree with DOPRI5 (error-controlled) or RK44.
States at several times are read in a second, untimed run: after each step for fixed steps; by runs that end there for DOPRI5.
"""

from __future__ import annotations

import numpy as np

from benchmarks.engines.engine import Engine
from benchmarks.mechanism import GROUND, Samples

SPARSE_FROM = 20
TREE_TO = 200  # the tree's mass matrix is full: longer chains go faster as single bodies with the sparse solver


class Exudyn(Engine):
    name = "Exudyn"
    module = "exudyn"

    def __init__(self, mechanism):
        super().__init__(mechanism)
        import exudyn as exu
        import exudyn.itemInterface as items

        self.exu, self.items, m = exu, items, mechanism
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.tree, loops = m.tree()
        chain = all(parent == at - 1 for at, (_, parent, _) in enumerate(self.tree)) and m.dim == 2 and not loops
        self.as_tree = chain and not m.springs and not m.torques and len(m.bodies) <= TREE_TO
        self.redundant = m.dim == 3 and bool(loops)
        if self.as_tree:
            self._kinematic_tree()
        else:
            self._bodies()
        self.mbs.Assemble()

    def _kinematic_tree(self):
        exu, items, m = self.exu, self.items, self.mechanism
        n = len(m.bodies)
        start = m.start()
        rates = start.w[0] - np.concatenate([[0.0], start.w[0, :-1]])
        node = self.mbs.AddNode(
            items.NodeGenericODE2(
                referenceCoordinates=[0.0] * n,
                initialCoordinates=[0.0] * n,
                initialCoordinates_t=list(rates),
                numberOfODE2Coordinates=n,
            )
        )
        offsets, centres, at = exu.Vector3DList(), exu.Vector3DList(), np.zeros(2)
        turns, inertias = exu.Matrix3DList(), exu.Matrix3DList()
        for k, _, joint in self.tree:
            b = m.bodies[k]
            offsets.Append([*(joint.at - at), 0.0])
            centres.Append([*(b.position - joint.at), 0.0])
            turns.Append(np.eye(3))
            inertias.Append(np.diag([b.inertia] * 3))
            at = joint.at
        self.object = self.mbs.AddObject(
            items.ObjectKinematicTree(
                nodeNumber=node,
                jointTypes=[exu.JointType.RevoluteZ] * n,
                linkParents=list(range(-1, n - 1)),
                jointTransformations=turns,
                jointOffsets=offsets,
                linkInertiasCOM=inertias,
                linkCOMs=centres,
                linkMasses=[b.mass for b in m.bodies],
                gravity=[*m.gravity, 0.0],
            )
        )
        self.node = node

    def _bodies(self):
        items, mbs, m = self.items, self.mbs, self.mechanism
        plane = m.dim == 2
        ground = mbs.AddObject(items.ObjectGround())
        self.objects = []
        zero2, zero3 = np.zeros(m.dim), 0.0 if plane else np.zeros(3)
        for b in m.bodies:
            v, w = zero2 if b.velocity is None else b.velocity, zero3 if b.omega is None else b.omega
            if plane:
                node = mbs.AddNode(
                    items.NodeRigidBody2D(referenceCoordinates=[*b.position, b.rotation], initialVelocities=[*v, w])
                )
                body = mbs.AddObject(items.ObjectRigidBody2D(mass=b.mass, inertia=b.inertia, nodeNumber=node))
            else:
                from exudyn.rigidBodyUtilities import AngularVelocity2EulerParameters_t, RotationMatrix2EulerParameters

                e = RotationMatrix2EulerParameters(np.asarray(b.rotation, dtype=float))
                rates = AngularVelocity2EulerParameters_t(np.asarray(w, dtype=float), e)
                node = mbs.AddNode(items.NodeRigidBodyEP(referenceCoordinates=[*b.position, *e], initialVelocities=[*v, *rates]))
                J = np.asarray(b.inertia, dtype=float)
                body = mbs.AddObject(
                    items.ObjectRigidBody(
                        mass=b.mass, nodeNumber=node, inertia=[J[0, 0], J[1, 1], J[2, 2], J[1, 2], J[0, 2], J[0, 1]]
                    )
                )
            self.objects.append(body)
            gravity = np.asarray(m.gravity, dtype=float)
            if gravity.any():
                marker = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=body))
                mbs.AddLoad(items.LoadMassProportional(markerNumber=marker, loadVector=[*gravity, 0.0][:3]))

        def marker(name, at):
            at = np.asarray(at, dtype=float)
            if name == GROUND:
                return mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=ground, localPosition=[*at, 0.0][:3]))
            k = m.index[name]
            arm = at - m.bodies[k].position
            if plane:
                c, s = np.cos(m.bodies[k].rotation), np.sin(m.bodies[k].rotation)
                local = [c * arm[0] + s * arm[1], -s * arm[0] + c * arm[1], 0.0]
            else:
                local = list(np.asarray(m.bodies[k].rotation).T @ arm)
            return mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=self.objects[k], localPosition=local))

        for j in m.joints:
            pair = [marker(j.i, j.at), marker(j.j, j.at)]
            if plane:
                mbs.AddObject(items.ObjectJointRevolute2D(markerNumbers=pair))
            elif j.axis is None:
                mbs.AddObject(items.ObjectJointSpherical(markerNumbers=pair))
            else:
                frame = np.roll(_frame(j.axis), 1, axis=1) if j.slides else _frame(j.axis)  # along x, about z
                turns = [frame if x == GROUND else np.asarray(m.bodies[m.index[x]].rotation).T @ frame for x in (j.i, j.j)]
                kind = items.ObjectJointPrismaticX if j.slides else items.ObjectJointRevoluteZ
                mbs.AddObject(kind(markerNumbers=pair, rotationMarker0=turns[0], rotationMarker1=turns[1]))
        for s in m.springs:
            mbs.AddObject(
                items.ObjectConnectorSpringDamper(
                    markerNumbers=[marker(s.i, s.at_i), marker(s.j, s.at_j)],
                    referenceLength=s.length,
                    stiffness=s.stiffness,
                    damping=s.damping,
                )
            )
        for t in m.torques:
            k = m.index[t.body]
            mbs.AddLoad(items.LoadTorqueVector(markerNumber=marker(t.body, m.bodies[k].position), loadVector=[0, 0, t.value]))

    # settings --------------------------------------------------------------------------------------------------------

    def settings(self, problem):
        if self.as_tree:
            for exponent in range(3, 12):
                for wider in (1, 0) if exponent <= 4 else (1,):
                    yield {"method": "DOPRI5", "rtol": float(f"1e-{exponent}"), "atol": float(f"1e-{exponent + wider}")}
            return
        if problem.until > 0.1:
            counts = [max(1, round(c * problem.grid)) for c in (50, 100, 200, 400, 800, 1600, 3200, 6400, 12800)]
        else:
            counts = [25, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800]
        for count in counts:
            for radius in (0.8, 0.95):
                yield {"step": problem.grid / count, "radius": radius}

    def precise(self, step):
        if self.as_tree:
            return {"method": "RK44", "step": step}
        return {"step": step, "radius": 0.9}

    def _options(self, settings, until):
        exu = self.exu
        s = exu.SimulationSettings()
        s.solution.file.write = False
        s.solution.sensors.active = False
        s.timeIntegration.verboseMode = 0
        s.timeIntegration.endTime = until
        s.parallel.numberOfThreads = 1
        if "step" in settings:
            s.timeIntegration.numberOfSteps = max(1, round(until / settings["step"]))
        else:
            s.timeIntegration.numberOfSteps = 1
            s.timeIntegration.initialStepSize = 1e-3 * until
            s.timeIntegration.minimumStepSize = 1e-12 * until
            s.timeIntegration.absoluteTolerance, s.timeIntegration.relativeTolerance = settings["atol"], settings["rtol"]
        if self.as_tree:
            kind = getattr(exu.DynamicSolverType, settings["method"])
        else:
            kind = exu.DynamicSolverType.GeneralizedAlpha
            s.timeIntegration.generalizedAlpha.spectralRadius = settings["radius"]
            s.timeIntegration.newton.useModifiedNewton = True
            s.timeIntegration.adaptiveStep = False
            if self.redundant:
                s.linearSolver.solverType = exu.LinearSolverType.EigenDense
                s.linearSolver.ignoreSingularJacobian = True
            elif len(self.mechanism.bodies) >= SPARSE_FROM:
                s.linearSolver.solverType = exu.LinearSolverType.EigenSparse
        return s, kind

    def simulate(self, settings, until):
        options, kind = self._options(settings, until)
        if not self.mbs.SolveDynamic(options, solverType=kind, showHints=False, showCausingItems=False):
            raise RuntimeError("the solver did not converge")

    def run(self, settings, until):
        import time

        options, kind = self._options(settings, until)
        begin = time.process_time()
        good = self.mbs.SolveDynamic(options, solverType=kind, showHints=False, showCausingItems=False)
        seconds = time.process_time() - begin
        if not good:
            raise RuntimeError("the solver did not converge")
        return seconds

    def sample(self, settings, times):
        found = []
        if "step" not in settings:
            for t in times:
                self.simulate(settings, t)
                found.append(self._state())
        else:
            wanted = [round(t / settings["step"]) for t in times[:-1]]
            begun = [-1]  # steps done when a step begins

            def before(mbs, t):
                begun[0] += 1
                if begun[0] in wanted:
                    found.append(self._state())
                return True

            self.mbs.SetPreStepUserFunction(before)
            try:
                self.simulate(settings, times[-1])
                found.append(self._state())
            finally:
                self.mbs.SetPreStepUserFunction(0)
        return Samples(np.asarray(times), *(np.array([f[k] for f in found]) for k in range(4)))

    def _state(self):
        exu, m = self.exu, self.mechanism
        kind, current = exu.OutputVariableType, exu.ConfigurationType.Current
        if self.as_tree:
            q = np.asarray(self.mbs.GetNodeOutput(self.node, kind.Coordinates, configuration=current))
            v = np.asarray(self.mbs.GetNodeOutput(self.node, kind.Coordinates_t, configuration=current))
            R = m.start().R[0] + np.cumsum(q)
            w = np.cumsum(v)
            r, u = np.zeros((len(R), 2)), np.zeros((len(R), 2))
            p, s = np.array(self.tree[0][2].at, dtype=float), np.zeros(2)
            for k, (_, _, joint) in enumerate(self.tree):
                b, a = m.bodies[k], R[k] - m.bodies[k].rotation
                turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
                arm = turn @ (b.position - joint.at)
                r[k], u[k] = p + arm, s + w[k] * np.array([-arm[1], arm[0]])
                if k + 1 < len(self.tree):
                    arm = turn @ (self.tree[k + 1][2].at - joint.at)
                    p, s = p + arm, s + w[k] * np.array([-arm[1], arm[0]])
            return r, R, u, w
        out = [
            [np.asarray(self.mbs.GetObjectOutputBody(o, k, [0, 0, 0], current)) for o in self.objects]
            for k in (kind.Position, kind.Velocity, kind.AngularVelocity)
        ]
        r, v, w = (np.array(x) for x in out)
        if m.dim == 2:
            R = np.array([self.mbs.GetObjectOutputBody(o, kind.Rotation, [0, 0, 0], current) for o in self.objects])
            turned = R[:, 2] if R.ndim == 2 else R  # without the angle of the drawing
            return r[:, :2], m.start().R[0] + turned, v[:, :2], w[:, 2]
        R = np.array(
            [np.reshape(self.mbs.GetObjectOutputBody(o, kind.RotationMatrix, [0, 0, 0], current), (3, 3)) for o in self.objects]
        )
        return r, R, v, w

    def mass(self):
        if self.as_tree:
            return float(sum(self.mbs.GetObject(self.object)["linkMasses"]))
        return float(sum(self.mbs.GetObject(o)["mass"] for o in self.objects))


def _frame(axis):
    """A right-handed frame whose third axis is the given one."""
    z = np.asarray(axis, dtype=float)
    x = np.linalg.svd(z[None])[2][1]
    return np.column_stack([x, np.cross(z, x), z])
