"""What keeps a version from being released is said; this tree's changelog and citation agree with its version."""

import ast
import importlib.util
import runpy
import sys
import tomllib
from pathlib import Path

import pytest
import setuptools

from dalembert._jit import linking, shipped

HERE = Path(__file__).parent
spec = importlib.util.spec_from_file_location("release", HERE / "release.py")
assert spec is not None and spec.loader is not None
release = importlib.util.module_from_spec(spec)
spec.loader.exec_module(release)

CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2027-01-31\n\n- this\n\n## [1.1.9] - 2026-12-01\n"
CITATION = "cff-version: 1.2.0\nversion: 1.2.0\ndate-released: 2027-01-31\n"


def test_this_tree_can_be_released():
    texts = [(release.ROOT / name).read_text(encoding="utf-8") for name in ("CHANGELOG.md", "CITATION.cff")]
    assert release.faults(*texts, release.version()) == []


@pytest.mark.parametrize("kernels, numba", [("0", "numba"),
                                            ("1", "numba; sys_platform != 'linux' or platform_machine != 'x86_64'")])
def test_a_wheel_without_kernels_asks_for_the_compiler(kernels, numba, monkeypatch):
    """On every system: what ``pip install .`` makes where numba is not at hand must run."""
    if kernels == "1" and (not shipped.variants() or linking.linker() is None):
        pytest.skip("no library is made on this machine")
    asked = {}
    monkeypatch.setattr(setuptools, "setup", lambda **given: asked.update(given))
    monkeypatch.setenv("DALEMBERT_KERNELS", kernels)
    monkeypatch.setattr(sys, "path", [*sys.path])
    runpy.run_path(str(release.ROOT / "setup.py"))
    assert numba in asked["install_requires"] and "numpy" in asked["install_requires"]


def script(monkeypatch):
    """setup.py's names, with what it would have told setuptools."""
    asked = {}
    monkeypatch.setattr(setuptools, "setup", lambda **given: asked.update(given))
    monkeypatch.setenv("DALEMBERT_KERNELS", "0")
    return runpy.run_path(str(release.ROOT / "setup.py")), asked


def test_what_the_package_imports_is_asked_for_or_an_extra(monkeypatch):
    space, asked = script(monkeypatch)
    project = tomllib.loads((release.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name for wanted in project["optional-dependencies"].values() for name in wanted}
    others = {"collada": "pycollada", "distributed": "dask[distributed]", "dask": "dask[distributed]"}
    imported = set()
    for path in (release.ROOT / "src" / "dalembert").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else [
                node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            imported |= {name.partition(".")[0] for name in names}
    foreign = {others.get(n, n) for n in imported - set(sys.stdlib_module_names) - {"dalembert", ""}}
    always = set(space["NEEDED"])
    assert always <= foreign  # nothing that is not used
    assert foreign - extras - always == set()
    assert set(asked["install_requires"]) == always | set(space["COMPILER"])
    assert always | {"dalembert"} == release.NEEDED


def test_a_pure_wheel_is_packed_too_and_an_editable_one_is_not(monkeypatch, tmp_path):
    space, _ = script(monkeypatch)
    assert space["PACKED"] == release.PACKED
    command = space["BuildKernels"](setuptools.Distribution())
    command.build_lib = str(tmp_path)
    monkeypatch.setattr(space["build_py"], "run", lambda self: None)
    files = [tmp_path / "dalembert" / name for name in space["PACKED"]]
    for editable in (True, False):
        for file in files:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("text")
        command.editable_mode = editable
        command.run()
        assert [f.exists() for f in files] == [editable] * len(files)
        assert [f.with_name(f"{f.name}.gz").exists() for f in files] == [not editable] * len(files)


def test_packages_are_weighed_with_all_that_is_theirs_and_too_much_is_told(monkeypatch, tmp_path):
    for name, size in (("numpy/a.so", 3_000_000), ("numpy.libs/b.so", 2_000_000), ("numpy-2.0.dist-info/RECORD", 1000),
                       ("dalembert/c/d.py", 500_000), ("click.py", 250_000), ("scipy/x", 1), ("h5py/x", 1), ("pip/x", 9_000_000)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(bytes(size))
    found = release.weigh(tmp_path)
    assert set(found) == release.NEEDED
    assert (found["numpy"], found["dalembert"], found["click"]) == pytest.approx((5.001, 0.5, 0.25))
    monkeypatch.setattr(release, "run", lambda *_: f"{tmp_path}\n")
    release.weight(Path("python"))
    for most, more in ((5.0, ()), (250.0, ("typer",))):
        monkeypatch.setattr(release, "MOST", most)
        for name in more:
            (tmp_path / name).mkdir()
        with pytest.raises(SystemExit, match="at most"):
            release.weight(Path("python"))


@pytest.mark.parametrize("changelog, citation, number, said", [
    (CHANGELOG, CITATION, "1.2.0", []),
    (CHANGELOG, CITATION, "1.3.0", ["newest version is 1.2.0", "its version is not 1.3.0"]),
    ("# Changelog\n\n## [Unreleased]\n", CITATION, "1.2.0", ["newest version is none"]),
    (CHANGELOG.replace(" - 2027-01-31", ""), CITATION, "1.2.0", ["1.2.0 has no date"]),
    (CHANGELOG.replace("[1.1.9]", "[1.4.0]"), CITATION, "1.2.0", ["not in falling order"]),
    (CHANGELOG.replace("## [1.1.9]", "## Version [1.1.9]"), CITATION, "1.2.0", ["a heading is neither"]),
    (CHANGELOG, CITATION.replace("2027-01-31", "2027-02-01"), "1.2.0", ["its date is not 2027-01-31"]),
])
def test_what_does_not_agree_is_said(changelog, citation, number, said):
    found = release.faults(changelog, citation, number)
    assert len(found) == len(said) and all(part in whole for part, whole in zip(said, found, strict=True))


def test_an_interpreter_that_does_not_run_is_told_first_and_versions_beside_a_shim_are_found(tmp_path, monkeypatch):
    assert Path(release.interpreter(sys.executable)).exists()
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    with pytest.raises(SystemExit, match=r"python3\.99 does not run here"):
        release.interpreter("python3.99")
    found = tmp_path / "versions" / "3.99.1" / "bin" / "python3.99"
    found.parent.mkdir(parents=True)
    found.touch()
    assert release.interpreter("python3.99") == str(found)
