"""Plain Python and compiled code compute the same numbers."""

import json
import os
import subprocess
import sys
from pathlib import Path

from contract_digest import NAMES, digest
from contract_scene import assert_near

import dalembert


def test_python_and_compiled_agree():
    source = str(Path(dalembert.__file__).parents[1])
    script = Path(__file__).parent / "contract_digest.py"
    path = os.pathsep.join([source, *filter(None, [os.environ.get("PYTHONPATH")])])
    plainly = {**os.environ, "DALEMBERT_JIT": "0", "PYTHONPATH": path}
    run = subprocess.run([sys.executable, str(script)], env=plainly,
                         capture_output=True, text=True, check=True)
    plain, here = json.loads(run.stdout), digest()
    assert len(here) == 2 * len(NAMES)
    assert plain.keys() == here.keys()
    for key, values in here.items():
        assert values[0] == plain[key][0], key
        for one, other in zip(values[1:], plain[key][1:], strict=True):
            assert_near(one, other, 1e-12)
