"""`image_animate` compared with gifski (npm has its program) and Pillow: frames become a GIF."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import PIL
from PIL import Image

import mediakit
from bench.package_worker import Job
from bench.packages import NPM, npm_package
from bench.race import Bench, Case
from bench.worker import Worker, ours, python
from mediakit.samples import LANDSCAPE

DELAY_MS = 100
PROGRAMS = {"linux": "debian", "darwin": "macos", "win32": "windows"}


@cache
def frames(count: int, width: int) -> list[Image.Image]:
    """Return views of a landscape that move to the right."""
    height = width * 2 // 3
    with Image.open(LANDSCAPE) as image:
        landscape = image.convert("RGB").resize((width * 2, height * 2), Image.Resampling.LANCZOS)
    steps = [number * width // (2 * count) for number in range(count)]
    return [landscape.crop((step, height // 2, step + width, height // 2 + height)) for step in steps]


def with_mediakit(values: Mapping[str, Any]) -> Job:
    files = []
    for frame in frames(**values):
        frame.save(output := BytesIO(), "PNG", compress_level=1)
        files.append(output.getvalue())
    return lambda: mediakit.image_animate(files, format="gif", delay_ms=DELAY_MS).content


def with_gifski(values: Mapping[str, Any]) -> Job:
    folder = Path(tempfile.mkdtemp())
    paths = [folder / f"{number:03}.png" for number in range(values["count"])]
    for path, frame in zip(paths, frames(**values), strict=True):
        frame.save(path, compress_level=1)
    target = folder / "animation.gif"
    command = [os.environ["GIFSKI"], "--quiet", "--no-sort", "--fps", str(1000 // DELAY_MS)]
    command += ["--width", str(values["width"]), "--output", str(target), *map(str, paths)]

    def animate() -> bytes:
        subprocess.run(command, check=True)
        return target.read_bytes()

    return animate


def with_pillow(values: Mapping[str, Any]) -> Job:
    first, *others = frames(**values)

    def animate() -> bytes:
        first.save(output := BytesIO(), "GIF", save_all=True, append_images=others, duration=DELAY_MS, loop=0)
        return output.getvalue()

    return animate


def _gifski() -> dict[str, str]:
    """Install gifski and return the path of its program."""
    folder = npm_package("gifski") / "gifski" / "bin" / PROGRAMS.get(sys.platform, sys.platform)
    program = folder / ("gifski.exe" if sys.platform == "win32" else "gifski")
    program.chmod(0o755)
    return {"GIFSKI": str(program)}


def read_back(case: Case, content: bytes) -> str:
    """Return the number of frames, and their mean peak signal-to-noise ratio."""
    originals = frames(**case.values)
    ratios = []
    with Image.open(BytesIO(content)) as animation:
        count = getattr(animation, "n_frames", 1)
        for number in range(min(count, len(originals))):
            animation.seek(number)
            shown, original = np.asarray(animation.convert("RGB"), float), np.asarray(originals[number], float)
            ratios.append(10 * np.log10(255**2 / np.mean((shown - original) ** 2)))
    return f"{count} frames, PSNR {np.mean(ratios):.1f} dB"


BENCHES = [
    Bench(
        tool="image_animate",
        about="Views of a landscape become a GIF of 10 frames in a second. Pillow has the frames decoded already.",
        cases=[
            Case(f"{count} frames, {width} pixels", {"count": count, "width": width})
            for count, width in ((6, 240), (24, 480))
        ],
        ours=ours("bench.image_animate:with_mediakit"),
        peers=[
            Worker(f"gifski {NPM['gifski']}", python("bench.image_animate:with_gifski"), _gifski),
            Worker(f"Pillow {PIL.__version__}", python("bench.image_animate:with_pillow")),
        ],
        inspect=read_back,
    )
]
