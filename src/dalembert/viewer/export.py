"""export: a result in the format its file name asks for."""

from __future__ import annotations

from pathlib import Path

from dalembert.errors import FileError

FORMATS = (".glb", ".gltf", ".csv", ".html")


def export(what, path, **options) -> Path:
    """Write .glb or .gltf (animated glTF 2.0), .csv (a table), .html (the page), or, without an ending, a folder of frames."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix in (".glb", ".gltf"):
        from dalembert.viewer.files.gltf import write_gltf

        return write_gltf(what, path, **options)
    if suffix in (".csv", ".html") and options.get("fps") is not None:
        raise FileError(f"'{path.name}' holds every sample: fps is for glTF and frames")
    if suffix == ".csv":
        if not hasattr(what, "system"):
            raise FileError("a table needs a simulated result; frames read from files have no velocities")
        from dalembert.results.files import csv

        csv.write(what, path)
        return path
    if suffix == ".html":
        from dalembert.viewer.page.page import view

        return view(what, path, **options)
    if not suffix:
        from dalembert.viewer.files.course import write_frames

        return write_frames(what, path, **options)
    raise FileError(f"cannot export to '{path.name}': choose {', '.join(FORMATS)}, or a name without an ending for a "
                    "folder of frames (videos and pictures: render)")
