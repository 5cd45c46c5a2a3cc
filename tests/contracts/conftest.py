"""Make the scenes importable here, and give every law all cases that it fits."""

import sys
from pathlib import Path

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)


def pytest_generate_tests(metafunc):
    """``case``: all cases; ``swapped``, ``turned``, ``embedded``: those that keep their meaning."""
    from contract_cases import CASES

    for kind in ("case", "swapped", "turned", "embedded"):
        if kind in metafunc.fixturenames:
            chosen = [c for c in CASES if kind == "case" or kind in c.fits]
            metafunc.parametrize(kind, chosen, ids=[c.name for c in chosen])
