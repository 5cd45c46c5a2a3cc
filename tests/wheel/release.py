"""Build what is released, and try it as users will have it: ``make release``.

    version     the package, CITATION.cff and the newest section of CHANGELOG.md agree; the changelog's sections are well formed
    sdist       from this tree; everything else is built from the unpacked sdist
    wheels      one with the library of kernels, whose tag auditwheel confirms, and a pure one that compiles
    tried       in a fresh environment without numba, llvmlite and SymPy, for every Python named (--python, several times):
                tests/wheel/tried.py; once more with site-packages that cannot be written, no HOME and no cache; then with damaged
                libraries
    tests       of the catalogue and of the reference mechanisms, in that environment
    weight      of every package in it
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
TESTERS = ["pytest", "hypothesis", "sympy", "matplotlib", "pandas", "xarray", "trimesh"]
PLATFORM = "manylinux_2_17_x86_64"
NEEDED = {"dalembert", "numpy", "scipy", "h5py", "click"}  # all that an installation brings
MOST = 250.0  # MB installed
PACKED = ("viewer/static/page.html", "workshop/static/studio.html")
HEADING = re.compile(r"^## \[(Unreleased|\d+\.\d+\.\d+)\](?: - (\d{4}-\d{2}-\d{2}))?$", re.M)


def say(text: str) -> None:
    print(f"release: {text}", flush=True)


def run(*command, **options) -> str:
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    if done.returncode:
        raise SystemExit(f"release: {' '.join(map(str, command))[:300]} failed\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout


def outside(**extra) -> dict[str, str]:
    """An environment in which only what is installed is found."""
    return {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "DALEMBERT_JIT", "DALEMBERT_VARIANT")} | extra


# ------------------------------------------------------------------------------------------------------------- version


def version() -> str:
    return re.search(r'^__version__ = "(.+)"$', (ROOT / "src/dalembert/__init__.py").read_text(encoding="utf-8"), re.M)[1]  # type: ignore[index]


def faults(changelog: str, citation: str, number: str) -> list[str]:
    """What keeps this version from being released, in words."""
    found = []
    sections = HEADING.findall(changelog)
    if len(sections) != len(re.findall(r"^## ", changelog, re.M)):
        found.append("CHANGELOG.md: a heading is neither '## [Unreleased]' nor '## [1.2.3] - 2026-01-31'")
    dated = [(n, d) for n, d in sections if n != "Unreleased"]
    if not dated or dated[0][0] != number:
        found.append(f"CHANGELOG.md: its newest version is {dated[0][0] if dated else 'none'}, the package is {number}")
    found += [f"CHANGELOG.md: {n} has no date" for n, d in dated if not d]
    order = [tuple(map(int, n.split("."))) for n, _ in dated]
    if order != sorted(set(order), reverse=True):
        found.append("CHANGELOG.md: versions are not in falling order")
    if re.search(rf"^version: {re.escape(number)}$", citation, re.M) is None:
        found.append(f"CITATION.cff: its version is not {number}")
    if dated and dated[0][1] and f"date-released: {dated[0][1]}" not in citation:
        found.append(f"CITATION.cff: its date is not {dated[0][1]}, that of the changelog")
    return found


# --------------------------------------------------------------------------------------------------------------- build


def build(work: Path) -> tuple[Path, Path, Path]:
    """sdist, wheel with kernels, pure wheel."""
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    name = run(sys.executable, "-c", f"from setuptools import build_meta; print(build_meta.build_sdist({str(DIST)!r}))",
               cwd=ROOT).split()[-1]
    with tarfile.open(DIST / name) as archive:
        archive.extractall(work, filter="data")
    (tree,) = [p for p in work.iterdir() if p.is_dir()]
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-index", "--no-build-isolation", "--no-deps", "-w"]
    run(*pip, DIST, tree, env=outside())
    run(*pip, work / "pure", tree, env=outside(DALEMBERT_KERNELS="0"))
    (wheel,), (pure,) = DIST.glob("*.whl"), (work / "pure").glob("*.whl")
    if "-py3-none-any" not in pure.name:
        raise SystemExit(f"release: the pure wheel is {pure.name}")
    for made, needs in ((wheel, False), (pure, True)):  # on this machine
        with zipfile.ZipFile(made) as archive:
            named = next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
            if ("\nRequires-Dist: numba\n" in archive.read(named).decode()) != needs:
                raise SystemExit(f"release: {made.name} {'does not ask' if needs else 'asks'} for numba")
    return DIST / name, wheel, Path(shutil.copy(pure, DIST))


def inspect(wheel: Path) -> None:
    """The tag, and what is in it."""
    shown = run(sys.executable, "-m", "auditwheel", "show", wheel)
    tags = re.findall(r'"(manylinux_\d+_\d+_x86_64)"', shown)
    if not tags or tuple(map(int, tags[0].split("_")[1:3])) > (2, 17) or PLATFORM not in wheel.name:
        raise SystemExit(f"release: {wheel.name} is tagged for {PLATFORM}; auditwheel says\n{shown}")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        sizes = {i.filename: i.file_size for i in archive.infolist()}
    odd = [n for n in names if "__pycache__" in n or n.endswith((".o", ".pyc"))]
    if odd or "dalembert/_kernels/kernels.so" not in names:
        raise SystemExit(f"release: the wheel holds {odd[:3] or 'no kernels'}")
    if any(f"dalembert/{p}" in names or f"dalembert/{p}.gz" not in names for p in PACKED):
        raise SystemExit("release: the wheel's great texts are not packed")
    libraries = ", ".join(f"{n.rpartition('/')[2]} {sizes[n] / 1e6:.2f} MB" for n in names if n.endswith((".so", ".xz")))
    say(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB, {libraries}, auditwheel: {tags[0]}")


# --------------------------------------------------------------------------------------------------------------- tried


def interpreter(name: str) -> str:
    """The path of a Python that runs; pyenv's shims run only the versions chosen, the others are beside them."""
    try:
        return run(name, "-c", "import sys; print(sys.executable)", env=outside()).strip()
    except (SystemExit, OSError):
        versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
        for found in sorted(versions.glob(f"*/bin/{name}")) if "/" not in name else []:
            return str(found)
    raise SystemExit(f"release: {name} does not run here: install it, or leave it out of PYTHONS")


def environment(python: str, wheel: Path, work: Path) -> Path:
    """A fresh environment with the wheel and what it asks for."""
    place = work / f"env-{Path(python).name}"
    run(python, "-m", "venv", "--clear", place)
    run(place / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", ROOT / "constraints.txt", wheel,
        env=outside(), cwd=work)
    return place / "bin/python"


def tried(python: Path, work: Path) -> None:
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    cache = work / "cache"
    shutil.rmtree(cache, ignore_errors=True)
    script = ROOT / "tests/wheel/tried.py"
    first, _ = run(python, script, cwd=work, env=outside(DALEMBERT_CACHE=str(cache))).split()
    if list(cache.rglob("*.o")):
        raise SystemExit("release: something was compiled")
    named = run(python, "-c", "import sys; print(sys.version.split()[0])").strip()
    say(f"Python {named}: works; CPU of a process up to the end of a four-bar {float(first):.3f} s")
    _nowhere(python, site, script, work)
    run(python, script, cwd=work, env=outside(DALEMBERT_CACHE=str(cache), DALEMBERT_VARIANT="v1"))
    say("works with the packed kernels for any CPU")
    for name, variant in (("kernels.so", ""), ("kernels-v1.xz", "v1")):
        _damaged(python, site / "dalembert/_kernels" / name, variant, work)
    say("damaged and missing libraries are told, with the cure")


def _nowhere(python: Path, site: Path, script: Path, work: Path) -> None:
    """site-packages mounted read-only (root can write whatever the mode is), no HOME, no cache."""
    if not shutil.which("unshare") or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        say("not tried: site-packages that cannot be written (needs unshare, as root)")
        return
    bare = {k: v for k, v in outside().items() if k not in ("HOME", "DALEMBERT_CACHE", "XDG_CACHE_HOME")}
    lines = f'mount --bind "{site}" "{site}" && mount -o remount,ro,bind "{site}" && ! touch "{site}/x" 2>/dev/null && exec "$@"'
    run("unshare", "-m", "sh", "-c", lines, "sh", python, script, cwd=work, env=bare)
    run(python, script, cwd=work, env=bare | {"DALEMBERT_CACHE": "/proc/nowhere"})
    say("works with site-packages that cannot be written, without HOME, and with a cache that cannot be written")


def _damaged(python: Path, library: Path, variant: str, work: Path) -> None:
    """Cut, altered and missing libraries: a message and status 1, never a signal."""
    whole = library.read_bytes()
    code = "import dalembert as da; m = da.catalog.make('four-bar'); da.simulate(m, 0.1)"
    for what, data in (("cut", whole[: len(whole) // 2]), ("empty", b""), ("altered", whole[:700] + b"\xff" * 64 + whole[764:]),
                       ("zeros", bytes(len(whole))), ("missing", None)):
        library.unlink(missing_ok=True)
        if data is not None:
            library.write_bytes(data)
        done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, cwd=work,
                              env=outside(DALEMBERT_VARIANT=variant))
        last = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ""
        if done.returncode != 1 or "cannot be used" not in last or "pip install --force-reinstall dalembert" not in last:
            raise SystemExit(f"release: {library.name}, {what}: status {done.returncode}, {done.stderr[-500:]}")
    library.write_bytes(whole)


def without_kernels(python: Path, pure: Path, work: Path) -> None:
    """The pure wheel where nothing can compile: it says what is missing."""
    place = work / "pure"
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--target", place, pure, env=outside(),
        cwd=work)
    code = "import dalembert as da; m = da.catalog.make('four-bar'); da.simulate(m, 0.1)"
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, cwd=work, env=outside(PYTHONPATH=str(place)))
    if done.returncode != 1 or "pip install 'dalembert[compile]'" not in done.stderr.strip().splitlines()[-1]:
        raise SystemExit(f"release: the pure wheel without numba: status {done.returncode}, {done.stderr[-500:]}")
    say("the pure wheel without numba names the extra")


def weigh(site: Path) -> dict[str, float]:
    """MB of every package in site-packages but the tools that any environment has."""
    sizes: dict[str, float] = {}
    for entry in site.iterdir():
        name = re.split(r"[-.]", entry.name)[0].lower()
        if name not in ("pip", "setuptools", "_distutils_hack", "distutils", "pkg_resources", "__pycache__"):
            files = [entry] if entry.is_file() else [p for p in entry.rglob("*") if p.is_file()]
            sizes[name] = sizes.get(name, 0.0) + sum(p.stat().st_size for p in files) / 1e6
    return sizes


def weight(python: Path) -> None:
    sizes = weigh(Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()))
    rows = ", ".join(f"{n} {s:.1f}" for n, s in sorted(sizes.items(), key=lambda x: -x[1]))
    say(f"installed weight {sum(sizes.values()):.1f} MB: {rows}")
    if set(sizes) != NEEDED or sum(sizes.values()) > MOST:
        raise SystemExit(f"release: an installation is {', '.join(sorted(NEEDED))}, at most {MOST:.0f} MB")


def tests(python: Path, work: Path) -> None:
    """The suite's tests against the installed package, not the tree (-o pythonpath)."""
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", ROOT / "constraints.txt", *TESTERS,
        env=outside(), cwd=work)
    shown = run(python, "-m", "pytest", "-p", "no:cacheprovider", "-o", "pythonpath=.", "-m", "not slow", "tests/catalog",
                "tests/reference", cwd=ROOT, env=outside(OMP_NUM_THREADS="1", DALEMBERT_CACHE=str(work / "cache")))
    say(f"catalogue and reference tests against the installed wheel: {shown.strip().splitlines()[-1]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--python", action="append", default=[], help="an interpreter to try the wheel with; may be repeated")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "release", help="folder for environments")
    parser.add_argument("--look", action="store_true", help="only see whether the interpreters run, and the version's texts")
    parser.add_argument("--no-tests", action="store_true", help="leave the suite's tests out")
    given = parser.parse_args()
    wrong = faults(*((ROOT / name).read_text(encoding="utf-8") for name in ("CHANGELOG.md", "CITATION.cff")), version())
    if wrong:
        raise SystemExit("\n".join(f"release: {w}" for w in wrong))
    pythons = [interpreter(p) for p in given.python or [sys.executable]]
    if given.look:
        return
    shutil.rmtree(given.work, ignore_errors=True)
    (given.work / "tree").mkdir(parents=True)
    sdist, wheel, pure = build(given.work / "tree")
    say(f"{sdist.name}, {pure.name}")
    inspect(wheel)
    for k, python in enumerate(pythons):
        place = environment(python, wheel, given.work)
        tried(place, given.work)
        if k == 0:
            weight(place)
            without_kernels(place, pure, given.work)
            if not given.no_tests:
                tests(place, given.work)
    say(f"{', '.join(p.name for p in sorted(DIST.iterdir()))} in {DIST}")


if __name__ == "__main__":
    main()
