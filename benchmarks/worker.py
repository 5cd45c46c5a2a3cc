"""One engine on one problem, in a process of its own: one line of JSON per setting tried.

    python -m benchmarks.worker PROBLEM ENGINE [SECONDS]

The ladder of settings goes from coarse to fine and ends when SECONDS of CPU time are used up.  A crash, a hang or a lack of
memory takes only this process with it; the lines printed so far count.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time

MEMORY = 4 << 30  # bytes of address space
USELESS = 1e-2  # an answer with a larger error is not timed again
REPEATS, ENOUGH = 7, 0.5  # at most so many repeats, and no more once they took so many CPU seconds


def say(**items) -> None:
    print("#" + json.dumps(items), flush=True)


def limit_memory() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def measure(engine, settings: dict, problem) -> dict:
    """CPU seconds, minimum of repeats, and the errors of the same simulation."""
    seconds = [engine.run(settings, problem.until)]
    errors = problem.errors(engine.sample(settings, problem.times))
    if errors[problem.kind] > USELESS:
        return {"settings": settings, "seconds": seconds[0], "repeats": 1, "errors": errors}
    while (len(seconds) < 3 and seconds[0] < 2.0) or (len(seconds) < REPEATS and sum(seconds) < ENOUGH):
        seconds.append(engine.run(settings, problem.until))
    found = {"settings": settings, "seconds": min(seconds), "repeats": len(seconds), "errors": errors}
    if hasattr(engine, "call"):
        found["call"] = min(engine.call(settings, problem.until) for _ in range(len(seconds)))
    return found


def main(problem_name: str, engine_name: str, budget: float = 20.0) -> None:
    limit_memory()
    from benchmarks.engines import adaptor
    from benchmarks.engines.engine import Unable
    from benchmarks.problems import PROBLEMS

    problem = PROBLEMS[problem_name]()
    cls = adaptor(engine_name)
    try:
        __import__(cls.module)
    except ImportError as error:
        say(status="missing", why=str(error))
        return
    try:
        at = time.process_time()
        engine = cls(problem.mechanism)
        say(setup=time.process_time() - at)
    except Unable as error:
        say(status="unable", why=str(error))
        return
    ladder = list(engine.settings(problem))
    last = 0.0
    for settings in ladder:
        at = time.process_time()
        if at + 1.5 * last > budget:
            say(status="budget", why=f"finer settings would take more than {budget:g} CPU s")
            return
        try:
            say(**measure(engine, settings, problem))
        except Exception as error:
            text = str(error).strip().splitlines()
            say(settings=settings, failed=f"{type(error).__name__}: {text[0][:150] if text else ''}")
            if isinstance(error, MemoryError):
                return
        last = time.process_time() - at
    say(status="done")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 20.0)
