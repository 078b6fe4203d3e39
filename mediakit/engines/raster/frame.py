"""Decodes, resizes, crops and letterboxes single frames. Large JPEGs are decoded at a reduced size."""

from typing import NamedTuple

from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from mediakit.engines.raster import crop
from mediakit.engines.raster.color import flatten, to_eight_bit, to_srgb, with_alpha, with_bands_for
from mediakit.engines.raster.geometry import Offset, Plan, Position, Size, crop_offset, letterbox_offset
from mediakit.engines.raster.source import SourceImage, apply_orientation, damage_as_invalid_input, open_image


class Decoded(NamedTuple):
    """A decoded, upright image."""

    image: Image.Image
    extent: tuple[float, float]
    """Exact width and height of the content. A JPEG decoded at a reduced size is rounded up to whole pixels."""
    profile: bytes | None
    """ICC profile."""


def decode(source: SourceImage, scaled: Size) -> Decoded:
    """Decode the first frame. A JPEG is decoded at the smallest of 1/8, 1/4 and 1/2 that covers `scaled`."""
    image, orientation = open_image(source.content, source.format)
    size = scaled if orientation < 5 else scaled[::-1]
    with damage_as_invalid_input(source.format):
        draft = image.draft(None, size) if isinstance(image, JpegImageFile) else None
        image.load()
    width, height = draft[1][2:] if draft else image.size
    extent = (width, height) if orientation < 5 else (height, width)
    return Decoded(apply_orientation(to_eight_bit(image), orientation), extent, image.info.get("icc_profile"))


def choose_offset(source: Decoded, plan: Plan, position: Position) -> tuple[Offset, Decoded]:
    """Choose where to crop, or where to place the image on its canvas.

    Returns:
        The offset, and the image to render from: the resized image if the search already produced it.
    """
    if not plan.crops:
        return letterbox_offset(plan, position), source
    if position == "entropy" or position == "attention":  # noqa: PLR1714 - mypy narrows by comparison
        size = crop.search_size(plan, position)
        copy = to_srgb(_resize(source, size, (0, 0, *source.extent)), source.profile)
        reusable = Decoded(copy, size, None) if size == plan.scaled else source
        return crop.find_crop(copy, plan, position), reusable
    return crop_offset(plan, position), source


def render(source: Decoded, plan: Plan, offset: Offset, *, background: str | None) -> Image.Image:
    """Resize, crop or letterbox a frame to its final size and colors.

    Args:
        source: The whole frame.
        plan: The sizes.
        offset: Top left corner of the crop, or of the image on its canvas.
        background: Color behind transparent and empty areas; None keeps them transparent.
    """
    size = Size(*map(min, plan.scaled, plan.output)) if plan.crops else plan.scaled
    box = _source_box(source, plan, offset) if plan.crops else (0, 0, *source.extent)
    image = to_srgb(_resize(source, size, box), source.profile)
    image.info.clear()  # Pillow would write the profile and transparency of the input, which no longer apply.
    if background:
        image = flatten(image, background)
    return _letterbox(image, plan.output, offset, background)


def _source_box(source: Decoded, plan: Plan, offset: Offset) -> tuple[float, float, float, float]:
    """Return the crop box in coordinates of the source, so that only its pixels are resized."""
    (width, height), (left, top) = source.extent, offset
    x, y = width / plan.scaled.width, height / plan.scaled.height
    right, bottom = left + plan.output.width, top + plan.output.height
    return left * x, top * y, min(width, right * x), min(height, bottom * y)


def _resize(source: Decoded, size: Size, box: tuple[float, float, float, float]) -> Image.Image:
    left, top = map(round, box[:2])
    if box == (left, top, left + size.width, top + size.height):
        return source.image.crop((left, top, left + size.width, top + size.height))
    # Same as the `gap` option of libvips: reduce by averaging to at least twice the size, then resample with Lanczos.
    return source.image.resize(size, Image.Resampling.LANCZOS, box, reducing_gap=2.0)


def _letterbox(image: Image.Image, size: Size, offset: Offset, background: str | None) -> Image.Image:
    if image.size == size:
        return image
    foreground = with_bands_for(image, background) if background else with_alpha(image)
    canvas = Image.new(foreground.mode, size, background or (0,) * len(foreground.getbands()))
    canvas.paste(foreground, offset)
    return canvas
