"""The scan of one image: passes from cheap to expensive, each made only if no code was found before."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from PIL import Image

from mediakit.tools.images.code_reader import bar_profiles, matrix_passes, scan_passes
from mediakit.tools.images.code_reader.bar_profiles import (
    LINE_HEIGHT_PIXELS,
    Filter,
    LinePass,
    UprightRegion,
    reader_image,
)
from mediakit.tools.images.code_reader.bar_regions import Region, find_regions
from mediakit.tools.images.code_reader.decoder import (
    Detection,
    decode,
    linear_formats,
    matrix_formats,
    restorable_formats,
    retail_format,
)
from mediakit.tools.images.code_reader.matrix_passes import MatrixPass, MatrixView, find_matrix_regions
from mediakit.tools.images.code_reader.retail import reading
from mediakit.tools.images.code_reader.scan_passes import Pass
from mediakit.tools.images.code_reader.voting import UNCHANGED_VIEW, Candidate, VoteTally

EXTRA_SECONDS = 0.3
"""Processor time for one image beyond its first pass."""

MAX_WORKING_PIXELS = 1_600_000
"""Pixels of the copy that later passes use; regions of bars are taken from the full image."""

CHEAP_PIXELS = 150_000
"""Pixels of an image up to which passes over the whole image are faster than those over its lines."""

MAX_REGIONS = 5

DIGIT_SHARE = 0.2
"""Share of the time for an image after which no further line is fitted, so that later passes find their codes."""

MAX_DIGIT_REGIONS = 2
"""Regions to which EAN-13 symbols are fitted."""

MAX_MATRIX_REGIONS = 2
"""Regions that are scanned for matrix codes."""

MAX_TARGETED_CANDIDATES = 3
"""Undecided candidates whose surroundings get targeted passes."""

STACK_MARGIN = 2.0
"""Margin around stripes that may be a part of a stacked code, relative to their length and height."""

STACK_PIXELS = 1200
"""Diagonal of the view of a stacked code in pixels."""

ChangeImage = Callable[[Image.Image], Image.Image]

STRAIGHTENED_FILTERS: dict[str, ChangeImage] = {
    "straightened": lambda view: view,
    "straightened, inverted": scan_passes.invert,
}

TARGETED_FILTERS: dict[str, ChangeImage] = {
    "plain": lambda view: view,
    "sharpened": scan_passes.sharpen(2, 200),
    "thresholded": scan_passes.threshold(15),
}

JITTER = ((1.23, 0.0), (0.83, 0.0), (1.1, 2.5), (0.93, -3.5))
"""Scales and rotations (degrees) with which a pass is repeated to confirm its detections."""


@dataclass(frozen=True, slots=True)
class ScanResult:
    """The codes of an image."""

    candidates: list[Candidate]
    extra_passes: int
    """Number of passes after the first."""


class Scanner:
    """Scans one image.

    Args:
        image: A gray or RGB image.
        formats: Names of formats and groups; empty: all.
        extra_seconds: Processor time beyond the first pass.
    """

    def __init__(self, image: Image.Image, formats: tuple[str, ...], *, extra_seconds: float = EXTRA_SECONDS) -> None:
        self._color = image
        self._gray = image if image.mode == "L" else image.convert("L")
        self._formats = formats
        self._linear = linear_formats(formats)
        self._matrix = matrix_formats(formats)
        self._retail = retail_format(formats)
        self._square = restorable_formats(formats)
        self._extra_seconds = extra_seconds
        self._tally = VoteTally(
            formats,
            lambda detection: reading.is_contradicted(self._gray, detection),
            lambda detection: reading.has_bars_beside(self._gray, detection),
        )
        self._extra_passes = 0
        self._targeted: set[tuple[str, bytes]] = set()
        self._uprights: dict[tuple[Region, float], UprightRegion] = {}

    def scan(self) -> ScanResult:
        """Make passes until a code is accepted or the time is used up."""
        self._tally.add_detections(decode(self._gray, self._formats), UNCHANGED_VIEW, first=True)
        started = time.thread_time()
        for step in self._steps():
            if time.thread_time() - started > self._extra_seconds:
                break
            step()
        return ScanResult(self._tally.accepted(), self._extra_passes)

    def _steps(self) -> Iterator[Callable[[], None]]:
        """Yield the passes that are worth their cost, given the results so far."""
        first = self._tally.accepted()
        if first and not self._tally.undecided and len(first) == 1:
            return
        small = self._working_copy()
        if first:
            # Sheets of labels and codes with disagreeing lines: two more passes find or reject the rest.
            yield from self._view_passes(scan_passes.EARLY_PASSES, small)
            return
        for step in self._search(small):
            yield step
            if self._tally.accepted():
                return

    def _search(self, small: Image.Image) -> Iterator[Callable[[], None]]:
        is_small = small.width * small.height <= CHEAP_PIXELS
        yield from self._view_passes(scan_passes.EARLY_PASSES[:1], small)
        regions = find_regions(self._gray, MAX_REGIONS) if self._linear else []
        yield from self._line_passes(regions, bar_profiles.GENTLE_PASSES)
        yield from self._view_passes(scan_passes.EARLY_PASSES[1:], small)
        matrix_views = self._matrix_views(small)
        yield from self._matrix_passes(matrix_views, matrix_passes.EARLY_PASSES)
        yield from self._straightened_passes(regions, small)
        if is_small:
            yield from self._view_passes(scan_passes.LATE_PASSES, small)
        yield from self._digit_passes(regions[:MAX_DIGIT_REGIONS], reading.FIRST_LINES)
        yield from self._line_passes(regions[:3], bar_profiles.GENTLE_PASSES, margin=bar_profiles.WIDE_MARGIN)
        yield from self._line_passes(regions[:2], bar_profiles.STRONG_PASSES)
        if is_small:
            yield from self._view_passes(scan_passes.SLOW_PASSES, small)
        restoring = (self._curved_passes(small), self._matrix_passes(matrix_views, matrix_passes.LATE_PASSES))
        for each in restoring if is_small else reversed(restoring):  # In large images, the search for regions is slow.
            yield from each
        if not is_small:
            yield from self._line_passes(regions[2:], bar_profiles.STRONG_PASSES)
            yield from self._view_passes(scan_passes.LATE_PASSES, small)
        if scan_passes.is_colored(self._color):
            yield from self._channel_passes(small)
        if not is_small:
            yield from self._view_passes(scan_passes.SLOW_PASSES, small)
        yield from self._view_passes(scan_passes.LAST_PASSES, small)
        yield from self._digit_passes(regions[:MAX_DIGIT_REGIONS], reading.FURTHER_LINES)
        if is_small:
            yield from self._line_passes(regions[2:], bar_profiles.STRONG_PASSES)

    def _view_passes(self, passes: tuple[Pass, ...], small: Image.Image) -> Iterator[Callable[[], None]]:
        for each in passes:
            formats = self._linear if each.linear else self._formats or ("AllReadable",)
            if formats and small.width * small.height <= each.max_pixels:
                yield lambda each=each: self._make_pass(each, small)  # type: ignore[misc]

    def _channel_passes(self, small: Image.Image) -> Iterator[Callable[[], None]]:
        color = self._color.resize(small.size, Image.Resampling.BILINEAR, reducing_gap=2.0)
        for name, channel in scan_passes.channels(color):
            each = Pass(name, scan_passes.in_place(lambda gray: gray))
            yield lambda each=each, channel=channel: self._make_pass(each, channel)  # type: ignore[misc]

    def _straightened_passes(self, regions: list[Region], small: Image.Image) -> Iterator[Callable[[], None]]:
        """Rotate the clearest stripes upright, with their surroundings, for stacked codes."""
        if not regions or not self._matrix:
            return
        degrees = math.degrees(regions[0].angle)
        if abs((degrees + 45) % 90 - 45) <= 2:
            return
        straight = scan_passes.rotate(degrees)
        upright = UprightRegion(self._gray, regions[0], margin=STACK_MARGIN, inset=-STACK_MARGIN)
        for name, change in STRAIGHTENED_FILTERS.items():
            if small.width * small.height <= CHEAP_PIXELS:
                yield lambda n=name, c=change: self._make_pass(Pass(n, straight), c(small))  # type: ignore[misc]
            else:
                yield lambda n=name, c=change: self._make_straightened_pass(upright, n, c)  # type: ignore[misc]

    def _make_straightened_pass(self, upright: UprightRegion, name: str, change: ChangeImage) -> None:
        self._extra_passes += 1
        view, back = upright.area(min(1.5, STACK_PIXELS / upright.diagonal))
        found = decode(change(view), self._formats)
        self._tally.add_detections([each.mapped(back) for each in found], name)
        if self._tally.undecided and not self._tally.accepted():
            self._confirm()

    def _line_passes(
        self, regions: list[Region], passes: tuple[LinePass, ...], *, margin: float = bar_profiles.DEFAULT_MARGIN
    ) -> Iterator[Callable[[], None]]:
        for region in regions:
            upright = self._upright(region, margin)
            for each in passes:
                yield lambda u=upright, r=region, e=each: self._make_line_pass(u, r, e)  # type: ignore[misc]

    def _matrix_views(self, small: Image.Image) -> list[MatrixView]:
        """Return the surroundings of the most probable matrix codes, from the full image."""
        if not self._square:
            return []
        scale = self._gray.width / small.width
        regions = find_matrix_regions(small, MAX_MATRIX_REGIONS)
        return [MatrixView(self._gray, each.scaled(scale)) for each in regions]

    def _matrix_passes(self, views: list[MatrixView], passes: tuple[MatrixPass, ...]) -> Iterator[Callable[[], None]]:
        for view in views:
            for each in passes:
                yield lambda v=view, e=each: self._make_matrix_pass(v, e)  # type: ignore[misc]

    def _curved_passes(self, small: Image.Image) -> Iterator[Callable[[], None]]:
        """Flatten matrix codes on cylinders, PDF417 first."""
        if not self._matrix:
            return
        scale = self._gray.width / small.width
        for stacked in (True, False):
            for region in find_matrix_regions(small, 1, stacked=stacked):
                view = MatrixView(self._gray, region.scaled(scale), margin=matrix_passes.CURVED_MARGIN)
                for bend in matrix_passes.BENDS:
                    name = f"{'stacked' if stacked else 'matrix'}, flattened by {bend}"
                    yield lambda v=view, b=bend, n=name: self._make_curved_pass(v, b, n)  # type: ignore[misc]

    def _make_curved_pass(self, view: MatrixView, bend: float, name: str) -> None:
        self._extra_passes += 1
        if flat := matrix_passes.flatten(view.image, bend):
            found = decode(flat[0], self._matrix)
            back = [each.mapped(flat[1]).mapped(view.back) for each in found]
            self._tally.add_detections(back, name)

    def _make_matrix_pass(self, view: MatrixView, matrix_pass: MatrixPass) -> None:
        self._extra_passes += 1
        found = decode(matrix_pass.filter(view), self._square if matrix_pass.restores else self._matrix)
        self._tally.add_detections([each.mapped(view.back) for each in found], matrix_pass.name)

    def _digit_passes(self, regions: list[Region], lines: tuple[int, ...]) -> Iterator[Callable[[], None]]:
        """Fit EAN-13 symbols to the lines of regions, for bars that blur has merged."""
        if not self._retail:
            return
        uprights = [self._upright(region, reading.MARGIN) for region in regions]
        uprights = list(filter(reading.may_be_retail, uprights))
        started = time.thread_time()
        for line in lines:
            for upright in uprights:
                if time.thread_time() - started > DIGIT_SHARE * self._extra_seconds:
                    return
                yield lambda u=upright, n=line: self._make_digit_pass(u, n)  # type: ignore[misc]

    def _upright(self, region: Region, margin: float) -> UprightRegion:
        if (region, margin) not in self._uprights:
            self._uprights[region, margin] = UprightRegion(self._gray, region, margin=margin)
        return self._uprights[region, margin]

    def _make_digit_pass(self, upright: UprightRegion, line: int) -> None:
        self._extra_passes += 1
        for detection, name in reading.read(upright, line):
            if self._retail == "UPCA" and not detection.text.startswith("0"):
                continue
            self._tally.add_vote(replace(detection, format=self._retail), name, 0.5)

    def _make_pass(self, scan_pass: Pass, gray: Image.Image) -> None:
        formats = self._linear if scan_pass.linear else self._formats
        self._tally.add_detections(self._decode_view(scan_pass, gray, formats), scan_pass.name)
        for number, (scale, degrees) in enumerate(JITTER):
            undecided = {each.detection.format for each in self._tally.undecided if scan_pass.name in each.passes}
            if not undecided or self._tally.accepted():
                return
            jitter = scan_passes.jitter(scale, degrees)
            make = _chain(scan_pass.make, jitter) if scan_pass.by_pixel else _chain(jitter, scan_pass.make)
            repeated = Pass(f"{scan_pass.name} {number}", make)
            self._tally.add_detections(self._decode_view(repeated, gray, tuple(sorted(undecided))), repeated.name)
        if not self._tally.accepted():
            self._confirm()

    def _make_line_pass(self, upright: UprightRegion, region: Region, line_pass: LinePass) -> None:
        if not self._decode_lines(upright, line_pass.name, line_pass.filter, self._linear) or self._tally.accepted():
            return
        stretched = UprightRegion(self._gray, region, margin=upright.margin, stretch=2.35, inset=0.12)
        formats = tuple({each.detection.format for each in self._tally.undecided if each.detection.linear})
        # The same filter repeats its own artifacts, so its second vote counts half.
        self._decode_lines(stretched, f"{line_pass.name} again", line_pass.filter, formats, trust=0.5)
        for number, confirmation in enumerate(line_pass.confirmations):
            if not self._tally.accepted():
                self._decode_lines(stretched, f"{line_pass.name} {number}", confirmation, formats)
        self._confirm()

    def _confirm(self) -> None:
        """Make targeted passes around undecided linear codes."""
        for candidate in [each for each in self._tally.undecided if each.detection.linear][:MAX_TARGETED_CANDIDATES]:
            if candidate.detection.key in self._targeted or self._tally.accepted():
                continue
            self._targeted.add(candidate.detection.key)
            self._make_targeted_passes(candidate)

    def _make_targeted_passes(self, candidate: Candidate) -> None:
        region = Region.around(candidate.detection.quad)
        formats = (candidate.detection.format,)
        upright = UprightRegion(self._gray, region, stretch=1.7, inset=0.1)
        for scale in (1.0, 1.5, 2.2, 3.0):
            view, back = upright.area(scale)
            for name, change in TARGETED_FILTERS.items():
                if candidate.decided:
                    return
                found = [detection.mapped(back) for detection in decode(change(view), formats, single_pass=True)]
                self._extra_passes += 1
                self._tally.add_detections(found, f"targeted {name} {scale}", targeted=True)
        for number, each in enumerate(bar_profiles.GENTLE_PASSES):
            if not candidate.decided:
                self._decode_lines(upright, f"targeted {number}", each.filter, formats, trust=0.5, targeted=True)

    def _decode_view(self, scan_pass: Pass, gray: Image.Image, formats: tuple[str, ...]) -> list[Detection]:
        self._extra_passes += 1
        view, back = scan_pass.make(gray)
        x, y = self._gray.width / gray.width, self._gray.height / gray.height
        return [detection.mapped(lambda p: (back(p)[0] * x, back(p)[1] * y)) for detection in decode(view, formats)]

    def _decode_lines(
        self,
        upright: UprightRegion,
        name: str,
        line_filter: Filter,
        formats: tuple[str, ...],
        *,
        trust: float = 1.0,
        targeted: bool = False,
    ) -> bool:
        self._extra_passes += 1
        found = decode(reader_image(line_filter(upright)), formats, single_pass=True)
        for detection in found:
            bands = detection.height / LINE_HEIGHT_PIXELS  # One of fifteen bands can agree by chance.
            weight = trust * (0.5 if bands > 1.5 else 0.25)
            # Only the parities of six digits check UPC-E; a strong filter changes them in the same way each time.
            weight *= 0.25 if detection.format == "UPCE" and "focused" in name else 1
            self._tally.add_vote(_mapped_to_image(detection, upright), name, weight, targeted=targeted)
        return bool(found)

    def _working_copy(self) -> Image.Image:
        pixels = self._gray.width * self._gray.height
        if pixels <= MAX_WORKING_PIXELS:
            return self._gray
        scale = (MAX_WORKING_PIXELS / pixels) ** 0.5
        size = (max(1, round(self._gray.width * scale)), max(1, round(self._gray.height * scale)))
        return self._gray.resize(size, Image.Resampling.BILINEAR, reducing_gap=2.0)


def _chain(first: scan_passes.MakeView, then: scan_passes.MakeView) -> scan_passes.MakeView:
    def make(gray: Image.Image) -> tuple[Image.Image, scan_passes.MapBack]:
        intermediate, back = first(gray)
        view, further_back = then(intermediate)
        return view, lambda point: back(further_back(point))

    return make


def _mapped_to_image(detection: Detection, upright: UprightRegion) -> Detection:
    corners = iter(upright.back(detection.quad))
    return detection.mapped(lambda _: next(corners))
