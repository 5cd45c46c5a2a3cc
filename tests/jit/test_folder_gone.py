"""The process that compiles laws stays at work when the folder of the cache it was started with is removed."""

import os
import subprocess
import sys

CHILD = """
import os, shutil
from dalembert._jit.functions import scalar_law

def first(t):
    return 1.0 if t < 0.5 else 0.25

def second(t):
    return 2.0 if t < 0.5 else 0.5

one = scalar_law(first, 1, "the law")[1]
shutil.rmtree(os.environ["DALEMBERT_CACHE"])
two = scalar_law(second, 1, "the law")[1]
print([one.compiled, two.compiled])
"""


def test_laws_are_compiled_when_the_cache_is_gone(tmp_path):
    place = tmp_path / "cache"
    done = subprocess.run([sys.executable, "-c", CHILD], env=os.environ | {"DALEMBERT_CACHE": str(place)}, capture_output=True,
                          text=True)
    assert done.stdout.strip() == "[True, True]", done.stdout + done.stderr[-2000:]
