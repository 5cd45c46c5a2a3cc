"""render: pictures and videos of a result, without a display.

    run.render("crank.mp4")                      H.264 video in real time, 30 pictures a second (needs the extra 'video')
    run.render("frames/")                        frame0000.png, frame0001.png, …
    run.render("crank.png", at=0.5)              one picture
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path

import numpy as np

from dalembert.errors import AnalysisError, FileError
from dalembert.io import atomic
from dalembert.io.folders import filling
from dalembert.viewer.renderer.frames import Look, Renderer
from dalembert.viewer.renderer.png import encode
from dalembert.viewer.scene.from_results import scene_of

VIDEOS = {".mp4": "mp4", ".mov": "mov", ".mkv": "matroska"}  # and what the library calls them
MOST = 100_000  # pictures


def render(what, path, *, size=(1280, 720), fps=30.0, speed=1.0, camera=None, zoom=1.0, theme="light", arrows=False,
           traces=False, grid=True, shadows=True, joints=True, arrow_scale=1.0, at=None, threads=None, progress=None) -> Path:
    """Write a video (.mp4), one picture (.png) or a folder of pictures.

    Parameters
    ----------
    what : result or Model
        What is shown.
    path : path
        Where to; its ending says what is written.
    size : two ints, default (1280, 720)
        Width and height in pixels.
    fps : number, default 30.0
        Pictures per second.
    speed : number [–], default 1.0
        0.1 is ten times slower than real time.
    camera : str, vector or dict, optional
        "iso", "front", "top", "side", "orbit", "follow BODY", a vector towards the camera, or dict(view=, follow=, orbit=,
        zoom=).
    zoom : number [–], default 1.0
        2 is twice as near.
    theme : str, default "light"
        Or "dark".
    arrows : bool or names, default False
        True, or some of "force", "torque", "reaction", "reaction torque".
    traces : bool or points, default False
        True, or points as ("rod", (x, y)).
    grid : bool, default True
        With a floor.
    shadows : bool, default True
        With shadows.
    joints : bool, default True
        With marks of the joints.
    arrow_scale : number [–], default 1.0
        2 doubles the arrows.
    at : number [s], optional
        Time of a single picture; left out: the end.
    threads : int, optional
        That draw; left out: as many as there are cores.
    progress : function, optional
        Called with the share done; left out: a line on the terminal.

    Returns
    -------
    Path
        Where it is.
    """
    for name, value in (("fps", fps), ("speed", speed)):
        if not (isinstance(value, (int, float)) and np.isfinite(value) and value > 0):
            raise AnalysisError(f"render: {name} is a positive number, got {value!r}")
    if not hasattr(size, "__len__") or len(size) != 2:
        raise AnalysisError(f"render: size is (width, height), got {size!r}")
    path = Path(path)
    asked = traces if not isinstance(traces, bool) else None
    scene = scene_of(what, traces=asked, forces=bool(arrows), channels=False)
    look = Look(int(size[0]), int(size[1]), theme, grid, shadows, joints, arrows if isinstance(arrows, bool) else tuple(
        [arrows] if isinstance(arrows, str) else arrows), traces is not False, float(arrow_scale))
    if path.suffix.lower() == ".png":
        moment = scene.t[-1] if at is None else float(at)
        if not scene.t[0] <= moment <= scene.t[-1]:
            raise AnalysisError(f"render: at = {moment:g} s is outside the result, {scene.t[0]:g} … {scene.t[-1]:g} s")
        times = np.append(scene.t[scene.t < moment], moment)
        image = Renderer(scene.resampled(times), look, camera, zoom, _surroundings(scene)).picture(len(times) - 1)
        atomic.write_bytes(path, encode(image))
        return path
    if path.suffix and path.suffix.lower() not in VIDEOS and not path.is_dir():
        raise FileError(f"render: '{path}' is neither a video ({', '.join(VIDEOS)}) nor a picture (.png) nor a folder")
    around = _surroundings(scene)
    count = float(scene.t[-1] - scene.t[0]) / speed * fps
    if count > MOST:
        raise AnalysisError(f"render: {count:,.0f} pictures are too many (at most {MOST:,}): ask for a smaller "
                            f"fps or a larger speed; the result is {scene.t[-1] - scene.t[0]:g} s long")
    resampled = scene.at_rate(float(fps), float(speed))
    renderer = Renderer(resampled, look, camera, zoom, around)
    report = progress or _line(path)
    pictures = renderer.pictures(threads, report)
    if path.suffix.lower() in VIDEOS:
        _video(path, pictures, look, fps)
    else:
        _folder(path, pictures, resampled.frames)
    return path


def _surroundings(scene):
    from dalembert.viewer.scene.surroundings import surroundings_of

    return surroundings_of(scene)


def _line(path: Path) -> Callable[[float], object] | None:
    """A progress line on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        return None

    def show(share: float) -> None:
        done = int(30 * share)
        print(f"\r{path.name}  {'█' * done}{'·' * (30 - done)} {share:4.0%}", end="\n" if share >= 1 else "", file=sys.stderr,
              flush=True)

    return show


def _folder(path: Path, pictures: Iterable[np.ndarray], count: int) -> None:
    digits = max(4, len(str(count - 1)))
    with filling(path) as folder:
        for k, image in enumerate(pictures):
            folder.write(f"frame{k:0{digits}d}.png", encode(image, 2))


def _video(path: Path, pictures: Iterable[np.ndarray], look: Look, fps: float) -> None:
    try:
        import av
    except ImportError:
        raise FileError(f"writing '{path}' needs PyAV: pip install 'dalembert[video]'; without it, render(\"frames/\") writes "
                        "PNG pictures") from None
    if look.width % 2 or look.height % 2:
        raise AnalysisError(f"render: a video needs an even width and height, got {look.width} × {look.height}")
    try:
        with atomic.replacing(path) as target, av.open(target, "w", format=VIDEOS[path.suffix.lower()]) as file:
            stream = file.add_stream("libx264", rate=Fraction(fps).limit_denominator(1001))
            stream.width, stream.height, stream.pix_fmt = look.width, look.height, "yuv420p"
            stream.options = {"crf": "20", "preset": "veryfast", "tune": "animation"}
            for image in pictures:
                file.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")))
            file.mux(stream.encode())
    except av.error.FFmpegError as error:
        raise FileError(f"cannot write the video '{path}': {error}") from error
