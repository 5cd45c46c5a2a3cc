"""Why dalembert is slower than a peer, or short of its aim, on a problem: shown at the top of the table when it is so."""

_CHAIN = (
    "Three absolute coordinates and two multipliers per link are evaluated, factored, solved and projected (115 ns a link and evaluation: "
    "34 % assembling and factoring S, 18 % its solve, 18 % kinematics and rows, 9 % forces, the rest residual check and products), where "
    "a recursion in joint angles carries one number per link and needs no projection. A recursive formulation for trees is the cure."
)
REASONS: dict[str, str] = {
    "chain-10": _CHAIN,
    "chain-100": _CHAIN,
    "chain-1000": _CHAIN,
    "bricard": "At loose tolerances a quarter of the steps are rejected: the redundant row is dropped in one stage and kept in the next.",
    "n-four-bar-40": "One solve takes 13 µs for 81 bodies; a fifth of the steps are rejected at the singular poses.",
}
