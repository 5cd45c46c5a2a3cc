"""Checkpoints: all that a run needs to go on, in one file, replaced as a whole.

The file is NumPy's .npz: outputs so far, the integrator's state, and the options of the run as JSON.  No code is in it and
none is run when it is read.  The model is not in it either: whoever resumes brings the same model (its fingerprint is
checked), since laws may be Python functions.  A checkpoint is written to a file beside it, flushed to the disk, and then takes
the old one's name: a crash leaves the old or the new one, never a torn one.  A digest (since version 2) finds damage; since
whoever alters a file can make a new digest too, what is in it is also looked at (restoring.py).
"""

from __future__ import annotations

import json
import os
import sys
import time
import zipfile
from pathlib import Path

import numpy as np

from dalembert.analyses.simulation import restoring
from dalembert.errors import FileError
from dalembert.io import atomic, npz

VERSION = 2
EVERY_SECONDS = 5.0


class Checkpoint:
    """Writes a run's progress to a file now and then."""

    def __init__(self, path):
        try:
            self.path = Path(path)
        except TypeError:
            raise FileError(f"checkpoint must be a file name, got {path!r}") from None
        self.last = time.monotonic()
        self.complained = False
        self._try()

    def _try(self) -> None:
        """A place that cannot be written to, or that holds something else, is told before the work, not after it."""
        if self.path.is_dir():
            raise FileError(f"checkpoint '{self.path}' cannot be written: it is a folder")
        try:
            if self.path.is_file() and self.path.stat().st_size:
                _mine(self.path)
            atomic.writable(self.path)
        except (FileError, OSError) as error:
            raise FileError(f"checkpoint '{self.path}' cannot be written: {getattr(error, 'strerror', None) or error}") from None

    def due(self) -> bool:
        return time.monotonic() - self.last >= EVERY_SECONDS

    def write(self, options: dict, arrays: dict[str, np.ndarray]) -> None:
        text = np.frombuffer(json.dumps({"version": VERSION, **options}).encode(), np.uint8)
        try:
            npz.write(self.path, {"options": text, **arrays})
        except FileError as error:
            raise FileError(f"checkpoint '{self.path}' cannot be written: {error}") from None
        self.last = time.monotonic()

    def write_on_the_way(self, options: dict, arrays: dict[str, np.ndarray]) -> None:
        """As ``write``; what goes wrong (a full disk) does not end the run, but is said once."""
        try:
            self.write(options, arrays)
        except FileError as error:
            self.last = time.monotonic()
            if not self.complained:
                print(f"dalembert: {error}; the run goes on", file=sys.stderr)
            self.complained = True


def _mine(path: Path) -> None:
    """Refuse to take the place of a file that is no checkpoint."""
    with open(path, "rb") as file:
        if b"options.npy" not in file.read(200_000) or not zipfile.is_zipfile(path):
            raise FileError("it is there already and is not a checkpoint; delete it or choose another name")


def read(path) -> tuple[dict, dict[str, np.ndarray]]:
    """Options and arrays of a checkpoint; whether they make sense is looked at in restoring.py."""
    if not os.path.exists(path):
        raise FileError(f"there is no checkpoint '{path}'")
    try:
        arrays, sealed = npz.read(path)
        options = json.loads(arrays.pop("options").tobytes())
        version = options["version"]
    except (KeyError, ValueError, TypeError, RecursionError) as error:  # whatever a damaged file makes of its parts
        raise FileError(f"'{path}' is not a checkpoint of dalembert: {error}") from None
    if version not in (1, VERSION) or isinstance(version, bool):
        raise FileError(f"checkpoint '{path}' has version {version!s:.20}; this program reads versions 1 and {VERSION}")
    if version == VERSION and not sealed:
        raise FileError(f"'{path}' is not a checkpoint of dalembert: it has no digest, it was changed after it was written")
    try:
        restoring.check(options, arrays)
    except ValueError as error:
        raise FileError(f"'{path}' is not a checkpoint of dalembert, or was changed: {error}") from None
    return options, arrays
