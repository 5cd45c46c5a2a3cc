"""Why dalembert is slower than a peer, or short of its aim, on a problem: shown at the top of the table when it is so."""

_CHAIN = (
    "At coarse accuracy the fixed cost of a run counts: handing the arrays of equations and integrator to the compiled "
    "loop takes 0.2 ms."
)
REASONS: dict[str, str] = {
    "chain-10": _CHAIN,
    "chain-100": _CHAIN,
    "chain-1000": _CHAIN,
    "bricard": "At loose tolerances a quarter of the steps are rejected: in stages off the constraints by more than 1e-5 the "
    "redundant row no longer counts as dependent, and the accelerations are wrong by up to 100 m/s². Tighter tolerances "
    "are faster for it.",
    "pendulum": "With an inertia of 1e-6 kg m² beside 1 kg at 1 m the errors stay above 1e-10 m at any tolerance (rounding in "
    "the saddle-point system; with 1e-3 kg m² they go down to 1e-13).",
}
