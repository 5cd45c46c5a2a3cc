"""What results can do for the eye: view, render, plot, frames, export.

The methods stand here so that a result shows them; how it is done is none of this layer's business.  The package's own table
``dalembert.PRESENTERS`` says where each is done, and that module is loaded when it is first asked for.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from dalembert.results.notebook import shown

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure


def presenter(name: str) -> Any:
    """The function that does it."""
    import dalembert

    return dalembert.presenter(name)


class Presented:
    """Mixed into results: pictures, plots and files of what moves."""

    def view(self, path: str | os.PathLike[str] | None = None, *, others: Any = None, **options: Any) -> Path:
        """Write one offline HTML page that shows the motion (without a path: a temporary file, opened in the browser).

        others: further results to lay over this one, a dict label → result.  options: plot=("piston.x", …), traces=, equations=,
        theme=, play=, title=.
        """
        return presenter("view")(self._with(others), path, **options)

    def render(self, path: str | os.PathLike[str], *, others: Any = None, **options: Any) -> Path:
        """Write a video ("x.mp4"), a picture ("x.png") or a folder of pictures; needs no display and no graphics driver.

        options: size=(1280, 720), fps=30, speed=1.0, camera="iso" | "front" | "top" | "side" | "orbit" | "follow BODY", zoom=,
        theme=, arrows=, traces=, grid=, at=, progress=.
        """
        return presenter("render")(self._with(others), path, **options)

    def frames(self, folder: str | os.PathLike[str], **options: Any) -> Path:
        """Write one file per frame (#, x, y, z, e0, e1, e2, e3), with conf.txt, materials and meshes; options: fps=, digits=."""
        return presenter("frames")(self, folder, **options)

    def plot(self, *channels: str, path: str | os.PathLike[str] | None = None, **options: Any) -> Figure:
        """A figure of channels such as "piston.x", "A.force", "energy.total" over time; path= saves it as PNG, SVG or PDF.

        As the last line of a notebook's cell it shows itself.
        """
        return shown(presenter("plot")(self, *channels, path=path, **options))

    def export(self, path: str | os.PathLike[str], **options: Any) -> Path:
        """Write an animated glTF 2.0 model (.glb, .gltf), a table (.csv), or the page (.html); options: fps=."""
        return presenter("export")(self, path, **options)

    def _with(self, others):
        if others is None:
            return self
        title = getattr(getattr(self, "model", None), "name", "run")
        pairs = others.items() if hasattr(others, "items") else ((f"run {k + 2}", r) for k, r in enumerate(others))
        pairs = list(pairs)
        own = title if title not in dict(pairs) else "run 1"
        return {own: self, **dict(pairs)}

    def _repr_html_(self) -> str | None:
        """How a notebook shows it: moving, inline; a single state stays text."""
        return None if getattr(self, "single", False) else presenter("notebook")(self)
