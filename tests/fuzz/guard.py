"""What every hostile input must lead to: an answer or one of our errors, soon, with nothing run and nothing written.

``DALEMBERT_FUZZ`` multiplies the number of cases (the nightly target asks for 40 times as many).
"""

import contextlib
import os
import random
import sys
import time

from hypothesis import HealthCheck, settings

import dalembert as da

TIMES = int(os.environ.get("DALEMBERT_FUZZ", "1"))
LIMIT = 5.0  # s
SUSPECT = (
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.fork",
    "socket.connect",
    "os.remove",
    "os.rename",
    "os.mkdir",
    "os.rmdir",
    "os.link",
    "os.symlink",
    "os.truncate",
    "shutil.rmtree",
    "exec",
    "pickle.find_class",
    "ctypes.dlopen",
)
_seen: list[tuple] = []
_active = False


def _hook(event, args):
    if not _active:
        return
    writes = event == "open" and isinstance(args[1], str) and any(c in args[1] for c in "wax+")
    if (event in SUSPECT and not _harmless(event)) or writes:
        _seen.append((event, *map(repr, args)))


def _harmless(event) -> bool:
    """Imports of the package's own modules execute them, the first time."""
    if event != "exec":
        return False
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib") or "namedtuple" in frame.f_code.co_name:
            return True
        frame = frame.f_back
    return False


sys.addaudithook(_hook)


@contextlib.contextmanager
def harmless():
    """Run the block as a hostile input's reader; anything but success or a DalembertError fails the test."""
    global _active
    _seen.clear()
    begin, _active = time.perf_counter(), True
    try:
        with contextlib.suppress(da.DalembertError):
            yield
    finally:
        _active = False
    assert not _seen, f"did what no file may ask for: {_seen}"
    assert time.perf_counter() - begin < LIMIT


def cases(count):
    """So many examples (times DALEMBERT_FUZZ); the same ones every day unless it is a nightly run."""
    return settings(
        max_examples=count * TIMES,
        deadline=None,
        derandomize=TIMES == 1,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


WORDS = [
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "=",
    ",",
    '"',
    "'",
    '"""',
    "\n",
    "#",
    ".",
    "-1",
    "1e999",
    "nan",
    "inf",
    "0",
    "true",
    "[[body]]",
    "[[joint]]",
    "[[force]]",
    "[parameters]",
    "name",
    "type",
    "between",
    "ground",
    "mass",
    "inertia",
    "law",
    "__import__('os')",
    "sin(",
    "t",
    "\0",
    "\x7f",
    "ÿ",
    "\U0001f600",
    "1979-05-27",
    "0x1F",
    "1_000",
    "../../x",
    "9" * 400,
    "(" * 300,
    "**",
    "dim = 3",
    "{x = [0, 1], y = [0, 1]}",
    '"1/0"',
    '"l"',
    '"exp(1e9)"',
    "\\u0000",
    "\\",
]


def mutated(text: str, seed: int) -> str:
    """A text with a few things cut, doubled, swapped or put in."""
    r = random.Random(seed)
    for _ in range(r.choice([1, 1, 1, 2, 3, 8])):
        a = r.randrange(len(text) + 1)
        b = min(len(text), a + r.choice([0, 1, 2, 5, 20, 100]))
        kind = r.randrange(6)
        if kind == 0:
            text = text[:a] + text[b:]
        elif kind == 1:
            text = text[:a] + r.choice(WORDS) + text[a:]
        elif kind == 2:
            text = text[:b] + text[a:b] * r.choice([1, 2, 50]) + text[b:]
        elif kind == 3:
            text = text[:a] + r.choice(WORDS) + text[b:]
        elif kind == 4:
            lines = text.split("\n")
            i, j = r.randrange(len(lines)), r.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
            text = "\n".join(lines)
        else:
            numbers = [k for k, c in enumerate(text) if c.isdigit()] or [0]
            k = r.choice(numbers)
            text = text[:k] + r.choice(["-", "0", "1e300", "1e-300", '"x"', "[", "nan"]) + text[k + 1 :]
    return text


def mutated_bytes(data: bytes, seed: int) -> bytes:
    r = random.Random(seed)
    out = bytearray(data)
    for _ in range(r.choice([1, 2, 10, 100])):
        if not out:
            break
        kind, a = r.randrange(4), r.randrange(len(out))
        if kind == 0:
            out[a] = r.randrange(256)
        elif kind == 1:
            del out[a : a + r.choice([1, 8, 512, len(out)])]
        elif kind == 2:
            out[a:a] = out[a : a + r.choice([1, 8, 64])]
        else:
            out[a : a + 8] = r.choice([b"\xff" * 8, b"\0" * 8, (2**63).to_bytes(8, "little")])
    return bytes(out)
