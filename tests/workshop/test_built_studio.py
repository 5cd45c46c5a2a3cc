"""The shipped studio is the one built from the sources in page/."""

import hashlib
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[2] / "page"
STAMP = re.compile(r"\n<!-- sources ([0-9a-f]{64}) page ([0-9a-f]{64}) of ([^>]*) -->")


def shipped() -> str:
    return (files("dalembert.workshop") / "static" / "studio.html").read_text(encoding="utf-8")


def test_built_from_these_sources():
    sources, _, names = STAMP.search(shipped()).groups()
    assert {f"studio/{f.name}" for f in (SOURCES / "studio").iterdir()} <= set(names.split())
    total = hashlib.sha256()
    for name in names.split():
        total.update(f"{name}\n".encode() + (SOURCES / name).read_bytes())
    assert sources == total.hexdigest(), "sources of the studio changed: make page (npm ci, npm run build in page/), commit both"


def test_not_edited_by_hand_and_asks_for_nothing():
    _, page, _ = STAMP.search(shipped()).groups()
    text = STAMP.sub("", shipped(), count=1)
    assert hashlib.sha256(text.encode()).hexdigest() == page, "studio.html was changed by hand: edit page/studio and build"
    assert not re.search(r"""<(?:script|img|iframe|source)[^>]*\ssrc=|<link[^>]*href="(?!data:,)|@import|url\((?!data:)""",
                         shipped().partition("<script>")[0])


def test_building_again_gives_the_same_bytes():
    if not shutil.which("node") or not (SOURCES / "node_modules" / "esbuild").is_dir():
        pytest.skip("needs Node and 'npm ci' in page/; the stamps were compared in any case")
    done = subprocess.run(["node", "studio.mjs", "--check"], cwd=SOURCES, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
