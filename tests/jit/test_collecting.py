"""Kernels are collected as text: none is linked into its callers or emitted on its own, each stands in the text once."""

import os
import subprocess
import sys

from dalembert._jit import store

CHILD = """
import re
import numba
import number_group as n
from dalembert._jit import native
from dalembert._jit.collecting import Text
from dalembert._jit.kernels import OPTIONS

make = native.maker(n.Chain, 1)

def group(table):
    return n.on_doubles(make(table)) + n.on_lanes(make(table)) + n.on_duals(make(table))

options = {k: v for k, v in OPTIONS.items() if not k.startswith("no_")}
whole = numba.cfunc(numba.int64(numba.types.CPointer(numba.int64)), **options)(group)
libraries = [r.library for kernel in (n.tip, n.on_doubles, n.on_lanes, n.on_duals) for r in kernel.overloads.values()]
assert len(libraries) == 6 and all(isinstance(x, Text) for x in libraries), libraries
defined = re.findall(r'^define [^@]*@("[^"]*"|[^(]*)\\(', whole.inspect_llvm(), re.M)
assert len(defined) == len(set(defined)), defined
assert sum("tip" in x for x in defined) == 3, defined
assert whole.native_name in [x.strip('"') for x in defined]
print("collected")
"""


def test_each_kernel_once():
    done = subprocess.run([sys.executable, "-c", CHILD], env=os.environ | store.environment(), capture_output=True, text=True)
    assert done.stdout.strip() == "collected", done.stderr[-3000:]
