"""Which kernels have to vanish into their callers: those marked ``inline``, and not what these call."""

import os
import subprocess
import sys

import pytest

from dalembert._jit import MODE

TEXT = """
import re
import llvmlite.binding as llvm
import numba
from dalembert._jit import inline, kernel
from dalembert._jit.kernels import OPTIONS

@kernel
def apart(x):
    return x * x + 1.0

@inline
def small(x):
    return apart(x) + apart(2.0 * x)

@kernel
def outer(x):
    return small(x)

options = {k: v for k, v in OPTIONS.items() if not k.startswith("no_")}
module = llvm.parse_assembly(numba.cfunc("f8(f8)", **options)(outer.py_func).inspect_llvm())
for f in module.functions:
    name = re.search("apart|small", f.name)
    if name and not f.is_declaration:
        print(name[0], any(b"alwaysinline" in a for a in f.attributes))
"""


@pytest.mark.skipif(MODE != "object", reason="nothing is compiled")
def test_a_kernel_that_an_inline_one_asks_for_first_is_not_forced_into_all_its_callers(tmp_path):
    """numba hands ``forceinline`` down; so measures were in every row, and groups on duals a third larger than now."""
    (tmp_path / "small_kernels.py").write_text(TEXT)
    done = subprocess.run([sys.executable, "small_kernels.py"], cwd=tmp_path, capture_output=True, text=True,
                          env=os.environ | {"DALEMBERT_BUILD": "1", "NUMBA_OPT": "0", "PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.returncode == 0, done.stderr
    assert sorted(set(done.stdout.splitlines())) == ["apart False", "small True"]
