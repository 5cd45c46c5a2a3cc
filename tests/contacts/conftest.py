"""Make scenes importable."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from scenes import STAGES, Stage


@pytest.fixture(params=STAGES)
def stage(request):
    return Stage(**STAGES[request.param])


@pytest.fixture(params=[k for k, x in STAGES.items() if x.get("dim") != 2])
def space(request):
    return Stage(**STAGES[request.param])
