"""The stub of the package, for editors and type checkers: ``python docs/_ext/stub.py`` after a public name came or went.

Names are loaded when they are first used (``dalembert.__getattr__``), which no checker follows; the stub says where each of them
lives.  It is made from the same table; a test says when it is out of step.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "src" / "dalembert" / "__init__.pyi"
HEAD = '''# Made by docs/_ext/stub.py from the tables in __init__.py and places.py: do not edit.

from collections.abc import Mapping
from typing import Any

'''
TAIL = '''
__version__: str
PRESENTERS: Mapping[str, str]
ELEMENT_MODULES: tuple[str, ...]

def presenter(name: str) -> Any: ...
def wait_for_imports() -> bool: ...
def __dir__() -> list[str]: ...

__all__ = [
'''


def stub() -> str:
    """Its text."""
    if str(ROOT / "src") not in sys.path:
        sys.path.insert(0, str(ROOT / "src"))
    import dalembert

    places = dict(dalembert._PLACES)
    lines = [f"from dalembert import {name} as {name}" for name in dalembert._MODULES]
    for place in sorted(places):
        lines += [f"from dalembert.{place} import {n} as {n}" for n in sorted(places[place])]
    names = [f'    "{name}",' for name in sorted(dalembert.__all__)]
    return HEAD + "\n".join(lines) + "\n" + TAIL + "\n".join(names) + "\n]\n"


if __name__ == "__main__":
    TARGET.write_text(stub(), encoding="utf-8")
    print(f"written to {TARGET.relative_to(ROOT)}")
