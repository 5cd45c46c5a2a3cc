"""Files are opened for writing in one place of the package: io/atomic.py.  (Compiled kernels have their own cache, in _jit.)"""

import ast
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "src" / "dalembert"
ALONE = "io/atomic.py"
KERNELS = "_jit/"
CALLS = {"write_text", "write_bytes", "tofile", "mkstemp", "NamedTemporaryFile", "TemporaryFile", "truncate"}
HANDED = {"savefig", "savez", "savez_compressed", "savetxt"}  # to a handle that atomic gave


def suspects(text: str) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        owner = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        words = [a.value for a in (*node.args, *(k.value for k in node.keywords)) if isinstance(a, ast.Constant)]
        mode = next((w for w in words if isinstance(w, str) and len(w) <= 3 and set(w) <= set("rwaxbt+")), "r")
        first, whole = ast.unparse(node.args[0]) if node.args else "", ast.unparse(node)
        wrong = (
            (name == "open" and owner in ("", "io", "Path", "path", "file") and set(mode) & set("wax+"))
            or (name == "open" and owner == "os" and "O_RDONLY" not in whole and "_FLAGS" not in whole)
            or (name == "open" and owner == "av" and first != "target")
            or (name == "File" and owner == "h5py" and "w" in mode and first != "image")
            or (name in HANDED and first != "file")
            or (name in CALLS and owner != "atomic")
        )
        if wrong:
            found.append((node.lineno, whole))
    return found


def test_no_file_is_opened_for_writing_elsewhere():
    wrong = {}
    for file in sorted(SOURCES.rglob("*.py")):
        name = file.relative_to(SOURCES).as_posix()
        if name != ALONE and not name.startswith(KERNELS):
            found = suspects(file.read_text(encoding="utf-8"))
            if found:
                wrong[name] = found
    assert not wrong, f"write through dalembert.io.atomic: {wrong}"


def test_the_search_finds_what_it_looks_for():
    for text in ('open(p, "w")', 'open(p, mode="ab")', "Path(p).write_text(t)", "figure.savefig(path)", 'av.open(str(p), "w")',
                 'h5py.File(path, "w")', "np.savez(path, a=1)", "tempfile.mkstemp()", "os.open(p, os.O_RDWR)", 'path.open("w")'):
        assert suspects(text), text
    for text in ('open(p, "rb")', "atomic.write_text(p, t)", 'h5py.File(image, "w")', "self._open(r)", "webbrowser.open(url)"):
        assert not suspects(text), text
