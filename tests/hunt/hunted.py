"""What the hunt asks: a question each, answered by two routes.  Functions take (seed, rng, told) and return an outcome."""

import numpy as np
from random_mechanisms import body, joint, mechanism, state, unit

import dalembert as da
from dalembert.algebra.rotations import apart
from dalembert.results.motion import State
from dalembert.results.trust.scales import scales

FAR = 10.0
ROUTES = (("rk8", "augmented"), ("rk8", "embedded"), ("rk8", "recursive"), ("rk5", "augmented"), ("rk5", "embedded"),
          ("rk5", "recursive"), ("auto", "auto"), ("radau", "augmented"), ("alpha", "augmented"))
FINEST = {"alpha": -5, "radau": -8, "rk5": -8}
STEPS = 10_000


def route(rng):
    integrator, form = ROUTES[rng.integers(len(ROUTES))]
    rtol = 10.0 ** rng.integers(FINEST.get(integrator, -9), -2)
    return {"integrator": integrator, "formulation": form, "rtol": float(rtol), "atol": float(1e-3 * rtol)}


def differences(a, b):
    """Per body: position, rotation, velocity, omega over the samples."""
    for name in a.system.bodies:
        x, y = a[name], b[name]
        turn = np.abs(x.angle - y.angle) if a.system.dim == 2 else apart(x.quaternion, y.quaternion)
        spin = x.omega - y.omega
        yield name, {"position": np.linalg.norm(x.position - y.position, axis=1), "rotation": turn,
                     "velocity": np.linalg.norm(x.velocity - y.velocity, axis=1),
                     "omega": np.abs(spin) if spin.ndim == 1 else np.linalg.norm(spin, axis=1)}


def compared(a, b, told, words, own=None):
    """Whether two motions agree within FAR times the sum of their estimates; ``own``: what b is known to."""
    e, f = a.certificate.error_estimate, b.certificate.error_estimate
    trusted = min([a.t[-1], *(x.trusted for x in (e, f) if x is not None and x.trusted is not None)])
    use = a.t <= trusted
    worst = (0.0, "")
    for name, found in differences(a, b):
        for quantity, x in found.items():
            sure = getattr(e[name], quantity) + (getattr(f[name], quantity) if f is not None else own[quantity])
            over = np.where(use & np.isfinite(sure), x / sure, 0.0)
            k = int(np.argmax(over))
            said = f"{quantity} of {name} at t = {a.t[k]:.4g}: {x[k]:.2e} apart, estimates {sure[k]:.2e}"
            worst = max(worst, (float(over[k]), said))
    told.append(f"{words}: {worst[1]} ({worst[0]:.2g})")
    return worst[0] <= FAR


def motion(seed, rng, told):
    """Two verified runs by different routes."""
    model = mechanism(seed)
    w = state(model, seed)
    if w is None:
        return "skipped"
    at = State(model, w.system, float(w.t[0]), w.q.copy(), w.v.copy())
    told.append(f"mechanism({seed}), state(…, {seed})")
    return twice(model, at, float(rng.choice([0.3, 1.0])), rng, told)


def redundant(seed, rng, told):
    """The same for mechanisms with more constraints than they need."""
    model = redundant_mechanism(seed)
    told.append(f"redundant_mechanism({seed})")
    return twice(model, da.assemble(model), float(rng.choice([0.1, 0.5])), rng, told)


def twice(model, at, span, rng, told):
    answers, words = [], []
    for _ in range(2):
        options = route(rng)
        words.append(" ".join(str(x) for x in options.values()))
        told.append(f"from {at.t:g} over {span:g} s by {words[-1]}")
        answers.append(da.simulate(model, None, times=np.linspace(at.t, at.t + span, 31), start=at.t, state=at, verify=True,
                                   max_steps=STEPS, **options))
    return judged(answers, told, lambda: compared(*answers, told, " | ".join(words)))


def judged(answers, told, agree):
    """Doubted, or the verdict."""
    doubts = [d for a in answers for d in a.certificate.doubts()]
    if agree():
        return "agrees"
    told += doubts
    return "doubted" if doubts else "FAILED"


# --------------------------------------------------------------------------------------------------------------- redundant


def redundant_mechanism(seed):
    """Linkages of hinges in space: a four-bar in a plane, a parallelogram with cranks to spare, a Sarrus linkage.

    Axes lie along those of the ground, or are turned at random.
    """
    rng = np.random.default_rng(seed + 70_000)
    A = np.eye(3)
    if rng.random() < 0.5:
        A = np.linalg.qr(rng.standard_normal((3, 3)))[0]
        A *= np.sign(np.linalg.det(A))
    m = da.Model(f"redundant {seed}", dim=3, gravity=tuple(rng.uniform(-10, 10, 3).tolist()))

    def at(*x):
        return tuple((A @ np.array(x, float)).tolist())

    def hinge(name, i, j, point, axis):
        m.add(da.Revolute(name, i, j, at=at(*point), axis=at(*axis)))

    kind = seed % 3
    if kind == 0:  # four-bar: three rows too many
        p = [(0, 0, 0), (0, float(rng.uniform(0.2, 0.4)), 0), (1, float(rng.uniform(0.6, 0.9)), 0), (1, 0, 0)]
        for name, i, j in (("crank", 0, 1), ("rod", 1, 2), ("lever", 3, 2)):
            m.add(da.Body.rod(name, at(*p[i]), at(*p[j]), mass=float(rng.uniform(0.5, 2))))
        ends = ("ground", "crank"), ("crank", "rod"), ("rod", "lever"), ("ground", "lever")
        for name, (i, j), point in zip("ABCD", ends, p, strict=True):
            hinge(name, i, j, point, (0, 0, 1))
        m.initial("A", rate=float(rng.uniform(-4, 4)))
    elif kind == 1:  # a platform on parallel cranks
        tip = np.array([rng.uniform(-0.5, 0.5), 1.0, 0.0])
        m.add(da.Body("platform", mass=2.0, inertia=(0.2, 0.3, 0.4), position=at(*(tip + np.array([0.5, 0.1, 0.0])))))
        for k in range(int(rng.integers(2, 5))):
            foot = np.array([k, 0.0, rng.uniform(-1, 1)])
            m.add(da.Body.rod(f"crank {k}", at(*foot), at(*(foot + tip)), mass=1.0))
            hinge(f"A{k}", "ground", f"crank {k}", foot, (0, 0, 1))
            hinge(f"B{k}", f"crank {k}", "platform", foot + tip, (0, 0, 1))
        m.initial("A0", rate=float(rng.uniform(-3, 3)))
    else:  # Sarrus: a plate that can only go up and down
        height = float(rng.uniform(0.4, 1.2))
        out = np.sqrt(0.49 - 0.25 * height**2) if height < 1.3 else 0.1
        m.add(da.Body("plate", mass=2.0, inertia=(0.1, 0.1, 0.2), position=at(0, 0, height)))
        for k in range(int(rng.integers(2, 5))):
            angle = k * np.pi / 2
            d, axis = np.array([np.cos(angle), np.sin(angle), 0.0]), np.array([-np.sin(angle), np.cos(angle), 0.0])
            a, b, c = 0.5 * d, (0.5 + out) * d + (0, 0, 0.5 * height), 0.5 * d + (0, 0, height)
            m.add(da.Body.rod(f"low {k}", at(*a), at(*b), mass=1.0))
            m.add(da.Body.rod(f"high {k}", at(*b), at(*c), mass=1.0))
            hinge(f"A{k}", "ground", f"low {k}", a, axis)
            hinge(f"B{k}", f"low {k}", f"high {k}", b, axis)
            hinge(f"C{k}", f"high {k}", "plate", c, axis)
    return m


# ------------------------------------------------------------------------------------------------------------------ driven


def driven_mechanism(seed):
    """A tree of hinges and sliders, all driven; in the plane two links more close a loop."""
    rng = np.random.default_rng(seed + 50_000)
    dim = 2 + seed % 2
    m = da.Model(f"driven {seed}", dim=dim, gravity=tuple(rng.uniform(-10, 10, dim).tolist()))
    names = [f"b{k}" for k in range(int(rng.integers(1, 5)))]
    for name in names:
        m.add(body(rng, name, dim))
    for k, name in enumerate(names):
        before = names[int(rng.integers(k))] if k and rng.random() < 0.8 else "ground"
        kind = str(rng.choice(("Revolute", "Revolute", "Prismatic")))
        m.add(joint(rng, kind, f"J{k}", before, name, dim))
    if dim == 2 and rng.random() < 0.6:  # a dyad between the last body and the ground
        p, q = rng.uniform(-1, 1, 2), rng.uniform(2, 3, 2)
        elbow = 0.5 * (p + q) + 2.0 * np.array([p[1] - q[1], q[0] - p[0]]) / np.linalg.norm(p - q)
        m.add(da.Body.rod("link", tuple(p.tolist()), tuple(elbow.tolist()), mass=1.0))
        m.add(da.Body.rod("rocker", tuple(elbow.tolist()), tuple(q.tolist()), mass=1.5))
        m.add(da.Revolute("P", names[-1], "link", at=tuple(p.tolist())))
        m.add(da.Revolute("E", "link", "rocker", at=tuple(elbow.tolist())))
        m.add(da.Revolute("Q", "ground", "rocker", at=tuple(q.tolist())))
    for k in range(len(names)):
        m.add(da.Drive(f"D{k}", f"J{k}", f"{rng.uniform(0.1, 0.3):.3f}*sin({rng.uniform(0.5, 4):.3f}*t)"))
    if rng.random() < 0.6:
        m.add(da.Spring("spring", "ground", names[-1], at_i=tuple(rng.uniform(2, 3, dim).tolist()),
                        on_j=tuple(rng.uniform(-1, 1, dim).tolist()), stiffness=30.0, damping=2.0, length=0.5))
    return m


def driven(seed, rng, told):
    model = driven_mechanism(seed)
    times = np.linspace(0.0, 1.0, 21)
    told.append(f"driven_mechanism({seed})")
    kin = da.kinematics(model, times=times)
    options = route(rng)
    run = da.simulate(model, None, times=times, verify=True, max_steps=STEPS, **options)
    told.append(" ".join(str(x) for x in options.values()))
    size = scales(run)
    own = {"position": 1e-9 * size.length, "rotation": 1e-9, "velocity": 1e-8 * size.speed,
           "omega": 1e-8 * size.speed / size.length}
    good = compared(run, kin, told, "kinematics", own)
    one, two = (da.inverse_dynamics(model, times=times, method=m) for m in ("constraints", "simultaneous"))
    e = run.certificate.error_estimate
    loose = 10.0 * (e.most("position")[0] / size.length + e.most("rotation")[0]
                    + max(e.most("velocity")[0], size.length * e.most("omega")[0]) / size.speed) + 1e-7
    for name, other, limit in (("simultaneous", two, 1e-7), ("simulation", run, FAR * loose)):
        for label in [n for n, x in model.elements.items() if x.kind in ("drive", "joint")]:
            a, b = one[label], other[label]
            parts = [k for k in ("force", "torque") if getattr(type(a), k, None) is not None]
            for part in parts:
                try:
                    x, y = np.asarray(getattr(a, part)), np.asarray(getattr(b, part))
                except da.AnalysisError:
                    continue  # this drive has the other one
                mass = float(run.system.tables.bodies["mass"].sum())
                scale = size.acceleration * mass * (size.length if part == "torque" else 1.0)
                off = float(np.abs(x - y).max()) / scale
                if not off <= limit:
                    told.append(f"inverse dynamics and {name}: {part} of {label} {off:.1e} of {scale:.3g} apart ({limit:.1e})")
                    good = False
    return judged([run, kin, one, two], told, lambda: good)


# -------------------------------------------------------------------------------------------------------------------- rest


def sprung_mechanism(seed):
    """A tree of hinges and sliders with a spring in each, in gravity; no dampers when the seed is even."""
    rng = np.random.default_rng(seed + 90_000)
    dim = 2 + (seed // 2) % 2
    m = da.Model(f"sprung {seed}", dim=dim, gravity=tuple(rng.uniform(-10, 10, dim).tolist()))
    names = [f"b{k}" for k in range(int(rng.integers(1, 6)))]
    damping = 0.0 if seed % 2 == 0 else 0.5
    for name in names:
        m.add(body(rng, name, dim))
    for k, name in enumerate(names):
        before = names[int(rng.integers(k))] if k and rng.random() < 0.8 else "ground"
        m.add(joint(rng, "Revolute", f"J{k}", before, name, dim))
        m.add(da.TorsionSpring(f"S{k}", f"J{k}", stiffness=float(rng.uniform(20, 80)), damping=damping))
    if rng.random() < 0.5:
        m.add(da.Spring("spring", "ground", names[-1], at_i=tuple((3.0 * np.array(unit(rng, dim))).tolist()),
                        on_j=tuple(rng.uniform(-0.5, 0.5, dim).tolist()), stiffness=float(rng.uniform(5, 50)), damping=damping,
                        length=0.5))
    return m, names


def shuffled(model, rng):
    """The same model, its elements in another order."""
    other = model.copy()
    items = list(other.elements.items())
    joints = [x for x in items if x[1].kind == "joint"]
    rest = [x for x in items if x[1].kind != "joint"]
    other.elements = dict([joints[k] for k in rng.permutation(len(joints))] + [rest[k] for k in rng.permutation(len(rest))])
    return other


def rest(seed, rng, told):
    model, names = sprung_mechanism(seed)
    told.append(f"sprung_mechanism({seed})")
    found = da.equilibrium(model)
    good = True

    def claim(x, limit, words):
        nonlocal good
        told.append(f"{words}: {x:.1e} (limit {limit:.0e})")
        good = good and bool(x <= limit)

    options = route(rng)
    still = State(model, found.system, found.t, found.q, np.zeros_like(found.v))
    run = da.simulate(model, 0.5, step=0.05, state=still, verify=True, max_steps=STEPS, **options)
    size = scales(run)
    rigid = max(1.0, float(np.abs(found.eigenvalues).max()))
    softest = max(float(np.abs(found.eigenvalues).min()), 1e-6 * rigid)
    left = 1e-9 * rigid / softest * size.length + 10 * options["atol"]
    for name, d in differences(run, _constant(run)):
        e = run.certificate.error_estimate[name]
        claim(float((d["position"] / (FAR * (e.position + left))).max()), 1.0, f"{name} moves away from the equilibrium")
    lin, other = da.linearize(model, at=found), da.linearize(shuffled(model, rng), at=found)
    scale = float(np.abs(lin.eigenvalues).max(initial=1e-300))
    claim(float(np.abs(_nearest(lin.eigenvalues, other.eigenvalues)).max(initial=0.0)) / scale, 1e-6, "linearize, other order")
    if seed % 2 == 0:  # no dampers: squared frequencies
        squares = np.sort((-(lin.eigenvalues**2)).real)[::2]
        claim(float(np.abs(squares - np.sort(found.eigenvalues)).max(initial=0.0)) / float(np.abs(found.eigenvalues).max()), 1e-6,
              "linearize and stiffness")
    held, driven_ = model.copy(), model.copy()
    for k in range(len(names)):
        held.add(da.Motor(f"M{k}", f"J{k}", 0.0))
        driven_.add(da.Drive(f"D{k}", f"J{k}", "0"))
    h = da.hold(held, [f"M{k}" for k in range(len(names))])
    inv = da.inverse_dynamics(driven_, 0.1, step=0.1)
    torque = np.array([np.atleast_1d(inv[f"D{k}"].torque)[0] for k in range(len(names))])
    values = np.array([h.values[f"M{k}"] for k in range(len(names))])
    claim(float(np.abs(values - torque).max()) / float(np.abs(torque).max() + 1.0), 1e-8, "hold and inverse dynamics")
    return judged([run], told, lambda: good)


def _constant(run):
    """The first sample at all times."""
    from dalembert.results.run import Run

    n = len(run.t)
    return Run(run.model, run.system, run.t, np.tile(run.q[0], (n, 1)), np.zeros_like(run.v), np.zeros((n, 3)), run.stats,
               "complete", "complete")


def _nearest(a, b):
    """Differences of two sets of eigenvalues, each to its nearest partner (which is used up)."""
    b, out = list(b), []
    for x in a:
        k = int(np.argmin([abs(x - y) for y in b]))
        out.append(x - b.pop(k))
    return np.array(out)
