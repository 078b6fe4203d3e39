"""The input: several images, or the frames of one animation, as sRGB."""

from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image

from mediakit.core.inputs import files_of
from mediakit.engines.animations.frames import MAX_TOTAL_PIXELS
from mediakit.engines.raster.color import to_eight_bit, to_srgb
from mediakit.engines.raster.frames import animation_info, read_animation, read_frames
from mediakit.engines.raster.source import (
    SourceImage,
    apply_orientation,
    damage_as_invalid_input,
    depth_warnings,
    open_image,
)
from mediakit.errors import InvalidInput
from mediakit.tools.images.image_animate.request import ImageAnimateRequest

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
