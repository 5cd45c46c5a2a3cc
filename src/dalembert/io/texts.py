"""Large texts that travel with the package: plain in a checkout, gzip in a wheel (setup.py packs them: a third of the place)."""

from __future__ import annotations

import gzip
import zlib
from importlib.resources import files

from dalembert.errors import FileError


def read(package: str, *place: str) -> str:
    """The text at that place of the package."""
    folder = files(package).joinpath(*place[:-1])
    plain, packed = folder / place[-1], folder / f"{place[-1]}.gz"
    try:
        data = plain.read_bytes() if plain.is_file() else gzip.decompress(packed.read_bytes())
        if not data:
            raise EOFError("it is empty")
        return data.decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise FileError(f"{packed} of this installation cannot be read ({error}); put it in order by "
                        "pip install --force-reinstall dalembert") from None
