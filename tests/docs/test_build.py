"""The documentation builds without a warning.  Needs the extra 'docs'."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_pages_build_without_warnings(tmp_path):
    for package in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(package)
    done = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", ROOT / "docs", tmp_path],
                          capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT / "src")})
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "_generated" / "theory" / "02-joints.html").exists() and (tmp_path / "model.schema.json").exists()
    assert "guide/model-files.html" in (tmp_path / "index.html").read_text(encoding="utf-8")
    for page in tmp_path.rglob("*.html"):  # readable offline: nothing is fetched
        fetched = re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="(https?:[^"]*)"', page.read_text(encoding="utf-8"))
        assert fetched == [], f"{page.name} asks the network for {fetched}"
