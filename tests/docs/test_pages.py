"""Every snippet of the documentation runs as printed, and every link leads somewhere.

    python blocks     run one after the other, each page in its own folder and namespace
    toml blocks       that begin with "# name.toml" are written to that file first
    console blocks    lines "$ dalembert …" run and must end with exit code 0
"""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

ROOT = Path(__file__).resolve().parents[2]
PAGES = [p for p in sorted((ROOT / "docs").rglob("*.md")) if not {"_build", "_generated"} & set(p.parts)]
BLOCK = re.compile(r"^```(python|toml|console)\n(.*?)^```", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")
WITH_CODE = [p for p in PAGES if BLOCK.search(p.read_text(encoding="utf-8"))]


def name(page):
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", WITH_CODE, ids=name)
def test_snippets_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    space: dict = {"__name__": "page"}
    for kind, code in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "python":
            exec(compile(code, f"{name(page)}", "exec"), space)
        elif kind == "toml":
            first = re.match(r"# (\S+\.toml)\n", code)
            if first:
                (tmp_path / first.group(1)).write_text(code, encoding="utf-8")
        else:
            console(code)


def console(code):
    from dalembert.cli.app import app

    for line in code.splitlines():
        if line.startswith("$ dalembert "):
            done = CliRunner().invoke(app, shlex.split(line)[2:])
            assert done.exit_code == 0, f"{line}\n{done.output}"


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=name)
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target) or target.startswith("#") or "_generated/" in target:
            continue
        assert (page.parent / target.partition("#")[0]).exists(), f"{name(page)} links to {target}"
