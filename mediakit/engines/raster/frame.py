"""One frame: decoded no larger than needed, scaled, cropped or letterboxed."""

from typing import NamedTuple

from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from mediakit.engines.raster import crop
from mediakit.engines.raster.colour import coloured, eight_bit, flattened, to_srgb, with_alpha
from mediakit.engines.raster.geometry import Offset, Plan, Position, Size, crop_offset, letterbox_offset
from mediakit.engines.raster.source import Picture, open_image, refusing_damage, upright


class Decoded(NamedTuple):
    """Pixels in memory, upright."""

    image: Image.Image
    extent: tuple[float, float]
    """Width and height of the picture inside the image: JPEG rounds up when it decodes a fraction of its size."""
    profile: bytes | None
    """ICC profile."""


def decode(picture: Picture, scaled: Size) -> Decoded:
    """Decode the first frame, a JPEG to the nearest eighth, fourth or half above the size that is needed."""
    image, orientation = open_image(picture.content, picture.format)
    size = scaled if orientation < 5 else scaled[::-1]
    with refusing_damage(picture.format):
        draft = image.draft(None, size) if isinstance(image, JpegImageFile) else None
        image.load()
    width, height = draft[1][2:] if draft else image.size
    extent = (width, height) if orientation < 5 else (height, width)
    return Decoded(upright(eight_bit(image), orientation), extent, image.info.get("icc_profile"))


def choose_offset(source: Decoded, plan: Plan, position: Position) -> tuple[Offset, Decoded]:
    """Decide where to crop, or where to put the picture on its canvas.

    Returns:
        The offset, and the source to render from: the scaled picture, where the search has made one already.
    """
    if not plan.crops:
        return letterbox_offset(plan, position), source
    if position == "entropy" or position == "attention":  # noqa: PLR1714 - mypy narrows by comparison
        size = crop.search_size(plan, position)
        copy = to_srgb(_resized(source, size, (0, 0, *source.extent)), source.profile)
        reusable = Decoded(copy, size, None) if size == plan.scaled else source
        return crop.find_crop(copy, plan, position), reusable
    return crop_offset(plan, position), source


def render(source: Decoded, plan: Plan, offset: Offset, *, background: str | None) -> Image.Image:
    """Scale, crop or letterbox a frame to its final size and colours.

    Args:
        source: The whole picture.
        plan: The sizes.
        offset: Where the crop, or the picture on its canvas, begins.
        background: Colour of what is transparent or empty; None: it stays so.
    """
    size = Size(*map(min, plan.scaled, plan.output)) if plan.crops else plan.scaled
    box = _source_box(source, plan, offset) if plan.crops else (0, 0, *source.extent)
    image = to_srgb(_resized(source, size, box), source.profile)
    image.info.clear()  # Pillow would write profiles and transparency that no longer apply.
    if background:
        image = flattened(image, background)
    return _letterboxed(image, plan.output, offset, background)


def _source_box(source: Decoded, plan: Plan, offset: Offset) -> tuple[float, float, float, float]:
    """Find the crop in the unscaled picture, so that only its pixels are computed."""
    (width, height), (left, top) = source.extent, offset
    x, y = width / plan.scaled.width, height / plan.scaled.height
    right, bottom = left + plan.output.width, top + plan.output.height
    return left * x, top * y, min(width, right * x), min(height, bottom * y)


def _resized(source: Decoded, size: Size, box: tuple[float, float, float, float]) -> Image.Image:
    left, top = map(round, box[:2])
    if box == (left, top, left + size.width, top + size.height):
        return source.image.crop((left, top, left + size.width, top + size.height))
    # The gap is that of libvips: shrink by averaging to no less than twice the size, then Lanczos.
    return source.image.resize(size, Image.Resampling.LANCZOS, box, reducing_gap=2.0)


def _letterboxed(image: Image.Image, size: Size, offset: Offset, background: str | None) -> Image.Image:
    if image.size == size:
        return image
    picture = coloured(image, background) if background else with_alpha(image)
    canvas = Image.new(picture.mode, size, background or (0,) * len(picture.getbands()))
    canvas.paste(picture, offset)
    return canvas
