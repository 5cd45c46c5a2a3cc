"""The shipped page is the one built from the sources in page/."""

import hashlib
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[2] / "page"


def shipped() -> str:
    return (files("dalembert.viewer") / "static" / "page.html").read_text(encoding="utf-8")


def stamp() -> tuple[str, str]:
    found = re.search(r"<!-- sources ([0-9a-f]{64}) page ([0-9a-f]{64}) -->\n", shipped())
    assert found, "the page carries no stamp: build it with npm run build in page/"
    return found[1], found[2]


def test_built_from_these_sources():
    names = sorted(["build.mjs", "package.json", "package-lock.json", *(f"src/{f.name}" for f in (SOURCES / "src").iterdir())])
    total = hashlib.sha256()
    for name in names:
        total.update(f"{name}\n".encode() + (SOURCES / name).read_bytes())
    assert stamp()[0] == total.hexdigest(), "sources of the page changed: run npm ci and npm run build in page/, commit both"


def test_not_edited_by_hand():
    text = re.sub(r"\n<!-- sources [0-9a-f]{64} page [0-9a-f]{64} -->", "", shipped(), count=1)
    assert hashlib.sha256(text.encode()).hexdigest() == stamp()[1], "page.html was changed by hand: edit page/src and build"


def test_asks_for_nothing_and_names_no_registry():
    head = shipped().partition("<script>")[0]
    assert not re.search(r"""<(?:script|img|iframe|source)[^>]*\ssrc=|<link[^>]*href="(?!data:,)|@import|url\((?!data:)""", head)
    lock = (SOURCES / "package-lock.json").read_text()
    assert '"resolved"' not in lock and lock.count('"integrity"') > 20
    assert not re.search(r'"[\^~*><]', (SOURCES / "package.json").read_text()), "pin exact versions"


def test_building_again_gives_the_same_bytes():
    if not shutil.which("node") or not (SOURCES / "node_modules" / "esbuild").is_dir():
        pytest.skip("needs Node and 'npm ci' in page/; the stamps were compared in any case")
    done = subprocess.run(["node", "build.mjs", "--check"], cwd=SOURCES, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
