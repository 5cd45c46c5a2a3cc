"""No tracked file depends on, or gives away, the machine it was written on.

The patterns are put together from pieces, so that this file does not match them itself.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

TOP = ("home", "root", "work", "tmp", "Users", "mnt", "opt", "scratch")
# Not after a letter, a dot or a closing bracket: those make it the middle of an address or a relative path.
MACHINE_PATH = re.compile(r"(?<![\w.~\-})])/(?:" + "|".join(TOP) + r")/[^\s\"'`)\]>,;]*")
WINDOWS_PATH = re.compile(r"\b[A-Za-z]:\\+" + "Users" + r"\\[^\s\"'`]*")

# Pages for readers may show a path that is plainly an example.
EXAMPLE = re.compile("/(?:home|Users)/" + r"(?:you|user|name|me)(?:/.*)?|/" + "tmp" + r"/.*")

INDEX_ADDRESS = re.compile(
    "|".join(
        (
            "python" + r"hosted\.org",
            r"(?:https?|file)://[^\s\"']+/" + r"simple\b",
            r"--(?:extra-)?" + "index-url",
            r"\b(?:extra-)?" + r"index-url\s*=",
            r"\b(?:PIP|UV)_(?:EXTRA_)?" + "INDEX_URL",
            r'"resolved":\s*"https?://(?!registry\.' + r"npmjs\.org/)",
        )
    ),
    re.IGNORECASE,
)


def is_page(name: str) -> bool:
    """True for a text written for readers: generic examples are allowed there."""
    return name.endswith((".md", ".rst")) and (name.startswith("docs/") or "/" not in name)


def findings(name: str, text: str) -> list[str]:
    """Each offending piece of a file's text, as "file:line: piece"."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        paths = [match.group() for match in MACHINE_PATH.finditer(line)]
        paths += [match.group() for match in WINDOWS_PATH.finditer(line)]
        if is_page(name):
            paths = [path for path in paths if not EXAMPLE.fullmatch(path)]
        addresses = [match.group() for match in INDEX_ADDRESS.finditer(line)]
        found += [f"{name}:{number}: {piece}" for piece in paths + addresses]
    return found


def tracked_files() -> list[str]:
    """Names of the files under version control; in an unpacked archive, of all source and project files."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
        if listed.returncode == 0:
            return [name for name in listed.stdout.decode().split("\0") if name]
    folders = ("src", "tests", "docs", "examples", "benchmarks", ".ci")
    paths = [*ROOT.iterdir(), *(path for folder in folders for path in (ROOT / folder).rglob("*"))]
    return [path.relative_to(ROOT).as_posix() for path in paths if path.is_file()]


def test_no_file_names_this_machine():
    found, read = [], 0
    for name in tracked_files():
        path = ROOT / name
        if not path.is_file():  # deleted but not yet committed
            continue
        content = path.read_bytes()
        if b"\0" in content:  # an image, a compiled file
            continue
        read += 1
        found += findings(name, content.decode("utf-8", errors="replace"))
    assert read > 0
    assert not found, "machine paths or package index addresses:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "line",
    [
        "open('/" + "home/ada/model.json')",
        "cd /" + "work/tree",
        "file:///" + "root/x",
        "C:\\" + "Users\\ada",
        "pip install --" + "index-url https://example.org",
        "https://mirror.example.org/pypi/" + "simple/",
    ],
)
def test_offences_are_found(line):
    assert findings("src/dalembert/x.py", line)
    assert len(findings("docs/x.md", line)) == 1


@pytest.mark.parametrize(
    "line", ["virtual/work/energy", "./tmp/x", "https://example.org/home/", "a /= tmp / root"]
)
def test_harmless_text_is_let_through(line):
    assert findings("src/dalembert/x.py", line) == []


def test_pages_may_show_examples():
    line = "saved as /" + "home/you/pendulum.h5 or /" + "tmp/pendulum.h5"
    assert findings("docs/guide.md", line) == []
    assert len(findings("src/dalembert/x.py", line)) == 2
