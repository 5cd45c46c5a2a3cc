"""What begins to slide as its load grows, and what comes to rest by bounces that are summed, against closed forms."""

import math

import numpy as np
import pytest

import dalembert as da

G = 9.81


@pytest.mark.parametrize(("unit", "seed"), [(1.0, 0), (1.0, 1), (1e-3, 2), (30.0, 3)])
def test_a_box_is_pulled_away_in_any_direction_at_any_tolerance(unit, seed):
    """F = c t lets go at μ m g/c, whatever of it rounding leaves; then m x = c (t − t₀)³/6."""
    random = np.random.default_rng(seed)
    for _ in range(4):
        mu, rate, way, x = (random.uniform(*r) for r in ((0.1, 1.0), (5.0, 50.0), (-math.pi, math.pi), (-9.0, 9.0)))
        m = da.Model("pulled", gravity=(0, 0, -G * unit))
        m.ground.shapes = [da.HalfSpace((0, 0, 1))]
        m.add(da.Body("b", mass=1.0, inertia=tuple(unit**2 * np.array([0.02, 0.02, 0.03])), position=(x * unit, 0, 0.1 * unit),
                      shapes=[da.Box(tuple(unit * np.array([0.4, 0.4, 0.2])))]))
        m.add(da.Contact("c", "ground", "b", friction=mu))
        pull = [f"{rate * unit * f!r}*t" for f in (math.cos(way), math.sin(way))]
        m.add(da.Force("p", "b", components=(*pull, 0.0), on=(0, 0, 0)))
        run = da.simulate(m, times=[mu * G / rate + 0.1], contact="events", rtol=1e-11, atol=1e-14 * unit, max_steps=5000)
        gone = run["b"].position[-1] - [x * unit, 0, 0.1 * unit]
        far = rate * unit * 0.1**3 / 6
        assert gone == pytest.approx([far * math.cos(way), far * math.sin(way), 0.0], abs=1e-9 * unit)


def bounced(x, h, vx, spin, pull, press, mu, e, ratio, radius, end):
    """A ball (unit mass, J = ratio r²) over y = 0 under (pull, −press): x, ω at the end; bounces one by one, then sliding, then
    rolling."""
    vy, t = 0.0, 0.0
    fall = math.sqrt(2.0 * h / press)
    while True:
        t, x, vx, vy = t + fall, x + vx * fall + 0.5 * pull * fall**2, vx + pull * fall, vy - press * fall
        normal, rub = -(1.0 + e) * vy, vx + radius * spin
        across = -rub / (1.0 + 1.0 / ratio)
        across = across if abs(across) <= mu * normal else -math.copysign(mu * normal, rub)
        vx, spin, vy = vx + across, spin + across / (ratio * radius), -e * vy
        fall = 2.0 * vy / press
        if fall < 1e-18:
            break
    rub = vx + radius * spin
    if abs(rub) > 1e-12:
        f = -math.copysign(mu * press, rub)
        lasts = min(end - t, -rub / (pull + f * (1.0 + 1.0 / ratio)))
        assert lasts > 0.0
        x, vx, t = x + vx * lasts + 0.5 * (pull + f) * lasts**2, vx + (pull + f) * lasts, t + lasts
        spin += f * lasts / (ratio * radius)
    rolls, left = pull / (1.0 + ratio), end - t
    return x + vx * left + 0.5 * rolls * left**2, spin - rolls * left / radius


@pytest.mark.parametrize("seed", range(6))
def test_friction_of_the_bounces_that_are_summed_is_not_lost(seed):
    random = np.random.default_rng(seed)
    slope, mu, e, ratio, radius = (random.uniform(*x) for x in ((0.0, 0.3), (0.15, 0.5), (0.2, 0.7), (0.3, 0.9), (0.05, 0.3)))
    h, vx, spin, turn = random.uniform(0.1, 0.5), random.uniform(-3, 3), random.uniform(-40, 40), random.uniform(-3, 3)
    Q = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    pull, press = G * math.sin(slope), G * math.cos(slope)
    m = da.Model("slope", dim=2, gravity=tuple(Q @ [pull, -press]))
    m.ground.shapes = [da.HalfSpace(tuple(Q @ [0, 1]))]
    m.add(da.Body("b", mass=1.0, inertia=ratio * radius**2, position=tuple(Q @ [0.3, radius + h]), velocity=tuple(Q @ [vx, 0]),
                  omega=spin, shapes=[da.Sphere(radius)]))
    m.add(da.Contact("c", *(("ground", "b") if seed % 2 else ("b", "ground")), friction=mu, restitution=e))
    run = da.simulate(m, times=[4.0], contact="events", rtol=1e-12, atol=1e-14)
    x, omega = bounced(0.3, h, vx, spin, pull, press, mu, e, ratio, radius, 4.0)
    assert run.stats["contact"]["series"] == 1
    assert (Q.T @ run["b"].position[-1])[0] == pytest.approx(x, abs=1e-9)
    assert run["b"].omega[-1] == pytest.approx(omega, abs=1e-8)
