"""Object code of all groups → an ordinary shared library for each variant, by a system linker; used when a wheel is built.

    begin │ group │ mark │ group │ mark … │ level │ builtin │ stubs        in this order in the library's code

The library of the widest variant is left as it is, the others are packed (shipped.py opens both).  ``level()``, in each of them
for any CPU, says which of the variants this one can run (1, 3 or 4: x86-64, -v3, -v4), asked of the CPU itself and, for its
wide registers, of the system (XCR0).  *Builtin* is the code behind functions of Python (builtin_text.py), for any CPU as well;
its table is filled when it is first used.  *Marks* are empty functions between the groups: they tell where each group's code
begins and ends, so that it can be compared with its checksum where it lies in memory.  A function that several groups hold
(variants.py) is kept once, in the first of them; the others *lean* on that one.  *Stubs* stand for what numba's error branches
name, which kernels never take.

The library refers to the C library by two small libraries made here, which have its names at their oldest version: so a
library built on a new system runs on an old one, and neither compiler nor headers are needed.  Only names in MATHS and LIBC are
there: a kernel that asks for anything else cannot be linked.  The linker is ``$DALEMBERT_LINKER``, or the system's ``ld``,
``ld.lld`` or ``ld.gold``.
"""

from __future__ import annotations

import lzma
import os
import pprint
import shlex
import shutil
import struct
import subprocess
import tempfile
import zlib
from pathlib import Path
from typing import Any

from .builtin_text import TEXT
from .loader import MATHS

LIBC = {"memcpy", "memset", "memmove", "memcmp"}
OLDEST = {"x86_64": "GLIBC_2.2.5"}  # the version of the names of the C library that every system has
LIBRARY, INDEX = "kernels.so", "index.py"
LINKERS = ("ld", "ld.lld", "ld.gold")
PACKING = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 9}]  # calls by their targets pack better

_V2, _V3 = (0, 9, 13, 19, 20, 23), (12, 22, 27, 28, 29)  # bits of leaf 1, ecx: sse3 … popcnt; fma, movbe, osxsave, avx, f16c
_V3_MORE, _V3_EXTENDED, _V4 = (3, 5, 8), (0, 5), (16, 17, 28, 30, 31)  # leaf 7, ebx: bmi, avx2, bmi2; lahf, lzcnt; avx512


def _mask(bits) -> int:
    word = sum(1 << b for b in bits)
    return word - (1 << 32) if word >= 1 << 31 else word


def _cpuid(name: str, leaf: int) -> str:
    return (f'  %{name} = call {{ i32, i32, i32, i32 }} asm sideeffect "cpuid", '
            f'"={{ax}},={{bx}},={{cx}},={{dx}},{{ax}},{{cx}},~{{dirflag}},~{{fpsr}},~{{flags}}"(i32 {leaf}, i32 0)\n')


def _has(name: str, of: str, register: int, mask: int) -> str:
    return (f"  %{name}x = extractvalue {{ i32, i32, i32, i32 }} %{of}, {register}\n"
            f"  %{name}y = and i32 %{name}x, {mask}\n  %{name} = icmp eq i32 %{name}y, {mask}\n")


LEVEL = "".join([
    "define i64 @dalembert_level() nounwind {\n", _cpuid("zero", 0),
    "  %most = extractvalue { i32, i32, i32, i32 } %zero, 0\n  %enough = icmp ugt i32 %most, 6\n",
    "  br i1 %enough, label %ask, label %old\n", "ask:\n",
    _cpuid("one", 1), _cpuid("seven", 7), _cpuid("far", 0x80000001 - (1 << 32)),
    _has("a", "one", 2, _mask(_V2 + _V3)), _has("b", "seven", 1, _mask(_V3_MORE)), _has("c", "far", 2, _mask(_V3_EXTENDED)),
    _has("d", "seven", 1, _mask(_V4)), "  %e = and i1 %a, %b\n  %f = and i1 %e, %c\n  br i1 %f, label %wide, label %old\n",
    'wide:\n  %x = call { i32, i32 } asm sideeffect "xgetbv", "={ax},={dx},{cx},~{dirflag},~{fpsr},~{flags}"(i32 0)\n',
    "  %lo = extractvalue { i32, i32 } %x, 0\n  %m3 = and i32 %lo, 6\n  %ymm = icmp eq i32 %m3, 6\n",
    "  %m4 = and i32 %lo, 230\n  %regs = icmp eq i32 %m4, 230\n  %zmm = and i1 %regs, %d\n",
    "  %three = select i1 %ymm, i64 3, i64 1\n  %level = select i1 %zmm, i64 4, i64 %three\n  ret i64 %level\n",
    "old:\n  ret i64 1\n}\n"])


def _empty(names) -> str:
    """Functions that do nothing and give nothing."""
    return "".join(f'define ptr @"{n}"() nounwind {{\n  ret ptr null\n}}\n' for n in names)


def _object(text: str, path: Path) -> str:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    machine = llvm.Target.from_default_triple().create_target_machine(cpu="x86-64", features="", reloc="pic", codemodel="small")
    path.write_bytes(machine.emit_object(llvm.parse_assembly(f'target triple = "{llvm.get_default_triple()}"\n{text}')))
    return str(path)


def linker() -> list[str] | None:
    """The linker's command; None if there is none."""
    chosen = os.environ.get("DALEMBERT_LINKER", "")
    if chosen:
        return shlex.split(chosen)
    found = next(filter(None, map(shutil.which, LINKERS)), None)
    return [found] if found else None


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"linking the kernels failed: {' '.join(command[:2])} …\n{done.stderr[-3000:]}")


def _c_library(ld: list[str], work: Path, machine: str) -> list[str]:
    """Libraries to link with in place of the system's: its names, at their oldest version."""
    made = []
    for soname, names in (("libm.so.6", MATHS), ("libc.so.6", LIBC)):
        versions = work / f"{soname}.map"
        versions.write_text(f"{OLDEST[machine]} {{ global: {' '.join(f'{n};' for n in sorted(names))} local: *; }};\n")
        code = _object(_empty(sorted(names)), work / f"{soname}.o")
        _run([*ld, "-shared", "-soname", soname, f"--version-script={versions}", "-o", str(work / soname), code])
        made.append(str(work / soname))
    return made


def link(objects: dict[tuple[str, str], tuple[bytes, dict]], folder: Path, levels: dict[str, int], machine: str,
         facts: dict[str, Any]) -> Path:
    """The libraries and their index in ``folder``, from objects by (variant, group): code and description; the widest one."""
    ld = linker()
    if ld is None:
        raise RuntimeError(f"there is no linker (looked for {', '.join(LINKERS)}; DALEMBERT_LINKER names another)")
    folder.mkdir(exist_ok=True)
    widest = max(levels, key=levels.__getitem__)
    files, code = {}, {}
    with tempfile.TemporaryDirectory(prefix="dalembert-link-") as temporary:
        common = _c_library(ld, Path(temporary), machine)
        for variant in levels:
            groups = {g: item for (v, g), item in objects.items() if v == variant}
            work = Path(temporary, variant)
            work.mkdir()
            data = _library(ld, work, groups, common)
            files[variant], code[variant] = _described(data, groups)
            if variant == widest:
                files[variant] |= {"file": LIBRARY, "packed": 0}
            else:
                data = lzma.compress(data, filters=PACKING)
                files[variant] |= {"file": f"kernels-{variant}.xz", "packed": zlib.crc32(data)}
            (folder / files[variant]["file"]).write_bytes(data)
    entries = {group: meta["names"] for (_, group), (_, meta) in objects.items()}
    shown = {"MACHINE": machine, "WIDEST": widest, "LEVELS": levels, "FILES": files, "ENTRIES": entries, "CODE": code,
             "MADE": facts}
    lines = [f"{name} = {pprint.pformat(value, width=128, sort_dicts=False)}" for name, value in shown.items()]
    text = ['"""Made with kernels.so by dalembert/_jit/linking.py."""', "", *lines, ""]
    (folder / INDEX).write_text("\n".join(text), encoding="utf-8")
    return folder / LIBRARY


def _library(ld: list[str], work: Path, groups: dict[str, tuple[bytes, dict]], common: list[str]) -> bytes:
    """The library of one variant."""
    marks = _marks(groups)
    files = [_object(_empty(marks[:1]), work / "mark0.o")]
    for k, (data, _) in enumerate(groups.values()):
        (work / f"code{k}.o").write_bytes(data)
        files += [str(work / f"code{k}.o"), _object(_empty([marks[k + 1]]), work / f"mark{k + 1}.o")]
    stubs = sorted({name for _, meta in groups.values() for name in meta["stubs"]})
    shown = ("dalembert_level", "dalembert_builtin", "dalembert_python")
    exported = [*marks, *shown, *(meta["symbol"] for _, meta in groups.values())]
    last = {"level": LEVEL, "builtin": TEXT, "stubs": _empty(stubs)}
    files += [_object(text, work / f"{name}.o") for name, text in last.items()]
    names, made = work / "names.map", work / LIBRARY
    names.write_text(f"{{ global: {' '.join(f'{n};' for n in exported)} local: *; }};\n")
    _run([*ld, "-shared", "-soname", LIBRARY, f"--version-script={names}", "-o", str(made), "--no-undefined", "-z", "text",
          "-z", "noexecstack", "-z", "relro", "-z", "now", "--hash-style=gnu", "--build-id=none", "--strip-all", *files, *common])
    return made.read_bytes()


def _marks(groups) -> list[str]:
    return [f"dalembert_mark_{k}" for k in range(len(groups) + 1)]


def _described(data: bytes, groups) -> tuple[dict[str, Any], dict[str, tuple[int, int, int, int, tuple[str, ...]]]]:
    """What the loader must know of a library: where its code begins and ends, and the checksum of the rest; where each group's
    code lies, counted from the first mark, its entry, its checksum, and the groups it leans on."""
    where = symbols(data)
    at = [where[m] for m in _marks(groups)]
    if at != sorted(at):
        raise RuntimeError("the linker put the kernels into another order")
    first, last = offset(data, at[0]), offset(data, at[-1])
    code = {}
    owner: dict[str, str] = {}  # of a function: the first group that holds it
    for k, (group, (_, meta)) in enumerate(groups.items()):
        begin, end = at[k] - at[0], at[k + 1] - at[0]
        owners = {owner.setdefault(name, group) for name in meta["functions"]} - {group}
        code[group] = (begin, end, where[meta["symbol"]] - at[0], zlib.crc32(data[first + begin:first + end]),
                       tuple(sorted(owners)))
    return {"size": len(data), "first": first, "last": last, "rest": zlib.crc32(data[last:], zlib.crc32(data[:first]))}, code


# -------------------------------------------------------------------------------------------------------- reading ELF


def offset(data: bytes, address: int) -> int:
    """Where in the file an address of the library lies."""
    table, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for k in range(count):
        kind, _, start, virtual, _, length = struct.unpack_from("<IIQQQQ", data, table + k * size)
        if kind == 1 and virtual <= address < virtual + length:  # PT_LOAD
            return start + address - virtual
    raise ValueError(f"no segment of the library holds the address {address:#x}")


def symbols(data: bytes) -> dict[str, int]:
    """Addresses of the names that a library exports."""
    found = {}
    for kind, start, size, link_to in _sections(data):
        if kind == 11:  # SHT_DYNSYM
            names = _sections(data)[link_to]
            for k in range(start, start + size, 24):
                name, _, _, section, value, _ = struct.unpack_from("<IBBHQQ", data, k)
                if section:
                    found[_string(data, names[1] + name)] = value
    return found


def needed(data: bytes) -> tuple[set[str], set[str]]:
    """The names a library takes from others, and the versions it asks them for."""
    names, versions = set(), set()
    for kind, start, size, link_to in _sections(data):
        strings = _sections(data)[link_to][1] if kind in (11, 0x6FFFFFFE) else 0
        if kind == 11:
            for k in range(start, start + size, 24):
                name, _, _, section, *_ = struct.unpack_from("<IBBHQQ", data, k)
                if not section and name:
                    names.add(_string(data, strings + name))
        if kind == 0x6FFFFFFE:  # SHT_GNU_verneed
            at = start
            while True:
                _, count, _, first, onward = struct.unpack_from("<HHIII", data, at)
                place = at + first
                for _ in range(count):
                    _, _, _, name, following = struct.unpack_from("<IHHII", data, place)
                    versions.add(_string(data, strings + name))
                    place += following
                if not onward:
                    break
                at += onward
    return names, versions


def _sections(data: bytes) -> list[tuple[int, int, int, int]]:
    """Kind, place, size and linked section of each section."""
    table, = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    rows = (struct.unpack_from("<IIQQQQI", data, table + k * size) for k in range(count))
    return [(kind, start, length, link_to) for _, kind, _, _, start, length, link_to in rows]


def _string(data: bytes, at: int) -> str:
    return data[at:data.index(b"\0", at)].decode()
