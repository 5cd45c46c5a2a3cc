"""Which variant of the kernels a CPU gets: never one that it cannot run."""

import ctypes
import lzma
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dalembert._jit import MODE, linking, loader, shipped

pytestmark = pytest.mark.skipif(MODE != "object" or not shipped.variants() or linking.linker() is None,
                                reason="no library is made in this mode, on this machine, or without a linker")

# leaf of cpuid, register (a, b, c, d: 0 … 3) and bit, by the manuals of the makers
ONE, SEVEN, FAR = 1, 7, 0x80000001
V3 = {"sse3": (ONE, 2, 0), "ssse3": (ONE, 2, 9), "fma": (ONE, 2, 12), "cx16": (ONE, 2, 13), "sse4.1": (ONE, 2, 19),
      "sse4.2": (ONE, 2, 20), "movbe": (ONE, 2, 22), "popcnt": (ONE, 2, 23), "osxsave": (ONE, 2, 27), "avx": (ONE, 2, 28),
      "f16c": (ONE, 2, 29), "bmi1": (SEVEN, 1, 3), "avx2": (SEVEN, 1, 5), "bmi2": (SEVEN, 1, 8), "lahf": (FAR, 2, 0),
      "lzcnt": (FAR, 2, 5)}
V4 = {"avx512f": (SEVEN, 1, 16), "avx512dq": (SEVEN, 1, 17), "avx512cd": (SEVEN, 1, 28), "avx512bw": (SEVEN, 1, 30),
      "avx512vl": (SEVEN, 1, 31)}
SYSTEM = 0b11100111  # XCR0: x87, SSE, AVX; masks, upper halves and further registers of AVX-512


def level(features, system=SYSTEM, leaves=7):
    """What the library's own code says of a CPU with these features alone."""
    import llvmlite.binding as llvm

    answers = {(0, 0): leaves}
    for leaf, register, bit in features:
        answers[leaf, register] = answers.get((leaf, register), 0) | 1 << bit
    four = "{ i32, i32, i32, i32 }"
    lines = [f"define {four} @cpuid(i32 %leaf, i32 %sub) {{", f"  %s0 = insertvalue {four} zeroinitializer, i32 0, 0"]
    for k, ((leaf, register), word) in enumerate(answers.items()):
        lines += [f"  %i{k} = icmp eq i32 %leaf, {leaf}", f"  %w{k} = select i1 %i{k}, i32 {word}, i32 0",
                  f"  %o{k} = extractvalue {four} %s{k}, {register}", f"  %v{k} = or i32 %w{k}, %o{k}",
                  f"  %s{k + 1} = insertvalue {four} %s{k}, i32 %v{k}, {register}"]
    lines += [f"  ret {four} %s{len(answers)}", "}", "define { i32, i32 } @xgetbv(i32 %which) {",
              f"  %x = insertvalue {{ i32, i32 }} zeroinitializer, i32 {system}, 0", "  ret { i32, i32 } %x", "}"]
    text, count = re.subn(r'asm sideeffect "(cpuid|xgetbv)", "[^"]*"', r"@\1", linking.LEVEL)
    assert count == 5
    made = loader.load(loader.emit("\n".join([f'target triple = "{llvm.get_process_triple()}"', *lines, text])),
                       ["dalembert_level"])
    return ctypes.CFUNCTYPE(ctypes.c_int64)(made["dalembert_level"])()


def test_cpus_of_all_kinds():
    """The asking code with the answers of other CPUs: each feature that is missing counts, and so does the system's part."""
    three, four = set(V3.values()), set(V3.values()) | set(V4.values())
    assert (level(four), level(three), level(set())) == (4, 3, 1)
    assert {name for name, f in V3.items() if level(four - {f}) != 1} == set()
    assert {name for name, f in V4.items() if level(four - {f}) != 3} == set()
    assert level(four, leaves=6) == 1  # such a CPU answers leaf 7 with something else
    assert [level(four, SYSTEM & ~(1 << bit)) for bit in (1, 2, 5, 6, 7)] == [1, 1, 3, 3, 3]


def test_this_cpu(folder):
    """Asked of the CPU; the system's list of features is the other route."""
    flags = next(line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("flags")).split()
    three = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "cx16", "popcnt", "sse4_1", "sse4_2"} <= set(flags)
    four = three and {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= set(flags)
    assert shipped.Shipped(folder).level == (4 if four else 3 if three else 1)


def test_a_variant_above_this_cpu_is_neither_taken_nor_given(folder, monkeypatch):
    index = folder / "index.py"
    index.write_text(index.read_text() + "LEVELS['v9'] = 9\nCODE['v9'] = CODE['v1']\n")
    monkeypatch.delenv("DALEMBERT_VARIANT", raising=False)
    assert shipped.Shipped(folder).variant in shipped.variants()
    monkeypatch.setenv("DALEMBERT_VARIANT", "v9")
    with pytest.raises(shipped.Unusable, match="DALEMBERT_VARIANT=v9: this CPU runs the variants v1") as caught:
        shipped.Shipped(folder)
    monkeypatch.setattr(shipped, "opened", lambda: caught.value)
    monkeypatch.setattr(shipped, "compiler", lambda: False)
    with pytest.raises(shipped.Unusable, match=r"; name one of them$"):
        shipped.find("tape")


def test_host_leaves_the_library_alone(folder, monkeypatch):
    monkeypatch.setenv("DALEMBERT_VARIANT", "host")
    assert shipped.opened.__wrapped__(folder) is None
    monkeypatch.setattr(shipped, "opened", lambda: None)
    monkeypatch.setattr(shipped, "compiler", lambda: False)
    with pytest.raises(shipped.Unusable, match=r"VARIANT=host asks .* not installed: pip install 'dalembert\[compile\]'"):
        shipped.find("tape")


@pytest.mark.skipif(shutil.which("objdump") is None, reason="needs objdump")
def test_a_variant_holds_no_instructions_above_its_level(folder):
    """By the disassembler: registers of 256 bits and names that begin with v are AVX, registers of 512 bits and masks AVX-512."""
    seen = {}
    index = shipped._index(str(folder / "index.py"))
    for variant, groups in index["CODE"].items():
        data = (folder / index["FILES"][variant]["file"]).read_bytes()
        library = folder / f"{variant}.so"
        library.write_bytes(lzma.decompress(data) if index["FILES"][variant]["packed"] else data)
        base, text = linking.symbols(library.read_bytes())["dalembert_mark_0"], ""
        for begin, end, *_ in groups.values():
            command = ["objdump", "-d", "--no-show-raw-insn", f"--start-address={base + begin}", f"--stop-address={base + end}"]
            text += subprocess.run([*command, str(library)], capture_output=True, text=True, check=True).stdout
        assert text.count("\n") > 200
        seen[variant] = tuple(bool(re.search(p, text)) for p in (r":\s+v[a-z]", r"%(zmm|[xy]mm(1[6-9]|2\d|3[01])|k[0-7])"))
    assert seen == {"v1": (False, False), "v3": (True, False)}
