"""Compiled kernels that travel with the package: a wheel carries them as an ordinary shared library, opened by ctypes.

A folder ``_kernels`` beside the sources holds the kernels in *variants*, each a library of its own with the same groups: the
widest, which most machines run, as ``kernels.so``, the others packed (``kernels-v1.xz``), because code that is hardly ever used
should not weigh; ``index.py`` says where each group's code is (linking.py makes them all when a wheel is built).  The library
says itself which variants the CPU at hand can run, and the widest of these is used (or, for comparisons, the one that
DALEMBERT_VARIANT names; with ``host`` kernels are compiled for this CPU as from a checkout).  A packed library is opened from
memory, without a file; where the system does not run code from there, from a temporary one.

Nothing of the sources is looked at: they and the library came together.  What is about to run is compared with its checksum,
the parts that the system reads (0.1 ms) before it opens the library, a group's code, and that of groups it leans on (functions of
many groups are there once), when it is first used.  A library that
is not what it was is not used: kernels are then compiled as from a checkout where the extra ``compile`` is installed; elsewhere
an ``Unusable`` says what to do.
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
import zlib

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "_kernels")
# variants of each (system, machine): the level a CPU must have, and LLVM's name of the CPU they are made for.  One for AVX-512
# gives the same bits as v3 and runs of the same time (docs/decisions/0107): it is not worth 2.7 MB
VARIANTS = {("linux", "x86_64"): {"v1": (1, "x86-64"), "v3": (3, "x86-64-v3")}}
AGAIN = "pip install --force-reinstall dalembert"
COMPILE = "pip install 'dalembert[compile]'"


class Unusable(RuntimeError):
    """There are no compiled kernels, and none can be made; with what to do about a library that cannot be used."""

    def __init__(self, text: str, cure: str = f"put them in order by {AGAIN}"):
        super().__init__(text)
        self.cure = cure


def variants() -> dict[str, tuple[int, str]]:
    """Those that a wheel for this kind of machine carries."""
    return VARIANTS.get((sys.platform, machine()), {})


def machine() -> str:
    return os.uname().machine if hasattr(os, "uname") else ""


class Shipped:
    """An opened library."""

    def __init__(self, folder: str | os.PathLike[str]):
        index = _index(os.path.join(folder, "index.py"))
        levels, widest = index["LEVELS"], index["WIDEST"]
        self._open(folder, widest, index)
        self.level = int(self._library.dalembert_level())
        able = {name: n for name, n in levels.items() if n <= self.level}
        asked = os.environ.get("DALEMBERT_VARIANT", "")
        if asked and asked not in able:
            raise Unusable(f"DALEMBERT_VARIANT={asked}: this CPU runs the variants {', '.join(able)}", "name one of them")
        self.variant = asked or max(able, key=able.__getitem__)
        if self.variant != widest:
            self._open(folder, self.variant, index)
        self.entries, self._code = index["ENTRIES"], index["CODE"][self.variant]
        self._sound: set[str] = set()  # groups whose code is what it was

    def _open(self, folder: str | os.PathLike[str], variant: str, index: dict) -> None:
        facts = index["FILES"][variant]
        self._path = os.path.join(folder, facts["file"])
        try:
            self._library = _packed(self._path, facts) if facts["packed"] else _plain(self._path, facts)
            self._base = _address(self._library.dalembert_mark_0)
            self._library.dalembert_level.restype = ctypes.c_int64
        except (OSError, AttributeError) as error:
            raise Unusable(f"{self._path} cannot be opened ({error})") from None

    def find(self, group: str) -> tuple[int, dict[str, int]]:
        """Address of a group's code, and the numbers of its entries."""
        if group not in self._code:
            raise Unusable(f"{self._path} does not hold the {group} kernels")
        for name in {group, *self._code[group][4]} - self._sound:
            begin, end, _, checksum, _ = self._code[name]
            if zlib.crc32((ctypes.c_char * (end - begin)).from_address(self._base + begin)) != checksum:
                raise Unusable(f"{self._path} is damaged")
            self._sound.add(name)
        return self._base + self._code[group][2], self.entries[group]

    def place(self, name: str) -> int:
        """Address of what the library shows by this name."""
        return _address(getattr(self._library, name))


def _plain(path: str, facts: dict) -> ctypes.CDLL:
    """A library as it lies there; what the system reads of it is compared first."""
    try:
        with open(path, "rb") as file:
            head = file.read(facts["first"])
            size = file.seek(0, os.SEEK_END)
            file.seek(facts["last"])
            tail = file.read()
    except OSError as error:
        raise Unusable(f"{path} cannot be read ({error.strerror})") from None
    if size != facts["size"] or zlib.crc32(tail, zlib.crc32(head)) != facts["rest"]:
        raise Unusable(f"{path} is damaged")
    return ctypes.CDLL(path)


def _packed(path: str, facts: dict) -> ctypes.CDLL:
    """A library from its packed file, by way of memory; or of a temporary file, where code is not run from memory."""
    import tempfile

    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise Unusable(f"{path} cannot be read ({error.strerror})") from None
    if zlib.crc32(data) != facts["packed"]:
        raise Unusable(f"{path} is damaged")
    try:
        import lzma
    except ImportError:
        raise Unusable(f"{path} cannot be unpacked: this Python was built without lzma") from None
    data = lzma.decompress(data)
    try:
        memory = os.memfd_create("dalembert")  # never closed: by the name it has here the system would find it for another one
        with open(memory, "wb", closefd=False) as file:
            file.write(data)
        return ctypes.CDLL(f"/proc/self/fd/{memory}")
    except (OSError, AttributeError):
        with tempfile.NamedTemporaryFile(suffix=".so") as place:
            place.write(data)
            place.flush()
            return ctypes.CDLL(place.name)


def _address(function) -> int:
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)


def _index(path: str) -> dict:
    """The names of the index; it is a module, so that Python keeps it ready to use."""
    import importlib.util

    try:
        spec = importlib.util.spec_from_file_location("dalembert._kernels.index", path)
        module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
        spec.loader.exec_module(module)  # type: ignore[union-attr]
        return {name: getattr(module, name) for name in ("WIDEST", "LEVELS", "FILES", "ENTRIES", "CODE")}
    except Exception as error:
        raise Unusable(f"{path} cannot be read ({type(error).__name__})") from None


@functools.cache
def opened(folder: str = FOLDER) -> Shipped | Unusable | None:
    """The library that came with the package; None if none did; what is wrong with it."""
    if not os.path.isdir(folder) or os.environ.get("DALEMBERT_VARIANT") == "host":
        return None
    try:
        return Shipped(folder)
    except Unusable as error:
        return error


def find(group: str) -> tuple[int, dict[str, int]] | None:
    """Address and entries of a group that came with the package; None if kernels must be compiled."""
    library = opened()
    if isinstance(library, Shipped):
        try:
            return library.find(group)
        except Unusable as error:
            library = error
    if library is None:
        if compiler():
            return None
        host = os.environ.get("DALEMBERT_VARIANT") == "host"
        why = "DALEMBERT_VARIANT=host asks for kernels made here" if host else "no compiled kernels came with this dalembert"
        raise Unusable(f"{why}, and numba, which makes them, is not installed: {COMPILE}")
    if not compiler():
        raise Unusable(f"the compiled kernels of dalembert cannot be used: {library}; {library.cure}")
    from .store import say

    say(f"the kernels that came with the package are not used: {library}")
    return None


@functools.cache
def compiler() -> bool:
    """Whether the extra ``compile`` is installed; nothing of it is imported."""
    from importlib.util import find_spec

    return all(find_spec(name) is not None for name in ("numba", "llvmlite"))
