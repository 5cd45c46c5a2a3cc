"""Where a source can be wrong, and how: every single fault of a file as a replaced piece of its text.

    comparison  < → ≤, < → >, == → !=          operator   + ↔ −, * ↔ /, += ↔ −=, += → =
    sign        −a → a                         factor     0.5, 2.0 … halved or doubled
    extreme     min ↔ max                      function   sin ↔ cos
    operand     one of ``and``/``or`` is gone  negated    if not …, a if not … else b
    left out    a statement is ``pass``        index      x[i] → x[i ± 1], range(n ± 1)
    exchanged   two arguments of a call        other      a name for its sibling: x → y, a → b
    flag        True ↔ False                   leap       continue → break
    early       the rest of a loop or of a function is passed over

A fault is worth planting where answers depend on it: only in functions, and not in docstrings, messages (raise, assert), types,
decorators, calls that only fetch memory ahead, or functions named in IDLE.  Whether it changes an answer at all nobody can know
beforehand; survivors are to be looked at.
"""

from __future__ import annotations

import ast
import itertools
import random
from dataclasses import dataclass
from pathlib import Path

IDLE = ("fetch", "asked", "_asked", "_fetched")  # calls and functions that change when memory is read, and nothing else
TURNED = {ast.Lt: ("<", ("<=", ">")), ast.LtE: ("<=", ("<", ">=")), ast.Gt: (">", (">=", "<")), ast.GtE: (">=", (">", "<=")),
          ast.Eq: ("==", ("!=",)), ast.NotEq: ("!=", ("==",))}
CHANGED = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*")}
SWAPPED = {"sin": "cos", "cos": "sin", "min": "max", "max": "min"}
FACTORS = (0.25, 0.5, 1.0 / 3.0, 2.0, 3.0, 4.0, 6.0)
CALLS = {"min", "max", "abs", "hypot", "fabs", "float", "int", "isinstance", "getattr", "zip"}  # whose arguments may be exchanged
WHOLE = ("w", "s", "self", "row")  # arrays and structs: exchanged with a number nothing would compile
PAIRS = ("first second", "one other", "RA RB", "LA LB", "GAP GAP0", "PUSH HOLD", "low high", "before free")
ROWS = ("xyz", "abcd", "ijkl", "pqr", "uvw", "0123456789")


@dataclass(frozen=True)
class Fault:
    """Bytes ``start`` to ``end`` of a file replaced by other text."""

    file: str
    line: int
    where: str  # the function
    kind: str
    start: int
    end: int
    old: str
    new: str

    def planted(self, source: bytes) -> bytes:
        if source[self.start:self.end] != self.old.encode():
            raise ValueError(f"{self.file}, line {self.line}: the source has changed since this fault was chosen")
        return source[:self.start] + self.new.encode() + source[self.end:]


class _Finder(ast.NodeVisitor):
    """All faults of one module."""

    def __init__(self, file: str, source: bytes):
        self.file, self.source, self.found, self.where, self.names, self.first = file, source, [], [], set(), {}
        self.starts = [0, *itertools.accumulate(len(line) for line in source.splitlines(keepends=True))]

    # ------------------------------------------------------------------------------------------------------- text of nodes

    def at(self, node) -> tuple[int, int]:
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node) -> str:
        start, end = self.at(node)
        return self.source[start:end].decode()

    def add(self, kind: str, start: int, end: int, new: str) -> None:
        old = self.source[start:end].decode()
        if self.where and old != new:
            line = self.source.count(b"\n", 0, start) + 1
            self.found.append(Fault(self.file, line, ".".join(self.where), kind, start, end, old, new))

    def replace(self, kind: str, node, new: str) -> None:
        self.add(kind, *self.at(node), new)

    def between(self, kind: str, left, right, sign: str, new: str) -> None:
        """The operator between two nodes."""
        start, end = self.at(left)[1], self.at(right)[0]
        place = self.source[start:end].find(sign.encode())
        if place >= 0:
            self.add(kind, start + place, start + place + len(sign), new)

    # ----------------------------------------------------------------------------------------------------------- functions

    def visit_FunctionDef(self, node) -> None:
        if node.name in IDLE:
            return
        self.where.append(node.name)
        before, self.names = self.names, {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} | {
            a.arg for a in node.args.args}
        first, self.first = self.first, {a.arg: 0 for a in node.args.args}
        for n in ast.walk(node):
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
                self.first[n.id] = min(self.first.get(n.id, n.lineno), n.lineno)
        silent = not any(isinstance(n, ast.Return) and n.value is not None for n in ast.walk(node))
        self.statements(node.body[1:] if ast.get_docstring(node) is not None else node.body, "return" if silent else "")
        self.names, self.first = before, first
        self.where.pop()

    def visit_ClassDef(self, node) -> None:
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef | ast.ClassDef):
                self.visit(statement)

    def statements(self, body, leave: str = "") -> None:
        """Statements of a function or a loop, which ``leave`` ends, or of a branch."""
        for k, statement in enumerate(body):
            if leave and 0 < k < len(body) - 1:
                self.replace("early", statement, leave)
            self.visit(statement)

    def generic_visit(self, node) -> None:
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list"):
                continue
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                self.statements(value, "continue" if name == "body" and isinstance(node, ast.For | ast.While) else "")
            elif isinstance(value, list):
                for item in value:
                    if isinstance(item, ast.AST):
                        self.visit(item)
            elif isinstance(value, ast.AST):
                self.visit(value)

    # ---------------------------------------------------------------------------------------------------------- statements

    def visit_Raise(self, node) -> None:
        pass

    visit_Assert = visit_Import = visit_ImportFrom = visit_Global = visit_JoinedStr = visit_Raise

    def visit_Expr(self, node) -> None:
        call = node.value
        if isinstance(call, ast.Call) and getattr(call.func, "id", getattr(call.func, "attr", "")) in IDLE:
            return
        if isinstance(call, ast.Call):
            self.replace("left out", node, "pass")
        self.generic_visit(node)

    def visit_Assign(self, node) -> None:
        new = [n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        if all(self.first.get(name, node.lineno) < node.lineno for name in new):  # else nothing has that name
            self.replace("left out", node, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node) -> None:
        self.replace("left out", node, "pass")
        if type(node.op) in CHANGED:
            sign, new = CHANGED[type(node.op)]
            self.between("operator", node.target, node.value, sign + "=", new + "=")
            self.between("operator", node.target, node.value, sign + "=", "=")
        self.generic_visit(node)

    def visit_If(self, node) -> None:
        self.replace("negated", node.test, f"not ({self.text(node.test)})")
        self.generic_visit(node)

    visit_IfExp = visit_If

    def visit_Continue(self, node) -> None:
        self.replace("left out", node, "pass")
        self.replace("leap", node, "break")

    def visit_Break(self, node) -> None:
        self.replace("left out", node, "pass")

    # --------------------------------------------------------------------------------------------------------- expressions

    def visit_Compare(self, node) -> None:
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            if type(op) in TURNED:
                sign, others = TURNED[type(op)]
                for new in others:
                    self.between("comparison", left, right, sign, new)
            left = right
        self.generic_visit(node)

    def visit_BinOp(self, node) -> None:
        if type(node.op) in CHANGED and not isinstance(node.left, ast.JoinedStr):
            sign, new = CHANGED[type(node.op)]
            self.between("operator", node.left, node.right, sign, new)
        if isinstance(node.op, ast.Mult | ast.Div):
            for side in (node.left, node.right):
                if isinstance(side, ast.Constant) and isinstance(side.value, float) and side.value in FACTORS:
                    self.replace("factor", side, repr(2.0 * side.value))
                    self.replace("factor", side, repr(0.5 * side.value))
        self.generic_visit(node)

    def visit_UnaryOp(self, node) -> None:
        if isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
            self.replace("sign", node, self.text(node.operand))
        elif isinstance(node.op, ast.Not):
            self.replace("negated", node, self.text(node.operand))
        self.generic_visit(node)

    def visit_BoolOp(self, node) -> None:
        for k in range(len(node.values)):
            left = [self.text(v) for j, v in enumerate(node.values) if j != k]
            word = " and " if isinstance(node.op, ast.And) else " or "
            self.replace("operand", node, "(" + word.join(f"({t})" if "\n" in t else t for t in left) + ")")
        self.generic_visit(node)

    def visit_Call(self, node) -> None:
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in IDLE:
            return
        if name in SWAPPED:
            start, end = self.at(node.func)
            self.add("extreme" if name in ("min", "max") else "function", end - len(name), end, SWAPPED[name])
        elif name not in CALLS:
            for one, other in itertools.pairwise(a for a in node.args if getattr(a, "id", "") not in WHOLE):
                (start, end), (from_, to) = self.at(one), self.at(other)
                middle = self.source[end:from_].decode()
                self.add("exchanged", start, to, self.text(other) + middle + self.text(one))
        if name == "range" and node.args:
            for way in ("+", "-"):
                self.replace("index", node.args[-1], f"{self.text(node.args[-1])} {way} 1")
        self.generic_visit(node)

    def visit_Subscript(self, node) -> None:
        if not isinstance(node.slice, ast.Slice | ast.Tuple) and not isinstance(getattr(node.slice, "value", 0), str):
            for way in ("+", "-"):
                self.replace("index", node.slice, f"{self.text(node.slice)} {way} 1")
        self.generic_visit(node)

    def visit_Constant(self, node) -> None:
        if isinstance(node.value, bool):
            self.replace("flag", node, str(not node.value))

    def visit_Name(self, node) -> None:
        if isinstance(node.ctx, ast.Load):
            for other in _siblings(node.id):
                if other in self.names:
                    self.replace("other", node, other)


def _siblings(name: str) -> set[str]:
    """Names that are of the same kind: x and y, n0 and n1, ax and bx, RA and RB."""
    found = set()
    for pair in PAIRS:
        if name in pair.split():
            found |= set(pair.split())
    for row in ROWS:
        for place in (0, len(name) - 1):
            if name[place] in row:
                at = row.index(name[place])
                found |= {name[:place] + row[k] + name[place + 1:] for k in (at - 1, at + 1) if 0 <= k < len(row)}
    return found - {name}


def faults(root: Path, file: str) -> list[Fault]:
    """All single faults of a file."""
    source = (root / file).read_bytes()
    finder = _Finder(file, source)
    finder.visit(ast.parse(source))
    return list(dict.fromkeys(finder.found))


def _is_python(root: Path, fault: Fault) -> bool:
    try:
        ast.parse(fault.planted((root / fault.file).read_bytes()))
    except SyntaxError:
        return False
    return True


def chosen(root: Path, files, count: int, seed: int, kinds=()) -> list[Fault]:
    """``count`` faults: a file by its size, then a kind, then a place."""
    draw = random.Random(seed)
    kept: dict[str, dict[str, list[Fault]]] = {}
    for file in files:
        for fault in faults(root, file):
            if not kinds or fault.kind in kinds:
                kept.setdefault(file, {}).setdefault(fault.kind, []).append(fault)
    taken: dict[Fault, None] = {}
    sizes = [sum(map(len, found.values())) for found in kept.values()]
    for _ in range(50 * count if kept else 0):
        if len(taken) == count:
            break
        found = kept[draw.choices(list(kept), sizes)[0]]
        fault = draw.choice(found[draw.choice(list(found))])
        if _is_python(root, fault):
            taken[fault] = None
    return list(taken)
