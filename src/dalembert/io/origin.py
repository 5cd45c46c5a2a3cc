"""Where in its file a model says what turned out wrong later: a value that cannot be used is found when the model is compiled.

Messages name the element ("mass of Body 'rod' must be positive"); the file has its table, and often the key.  The places are
looked up when there is something to complain about.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from dalembert.io import locate


class Origin:
    """The text a model was read from."""

    def __init__(self, title: str, text: str, kind: str, parsed: Any):
        self.title, self.text, self.kind, self.parsed = title, text, kind, parsed

    def place(self, message: str) -> str:
        """ "file, line 12" of what a message is about; empty where it names nothing of the file."""
        path = self.path(message)
        if path is None:
            return ""
        scan: Callable[[str], dict] = locate.toml_lines if self.kind == "toml" else locate.json_lines
        line = locate.line_of(scan(self.text), path)
        return f"{self.title}, line {line}" if line else ""

    def path(self, message: str) -> tuple | None:
        """Keys and numbers that lead to what a message is about; None where it names nothing of the file."""
        named = re.match(r"parameter '([^']*)'", message)
        if named and named.group(1) in self.parsed.get("parameters", {}):
            return ("parameters", named.group(1))
        found = []
        for section, entries in self.parsed.items():
            if not isinstance(entries, list):
                continue
            for k, entry in enumerate(entries):
                at = message.find(f" '{entry.get('name')}'") if isinstance(entry, dict) else -1
                if at >= 0:
                    found.append((at, (section, k), entry))
        if not found:
            return None
        _, path, entry = min(found, key=lambda item: item[0])
        key = re.match(r"(\w+) of ", message)
        return (*path, key.group(1)) if key and key.group(1) in entry else path
