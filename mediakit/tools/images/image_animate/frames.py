"""The frames of an animation: read from the input as sRGB, fitted to one size, in their order with blended frames."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from PIL import Image

from mediakit.core.inputs import files_of
from mediakit.engines.animations.frames import MAX_FRAMES, MAX_TOTAL_PIXELS, Animation, Frame
from mediakit.engines.raster.color import flatten, to_eight_bit, to_srgb
from mediakit.engines.raster.formats import MAX_GIF_SIDE, MAX_SIDE
from mediakit.engines.raster.frames import animation_info, read_animation, read_frames
from mediakit.engines.raster.source import (
    SourceImage,
    apply_orientation,
    damage_as_invalid_input,
    depth_warnings,
    open_image,
)
from mediakit.errors import InvalidInput
from mediakit.tools.images.image_animate.tool import ImageAnimateRequest

DEFAULT_DELAY_MS = 100
COUNT_ERROR = "files: send 2-60 pictures or one animation."


@dataclass(frozen=True)
class InputImages:
    """What is shown, in its order."""

    files: list[SourceImage]
    delays_ms: list[int]
    plays: int
    """How often the animation plays; 0: endlessly."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the first image."""
        return self.files[0].size

    @property
    def count(self) -> int:
        """Number of images, or of frames of an animation."""
        return len(self.delays_ms)

    def images(self) -> Iterator[Image.Image]:
        """Decode the images: upright, sRGB, RGBA."""
        if len(self.files) == 1:
            file = self.files[0]
            profile = animation_info(file).icc_profile
            for frame in read_frames(file):
                yield to_srgb(frame.image, profile)
            return
        for number, file in enumerate(self.files):
            yield _decoded(file, number)


def read_inputs(request: ImageAnimateRequest, warnings: list[str]) -> InputImages:
    """Read the headers of the files.

    Raises:
        InvalidInput: A file is not an image or is too large, or the number of files or of delays is wrong.
    """
    contents = files_of(request.files)
    files = [_header(content, number, len(contents)) for number, content in enumerate(contents)]
    for number, file in enumerate(files):
        remarks = [*file.warnings, *depth_warnings(file)]
        warnings += [_named(remark["message"], number, len(files)) for remark in remarks]
    if len(files) == 1 and not files[0].animated:
        raise InvalidInput(COUNT_ERROR)
    if len(files) == 1:
        own = [frame.delay_ms for frame in read_frames(files[0])] if request.delay_ms is None else []
        plays = animation_info(files[0]).plays if request.loop is None else request.loop
        if any(delay < 20 for delay in own):
            warnings.append("delay_ms: browsers slow down delays under 20 ms.")
        return InputImages(files, own or _delays(request, files[0].frames), plays)
    if sum(file.width * file.height for file in files) > MAX_TOTAL_PIXELS:
        raise InvalidInput(f"files: must have at most {MAX_TOTAL_PIXELS // 1_000_000} megapixels together.")
    if any(file.animated for file in files):
        warnings.append("files: has an animation among several files; only its first frame is used.")
    return InputImages(files, _delays(request, len(files)), request.loop or 0)


def _delays(request: ImageAnimateRequest, count: int) -> list[int]:
    delays = request.delay_ms
    if isinstance(delays, list):
        if len(delays) != count:
            raise InvalidInput(f"delay_ms: {len(delays)} delays for {count} pictures.")
        return delays
    return [delays if isinstance(delays, int) else DEFAULT_DELAY_MS] * count


def _header(content: bytes, number: int, count: int) -> SourceImage:
    try:
        return read_animation(content)
    except InvalidInput as error:
        raise _of_file(error, number, count) from error


def _decoded(source: SourceImage, number: int) -> Image.Image:
    try:
        image, orientation = open_image(source.content, source.format)
        with damage_as_invalid_input(source.format):
            image.load()
    except InvalidInput as error:
        raise _of_file(error, number, 2) from error
    colors = to_srgb(to_eight_bit(image), image.info.get("icc_profile"))
    upright = apply_orientation(colors, orientation).convert("RGBA")
    upright.info.clear()
    return upright


def _of_file(error: InvalidInput, number: int, count: int) -> InvalidInput:
    """Return an error that names the file."""
    return InvalidInput(_named(error.message, number, count))


def _named(message: str, number: int, count: int) -> str:
    return message.replace("file:", "files:" if count == 1 else f"files[{number}]:", 1)


Size = tuple[int, int]

WHITE = "#ffffff"

_MAX_SIDES = {"webp": MAX_SIDE["webp"], "gif": MAX_GIF_SIDE, "png": MAX_SIDE["png"]}


def animation_size(first: Size, width: int | None, height: int | None) -> Size:
    """Return the size of an animation; with one side missing, the aspect ratio of the first image is kept."""
    if width and height:
        return width, height
    if width:
        return width, max(1, round(first[1] * width / first[0]))
    if height:
        return max(1, round(first[0] * height / first[1])), height
    return first


def fitted(image: Image.Image, size: Size, request: ImageAnimateRequest) -> Image.Image:
    """Return an RGBA image in a size."""
    if image.size != size:
        image = _resized(image, size, request)
    return flatten(image, request.background).convert("RGBA") if request.background else image


def _resized(image: Image.Image, size: Size, request: ImageAnimateRequest) -> Image.Image:
    x, y = size[0] / image.width, size[1] / image.height
    if request.fit == "fill" or x == y:
        return _scaled(image, size)
    if request.fit == "cover":
        width, height = size[0] / max(x, y), size[1] / max(x, y)
        left, top = (image.width - width) / 2, (image.height - height) / 2
        return _scaled(image, size, (left, top, left + width, top + height))
    scale = min(x, y)
    inner = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    borders = request.background or (WHITE if request.format == "gif" else None)
    canvas = Image.new("RGBA", size, borders or (0, 0, 0, 0))
    canvas.paste(_scaled(image, inner), ((size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2))
    return canvas


def _scaled(image: Image.Image, size: Size, box: tuple[float, float, float, float] | None = None) -> Image.Image:
    method = Image.Resampling.LANCZOS
    if image.getchannel("A").getextrema() == (255, 255):
        return image.convert("RGB").resize(size, method, box, reducing_gap=3.0).convert("RGBA")
    return image.convert("RGBa").resize(size, method, box, reducing_gap=3.0).convert("RGBA")


BLEND_STEP_MS = 40
"""Time of a blended frame: 25 frames per second."""
MAX_BLENDED_PIXELS = 40_000_000
"""Pixels of all blended frames; with larger images the steps are longer."""
MAX_CACHED_PIXELS = 60_000_000
"""Pixels of images that are decoded once; more are decoded again for each attempt."""


@dataclass
class Sequence:
    """Frames that can be made in several sizes, as often as needed."""

    inputs: InputImages
    request: ImageAnimateRequest
    size: tuple[int, int]
    _cache: list[Image.Image] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        frames = len(self.delays_ms)
        if frames > MAX_FRAMES:
            raise InvalidInput(f"files: would become {frames} frames, at most {MAX_FRAMES} are allowed.")
        limit = _MAX_SIDES[self.request.format]
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
        forward = list(range(self.inputs.count))
        return forward + forward[-2:0:-1] if self.request.bounce else forward

    @property
    def delays_ms(self) -> list[int]:
        """The delay of every frame."""
        order = self.order
        delays = [self.inputs.delays_ms[order[0]]]
        for index in order[1:]:
            delays += [*self._blend_delays, self.inputs.delays_ms[index]]
        return delays

    def animation(self, scale: float = 1.0) -> Animation:
        """Return the animation, made smaller by a factor."""
        size = max(1, round(self.size[0] * scale)), max(1, round(self.size[1] * scale))
        return Animation(size, lambda: self._frames(size), len(self.delays_ms), self.inputs.plays)

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
        for image in self._ordered(size):
            if before is not None:
                for step in range(1, steps + 1):
                    yield Frame(_blend(before, image, step / (steps + 1)), next(delays))
            yield Frame(image, next(delays))
            before = image

    def _ordered(self, size: tuple[int, int]) -> Iterator[Image.Image]:
        if not self.request.bounce:
            yield from self._fitted(size)
            return
        images = list(self._fitted(size))
        yield from (images[index] for index in self.order)

    def _fitted(self, size: tuple[int, int]) -> Iterator[Image.Image]:
        for image in self._images():
            yield fitted(image, size, self.request)

    def _images(self) -> Iterator[Image.Image]:
        """Return the images in the largest size that is needed; they are kept if they are small."""
        if self._cache:
            yield from self._cache
            return
        keep = self.size[0] * self.size[1] * self.inputs.count <= MAX_CACHED_PIXELS
        kept = []
        for image in self.inputs.images():
            large = fitted(image, self.size, self.request)
            if keep:
                kept.append(large)
            yield large
        self._cache = kept


def _blend(first: Image.Image, second: Image.Image, share: float) -> Image.Image:
    if all(image.getchannel("A").getextrema() == (255, 255) for image in (first, second)):
        return Image.blend(first, second, share)
    return Image.blend(first.convert("RGBa"), second.convert("RGBa"), share).convert("RGBA")


def min_alpha(animation: Animation) -> int:
    """Return the lowest alpha of all frames."""
    lowest = 255
    for frame in animation.frames():
        low, _ = frame.image.getchannel("A").getextrema()
        lowest = min(lowest, int(low))  # type: ignore[arg-type]  # one band
    return lowest
