"""The building process of a wheel: an object file of a group for each variant of CPU, for a linker (linking.py).

Kernels that many groups use are compiled in each of them, most of them to the same text: the factorisation in plane and space,
in tree coordinates and in absolute ones, was four times 92 kB.  So every function that is not inlined gets a name made from all
that its code depends on, and lies in a section of its own that a linker takes once for each name (COMDAT; the same in GNU ld,
gold and lld).  What a name is made from, after LLVM's passes:

    its text        locals, labels and metadata numbered as they come, names that numba made of types and counters left out
    what it names   functions by the names they get here, constants by their values, attributes by their text; so two functions
                    of one name do the same thing, whatever was inlined into which

A function that calls itself, or names something that is written to, keeps a name of its group alone.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from . import build, store
from .build import Watch, checked_stubs, machine_for, optimised_module, text_of

NAME = r'(?:[-a-zA-Z$._0-9]+|"[^"]*")'
FUNCTION = re.compile(r"^define [^\n]*\{\n.*?^\}\n", re.M | re.S)
TITLE = re.compile(rf"@({NAME})\(")
TOKEN = re.compile(rf"(?P<label>^{NAME}:)|%(?P<local>{NAME})|@(?P<named>{NAME})|(?P<data>!\d+)\b|(?P<facts>#\d+)\b"
                   r"|(?P<note> *;.*)$", re.M)
GLOBAL = re.compile(rf"^@({NAME}) = ([^\n]*)$", re.M)
DATA = re.compile(r"^(!\d+) = ([^\n]*)$", re.M)
FACTS = re.compile(r"^attributes (#\d+) = ([^\n]*)$", re.M)


class _Module:
    """The text of an optimised module, and the names that its functions get."""

    def __init__(self, text: str, kept: str, group: str):
        self.text, self.kept, self.group = text, kept, group
        self.bodies = {TITLE.search(m[0])[1]: m[0] for m in FUNCTION.finditer(text)}  # type: ignore[index]
        self.globals, self.data, self.facts = (dict(p.findall(text)) for p in (GLOBAL, DATA, FACTS))
        self.names: dict[str, str] = {}
        self.open: set[str] = set()

    def name(self, function: str) -> str:
        """What this function is called in all groups; its own name there where it cannot be told apart by its text."""
        if function == self.kept:
            return function
        if function not in self.names:
            if function in self.open:
                raise RecursionError(function)
            self.open.add(function)
            try:
                seed = self._canonical(self.bodies[function], function)
            except RecursionError:
                seed = f"{self.group} {function}"
            self.open.discard(function)
            self.names[function] = f"dalembert_{hashlib.blake2b(seed.encode(), digest_size=12).hexdigest()}"
        return self.names[function]

    def _canonical(self, text: str, function: str) -> str:
        """The text of a function with nothing in it that differs from group to group."""
        order: dict[str, int] = {}

        def number(what: str) -> str:
            return f"{order.setdefault(what, len(order))}"

        def data(what: str) -> str:
            known, place = what in order, number(what)
            if known:
                return f"!{place}"
            inner = re.sub(r'!"[^"]*_ZN[^"]*"', '!""', self.data[what])  # scopes are called after kernels and their types
            return f"!{place}=" + re.sub(r"!\d+", lambda m: data(m[0]), inner)

        def named(what: str) -> str:
            if what == function:
                return "@self"
            if what in self.bodies:
                return f"@{self.name(what)}"
            value = self.globals.get(what)
            if value is None:
                return f"@{what}"  # of the C library, or LLVM's own
            if " constant " not in value:
                raise RecursionError(what)
            return f"@[{TOKEN.sub(place, value)}]"

        def place(m: re.Match) -> str:
            if m["label"]:
                return f"{number('%' + m['label'][:-1])}:"
            if m["local"]:
                return f"%{number('%' + m['local'])}"
            if m["named"]:
                return named(m["named"])
            return data(m["data"]) if m["data"] else self.facts[m["facts"]] if m["facts"] else ""

        return TOKEN.sub(place, text)

    def folded(self) -> tuple[str, list[str]]:
        """The module's text with these names, each function in a section of its own; the names."""
        done: set[str] = set()

        def body(m: re.Match) -> str:
            old = TITLE.search(m[0])[1]  # type: ignore[index]
            if old == self.kept:
                return m[0]
            new = self.name(old)
            if new in done:  # twice in this group
                return ""
            done.add(new)
            title, rest = m[0].split("{\n", 1)
            if not title.startswith("define internal ") or " comdat" in title:
                raise RuntimeError(f"a function of the {self.group} kernels is not what it should be: {title[:80]}")
            return f"define linkonce_odr hidden {title[16:]}comdat {{\n{rest}"

        text = FUNCTION.sub(body, self.text)
        text = re.sub(rf"@({NAME})", lambda m: f"@{self.names.get(m[1], m[1])}", text)
        first = FUNCTION.search(text).start()  # type: ignore[union-attr]
        return f"{text[:first]}{''.join(f'${n} = comdat any{chr(10)}' for n in sorted(done))}{text[first:]}", sorted(done)


def fold(text: str, kept: str, group: str) -> tuple[str, list[str]]:
    """The text of an optimised module whose functions have the names above, but ``kept``; and the names."""
    return _Module(text, kept, group).folded()


def build_variants(group: str, module: str, folder: str, variants: dict[str, str], since: float) -> None:
    """In the child process: an object file of the group for each variant (its name and LLVM's name of the CPU)."""
    watch = Watch(module, since)
    text, symbol, names = text_of(group)
    for variant, cpu in variants.items():
        machine = machine_for(cpu)
        whole = optimised_module(text, symbol, machine)
        for item in whole.global_variables:
            if not item.is_declaration:
                item.linkage = "internal"
        exported = whole.get_function(symbol)
        exported.name = f"dalembert_{variant}_{group}"
        stubs = checked_stubs(whole, group)
        folded, functions = fold(str(whole), exported.name, group)
        store.write(Path(folder), f"{group}@{variant}", machine.emit_object(build.llvm.parse_assembly(folded)), {
            "symbol": f"dalembert_{variant}_{group}", "names": names, "stubs": stubs, "functions": functions, **watch.facts()})
