"""Makes an animation: its frames in sRGB, in one size and in order, encoded within a limit. Runs in a worker."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from PIL import Image

from mediakit.core.inputs import files_of
from mediakit.engines.animations.frames import (
    MAX_TOTAL_PIXELS,
    Animation,
    Frame,
    encode_apng,
    encode_webp,
    timing_warnings,
)
from mediakit.engines.animations.gif import encode_gif
from mediakit.engines.raster.color import flatten, to_srgb, without_opaque_alpha
from mediakit.engines.raster.encode import encode
from mediakit.engines.raster.formats import MAX_SIDE
from mediakit.engines.raster.frames import DEFAULT_DELAY_MS, animation_info, read_animation, read_frames, read_srgb
from mediakit.engines.raster.geometry import Offset, Plan, Size, crop_offset, letterbox_offset, plan
from mediakit.engines.raster.metadata import color_warnings
from mediakit.engines.raster.resize import Decoded, render
from mediakit.engines.raster.source import SourceImage, depth_warnings, naming
from mediakit.engines.raster.structure import MAX_FRAMES
from mediakit.errors import InvalidInput
from mediakit.tools.images.image_animate.tool import ImageAnimateRequest

COUNT_ERROR = "files: send 2-60 pictures or one animation."


def read_sequence(request: ImageAnimateRequest, warnings: list[str]) -> "Sequence":
    """Read the headers of the files, and return the frames to make of them.

    Raises:
        InvalidInput: A file is not an image or is too large, or the number of files or of delays is wrong.
    """
    contents = files_of(request.files)
    files = []
    for number, content in enumerate(contents):
        field = "files" if len(contents) == 1 else f"files[{number}]"
        with naming(field):
            files.append(read_animation(content))
        remarks = [*files[-1].warnings, *depth_warnings(files[-1]), *color_warnings(files[-1], "an animation")]
        warnings += [remark["message"].replace("file:", f"{field}:", 1) for remark in remarks]
    if len(files) == 1:
        if not files[0].animated:
            raise InvalidInput(COUNT_ERROR)
        own = [frame.delay_ms for frame in read_frames(files[0])] if request.delay_ms is None else []
        if any(delay < 20 for delay in own):
            warnings.append("delay_ms: browsers slow down delays under 20 ms.")
        plays, _ = animation_info(files[0])
        delays = own or _delays(request, files[0].frames)
        return Sequence(request, files, delays, plays if request.loop is None else request.loop)
    if sum(file.size.pixels for file in files) > MAX_TOTAL_PIXELS:
        raise InvalidInput(f"files: must have at most {MAX_TOTAL_PIXELS // 1_000_000} megapixels together.")
    if any(file.animated for file in files):
        warnings.append("files: has an animation among several files; only its first frame is used.")
    return Sequence(request, files, _delays(request, len(files)), request.loop or 0)


def _delays(request: ImageAnimateRequest, count: int) -> list[int]:
    delays = request.delay_ms
    if isinstance(delays, list):
        if len(delays) != count:
            raise InvalidInput(f"delay_ms: {len(delays)} delays for {count} pictures.")
        return delays
    return [delays if isinstance(delays, int) else DEFAULT_DELAY_MS] * count


def fitted(image: Image.Image, size: tuple[int, int], request: ImageAnimateRequest) -> Image.Image:
    """Return an RGBA image in a size."""
    if image.size != size:
        sizes = plan(Size(*image.size), *size, request.fit)
        source = Decoded(without_opaque_alpha(image), (0, 0, *image.size), None)
        if sizes.crops:
            image = render(source, sizes, crop_offset(sizes, "center"), background=None).convert("RGBA")
        else:
            resized = render(source, Plan(sizes.scaled, sizes.scaled), Offset(0, 0), background=None)
            borders = request.background or ("white" if request.format == "gif" else (0, 0, 0, 0))
            image = Image.new("RGBA", size, borders)
            image.paste(resized, letterbox_offset(sizes, "center"))
    return flatten(image, request.background).convert("RGBA") if request.background else image


BLEND_STEP_MS = 40
"""Time of a blended frame: 25 frames per second."""
MAX_BLENDED_PIXELS = 40_000_000
"""Pixels of all blended frames; with larger images the steps are longer."""
MAX_CACHED_PIXELS = 60_000_000
"""Pixels of images that are decoded once; more are decoded again for each attempt."""


@dataclass
class Sequence:
    """Frames that can be made in several sizes, as often as needed."""

    request: ImageAnimateRequest
    files: list[SourceImage]
    input_delays_ms: list[int]
    """The delays of the images, or of the frames of an animation, in the order of the input."""
    plays: int
    """How often the animation plays; 0: endlessly."""
    size: tuple[int, int] = field(init=False)
    _cache: list[Image.Image] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self.size = plan(self.files[0].size, self.request.width, self.request.height, "fill").output
        frames = len(self.delays_ms)
        if frames > MAX_FRAMES:
            raise InvalidInput(f"files: would become {frames} frames, at most {MAX_FRAMES} are allowed.")
        limit = MAX_SIDE[self.request.format]
        if max(self.size) > limit and not self.request.frames:
            raise InvalidInput(
                f"width: the images have {self.size[0]} x {self.size[1]} pixels; a side of an animated "
                f"{self.request.format.upper()} has at most {limit}. Request a smaller width or height, or format png."
            )
        if self.size[0] * self.size[1] * frames > MAX_TOTAL_PIXELS:
            raise InvalidInput(
                f"width: {frames} frames of {self.size[0]} x {self.size[1]} pixels are more than "
                f"{MAX_TOTAL_PIXELS // 1_000_000} megapixels together. Request a smaller width or height."
            )

    @property
    def order(self) -> list[int]:
        """Indexes of the images in the order in which they are shown."""
        forward = list(range(len(self.input_delays_ms)))
        return forward + forward[-2:0:-1] if self.request.bounce else forward

    @property
    def delays_ms(self) -> list[int]:
        """The delay of every frame."""
        order = self.order
        delays = [self.input_delays_ms[order[0]]]
        for index in order[1:]:
            delays += [*self._blend_delays, self.input_delays_ms[index]]
        return delays

    def animation(self, scale: float = 1.0) -> Animation:
        """Return the animation, made smaller by a factor."""
        size = max(1, round(self.size[0] * scale)), max(1, round(self.size[1] * scale))
        return Animation(size, lambda: self._frames(size), len(self.delays_ms), self.plays)

    @property
    def _blend_delays(self) -> list[int]:
        """Delays of the blended frames between two images; their sum is exact."""
        total = self.request.crossfade_ms
        gaps = max(1, len(self.order) - 1)
        affordable = MAX_BLENDED_PIXELS // (self.size[0] * self.size[1] * gaps)
        count = max(1, min(total // BLEND_STEP_MS, affordable, (MAX_FRAMES - gaps - 1) // gaps)) if total else 0
        return [total * (number + 1) // count - total * number // count for number in range(count)]

    def _frames(self, size: tuple[int, int]) -> Iterator[Frame]:
        delays = iter(self.delays_ms)
        steps = len(self._blend_delays)
        before: Image.Image | None = None
        images = (fitted(image, size, self.request) for image in self._images())
        if self.request.bounce:
            kept = list(images)
            images = (kept[index] for index in self.order)
        for image in images:
            if before is not None:
                for step in range(1, steps + 1):
                    blended = Image.blend(before.convert("RGBa"), image.convert("RGBa"), step / (steps + 1))
                    yield Frame(blended.convert("RGBA"), next(delays))
            yield Frame(image, next(delays))
            before = image

    def _images(self) -> Iterator[Image.Image]:
        """Return the images in the largest size that is needed; they are kept if they are small."""
        if self._cache:
            yield from self._cache
            return
        keep = self.size[0] * self.size[1] * len(self.input_delays_ms) <= MAX_CACHED_PIXELS
        kept = []
        for image in self._decoded():
            large = fitted(image, self.size, self.request)
            if keep:
                kept.append(large)
            yield large
        self._cache = kept

    def _decoded(self) -> Iterator[Image.Image]:
        """Decode the images: upright, sRGB, RGBA."""
        if len(self.files) == 1:
            _, profile = animation_info(self.files[0])
            yield from (to_srgb(frame.image, profile) for frame in read_frames(self.files[0]))
            return
        for number, file in enumerate(self.files):
            with naming(f"files[{number}]"):
                image = read_srgb(file)
            yield image


LOSSLESS = 100
GIF_COLORS = (256, 128, 64, 32)
PNG_COLORS = (0, 256, 64, 16)
"""0: all colors."""
WEBP_QUALITIES = (80, 60, 40, 20, 5)
FAR_ABOVE = 6
"""Factor over the limit from which only the smallest number of colors is tried."""
SCALE_ATTEMPTS = 6
MIN_SIDE = 16


class Attempt(NamedTuple):
    """A file and how it was made."""

    content: bytes
    size: tuple[int, int]
    colors: int | None = None
    """Size of the largest palette of a GIF, or of a PNG that was reduced to a palette."""
    quality: int | None = None
    """Quality of a WebP; 100 if it is lossless."""


Animated = tuple[list[bytes], list[int], dict[str, Any]]
"""An animation, or its frames as PNG files; the delays of the frames in milliseconds; the meta of the result."""


def animate(request: ImageAnimateRequest) -> Animated:
    """Make an animation, or its frames as PNG files.

    Raises:
        InvalidInput: A file is not an image, is damaged or too large, or the result does not fit.
    """
    warnings: list[str] = []
    sequence = read_sequence(request, warnings)
    if request.frames:
        images = (without_opaque_alpha(frame.image) for frame in sequence.animation().frames())
        return _result(sequence, "png", [encode(image, "png") for image in images], warnings)
    remarks = timing_warnings(request.format, sequence.plays, sequence.delays_ms)
    warnings += [remark["message"].replace("file:", "files:", 1) for remark in remarks]
    made = _encode_within_limit(sequence)
    if made.size != sequence.size:
        warnings.append(f"max_bytes: the size was reduced to {made.size[0]} x {made.size[1]} pixels.")
    if request.max_bytes and made.quality is not None and made.quality < request.quality:
        warnings.append(f"max_bytes: the quality was reduced to {made.quality}.")
    if request.max_bytes and made.colors is not None and (request.format == "png" or made.colors <= GIF_COLORS[1]):
        warnings.append(f"max_bytes: the colors of a frame were reduced to {made.colors}.")
    result = _result(sequence, request.format, [made.content], warnings)
    details = {"width": made.size[0], "height": made.size[1], "colors": made.colors, "quality": made.quality}
    result[2].update({name: value for name, value in details.items() if value is not None})
    return result


def _result(sequence: Sequence, kind: str, contents: list[bytes], warnings: list[str]) -> Animated:
    meta = {
        "format": kind,
        "width": sequence.size[0],
        "height": sequence.size[1],
        "frames": len(sequence.delays_ms),
        "duration_ms": sum(sequence.delays_ms),
        "loop": sequence.plays,
        "warnings": warnings,
    }
    return contents, sequence.delays_ms, meta


def _encode_within_limit(sequence: Sequence) -> Attempt:
    """Encode a sequence as requested; above the limit with fewer colors or a lower quality, then in smaller sizes."""
    request = sequence.request
    lower = [quality for quality in WEBP_QUALITIES if quality < request.quality] or [1]
    levels = {"gif": GIF_COLORS, "png": PNG_COLORS}.get(request.format, (request.quality, *lower))
    smallest = _encode(sequence, levels[0])
    limit = request.max_bytes or len(smallest.content)
    for level in levels[-1:] if len(smallest.content) > FAR_ABOVE * limit else levels[1:]:
        if len(smallest.content) > limit:
            smallest = min(smallest, _encode(sequence, level), key=lambda made: len(made.content))
    scale = 1.0
    for _ in range(SCALE_ATTEMPTS):
        scale *= min(0.9, (limit / len(smallest.content)) ** 0.5 * 0.95)
        if len(smallest.content) <= limit or min(sequence.size) * scale < MIN_SIDE:
            break
        smallest = min(smallest, _encode(sequence, levels[-1], scale), key=lambda made: len(made.content))
    if len(smallest.content) <= limit:
        return smallest
    kilobytes = -(-len(smallest.content) // 1000)
    raise InvalidInput(f"max_bytes: cannot be reached (smallest was {kilobytes} kB).")


def _encode(sequence: Sequence, level: int, scale: float = 1.0) -> Attempt:
    """Encode a sequence; `level` is a number of colors or a quality."""
    animation = sequence.animation(scale)
    match sequence.request.format:
        case "gif":
            content, colors = encode_gif(animation, level)
            return Attempt(content, animation.size, colors=colors)
        case "png":
            return Attempt(encode_apng(animation, colors=level), animation.size, colors=level or None)
        case _:
            content = encode_webp(animation, quality=level, lossless=level == LOSSLESS)
            return Attempt(content, animation.size, quality=level)
