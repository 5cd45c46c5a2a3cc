"""MuJoCo: RK4 with fixed step, where a problem is stiff also its implicit Euler, the whole loop in C (``mj_step`` with nstep);
contacts off.

Loops are ``connect`` equalities (two points for a hinge): soft springs by design, made as stiff as allowed (solref time constant
2 h and 4 h, damping ratio 1; solimp 0.9999: the best of a search on Bricard).  Models are built with MjSpec (deep chains
overflow the XML reader).  Springs are tendons.
"""

from __future__ import annotations

import numpy as np

from benchmarks.engines.engine import Engine
from benchmarks.mechanism import GROUND, Samples, relative_spins, space


class Mujoco(Engine):
    name = "MuJoCo"
    module = "mujoco"

    def __init__(self, mechanism):
        super().__init__(mechanism)
        import mujoco

        self.mj, m = mujoco, mechanism
        spec = mujoco.MjSpec()
        spec.compiler.degree = False
        spec.option.gravity = space(m.gravity)
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
        spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
        tree, loops = m.tree()
        self.parents = {k: parent for k, parent, _ in tree}
        self.order = [k for k, _, _ in tree]
        bodies, origin = {-1: spec.worldbody}, {-1: np.zeros(3)}
        for k, parent, joint in tree:
            b = m.bodies[k]
            origin[k] = space(b.position) if joint is None else space(joint.at)
            J = np.diag([b.inertia] * 3) if m.dim == 2 else np.asarray(b.rotation) @ b.inertia @ np.asarray(b.rotation).T
            body = bodies[parent].add_body(
                name=b.name,
                pos=origin[k] - origin[parent],
                mass=b.mass,
                ipos=space(b.position) - origin[k],
                explicitinertial=True,
                fullinertia=[J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]],
            )
            if joint is None:
                body.add_freejoint()
            elif m.dim == 2:
                body.add_joint(name=joint.name, type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])
            elif joint.axis is None:
                body.add_joint(name=joint.name, type=mujoco.mjtJoint.mjJNT_BALL)
            else:
                kind = mujoco.mjtJoint.mjJNT_SLIDE if joint.slides else mujoco.mjtJoint.mjJNT_HINGE
                body.add_joint(name=joint.name, type=kind, axis=joint.axis)
            bodies[k] = body
        index = m.index
        for joint in loops:
            points = [space(joint.at)] if joint.axis is None else [space(joint.at), space(joint.at) + joint.axis]
            for n, point in enumerate(points):
                i, j = (joint.j, joint.i) if joint.i == GROUND else (joint.i, joint.j)
                e = spec.add_equality(
                    name=f"{joint.name} {n}",
                    type=mujoco.mjtEq.mjEQ_CONNECT,
                    name1=i,
                    name2="world" if j == GROUND else j,
                    objtype=mujoco.mjtObj.mjOBJ_BODY,
                )
                e.data[0:3] = point - origin[index[i]]
                e.solimp[:] = (0.9999, 0.9999, 0.001, 0.5, 2)
        for s in m.springs:
            tendon = spec.add_tendon(name=s.name, stiffness=s.stiffness, damping=s.damping, springlength=[s.length, s.length])
            for end, body, at in (("i", s.i, s.at_i), ("j", s.j, s.at_j)):
                bodies[index[body]].add_site(name=f"{s.name} {end}", pos=space(at) - origin[index[body]])
                tendon.wrap_site(f"{s.name} {end}")
        self.loops = loops
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self.ids = [mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, b.name) for b in m.bodies]
        self.joints = {k: int(self.model.body_jntadr[self.ids[k]]) for k in self.order}
        self.v0 = self._speeds(tree)
        self.applied = np.zeros(self.model.nv)
        for t in m.torques:
            self.applied[self.model.jnt_dofadr[self.joints[index[t.body]]]] = t.value

    def _speeds(self, tree):
        start, v = self.mechanism.start(), np.zeros(self.model.nv)
        spins = relative_spins(self.mechanism)
        for k, _, joint in tree:
            at = self.model.jnt_dofadr[self.joints[k]]
            found = [*start.v[0, k], *spins[k]] if joint is None else np.atleast_1d(spins[k])
            v[at : at + len(found)] = found
        return v

    def settings(self, problem):
        counts = (
            (15, 25, 40, 60, 100, 150, 250, 400, 600, 1000, 1600, 2500, 4000, 6000, 10000)
            if problem.until > 0.1
            else tuple(n / problem.grid for n in (12, 25, 50, 100, 200, 400, 800, 1600, 3200, 6400))
        )
        for count in (*counts, 20000, 40000, 80000, 160000, 320000) if problem.stiff else counts:
            n = max(1, round(problem.grid * count))
            if problem.stiff:
                yield {"step": problem.grid / n, "method": "implicit"}
            for stiff in (2.0, 4.0) if self.loops else (0.0,):
                yield {"step": problem.grid / n, "solref/h": stiff} if stiff else {"step": problem.grid / n}

    def _reset(self, settings):
        mj, model, h = self.mj, self.model, settings["step"]
        model.opt.timestep = h
        kind = mj.mjtIntegrator.mjINT_IMPLICIT if settings.get("method") == "implicit" else mj.mjtIntegrator.mjINT_RK4
        model.opt.integrator = kind
        model.opt.tolerance = 1e-14
        for k in range(model.neq):
            model.eq_solref[k] = (settings.get("solref/h", 2.0) * h, 1.0)
        mj.mj_resetData(model, self.data)
        self.data.qvel[:], self.data.qfrc_applied[:] = self.v0, self.applied

    def simulate(self, settings, until):
        self._reset(settings)
        self.mj.mj_step(self.model, self.data, round(until / settings["step"]))

    def sample(self, settings, times):
        self._reset(settings)
        mj, model, data, m = self.mj, self.model, self.data, self.mechanism
        plane, d = m.dim == 2, m.dim
        s = Samples.empty(m, times)
        done, speed = 0, np.zeros(6)
        for row, t in enumerate(times):
            count = round(t / settings["step"])
            mj.mj_step(model, data, count - done)
            done = count
            if abs(data.time - t) > 0.5 * settings["step"]:
                raise RuntimeError("MuJoCo found the simulation unstable and started it again")
            mj.mj_fwdPosition(model, data)
            mj.mj_fwdVelocity(model, data)
            angles = {-1: (0.0, 0.0)}
            for k in self.order:
                i = self.ids[k]
                mj.mj_objectVelocity(model, data, mj.mjtObj.mjOBJ_BODY, i, speed, 0)
                s.r[row, k], s.v[row, k] = data.xipos[i][:d], speed[3 : 3 + d]
                if plane:
                    at, (a, w) = self.joints[k], angles[self.parents[k]]
                    angles[k] = (a + data.qpos[model.jnt_qposadr[at]], w + data.qvel[model.jnt_dofadr[at]])
                    s.R[row, k], s.w[row, k] = m.bodies[k].rotation + angles[k][0], angles[k][1]
                else:
                    s.R[row, k] = data.xmat[i].reshape(3, 3) @ np.asarray(m.bodies[k].rotation)
                    s.w[row, k] = speed[:3]
        return s

    def mass(self):
        return float(self.model.body_mass.sum())

    def energy(self):
        self._reset({"step": 1e-4})
        self.mj.mj_forward(self.model, self.data)
        self.mj.mj_energyPos(self.model, self.data)
        self.mj.mj_energyVel(self.model, self.data)
        springs = 0.0
        for k in range(self.model.ntendon):
            lengthening = self.data.ten_length[k] - self.model.tendon_lengthspring[k, 0]
            springs += 0.5 * float(self.model.tendon_stiffness[k]) * lengthening**2
        return float(self.data.energy.sum()) - springs
