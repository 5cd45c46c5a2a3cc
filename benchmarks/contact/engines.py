"""Every engine behind the same three calls: ``step(n)``, ``poses()`` → positions, turns, velocities of the moving solids, ``h``.

Settings are those that served each engine best on the scene (1/240 s with 50 iterations for Bullet; elliptic cones and conjugate
gradients at 1/240 s for MuJoCo; 1/120 s with Coulomb friction per point for Rapier).
"""

from __future__ import annotations

import numpy as np


class Dalembert:
    """Detections of 1/120 s for cubes of 0.5 m, four substeps each; ``freeze`` in s."""

    name, package = "dalembert", "dalembert"

    def __init__(self, scene, sleep=False, h=None):
        import dalembert as da
        from dalembert.analyses.simulation.touching import Stepping, chosen

        m = da.Model("bench", gravity=scene.gravity)
        for s in scene.solids:
            shape = da.Sphere(s.size[0]) if s.kind == "sphere" else da.Box(tuple(2 * np.array(s.size)))
            if s.mass == 0.0:
                m.add(da.Fixture(s.name, shapes=[shape], position=s.position, rotation=s.turn))
            else:
                m.add(da.Body.from_shape(s.name, shape, mass=s.mass, position=s.position, rotation=s.turn, velocity=s.velocity))
        m.add(da.Contact("touch", "all", "all", friction=scene.friction, restitution=scene.restitution))
        state = da.assemble(m)
        self.h = h or 1 / 120
        options = {"contact": chosen({"freeze": 0.5 if sleep else 0.0}), "fixed_step": self.h / 4, "max_step": None, "start": 0.0,
                   "told": ()}
        self.stepping = Stepping(m, state.system, np.array([0.0, 1e6]), options)
        self.scene = self.stepping.scene
        self.scene.enter(0.0, state.q, state.v)
        self.residual = 0.0

    def step(self, n):
        for _ in range(n):
            if self.scene.advance(1, self.h / 4):
                raise RuntimeError("stopped")
        self.residual = float(max(self.scene.report.normal, self.scene.report.tangential))

    def poses(self):
        n, a = self.scene.nb, self.scene.arrays
        return (a["x"].reshape(-1, 3)[:n].copy(), a["e"].reshape(-1, 4)[:n].copy(), a["v"].reshape(-1, 6)[:n, :3].copy())

    def put(self, positions, turns, velocities, spins):
        s = self.scene.system
        q, v = np.zeros(s.nq), np.zeros(s.nv)
        s.each_q(q)[:, :3], s.each_q(q)[:, 3:] = positions, turns
        s.each_v(v)[:, :3] = velocities
        self.scene.enter(0.0, q, v)
        self.scene.arrays["v"].reshape(-1, 6)[:self.scene.nb, 3:] = spins

    def spins(self):
        return self.scene.arrays["v"].reshape(-1, 6)[:self.scene.nb, 3:].copy()


class Mujoco:
    name, package = "MuJoCo", "mujoco"

    def __init__(self, scene, sleep=False, h=None, solver="CG"):
        import mujoco

        self.api, self.h = mujoco, h or 1 / 240
        lines = [f'<mujoco><option timestep="{self.h!r}" cone="elliptic" solver="{solver}" impratio="10" '
                 f'gravity="{" ".join(map(repr, map(float, scene.gravity)))}"/><size memory="1G"/><worldbody>']
        for k, s in enumerate(scene.solids):
            size = " ".join(repr(float(x)) for x in s.size)
            geom = (f'<geom type="{s.kind}" size="{size}" friction="{scene.friction} 0 0" condim="3"'
                    + (f' mass="{s.mass!r}"' if s.mass else "") + "/>")
            at, turn = (" ".join(repr(float(x)) for x in y) for y in (s.position, s.turn))
            free = "<freejoint/>" if s.mass else ""
            lines.append(f'<body name="b{k}" pos="{at}" quat="{turn}">{free}{geom}</body>')
        self.model = mujoco.MjModel.from_xml_string("".join(lines) + "</worldbody></mujoco>")
        if scene.restitution:  # it has none: stiffness and damping that bounce alike
            rate = -2 * np.log(scene.restitution) / np.sqrt(np.pi**2 + np.log(scene.restitution) ** 2)
            self.model.geom_solref[:] = -1e5, -2 * np.sqrt(1e5) * rate / 2
        self.data = mujoco.MjData(self.model)
        self.n = len(scene.moving)
        v = self.data.qvel.reshape(self.n, 6)
        v[:, :3] = [s.velocity for s in scene.moving]

    def step(self, n):
        for _ in range(n):
            self.api.mj_step(self.model, self.data)

    def poses(self):
        q, v = self.data.qpos.reshape(self.n, 7), self.data.qvel.reshape(self.n, 6)
        return q[:, :3].copy(), q[:, 3:].copy(), v[:, :3].copy()

    def put(self, positions, turns, velocities, spins):
        from benchmarks.contact.depth import matrices

        q, v = self.data.qpos.reshape(self.n, 7), self.data.qvel.reshape(self.n, 6)
        q[:, :3], q[:, 3:], v[:, :3] = positions, turns, velocities
        v[:, 3:] = np.einsum("nij,ni->nj", matrices(turns), spins)  # its own axes


class Bullet:
    name, package = "Bullet", "pybullet"

    def __init__(self, scene, sleep=False, h=None):
        import pybullet as p

        self.api, self.h = p, h or 1 / 240
        self.client = p.connect(p.DIRECT)
        p.resetSimulation()
        p.setGravity(*scene.gravity)
        p.setPhysicsEngineParameter(fixedTimeStep=self.h, numSolverIterations=50, numSubSteps=0)
        self.bodies = []
        for s in scene.solids:
            shape = (p.createCollisionShape(p.GEOM_SPHERE, radius=s.size[0]) if s.kind == "sphere"
                     else p.createCollisionShape(p.GEOM_BOX, halfExtents=s.size))
            body = p.createMultiBody(s.mass, shape, basePosition=s.position, baseOrientation=(*s.turn[1:], s.turn[0]),
                                     useMaximalCoordinates=True)
            p.changeDynamics(body, -1, lateralFriction=np.sqrt(scene.friction), restitution=np.sqrt(scene.restitution),
                             rollingFriction=0, spinningFriction=0, linearDamping=0, angularDamping=0,
                             activationState=p.ACTIVATION_STATE_ENABLE_SLEEPING if sleep
                             else p.ACTIVATION_STATE_DISABLE_SLEEPING)
            if s.mass:
                p.resetBaseVelocity(body, s.velocity, (0, 0, 0))
                self.bodies.append(body)

    def step(self, n):
        for _ in range(n):
            self.api.stepSimulation()

    def poses(self):
        at = [self.api.getBasePositionAndOrientation(b) for b in self.bodies]
        v = [self.api.getBaseVelocity(b)[0] for b in self.bodies]
        q = np.array([a[1] for a in at])
        return np.array([a[0] for a in at]), q[:, [3, 0, 1, 2]], np.array(v)

    def put(self, positions, turns, velocities, spins):
        for k, b in enumerate(self.bodies):
            self.api.resetBasePositionAndOrientation(b, positions[k], (*turns[k][1:], turns[k][0]))
            self.api.resetBaseVelocity(b, velocities[k], spins[k])


class Rapier:
    name, package = "Rapier", "rapier3d"

    def __init__(self, scene, sleep=False, h=None, coulomb=True):
        import rapier3d as r

        self.api, self.h = r, h or 1 / 120
        self.world = w = r.PhysicsWorld(gravity=tuple(scene.gravity))
        w.set_num_threads(1)
        w.integration_parameters.dt = self.h
        if coulomb:
            w.integration_parameters.friction_model = r.FrictionModel.COULOMB
        self.handles = []
        for s in scene.solids:
            place = r.Isometry3(translation=tuple(map(float, s.position)), rotation=r.Rotation3(*map(float, s.turn)))
            maker = r.RigidBody.dynamic() if s.mass else r.RigidBody.fixed()
            body = maker.position(place).linvel(tuple(map(float, s.velocity))).can_sleep(sleep)
            handle = w.rigid_bodies.insert(body.build())
            shape = r.Collider.ball(s.size[0]) if s.kind == "sphere" else r.Collider.cuboid(*map(float, s.size))
            shape = shape.friction(scene.friction).restitution(scene.restitution)
            if s.mass:
                shape = shape.mass(float(s.mass))
                self.handles.append(handle)
            w.colliders.insert_with_parent(shape.build(), handle, w.rigid_bodies)

    def step(self, n):
        for _ in range(n):
            self.world.step()

    def poses(self):
        b = [self.world.rigid_bodies[h] for h in self.handles]
        turn = np.array([x.rotation.to_tuple() for x in b])[:, [3, 0, 1, 2]]  # (x, y, z, w) there
        return (np.array([x.translation.to_tuple() for x in b]), turn, np.array([x.linvel.to_tuple() for x in b]))

    def put(self, positions, turns, velocities, spins):
        r = self.api
        for k, h in enumerate(self.handles):
            b = self.world.rigid_bodies[h]
            b.position = r.Isometry3(translation=tuple(map(float, positions[k])), rotation=r.Rotation3(*map(float, turns[k])))
            b.linvel, b.angvel = tuple(map(float, velocities[k])), tuple(map(float, spins[k]))


class FineRapier(Rapier):
    """As near to the others' depths as was found: half the step, stiffer contacts, 0.2 mm allowed (twice as many iterations, and
    springs twice as stiff again, cost half as much more and go no less deep)."""

    def __init__(self, scene, sleep=False, h=None, coulomb=True):
        super().__init__(scene, sleep, h or 1 / 240, coulomb)
        p = self.world.integration_parameters
        p.normalized_allowed_linear_error = 2e-4
        p.contact_softness, p.static_contact_softness = (self.api.SpringCoefficients(f, 10.0) for f in (240.0, 480.0))


FINE = {"Rapier": FineRapier}
ENGINES = {e.name: e for e in (Dalembert, Mujoco, Bullet, Rapier)}
