"""Compiled code on disk: where it lives, what it depends on, and whether it is still what was put there.

An item is an object file and its description, NAME.json.  The description is *sealed*: it holds the digest of the object, the key
of its folder, and a digest of itself, so that a cut, mixed or altered item is noticed before a byte of it runs (LLVM trusts what
it loads).  Whatever does not fit is made again; nobody has to know, apart from one line.

The folder is named by ``key``: everything that machine code of the same sources depends on.  Code is loaded only from a folder
and files that belong to the user and that no other user can write.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import json
import os
import platform
import shutil
import stat
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
KEPT = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")  # settings of numba that building processes take over, and no others
EDITED = 75  # how a building process ends whose sources were edited meanwhile
_OPEN_LOCKS: set[int] = set()


def digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


# ------------------------------------------------------------------------------------------------------------- the key


@functools.cache
def numba_version() -> str:
    """What numba says of its version, without importing it; "" if it is not there."""
    import importlib.util

    found = importlib.util.find_spec("numba")
    if found is None or not found.origin:
        return ""
    with contextlib.suppress(OSError):
        return digest((Path(found.origin).parent / "_version.py").read_bytes())
    return "unknown"


def facts() -> dict[str, str]:
    """Everything that the machine code of given sources depends on."""
    import llvmlite
    import llvmlite.binding as llvm
    import numpy

    return {"package": str(PACKAGE), "system": f"{sys.platform} {platform.machine()}", "cpu": llvm.get_host_cpu_name(),
            "features": llvm.get_host_cpu_features().flatten(), "python": str(sys.implementation.cache_tag),
            "llvm": str(llvm.llvm_version_info), "llvmlite": llvmlite.__version__, "numba": numba_version(),
            "numpy": numpy.__version__, **{name: os.environ.get(name, "") for name in KEPT}}


def key() -> str:
    return hashlib.blake2b(json.dumps(facts(), sort_keys=True).encode(), digest_size=8).hexdigest()


def environment(sources: Path = PACKAGE.parent) -> dict[str, str]:
    """Of building processes: these sources first, and of numba's settings only those in the key."""
    path = [str(sources), *(os.path.abspath(p) for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p)]
    plain = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_") or k in KEPT}
    return plain | {"DALEMBERT_BUILD": "1", "PYTHONPATH": os.pathsep.join(path), "NUMBA_DISABLE_INTEL_SVML": "1",
                    "NUMBA_OPT": "0"}  # build.py optimises, once


# ---------------------------------------------------------------------------------------------------------- the folder


def base_folder() -> Path:
    """Where the user's caches are, whether it can be used or not.

    A user without a home (no HOME, no entry in the list of users, as in containers) has none: expanduser then leaves the "~".
    """
    chosen = os.environ.get("DALEMBERT_CACHE", "")
    if not chosen:
        home, general = os.path.expanduser("~"), os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(general):  # to be left alone, by its definition
            general = os.path.join(home, ".cache") if os.path.isabs(home) else ""
        if not general:
            return temporary_folder()
        chosen = os.path.join(general, "dalembert")
    return Path(os.path.abspath(chosen))  # building processes have a folder of their own


def temporary_folder() -> Path:
    """Of this user, among those of all users."""
    return Path(os.path.abspath(tempfile.gettempdir())) / f"dalembert-cache-{_user()}"


def cache_folder() -> Path:
    """Where compiled code lives: under $DALEMBERT_CACHE, the user's cache, else a temporary folder, at worst this process's."""
    name = key()
    temporary = temporary_folder()
    for root in dict.fromkeys((base_folder(), temporary)):
        try:
            root.mkdir(mode=0o700, parents=True, exist_ok=True)
            reason = foreign(root.lstat(), stat.S_ISDIR) if root == temporary else ""  # that place is open to anybody
            if not reason:
                folder = root / name
                reason = _own(folder)
                if not reason and os.access(folder, os.W_OK | os.X_OK):
                    return folder
            if reason:
                say(f"{root} {reason}: it is not used for compiled kernels")
        except OSError:
            continue  # a place where nothing can be written: the next one
    return _private() / name


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0


def _own(folder: Path) -> str:
    """Make sure of the folder; why it cannot be used, or ""."""
    from . import cleaning

    try:
        folder.mkdir(mode=0o700)
        cleaning.clean(folder.parent, folder)
    except FileExistsError:
        cleaning.used(folder)
    reason = foreign(folder.lstat(), stat.S_ISDIR)
    if reason and folder.lstat().st_uid == _user():  # the user's, but what is in it may be anybody's
        say(f"{folder} {reason}: the compiled kernels in it are made again")
        _remove(folder)
        folder.mkdir(mode=0o700)
        return ""
    return reason


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@functools.cache
def _private() -> Path:
    """A folder for this process alone; what is compiled into it is lost when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="dalembert-"))
    (folder / key()).mkdir(mode=0o700, exist_ok=True)
    say("there is no folder where compiled kernels can be kept: set DALEMBERT_CACHE to one of your own")
    maker = os.getpid()
    atexit.register(lambda: shutil.rmtree(folder, ignore_errors=True) if os.getpid() == maker else None)
    return folder


def foreign(status: os.stat_result, kind=stat.S_ISREG) -> str:
    """Why code must not be loaded from there, or ""."""
    if not kind(status.st_mode):
        return "is not what it should be"
    if os.name == "posix":
        if status.st_uid != _user():
            return "belongs to another user"
        if status.st_mode & 0o022:
            return f"can be written by others (mode {stat.S_IMODE(status.st_mode):o})"
    return ""


def say(text: str) -> None:
    if text not in _SAID:
        _SAID.add(text)
        print(f"dalembert: {text}", file=sys.stderr, flush=True)


_SAID: set[str] = set()


# --------------------------------------------------------------------------------------------------------------- items


def seal(meta: dict) -> dict:
    """The description with its own digest in it."""
    plain = {k: v for k, v in meta.items() if k != "seal"}
    return plain | {"seal": digest(json.dumps(plain, sort_keys=True).encode())}


def read(folder: Path, name: str, own: bool = True) -> tuple[bytes, dict] | str | None:
    """Object code and description of an item; None if there is none, or in words what is wrong with it."""
    try:
        meta = json.loads(_bytes(folder / f"{name}.json", own))
        if not isinstance(meta, dict) or meta.get("seal") != seal(meta)["seal"]:
            return "its description is damaged"
        if own and meta.get("key") != folder.name:
            return "it was made for another machine or version"
        data = _bytes(folder / meta["object"], own) if meta["object"] else b""
        return (data, meta) if digest(data) == meta["object_digest"] else "its object code is damaged"
    except FileNotFoundError:
        return None if not os.path.lexists(folder / f"{name}.json") else "its object code is gone"
    except _Foreign as error:
        return str(error)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "it cannot be read"


class _Foreign(Exception):
    pass


def _bytes(path: Path, own: bool) -> bytes:
    if not own:
        return path.read_bytes()
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        reason = foreign(os.fstat(handle))
        if reason:
            raise _Foreign(f"{path.name} {reason}")
        return file.read()


def write(folder: Path, name: str, data: bytes, meta: dict, key: str | None = None) -> None:
    """Put an item there, whole: first the object, under a name of its content, then the description that names it."""
    file = f"{name}-{digest(data)[:16]}.o" if data else ""
    if data:
        _put(folder / file, data)
    meta = {**meta, "object": file, "object_digest": digest(data), "key": folder.name if key is None else key}
    _put(folder / f"{name}.json", json.dumps(seal(meta)).encode())
    for old in folder.glob(f"{name}-*.o"):
        if old.name != file:
            with contextlib.suppress(OSError):
                old.unlink()


def _put(path: Path, data: bytes) -> None:
    handle, part = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".part", dir=path.parent)  # mode 0600, never an old file
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if path.is_dir() and not path.is_symlink():
            _remove(path)
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise


@contextlib.contextmanager
def lock(path: Path):
    """One process at a time.  Released by name: a child forked meanwhile holds a copy of the open file."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    if os.path.lexists(path) and (path.is_symlink() or not path.is_file()):
        with contextlib.suppress(OSError):
            _remove(path)
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError:
        yield  # worst case: two processes do the same work
        return
    _OPEN_LOCKS.add(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(handle, fcntl.LOCK_UN)
    finally:
        _OPEN_LOCKS.discard(handle)
        os.close(handle)


def _close_locks() -> None:
    for handle in _OPEN_LOCKS:
        with contextlib.suppress(OSError):
            os.close(handle)
    _OPEN_LOCKS.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_locks)  # or a child would wait for itself when its parent's thread is gone


def source_digest(files) -> str:
    """Of the sources that a group was made from."""
    h = hashlib.blake2b(digest_size=16)
    for file in files:
        h.update(file.encode())
        path = PACKAGE / file
        h.update(path.read_bytes() if path.exists() else b"missing")
    return h.hexdigest()
