"""A model file's text that is changed in places: what is not meant stays as it was written, comments and order too.

Every change is made twice: on the plain values (what the file shall say) and on the characters.  The new text is read again;
where it does not say what it shall (tables inside lines, dotted keys: a text we did not expect) the whole file is written anew,
and ``rewritten`` says so.  JSON has no comments and is always written anew.
"""

from __future__ import annotations

import copy
import json
import re
import tomllib
from typing import Any

from dalembert.io import toml
from dalembert.io.files import parse
from dalembert.io.locate import Item, toml_items


class Paper:
    """A text and its plain values; changes return another paper."""

    def __init__(self, text: str, kind: str = "toml", plain: Any = None):
        self.text, self.kind = text, kind
        self.plain = parse(text, kind) if plain is None else plain
        self.rewritten = False

    # ------------------------------------------------------------------------------------------ changes

    def put(self, table: tuple, key: str, value: Any) -> Paper:
        """Key of a table, () for the top, to this value; None takes it away."""
        plain = copy.deepcopy(self.plain)
        place = _at(plain, table)
        if value is None:
            place.pop(key, None)
        else:
            place[key] = value
        return self._with(plain, lambda: self._put(table, key, value))

    def entry(self, table: tuple, new: dict) -> Paper:
        """All keys of an entry: those that stay as they are keep their lines."""
        found, old = self, dict(_at(self.plain, table))
        for key in [k for k in old if k not in new]:
            found = found.put(table, key, None)
        for key, value in new.items():
            if key not in old or old[key] != value or type(old[key]) is not type(value):
                found = found.put(table, key, value)
        return found

    def add(self, section: str, entry: dict) -> Paper:
        """A new entry behind the last one of its section."""
        plain = copy.deepcopy(self.plain)
        plain.setdefault(section, []).append(copy.deepcopy(entry))
        return self._with(plain, lambda: self._add(section, entry))

    def remove(self, section: str, k: int) -> Paper:
        """Entry k of a section goes, with the comment right above it."""
        plain = copy.deepcopy(self.plain)
        del plain[section][k]
        if not plain[section]:
            del plain[section]
        return self._with(plain, lambda: self._remove(section, k))

    # ------------------------------------------------------------------------------------------ characters

    def _with(self, plain: Any, change) -> Paper:
        if self.kind == "json":
            text = json.dumps(plain, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
            return Paper(text, "json", plain)
        try:
            text = change()
            if tomllib.loads(text) == plain:
                found = Paper(text, "toml", plain)
                found.rewritten = self.rewritten
                return found
        except (ValueError, KeyError):  # a text that is written otherwise than we look for
            pass
        found = Paper(toml.dumps(plain), "toml", plain)
        found.rewritten = "#" in self.text
        return found

    def _items(self) -> list[Item]:
        return list(toml_items(self.text))

    def _put(self, table: tuple, key: str, value: Any) -> str:
        text, items = self.text, self._items()
        own = next((x for x in items if not x.header and x.path == (*table, key)), None)
        if own is not None and value is None:
            return text[: _line_start(text, own.start)] + text[_line_behind(text, own.end):]
        if own is not None:
            return text[: own.value] + toml.value(value) + text[own.end:]
        if value is None:
            raise KeyError(key)
        line = toml.dumps({key: value}) if not isinstance(value, dict) else f"{key} = {toml.value(value)}\n"
        last = [x for x in items if x.path[: len(table)] == table and (table or not x.header)]
        if not table:  # the top ends where the first header begins
            first = next((n for n, x in enumerate(items) if x.header), len(items))
            last = items[:first]
        if not last and table and len(table) == 1:  # [parameters], say
            return self._new_table(str(table[0]), line)
        at = _line_behind(text, last[-1].end) if last else 0
        return _joined(text[:at], line, text[at:])

    def _new_table(self, name: str, line: str) -> str:
        at = next((_above(self.text, x.start) for x in self._items() if x.header), len(self.text))
        head = self.text[:at].rstrip("\n")
        return f"{head}\n\n[{name}]\n{line}\n{self.text[at:]}".rstrip("\n") + "\n"

    def _add(self, section: str, entry: dict) -> str:
        text, items = self.text, self._items()
        own = [x for x in items if x.path[:1] == (section,)]
        at = _line_behind(text, own[-1].end) if own else len(text)
        return _joined(text[:at], toml.dumps({section: [entry]}), text[at:])

    def _remove(self, section: str, k: int) -> str:
        text, items = self.text, self._items()
        own = [x for x in items if x.path[:2] == (section, k)]
        start, end = _above(text, own[0].start), _line_behind(text, own[-1].end)
        blank = re.compile(r"[ \t]*\n").match(text, end)
        return text[:start] + text[blank.end() if blank else end:]


def _at(plain: Any, table: tuple) -> Any:
    for part in table:
        plain = plain.setdefault(part, {}) if isinstance(part, str) else plain[part]
    return plain


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_behind(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def _above(text: str, at: int) -> int:
    """Where the comment lines right above a place begin."""
    at = _line_start(text, at)
    while at and text[_line_start(text, at - 1): at].lstrip().startswith("#"):
        at = _line_start(text, at - 1)
    return at


def _joined(before: str, new: str, after: str) -> str:
    return before + ("" if not before or before.endswith("\n") else "\n") + new + after
