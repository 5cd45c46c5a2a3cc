"""The texts' models, the README's and the registry's contract cases are importable."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
for folder in (HERE, HERE.parent / "contracts", HERE.parent / "docs"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
