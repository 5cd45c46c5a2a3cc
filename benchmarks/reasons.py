"""Why dalembert is slower than a peer, or short of its aim, on a problem: shown at the top of the table when it is so."""

REASONS: dict[str, str] = {}
