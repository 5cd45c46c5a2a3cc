"""Why dalembert is slower than a peer, or short of its aim, on a problem: shown at the top of the table when it is so."""

_CHAIN = (
    "At coarse accuracy the fixed cost of a run counts: handing the arrays of equations and integrator to the compiled "
    "loop takes 0.05 ms."
)
REASONS: dict[str, str] = {
    "chain-10": _CHAIN,
    "chain-100": _CHAIN,
    "chain-1000": _CHAIN,
    "pendulum": "With an inertia of 1e-6 kg m² beside 1 kg at 1 m the errors in the coordinates of all bodies stay above 1e-10 m "
    "at any tolerance (rounding in the saddle-point system); in joint coordinates they go down to 1e-12.",
}
ABSENT: dict[str, str] = {
    "Stewart platform with sliding legs": "sliders of the race stand on the ground (`benchmarks/mechanism.py`); the platform "
    "runs with cranks for legs",
    "governor, car axis": "a controller and a ground that moves are nothing the description of the race can say. Their "
    "references are tests (`tests/reference`); two rods on a stiff strut stand for stiff problems here",
    "contact": "has a run and a page of its own (`make bench-contact`)",
}
