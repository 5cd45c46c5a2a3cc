"""Pinocchio: it has no integrator, so its Python loop counts, as its users would write it.

Trees (no loops): ``aba`` + SciPy's DOP853. Loops: ``constraintDynamics`` with point closures (two points for a hinge), with
SciPy's DOP853 (Baumgarte Kp = (50/T)², T the duration; proximal μ 1e-4 or 1e-6 with 5 iterations, 1e-8 with 20: found by a
search over the problems without singular poses), and with a classical Runge–Kutta loop of fixed step h (Kp = (0.1/h)², μ 1e-6
or 1e-10, 20 iterations) for the N-four-bar, where DOP853 loses the branch at the singular poses. Joints are added depth first:
in another order Pinocchio is silently wrong. All joint frames are parallel to the ground in the drawing, so that q = 0 is the
drawn pose.
"""

from __future__ import annotations

from math import cos, hypot, sin

import numpy as np

from benchmarks.engines.engine import Engine, Unable
from benchmarks.engines.scipy_ladder import tolerances
from benchmarks.mechanism import GROUND, Samples, relative_spins, space


class Pinocchio(Engine):
    name = "Pinocchio"
    module = "pinocchio"

    def __init__(self, mechanism):
        super().__init__(mechanism)
        import pinocchio as pin

        self.pin, m = pin, mechanism
        self.model = model = pin.Model()
        model.gravity.linear = space(m.gravity)
        tree, self.loops = m.tree()
        self.joint, self.lever, self.parent, origin = {-1: 0}, {}, {}, {-1: np.zeros(3)}
        start = m.start()
        for k, parent, joint in tree:
            body = m.bodies[k]
            origin[k] = space(body.position) if joint is None else space(joint.at)
            place = pin.SE3(np.eye(3), origin[k] - origin[parent])
            self.joint[k] = model.addJoint(self.joint[parent], self._kind(joint), place, body.name)
            R = np.eye(3) if m.dim == 2 else np.asarray(body.rotation)
            J = np.diag([body.inertia] * 3) if m.dim == 2 else np.asarray(body.inertia)
            self.lever[k], self.parent[k] = space(body.position) - origin[k], parent
            model.appendBodyToJoint(self.joint[k], pin.Inertia(body.mass, self.lever[k], R @ J @ R.T), pin.SE3.Identity())
        self.order = [k for k, _, _ in tree]
        self.origin = origin
        self.data = model.createData()
        self.flat = model.nq == model.nv
        self.q0, self.v0 = pin.neutral(model), np.zeros(model.nv)
        spins = relative_spins(m)
        for k, _, joint in tree:
            at = slice(model.idx_vs[self.joint[k]], model.idx_vs[self.joint[k]] + model.nvs[self.joint[k]])
            self.v0[at] = [*start.v[0, k], *spins[k]] if joint is None else spins[k]
        self.torque = self._forces()

    def _kind(self, joint):
        pin = self.pin
        if joint is None:
            if self.mechanism.dim == 2:
                raise Unable("free planar bodies are not used here")
            return pin.JointModelFreeFlyer()
        if self.mechanism.dim == 2:
            return pin.JointModelRZ()
        if joint.axis is None:
            return pin.JointModelSpherical()
        if joint.slides:
            return pin.JointModelPrismaticUnaligned(np.asarray(joint.axis, dtype=float))
        aligned = {(1, 0, 0): pin.JointModelRX, (0, 1, 0): pin.JointModelRY, (0, 0, 1): pin.JointModelRZ}
        found = aligned.get(tuple(float(x) for x in joint.axis))
        return found() if found else pin.JointModelRevoluteUnaligned(np.asarray(joint.axis, dtype=float))

    def _forces(self):
        """Function q → τ of springs and torques; they act on bodies hinged to the ground in the problems at hand."""
        m, index = self.mechanism, self.model.idx_vs
        constant = np.zeros(self.model.nv)
        for t in m.torques:
            if self.parent[m.index[t.body]] != -1:
                raise Unable("torques on bodies that are not hinged to the ground")
            constant[index[self.joint[m.index[t.body]]]] = t.value
        springs = []
        for s in m.springs:
            k = m.index[s.j]
            if s.i != GROUND or self.parent[k] != -1 or m.dim == 3 or s.damping:
                raise Unable("springs and dampers between moving bodies")
            o = self.origin[k]
            springs.append((index[self.joint[k]], *(s.at_i - o[:2]), *(s.at_j - o[:2]), s.stiffness, s.length))
        if not springs:
            return lambda q: constant

        def torque(q):
            tau = constant.copy()
            for at, cx, cy, px, py, k, rest in springs:
                c, s = cos(q[at]), sin(q[at])
                x, y = c * px - s * py, s * px + c * py
                length = hypot(cx - x, cy - y)
                f = k * (length - rest) / length
                tau[at] += f * (x * (cy - y) - y * (cx - x))
            return tau

        return torque

    # settings --------------------------------------------------------------------------------------------------------

    def settings(self, problem):
        if not self.loops:
            yield from tolerances()
            return
        if problem.name.startswith("n-four-bar"):
            for count in (60, 75, 100, 125, 150, 200, 300, 400, 600, 1000, 1500, 2000, 3000):
                for mu in (1e-6, 1e-10):
                    yield {"step": problem.grid / (count * problem.grid), "mu": mu, "iterations": 20, "baumgarte": 0.1}
            return
        for exponent in range(3, 12):
            for mu, iterations in ((1e-4, 5), (1e-6, 5), (1e-8, 20)):
                yield {
                    "method": "DOP853",
                    "rtol": float(f"1e-{exponent}"),
                    "atol": float(f"1e-{exponent + 2}"),
                    "mu": mu,
                    "iterations": iterations,
                    "rate": 50 / problem.until,
                }

    def precise(self, step):
        if not self.loops:
            return {"method": "DOP853", "rtol": 1e-10, "atol": 1e-14}
        return {"step": step, "mu": 1e-10, "iterations": 50, "baumgarte": 0.0}

    # motion ----------------------------------------------------------------------------------------------------------

    def _tree(self, settings, times):
        """States at times by SciPy; for joints that are not plain angles the step is taken on the manifold."""
        from scipy.integrate import solve_ivp

        pin, model, data, n = self.pin, self.model, self.data, self.model.nv
        aba, torque = pin.aba, self.torque

        def flat(t, y):
            q, v = y[:n], y[n:]
            return np.concatenate([v, aba(model, data, q, v, torque(q))])

        def turning(t, y):  # y = (x, v), q = q0 ⊕ x would be singular after a turn: quaternions are integrated as numbers
            q, v = pin.normalize(model, y[: model.nq]), y[model.nq :]
            return np.concatenate([self._rates(q, v), aba(model, data, q, v, torque(q))])

        y0 = np.concatenate([self.q0, self.v0])
        return solve_ivp(flat if self.flat else turning, (0, times[-1]), y0, t_eval=times, **settings).y.T

    def _rates(self, q, v):
        """q̇: of angles v itself, of balls and free bodies by their quaternions."""
        if self.flat:
            return v
        out = np.empty(self.model.nq)
        for j in range(1, self.model.njoints):
            at, to, nq = self.model.idx_qs[j], self.model.idx_vs[j], self.model.nqs[j]
            if nq == 1:
                out[at] = v[to]
                continue
            shift = 3 if nq == 7 else 0
            x, y, z, w = q[at + shift : at + shift + 4]
            a, b, c = v[to + shift : to + shift + 3]
            out[at + shift : at + shift + 4] = (
                0.5 * (w * a + y * c - z * b),
                0.5 * (w * b + z * a - x * c),
                0.5 * (w * c + x * b - y * a),
                -0.5 * (x * a + y * b + z * c),
            )
            if shift:
                R = self.pin.Quaternion(w, x, y, z).toRotationMatrix()
                out[at : at + 3] = R @ v[to : to + 3]
        return out

    def _closures(self, rate):
        pin = self.pin
        models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for joint in self.loops:
            points = [space(joint.at)]
            if joint.axis is not None:
                points.append(points[0] + np.asarray(joint.axis))
            for p in points:
                a, b = (self.mechanism.index[x] for x in (joint.i, joint.j))
                c = pin.RigidConstraintModel(
                    pin.ContactType.CONTACT_3D,
                    self.model,
                    self.joint[a],
                    pin.SE3(np.eye(3), p - self.origin[a]),
                    self.joint[b],
                    pin.SE3(np.eye(3), p - self.origin[b]),
                    pin.ReferenceFrame.LOCAL,
                )
                c.m_baumgarte_parameters.Kp, c.m_baumgarte_parameters.Kd = rate**2, 2 * rate
                models.append(c)
                datas.append(c.createData())
        return models, datas

    def _solver(self, rate, settings):
        """Function (q, v) → v̇ of the constrained tree, with Baumgarte terms of the given rate."""
        pin, model, data, torque = self.pin, self.model, self.data, self.torque
        models, datas = self._closures(rate)
        prox = pin.ProximalSettings(1e-14, settings["mu"], settings["iterations"])
        pin.initConstraintDynamics(model, data, models, datas)
        solve = pin.constraintDynamics
        if self.flat:
            return lambda q, v: solve(model, data, q, v, torque(q), models, datas, prox)
        return lambda q, v: solve(model, data, pin.normalize(model, q), v, torque(q), models, datas, prox)

    def _fixed(self, settings, times):
        """Classical Runge–Kutta with fixed step."""
        h = settings["step"]
        f, rates = self._solver(settings["baumgarte"] / h, settings), self._rates
        q, v, t, found = self.q0.copy(), self.v0.copy(), 0, []
        for until in times:
            count = round(until / h)
            while t < count:
                a1 = f(q, v).copy()
                u1, v2 = rates(q, v), v + 0.5 * h * a1
                q2 = q + 0.5 * h * u1
                a2 = f(q2, v2).copy()
                u2, v3 = rates(q2, v2), v + 0.5 * h * a2
                q3 = q + 0.5 * h * u2
                a3 = f(q3, v3).copy()
                u3, v4 = rates(q3, v3), v + h * a3
                q4 = q + h * u3
                a4 = f(q4, v4)
                q = q + h / 6 * (u1 + 2 * u2 + 2 * u3 + rates(q4, v4))
                v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
                t += 1
            found.append(np.concatenate([q, v]))
        return np.array(found)

    def _loop(self, settings, times):
        if "step" in settings:
            return self._fixed(settings, times)
        from scipy.integrate import solve_ivp

        f, n = self._solver(settings["rate"], settings), self.model.nq

        def derivative(t, y):
            q, v = y[:n], y[n:]
            return np.concatenate([self._rates(q, v), f(q, v)])

        return solve_ivp(
            derivative,
            (0, times[-1]),
            np.concatenate([self.q0, self.v0]),
            t_eval=times,
            method=settings["method"],
            rtol=settings["rtol"],
            atol=settings["atol"],
        ).y.T

    def _motion(self, settings, times):
        return self._loop(settings, times) if self.loops else self._tree(settings, times)

    def simulate(self, settings, until):
        self._motion(settings, [until])

    def sample(self, settings, times):
        y = self._motion(settings, times)
        d = self.mechanism.dim
        plane, s = d == 2, Samples.empty(self.mechanism, times)
        for row, state in enumerate(y):
            q, v = state[: self.model.nq], state[self.model.nq :]
            if not self.flat:
                q = self.pin.normalize(self.model, q)
            self.pin.forwardKinematics(self.model, self.data, q, v)
            angles = {-1: (0.0, 0.0)}
            for k in self.order:
                j = self.joint[k]
                M, V = self.data.oMi[j], self.data.v[j]
                R = np.array(M.rotation)
                s.r[row, k] = (M.translation + R @ self.lever[k])[:d]
                s.v[row, k] = (R @ (V.linear + np.cross(V.angular, self.lever[k])))[:d]
                if plane:
                    at, (a, w) = self.model.idx_vs[j], angles[self.parent[k]]
                    angles[k] = (a + q[at], w + v[at])
                    s.R[row, k], s.w[row, k] = self.mechanism.bodies[k].rotation + angles[k][0], angles[k][1]
                else:
                    s.R[row, k], s.w[row, k] = R @ np.asarray(self.mechanism.bodies[k].rotation), R @ V.angular
        return s

    def mass(self):
        return float(self.pin.computeTotalMass(self.model))

    def energy(self):
        return float(
            self.pin.computeKineticEnergy(self.model, self.data, self.q0, self.v0)
            + self.pin.computePotentialEnergy(self.model, self.data, self.q0)
        )
