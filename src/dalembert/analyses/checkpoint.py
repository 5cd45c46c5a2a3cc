"""Checkpoints: all that a run needs to go on, in one file, replaced as a whole.

The file is NumPy's .npz: outputs so far, the integrator's state, and the options of the run as JSON.  No code is in it and
none is run when it is read.  The model is not in it either: whoever resumes brings the same model (its fingerprint is
checked), since laws may be Python functions.  A checkpoint is written to a file beside it, flushed to the disk, and then takes
the old one's name: a crash leaves the old or the new one, never a torn one.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import numpy as np

from dalembert.errors import FileError

VERSION = 1
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
        """A place that cannot be written to is told before the work, not after it."""
        if self.path.is_dir():
            raise FileError(f"checkpoint '{self.path}' cannot be written: it is a folder")
        try:
            with open(self._part(), "wb"):
                pass
            self._part().unlink()
        except OSError as error:
            raise FileError(f"checkpoint '{self.path}' cannot be written: {error.strerror}") from None

    def _part(self) -> Path:
        return self.path.with_name(f"{self.path.name}.{os.getpid()}.part")

    def due(self) -> bool:
        return time.monotonic() - self.last >= EVERY_SECONDS

    def write(self, options: dict, arrays: dict[str, np.ndarray]) -> None:
        part = self._part()
        text = np.frombuffer(json.dumps({"version": VERSION, **options}).encode(), np.uint8)
        try:
            with open(part, "wb") as file:
                np.savez(file, options=text, **arrays)  # type: ignore[arg-type]
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, self.path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise FileError(f"checkpoint '{self.path}' cannot be written: {error.strerror}") from None
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


def read(path) -> tuple[dict, dict[str, np.ndarray]]:
    """Options and arrays of a checkpoint."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        options = json.loads(arrays.pop("options").tobytes())
        version = options["version"]
    except FileNotFoundError:
        raise FileError(f"there is no checkpoint '{path}'") from None
    except Exception as error:  # whatever a damaged file makes of its parts
        raise FileError(f"'{path}' is not a checkpoint of dalembert: {error}") from None
    if version != VERSION:
        raise FileError(f"checkpoint '{path}' has version {version}; this program reads version {VERSION}")
    return options, arrays
