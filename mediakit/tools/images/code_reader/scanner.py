"""The scan of one image: passes from cheap to expensive, each made only if no code was found before."""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from PIL import Image, ImageOps

from mediakit.tools.images.code_reader import bar_profiles, image_passes
from mediakit.tools.images.code_reader.bar_profiles import LINE_HEIGHT_PIXELS, LinePass, UprightRegion, reader_image
from mediakit.tools.images.code_reader.decoder import View, decode, formats_by_kind, retail_format
from mediakit.tools.images.code_reader.image_passes import Filter, Pass, within
from mediakit.tools.images.code_reader.regions import Region, find_matrix_regions, find_regions
from mediakit.tools.images.code_reader.retail import reading
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
"""Maximum diagonal of the view of a stacked code in pixels."""

STACK_PASSES = (
    Pass("straightened", View),
    Pass("straightened, inverted", image_passes.filtered(ImageOps.invert)),
)

TARGETED_FILTERS: dict[str, Filter] = {
    "plain": image_passes.unchanged,
    "sharpened": image_passes.sharpen(2, 200),
    "thresholded": image_passes.threshold(15),
}

JITTER = ((1.23, 0.0), (0.83, 0.0), (1.1, 2.5), (0.93, -3.5))
"""Scales and rotations (degrees) with which a pass is repeated to confirm its detections."""

Step = Callable[[], None]


class Scanner:
    """Scans a gray or RGB image; `extra_seconds` is the processor time beyond the first pass."""

    def __init__(self, image: Image.Image, formats: tuple[str, ...], *, extra_seconds: float = EXTRA_SECONDS) -> None:
        self._color = image
        self._gray = image if image.mode == "L" else image.convert("L")
        self._formats = formats_by_kind(formats)
        self._requested = formats
        self._retail = retail_format(formats)
        self._extra_seconds = extra_seconds
        self._tally = VoteTally(formats, self._gray)
        self._extra_passes = 0
        self._targeted: set[tuple[str, bytes]] = set()
        self._uprights: dict[tuple[Region, float], UprightRegion] = {}

    def scan(self) -> tuple[list[Candidate], int]:
        """Return the codes and the number of passes after the first, made until a code is accepted or time is up."""
        self._tally.add_detections(decode(self._gray, self._requested), UNCHANGED_VIEW, first=True)
        started = time.thread_time()
        for step in self._steps():
            if time.thread_time() - started > self._extra_seconds:
                break
            step()
        return self._tally.accepted(), self._extra_passes

    def _steps(self) -> Iterator[Step]:
        """Yield the passes that are worth their cost, given the results so far."""
        first = self._tally.accepted()
        if first and not self._tally.undecided and len(first) == 1:
            return
        small = self._working_copy(self._gray)
        if first:
            # Sheets of labels and codes with disagreeing lines: two more passes find or reject the rest.
            yield from self._passes(image_passes.EARLY_PASSES, small)
            return
        for step in self._search(small):
            yield step
            if self._tally.accepted():
                return

    def _search(self, small: View) -> Iterator[Step]:
        is_small = small.image.width * small.image.height <= CHEAP_PIXELS
        yield from self._passes(image_passes.EARLY_PASSES[:1], small)
        regions = find_regions(self._gray, MAX_REGIONS) if self._formats["linear"] else []
        yield from self._line_passes(regions, bar_profiles.GENTLE_PASSES)
        yield from self._passes(image_passes.EARLY_PASSES[1:], small)
        matrix_views = self._matrix_views(small, "restorable", MAX_MATRIX_REGIONS, image_passes.MATRIX_MARGIN)
        for view in matrix_views:
            yield from self._passes(image_passes.MATRIX_PASSES, view)
        yield from self._straightened_passes(regions)
        if is_small:
            yield from self._passes(image_passes.LATE_PASSES, small)
        yield from self._digit_passes(regions[:MAX_DIGIT_REGIONS], reading.FIRST_LINES)
        yield from self._line_passes(regions[:3], bar_profiles.GENTLE_PASSES, margin=bar_profiles.WIDE_MARGIN)
        yield from self._line_passes(regions[:2], bar_profiles.STRONG_PASSES)
        for view in matrix_views:
            yield from self._passes(image_passes.BLURRED_MATRIX_PASSES, view)
        for view in self._matrix_views(small, "matrix", 1, image_passes.CURVED_MARGIN):
            yield from self._passes(image_passes.CURVED_PASSES, view)
        if not is_small:
            yield from self._passes(image_passes.LATE_PASSES, small)
        yield from self._passes(image_passes.SLOW_PASSES, small)
        if image_passes.is_colored(self._color):
            color, back = self._working_copy(self._color)
            for each, channel in zip(image_passes.CHANNEL_PASSES, color.split(), strict=True):
                yield partial(self._make_pass, each, View(channel, back))
        yield from self._passes(image_passes.LAST_PASSES, small)
        yield from self._digit_passes(regions[:MAX_DIGIT_REGIONS], reading.FURTHER_LINES)
        yield from self._line_passes(regions[2:], bar_profiles.STRONG_PASSES)

    def _working_copy(self, image: Image.Image) -> View:
        scale = min(1.0, (MAX_WORKING_PIXELS / (image.width * image.height)) ** 0.5)
        return View(image) if scale == 1 else image_passes.resize(scale, scale, Image.Resampling.BILINEAR, 2.0)(image)

    def _passes(self, passes: Iterable[Pass], view: View) -> Iterator[Step]:
        for each in passes:
            if self._formats[each.kind] and view.image.width * view.image.height <= each.max_pixels:
                yield partial(self._make_pass, each, view)

    def _make_pass(self, scan_pass: Pass, view: View) -> None:
        self._add_pass(scan_pass.name, scan_pass.make, view, self._formats[scan_pass.kind])
        for number, (scale, degrees) in enumerate(JITTER):
            undecided = {each.detection.format for each in self._tally.undecided if scan_pass.name in each.passes}
            if not undecided or self._tally.accepted():
                return
            turn = [image_passes.rotate(degrees)] if degrees else []
            make = image_passes.chain(image_passes.resize(scale, scale), *turn, scan_pass.make)
            self._add_pass(f"{scan_pass.name} {number}", make, view, tuple(sorted(undecided)))
        if not self._tally.accepted():
            self._confirm()

    def _add_pass(self, name: str, make: image_passes.MakeView, view: View, formats: tuple[str, ...]) -> None:
        self._extra_passes += 1
        changed = within(view, make(view.image))
        self._tally.add_detections([each.mapped(changed.back) for each in decode(changed.image, formats)], name)

    def _straightened_passes(self, regions: list[Region]) -> Iterator[Step]:
        """Rotate the clearest stripes upright, with their surroundings, for stacked codes."""
        if not regions or not self._formats["matrix"]:
            return
        if abs((math.degrees(regions[0].angle) + 45) % 90 - 45) <= 2:
            return
        upright = UprightRegion(self._gray, regions[0], margin=STACK_MARGIN, inset=-STACK_MARGIN)
        yield from self._passes(STACK_PASSES, upright.area(min(1.5, STACK_PIXELS / upright.diagonal)))

    def _matrix_views(self, small: View, kind: str, limit: int, margin: float) -> list[View]:
        """Return the surroundings of the most probable matrix codes, from the full image."""
        if not self._formats[kind]:
            return []
        scale = self._gray.width / small.image.width
        regions = find_matrix_regions(small.image, limit, stacked=kind == "matrix")
        return [image_passes.crop(each.scaled(scale), margin)(self._gray) for each in regions]

    def _line_passes(
        self, regions: list[Region], passes: tuple[LinePass, ...], *, margin: float = bar_profiles.DEFAULT_MARGIN
    ) -> Iterator[Step]:
        for region in regions:
            for each in passes:
                yield partial(self._make_line_pass, self._upright(region, margin), region, each)

    def _digit_passes(self, regions: list[Region], lines: tuple[int, ...]) -> Iterator[Step]:
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
                yield partial(self._make_digit_pass, upright, line)

    def _upright(self, region: Region, margin: float) -> UprightRegion:
        if (region, margin) not in self._uprights:
            self._uprights[region, margin] = UprightRegion(self._gray, region, margin=margin)
        return self._uprights[region, margin]

    def _make_digit_pass(self, upright: UprightRegion, line: int) -> None:
        self._extra_passes += 1
        for detection, name in reading.read(upright, line):
            if self._retail == "EAN13" or detection.text.startswith("0"):
                self._tally.add_vote(replace(detection, format=self._retail), name, 0.5)

    def _make_line_pass(self, upright: UprightRegion, region: Region, line_pass: LinePass) -> None:
        found = self._decode_lines(upright, line_pass.name, line_pass.filter, self._formats["linear"])
        if not found or self._tally.accepted():
            return
        stretched = UprightRegion(self._gray, region, margin=upright.margin, stretch=2.35, inset=0.12)
        formats = tuple({each.detection.format for each in self._tally.undecided if each.detection.linear})
        # The same filter repeats its own artifacts, so its second vote counts half.
        self._decode_lines(stretched, f"{line_pass.name} again", line_pass.filter, formats, trust=0.5)
        for number, confirmation in enumerate(line_pass.confirmations):
            if not self._tally.accepted():
                self._decode_lines(stretched, f"{line_pass.name} {number}", confirmation, formats)
        self._confirm()

    def _decode_lines(
        self,
        upright: UprightRegion,
        name: str,
        line_filter: bar_profiles.Filter,
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
            placed = replace(detection, quad=upright.back(detection.quad))
            self._tally.add_vote(placed, name, weight, targeted=targeted)
        return bool(found)

    def _confirm(self) -> None:
        """Make targeted passes around undecided linear codes."""
        for candidate in [each for each in self._tally.undecided if each.detection.linear][:MAX_TARGETED_CANDIDATES]:
            if candidate.detection.key not in self._targeted and not self._tally.accepted():
                self._targeted.add(candidate.detection.key)
                self._make_targeted_passes(candidate)

    def _make_targeted_passes(self, candidate: Candidate) -> None:
        formats = (candidate.detection.format,)
        upright = UprightRegion(self._gray, Region.around(candidate.detection.quad), stretch=1.7, inset=0.1)
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
