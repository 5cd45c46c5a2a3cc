"""What keeps a version from being released is said; this tree's changelog and citation agree with its version."""

import importlib.util
import runpy
import sys
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
