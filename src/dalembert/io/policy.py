"""What a page of ours may do, told to the browser: run the scripts that are in it, and nothing else; fetch and send nothing.

Names and texts go into pages escaped.  Should one slip through, the policy keeps it from running or from reaching anybody.
"""

from __future__ import annotations

import base64
import hashlib
import re

_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def policy(scripts: list[str]) -> str:
    """The <meta> element for a page with these scripts inside."""
    sums = [base64.b64encode(hashlib.sha256(s.encode("utf-8")).digest()).decode() for s in scripts]
    run = " ".join(f"'sha256-{s}'" for s in sums) or "'none'"
    return ('<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; script-src '
            f"{run}; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'\">")


def guarded(page: str, scripts: list[str] | None = None) -> str:
    """A page with its policy; its own scripts are taken from the page unless they are given."""
    head = '<meta charset="utf-8">'
    if page.count(head) < 1:
        raise ValueError("the page declares no charset, behind which its policy goes")
    return page.replace(head, f"{head}\n{policy(scripts_of(page) if scripts is None else scripts)}", 1)


def scripts_of(page: str) -> list[str]:
    """Scripts written into a page of our own (a template, before foreign text is put in)."""
    return _SCRIPT.findall(page)
