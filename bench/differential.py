"""`images` beside sharp on random combinations of fit, position, size and format: `python -m bench.differential`.

Sizes have to be the same, pictures alike where nothing or the same is cut off, and crops that search have to find
nearly the same place. Give a folder of photographs for a judgement on more than drawn pictures.
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

from bench.packages import npm_package
from bench.photo import PHOTO, draw_photo
from bench.similarity import similarity
from mediakit.engines.raster import ConvertOptions, Fit, OutputFormat, Position, convert, frame, read_header
from mediakit.engines.raster.job import Job, plan_job
from mediakit.samples import LANDSCAPE

SIDES = (16, 1200)
AVIF_SIDE = 400
"""sharp takes seconds for larger ones."""

NEAR = 0.05
"""How far the centres of two crops may be apart, in sides of the source."""

QUALITY = 90
"""High, so that two encoders' losses do not hide what scaling does."""

FITS = get_args(Fit)
PLACES = get_args(Position)
SEARCHES = ("entropy", "attention")


@dataclass
class Findings:
    """What the comparison brought to light."""

    other_size: list[str] = field(default_factory=list)
    likeness: dict[str, list[float]] = field(default_factory=lambda: {"reduced": [], "enlarged": []})
    """SSIM, where the crop is the same; sharp moves what it enlarges by a part of a pixel."""
    least_alike: list[tuple[float, str]] = field(default_factory=list)
    near: dict[str, list[bool]] = field(default_factory=lambda: {name: [] for name in SEARCHES})
    """Whether crops are near each other, by strategy."""


def combinations(source: random.Random, files: Sequence[Path], count: int) -> Iterator[dict[str, Any]]:
    """Give random jobs; two of three with both sides are covers, and half of those search for their crop."""
    for _ in range(count):
        kind = source.choice(get_args(OutputFormat))
        most = AVIF_SIDE if kind == "avif" else SIDES[1]
        width, height = source.randint(SIDES[0], most), source.randint(SIDES[0], most)
        wishes = {"format": kind, "quality": QUALITY, "background": "#ffffff"}
        wishes["without_enlargement"] = source.random() < 0.2
        job = {"file": str(source.choice(files)), **wishes}
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
    """Do all jobs on both sides."""
    found = Findings()
    with tempfile.TemporaryDirectory() as scratch, _sharp() as node:
        for job in jobs:
            target = Path(scratch) / "source"
            answer = _ask(node, {**job, "withoutEnlargement": job["without_enlargement"], "target": str(target)})
            _judge(found, job, answer, target)
    return found


def _judge(found: Findings, job: dict[str, Any], answer: dict[str, Any], target: Path) -> None:
    options = ConvertOptions(**{name: value for name, value in job.items() if name != "file"})
    content = Path(job["file"]).read_bytes()
    planned = plan_job(read_header(content), options)
    name = f"{Path(job['file']).name} {planned.source.width}x{planned.source.height} {job}"
    if "error" in answer or tuple(planned.plan.output) != (answer["width"], answer["height"]):
        found.other_size.append(f"{name}: {tuple(planned.plan.output)} beside {answer}")
        return
    if planned.options.position in SEARCHES and planned.plan.crops:
        apart = _apart(planned, answer)
        found.near[planned.options.position].append(max(apart) <= NEAR)
        if max(apart) > 0:
            return
    made = convert(content, options).content
    with Image.open(BytesIO(made)) as ours, Image.open(target) as theirs:
        if min(ours.size) >= 8:
            score = similarity(_flat(ours), _flat(theirs))
            found.likeness[_way(planned)].append(score)
            found.least_alike.append((score, name))


def _way(planned: Job) -> str:
    scaled, source = planned.plan.scaled, planned.source
    return "enlarged" if scaled.width > source.width or scaled.height > source.height else "reduced"


def _apart(planned: Job, answer: dict[str, Any]) -> tuple[float, float]:
    """Tell how far the crops are apart, in sides of the whole source."""
    source = frame.decode(planned.source, planned.plan.scaled)
    offset, _ = frame.choose_offset(source, planned.plan, planned.options.position)
    scaled = planned.plan.scaled
    left, top = -answer.get("left", 0), -answer.get("top", 0)
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


def _ask(node: "subprocess.Popen[str]", job: dict[str, Any]) -> dict[str, Any]:
    assert node.stdin
    assert node.stdout
    print(json.dumps(job), file=node.stdin, flush=True)
    answer: dict[str, Any] = json.loads(node.stdout.readline())
    return answer


def pictures(folder: Path) -> list[Path]:
    """Draw pictures of odd sizes in all formats; a photograph of the bench and the sample are the models."""
    draw_photo()
    models = [Image.open(PHOTO).convert("RGB").reduce(2), Image.open(LANDSCAPE).convert("RGB")]
    made = []
    for number, kind in enumerate(("jpeg", "png", "webp", "avif", "gif", "tiff") * 2):
        model = models[number % 2]
        image = model.resize((model.width - 37 * number, model.height - 53 * number))
        made.append(folder / f"model{number}.{kind}")
        image.save(made[-1], kind, quality=90)
    seen = models[1].resize((333, 217)).convert("RGBA")
    seen.putalpha(Image.linear_gradient("L").resize(seen.size))
    made.append(folder / "seen-through.png")
    seen.save(made[-1])
    return made


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.differential", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="photographs to use instead of drawn pictures")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        files = sorted(path for path in given.folder.iterdir()) if given.folder else pictures(Path(scratch))
        found = compare(list(combinations(random.Random(given.seed), files, given.count)))
    print(f"{given.count} jobs, {len(found.other_size)} of another size than sharp's")
    print(*found.other_size, sep="\n")
    for way, likeness in found.likeness.items():
        print(f"mean SSIM {mean(likeness):.4f} of {len(likeness)} {way} with the same crop")
    print("the least alike:")
    print(*(f"  {score:.3f} {name}" for score, name in sorted(found.least_alike)[:8]), sep="\n")
    for name, near in found.near.items():
        print(f"{name}: {sum(near)} of {len(near)} crops within {NEAR:.0%} of a side")


if __name__ == "__main__":
    main()
