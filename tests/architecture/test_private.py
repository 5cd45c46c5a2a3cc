"""What _jit takes of numba and llvmlite beyond their public names: nothing is patched, and the private names used are listed."""

import ast
from pathlib import Path

import pytest

JIT = Path(__file__).parents[2] / "src" / "dalembert" / "_jit"
FILES = sorted(JIT.glob("*.py"))
TOOLS = ("numba", "llvmlite")

# private names of the tools that remain, and why
REMAIN = {
    ("kernels.py", "_nrt"): "no public switch leaves the run-time allocator out; with it the α group takes 1.26 times the CPU to "
                            "build, and kernels that allocate would be accepted",
    ("dual_arithmetic.py", "_getvalue"): "as in native.py",
    ("dual_arrays.py", "_getvalue"): "as in native.py",
    ("native.py", "_getvalue"): "the only way from numba's struct proxy to its value; every extension of numba uses it",
    ("builtin.py", "_ARRAY_API"): "where NumPy hands its C API to extension modules; all of them take it there (import_array)",
    ("forks.py", "_lock"): "a fork must wait for LLVM's own lock (llvmlite's, which numba's threads hold too)",
}


def tools(tree: ast.AST) -> set[str]:
    """Names in a module that stand for the tools or for parts of them."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {a.asname or a.name.partition(".")[0] for a in node.names if a.name.startswith(TOOLS)}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(TOOLS):
            found |= {a.asname or a.name for a in node.names}
    return found


def root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def patched(tree: ast.AST) -> list[str]:
    """Attributes of the tools that are assigned, deleted or set."""
    names = tools(tree)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del) and root(node.value) in names:
            found.append(ast.unparse(node))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("setattr", "delattr") and (
                root(node.args[0]) in names):
            found.append(ast.unparse(node))
    return found


def private(tree: ast.AST) -> set[str]:
    """Underscore names that are not this file's own: attributes, asked for or named in a call, and keys (options)."""
    own = {"_fields", "_replace", "_getframe", "_exit"}  # named tuples, sys, os
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and root(node) not in tools(tree):
            own.add(node.attr)
    found = set()
    for node in ast.walk(tree):
        names = [node.attr] if isinstance(node, ast.Attribute) else []
        if isinstance(node, ast.Dict):
            names = [k.value for k in node.keys if isinstance(k, ast.Constant)]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr", "setattr"):
            names = [a.value for a in node.args if isinstance(a, ast.Constant)]
        found |= {n for n in names if isinstance(n, str) and n.startswith("_") and not n.startswith("__") and n not in own}
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(TOOLS):
            found |= {part for part in (*(node.module or "").split("."), *(a.name for a in node.names)) if part.startswith("_")}
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_nothing_of_the_tools_is_patched(path):
    assert not patched(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_private_names_are_on_the_list(path):
    used = private(ast.parse(path.read_text(encoding="utf-8")))
    assert used == {name for file, name in REMAIN if file == path.name}


def test_the_rules_see_what_they_are_for():
    text = "from numba.core.codegen import Library\nLibrary._finalize = None\nsetattr(Library, 'x', 1)\nx._library\n"
    tree = ast.parse(text)
    assert patched(tree) == ["Library._finalize", "setattr(Library, 'x', 1)"]
    assert "_library" in private(tree)
