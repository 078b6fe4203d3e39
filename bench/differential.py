"""Compares `images` with sharp on random combinations of options: `python -m bench.differential`.

Sizes must be equal, except that sharp rounds JPEG and WebP twice and can differ by a pixel. Images with the same crop
must be similar, and content-aware crops must be close to each other.
Pass a folder of photos to compare more than the generated images.
"""

import argparse
import json
import os
import random
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from statistics import mean
from typing import Any, cast, get_args

from PIL import Image

from bench import figures
from bench.packages import NPM, npm_package
from bench.photo import PHOTO, draw_photo
from bench.similarity import similarity
from mediakit.engines.raster import ConvertOptions, Fit, OutputFormat, convert, read_header, resize
from mediakit.engines.raster.convert import Job, plan_job
from mediakit.engines.raster.geometry import Position
from mediakit.samples import LANDSCAPE

SIDES = (16, 1200)
AVIF_SIDE = 400
"""Maximum side of AVIF images; sharp takes seconds for larger ones."""

MAX_CROP_DISTANCE = 0.05
"""Maximum distance of the centers of two crops, relative to the sides of the source."""

QUALITY = 90
"""High, so that encoder losses do not hide differences in scaling."""

FITS = get_args(Fit)
PLACES = get_args(Position)
SEARCHES = ("entropy", "attention")


@dataclass
class Findings:
    """The results of the comparison."""

    other_size: list[str] = field(default_factory=list)
    similarities: dict[str, list[float]] = field(default_factory=lambda: {"reduced": [], "enlarged": []})
    """SSIM of images with the same crop. sharp shifts enlarged images by a fraction of a pixel."""
    least_similar: list[tuple[float, str]] = field(default_factory=list)
    close_crops: dict[str, list[bool]] = field(default_factory=lambda: {name: [] for name in SEARCHES})
    """Whether two crops are within MAX_CROP_DISTANCE, by strategy."""


def combinations(source: random.Random, files: Sequence[Path], count: int) -> Iterator[dict[str, Any]]:
    """Yield random jobs; half of them use fit `cover`, and half of those a content-aware crop."""
    for _ in range(count):
        kind = source.choice(get_args(OutputFormat))
        max_side = AVIF_SIDE if kind == "avif" else SIDES[1]
        width, height = source.randint(SIDES[0], max_side), source.randint(SIDES[0], max_side)
        options = {"format": kind, "quality": QUALITY, "background": "#ffffff"}
        options["without_enlargement"] = source.random() < 0.2
        job = {"file": str(source.choice(files)), **options}
        match source.randrange(4):
            case 0:
                yield job | source.choice(({"width": width}, {"height": height}))
            case 1:
                position = source.choice(PLACES)
                yield job | {"width": width, "height": height, "fit": source.choice(FITS), "position": position}
            case _:
                position = source.choice(source.choice((PLACES, SEARCHES)))
                yield job | {"width": width, "height": height, "fit": "cover", "position": position}


def compare(jobs: Sequence[dict[str, Any]]) -> Findings:
    """Run all jobs with both libraries and return the results."""
    found = Findings()
    with tempfile.TemporaryDirectory() as scratch, _sharp() as node:
        for job in jobs:
            target = Path(scratch) / "source"
            response = _request(node, {**job, "withoutEnlargement": job["without_enlargement"], "target": str(target)})
            _compare_job(found, job, response, target)
    return found


def _compare_job(found: Findings, job: dict[str, Any], response: dict[str, Any], target: Path) -> None:
    options = ConvertOptions(**{name: value for name, value in job.items() if name != "file"})
    content = Path(job["file"]).read_bytes()
    planned = plan_job(read_header(content), options)
    name = f"{Path(job['file']).name} {planned.source.width}x{planned.source.height} {job}"
    if "error" in response or tuple(planned.plan.output) != (response["width"], response["height"]):
        found.other_size.append(f"{name}: {tuple(planned.plan.output)} beside {response}")
        return
    if planned.options.position in SEARCHES and planned.plan.crops:
        apart = _apart(planned, response)
        found.close_crops[planned.options.position].append(max(apart) <= MAX_CROP_DISTANCE)
        if max(apart) > 0:
            return
    made = convert(content, options).content
    with Image.open(BytesIO(made)) as ours, Image.open(target) as theirs:
        if min(ours.size) >= 8:
            score = similarity(_flat(ours), _flat(theirs))
            found.similarities[_way(planned)].append(score)
            found.least_similar.append((score, name))


def _way(planned: Job) -> str:
    scaled, source = planned.plan.scaled, planned.source
    return "enlarged" if scaled.width > source.width or scaled.height > source.height else "reduced"


def _apart(planned: Job, response: dict[str, Any]) -> tuple[float, float]:
    """Return the horizontal and vertical distance of the crops, relative to the sides of the whole source."""
    source = resize.decode(planned.source, planned.plan.scaled)
    offset, _ = resize.choose_offset(source, planned.plan, planned.options.position)
    scaled = planned.plan.scaled
    left, top = -response.get("left", 0), -response.get("top", 0)
    return abs(offset.left - left) / scaled.width, abs(offset.top - top) / scaled.height


def _flat(image: Image.Image) -> Image.Image:
    whole = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", image.size, "white"), whole).convert("RGB")


@contextmanager
def _sharp() -> "Iterator[subprocess.Popen[str]]":
    environment = {**os.environ, "NODE_PATH": str(npm_package("sharp"))}
    command = ["node", str(Path(__file__).with_suffix(".cjs"))]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True) as node:
        yield node
        cast("Any", node.stdin).close()


def _request(node: "subprocess.Popen[str]", job: dict[str, Any]) -> dict[str, Any]:
    assert node.stdin
    assert node.stdout
    print(json.dumps(job), file=node.stdin, flush=True)
    response: dict[str, Any] = json.loads(node.stdout.readline())
    return response


def generate_images(folder: Path) -> list[Path]:
    """Return files of unusual sizes in all formats, resized from two photos."""
    draw_photo()
    photos = [Image.open(PHOTO).convert("RGB").reduce(2), Image.open(LANDSCAPE).convert("RGB")]
    files = []
    for number, kind in enumerate(("jpeg", "png", "webp", "avif", "gif", "tiff") * 2):
        photo = photos[number % 2]
        image = photo.resize((photo.width - 37 * number, photo.height - 53 * number))
        files.append(folder / f"photo{number}.{kind}")
        image.save(files[-1], kind, quality=90)
    transparent = photos[1].resize((333, 217)).convert("RGBA")
    transparent.putalpha(Image.linear_gradient("L").resize(transparent.size))
    files.append(folder / "transparent.png")
    transparent.save(files[-1])
    return files


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.differential", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="folder of photos to use instead of generated images")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        files = (
            sorted(path for path in arguments.folder.iterdir()) if arguments.folder else generate_images(Path(scratch))
        )
        found = compare(list(combinations(random.Random(arguments.seed), files, arguments.count)))
    print(f"{arguments.count} jobs, {len(found.other_size)} with a size that differs from sharp")
    print(*found.other_size, sep="\n")
    for direction, values in found.similarities.items():
        print(f"mean SSIM {mean(values):.4f} of {len(values)} {direction} with the same crop")
    print("least similar:")
    print(*(f"  {score:.3f} {name}" for score, name in sorted(found.least_similar)[:8]), sep="\n")
    for name, near in found.close_crops.items():
        print(f"{name}: {sum(near)} of {len(near)} crops within {MAX_CROP_DISTANCE:.0%} of a side")
    if not arguments.folder:
        figures.store("quality_differential", list(rows(found, arguments.count)))


def rows(found: Findings, count: int) -> Iterator[dict[str, str]]:
    """Yield the rows of the page on quality."""
    peer, command = f"sharp {NPM['sharp']}", "python -m bench.differential"
    work = f"{count} generated images, resized: same dimensions"
    yield figures.check(work, f"{count - len(found.other_size)} of {count}", peer, command)
    for direction, values in found.similarities.items():
        work = f"Similarity (SSIM) of {direction} images with the same crop"
        yield figures.check(work, f"{mean(values):.3f}", peer, command)
    for name, near in found.close_crops.items():
        work = f"Crop by {name}: center within {MAX_CROP_DISTANCE:.0%} of a side"
        yield figures.check(work, f"{sum(near)} of {len(near)}", peer, command)


if __name__ == "__main__":
    main()
