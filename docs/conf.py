"""The documentation: Sphinx with MyST.  `make docs`; pages made from the source are written by _ext/pages.py."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "src")]

import docstrings  # noqa: E402
import notebooks  # noqa: E402
import pages  # noqa: E402
import recipes  # noqa: E402

import dalembert  # noqa: E402

project = "dalembert"
author = "The dalembert developers"
copyright = author
version = release = dalembert.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_design"]
myst_enable_extensions = ["colon_fence", "deflist"]  # formulas are plain text: pages ask for nothing from the network
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"dalembert {release}"
html_extra_path = ["_generated/files"]  # model.schema.json, notebooks of the tutorials
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # annotations name what has no page here
napoleon_google_docstring = False
napoleon_use_param = False  # types are words, not names to look up
napoleon_custom_sections = [("Attributes", "params_style")]  # several names share a line
napoleon_use_rtype = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"

pages.write(HERE / "_generated")
notebooks.write(HERE / "_generated" / "files" / "notebooks")
recipes.write(HERE / "_generated" / "recipes")


def setup(app):
    app.connect("source-read", notebooks.offer)
    app.connect("source-read", recipes.offer)
    app.connect("autodoc-process-docstring", docstrings.ready, priority=100)  # before napoleon
    app.connect("autodoc-process-docstring", docstrings.kept, priority=900)  # after it
