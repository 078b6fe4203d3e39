"""The looks at a picture, from the cheap to the dear; each is taken only while nothing was found."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PIL import Image

from mediakit.tools.images.code_reader import passes, profiles, stripes
from mediakit.tools.images.code_reader.ballot import Ballot, Candidate
from mediakit.tools.images.code_reader.look import linear, look, matrix
from mediakit.tools.images.code_reader.passes import Pass
from mediakit.tools.images.code_reader.profiles import DEPTH, Filter, Upright, Way, picture
from mediakit.tools.images.code_reader.sighting import Sighting
from mediakit.tools.images.code_reader.stripes import Region

PATIENCE = 0.4
"""Seconds of processor time for one picture beyond its first look."""

WORKING_SIZE = 1_600_000
"""Pixels of the copy that later looks see; regions of bars are cut out of the picture itself."""

REGIONS = 5

CLOSELY = 3
"""Doubtful readings that are looked at closely."""

CLOSE: dict[str, Callable[[Image.Image], Image.Image]] = {
    "plain": lambda view: view,
    "sharpened": passes.sharpened(2, 200),
    "thresholded": passes.thresholded(15),
}

JITTER = ((1.23, 0.0), (0.83, 0.0), (1.1, 2.5), (0.93, -3.5))
"""How much a picture is scaled, and turned (degrees), to see whether a view shows again what it showed."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in a picture."""

    found: list[Candidate]
    looks: int
    """Looks beyond the first."""


class Ladder:
    """The looks at one picture."""

    def __init__(self, colour: Image.Image, formats: tuple[str, ...], *, patience: float = PATIENCE) -> None:
        self._colour = colour
        self._grey = colour if colour.mode == "L" else colour.convert("L")
        self._formats = formats
        self._linear = linear(formats)
        self._matrix = matrix(formats)
        self._patience = patience
        self._ballot = Ballot(formats)
        self._looks = 0
        self._close: set[tuple[str, bytes]] = set()

    def climb(self) -> Reading:
        """Look until something is surely there, or time is up."""
        self._ballot.cast(look(self._grey, self._formats), "plain", first=True)
        self._started = time.thread_time()
        for step in self._steps():
            if time.thread_time() - self._started > self._patience:
                break
            step()
        return Reading(self._ballot.believed(), self._looks)

    def _steps(self) -> Iterator[Callable[[], None]]:
        """Give the steps that are worth their cost, for what the earlier ones found."""
        first = self._ballot.believed()
        if first and not self._ballot.doubtful and len(first) == 1:
            return
        small = self._small()
        if first:
            # A sheet of labels, or a code whose lines disagree: two more looks find or drop the rest.
            yield from self._passes(passes.EARLY, small)
            return
        for step in self._search(small):
            if self._ballot.believed():
                return
            yield step

    def _search(self, small: Image.Image) -> Iterator[Callable[[], None]]:
        yield from self._passes(passes.EARLY[:1], small)
        regions = stripes.find(self._grey, REGIONS) if self._linear else []
        yield from self._profiles(regions, profiles.GENTLE)
        yield from self._passes(passes.EARLY[1:], small)
        yield from self._straightened(regions, small)
        yield from self._profiles(regions[:3], profiles.GENTLE, margin=profiles.WIDE_MARGIN)
        yield from self._profiles(regions[:2], profiles.HARSH)
        yield from self._passes(passes.LATE[:5], small)
        if passes.is_coloured(self._colour):
            yield from self._channels(small)
        yield from self._passes(passes.LATE[5:], small)
        yield from self._profiles(regions[2:], profiles.HARSH)

    def _passes(self, ways: tuple[Pass, ...], small: Image.Image) -> Iterator[Callable[[], None]]:
        for way in ways:
            formats = self._linear if way.linear else self._formats or ("AllReadable",)
            if formats and small.width * small.height <= way.largest:
                yield lambda way=way: self._pass(way, small)  # type: ignore[misc]

    def _channels(self, small: Image.Image) -> Iterator[Callable[[], None]]:
        colour = self._colour.resize(small.size, Image.Resampling.BILINEAR, reducing_gap=2.0)
        for name, channel in passes.channels(colour):
            way = Pass(name, passes.still(lambda grey: grey))
            yield lambda way=way, channel=channel: self._pass(way, channel)  # type: ignore[misc]

    def _straightened(self, regions: list[Region], small: Image.Image) -> Iterator[Callable[[], None]]:
        """Turn the picture so that its clearest stripes stand upright, for stacked codes."""
        if not regions or not self._matrix:
            return
        degrees = math.degrees(regions[0].angle)
        if abs((degrees + 45) % 90 - 45) > 2:
            straight = passes.turned(degrees)
            yield lambda: self._pass(Pass("straightened", straight), small)
            yield lambda: self._pass(Pass("straightened, inverted", straight), passes.inverted(small))

    def _profiles(
        self, regions: list[Region], ways: tuple[Way, ...], *, margin: float = profiles.MARGIN
    ) -> Iterator[Callable[[], None]]:
        for region in regions:
            upright = Upright(self._grey, region, margin=margin)
            for way in ways:
                yield lambda u=upright, r=region, w=way: self._lines(u, r, w)  # type: ignore[misc]

    def _pass(self, way: Pass, grey: Image.Image) -> None:
        self._ballot.cast(self._view(way, grey, self._linear if way.linear else self._formats), way.name)
        for number, (scale, degrees) in enumerate(JITTER):
            doubtful = {each.sighting.format for each in self._ballot.doubtful if way.name in each.passes}
            if not doubtful or self._ballot.believed():
                return
            jitter = passes.jittered(scale, degrees)
            make = _after(way.make, jitter) if way.by_pixel else _after(jitter, way.make)
            again = Pass(f"{way.name} {number}", make)
            self._ballot.cast(self._view(again, grey, tuple(sorted(doubtful))), again.name)
        if not self._ballot.believed():
            self._confirm()

    def _confirm(self) -> None:
        """Look closely where bars were read, and not surely, for what was read there."""
        for candidate in [each for each in self._ballot.doubtful if each.sighting.linear][:CLOSELY]:
            if candidate.sighting.key in self._close or self._ballot.believed():
                continue
            self._close.add(candidate.sighting.key)
            self._look_closely(candidate)

    def _look_closely(self, candidate: Candidate) -> None:
        region = Region.around(candidate.sighting.quad)
        formats = (candidate.sighting.format,)
        upright = Upright(self._grey, region, stretch=1.7, inset=0.1)
        for scale in (1.0, 1.5, 2.2, 3.0):
            view, back = upright.area(scale)
            for name, change in CLOSE.items():
                if candidate.believed:
                    return
                seen = [sighting.moved(back) for sighting in look(change(view), formats, straight=True)]
                self._looks += 1
                self._ballot.cast(seen, f"close {name} {scale}", close=True)
        for number, way in enumerate(profiles.GENTLE):
            if not candidate.believed:
                self._read_lines(upright, f"close {number}", way.filter, formats, trust=0.5, close=True)

    def _view(self, way: Pass, grey: Image.Image, formats: tuple[str, ...]) -> list[Sighting]:
        self._looks += 1
        view, back = way.make(grey)
        x, y = self._grey.width / grey.width, self._grey.height / grey.height
        return [sighting.moved(lambda p: (back(p)[0] * x, back(p)[1] * y)) for sighting in look(view, formats)]

    def _lines(self, upright: Upright, region: Region, way: Way) -> None:
        if not self._read_lines(upright, way.name, way.filter, self._linear) or self._ballot.believed():
            return
        again = Upright(self._grey, region, margin=upright.margin, stretch=2.35, inset=0.12)
        formats = tuple({each.sighting.format for each in self._ballot.doubtful if each.sighting.linear})
        # What a filter shows falsely it shows falsely again.
        self._read_lines(again, f"{way.name} again", way.filter, formats, trust=0.5)
        for number, second in enumerate(way.seconds):
            if not self._ballot.believed():
                self._read_lines(again, f"{way.name} {number}", second, formats)
        self._confirm()

    def _read_lines(
        self,
        upright: Upright,
        name: str,
        filtered: Filter,
        formats: tuple[str, ...],
        *,
        trust: float = 1.0,
        close: bool = False,
    ) -> bool:
        self._looks += 1
        seen = look(picture(filtered(upright)), formats, straight=True)
        for sighting in seen:
            bands = sighting.height / DEPTH  # one of fifteen may agree by chance
            weight = trust * (0.5 if bands > 1.5 else 0.25)
            # Its check is in the parity of six digits, which a strong filter bends alike each time.
            weight *= 0.25 if sighting.format == "UPCE" and "focused" in name else 1
            self._ballot.vote(_placed(sighting, upright), name, weight, close=close)
        return bool(seen)

    def _small(self) -> Image.Image:
        pixels = self._grey.width * self._grey.height
        if pixels <= WORKING_SIZE:
            return self._grey
        scale = (WORKING_SIZE / pixels) ** 0.5
        size = (max(1, round(self._grey.width * scale)), max(1, round(self._grey.height * scale)))
        return self._grey.resize(size, Image.Resampling.BILINEAR, reducing_gap=2.0)


def _after(first: passes.Make, then: passes.Make) -> passes.Make:
    def make(grey: Image.Image) -> tuple[Image.Image, passes.Back]:
        between, back = first(grey)
        view, further_back = then(between)
        return view, lambda point: back(further_back(point))

    return make


def _placed(sighting: Sighting, upright: Upright) -> Sighting:
    corners = iter(upright.back(sighting.quad))
    return sighting.moved(lambda _: next(corners))
