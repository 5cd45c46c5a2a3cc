"""Loading code touches nothing that others in the process share, and leaves nothing behind."""

import ctypes
import os

import pytest

from dalembert._jit import loader

TEXT = """
declare double @sin(double)
declare double @foreign(double)
define double @law(double %t) {{
  %a = call double @sin(double %t)
  ret double %a
}}
define double @other(double %t) {{
  %a = call double @{0}(double %t)
  ret double %a
}}
"""
SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)


def test_libraries_find_maths_and_their_own_stubs_and_nobody_else_does():
    import llvmlite.binding as llvm

    library = loader.load(loader.emit(TEXT.format("foreign")), ["law"], ["foreign"])
    assert SIGNATURE(library["law"])(0.5) == pytest.approx(0.479425538604203, rel=1e-15)
    assert llvm.address_of_symbol("foreign") is None
    assert llvm.address_of_symbol("law") is None


def test_what_is_missing_or_no_object_file_is_an_error_of_python():
    with pytest.raises(RuntimeError, match="materialize"):
        loader.load(loader.emit(TEXT.format("foreign")), ["law"])
    with pytest.raises(RuntimeError, match="nowhere"):
        loader.load(loader.emit(TEXT.format("sin")), ["nowhere"])
    for junk in (b"", b"\x7fELF", b"junk" * 100):
        with pytest.raises(RuntimeError):
            loader.load(junk, ["law"])


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="counts pages the Linux way")
def test_libraries_leave_no_memory_behind():
    data = loader.emit(TEXT.format("sin"))

    def pages():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1])

    for _ in range(50):
        loader.load(data, ["law", "other"])
    before = pages()
    for _ in range(400):
        loader.load(data, ["law", "other"])
    assert pages() - before < 250  # 1 MB; one common LLJIT left 4 MB
