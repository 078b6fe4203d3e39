"""Frames, still or moving: decoded, resized, cropped and letterboxed. Large JPEGs are decoded at a reduced size."""

from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from mediakit.engines.raster import geometry
from mediakit.engines.raster.color import flatten, to_eight_bit, to_srgb, with_bands_for
from mediakit.engines.raster.geometry import Area, Offset, Plan, Position, Size, crop_offset, letterbox_offset
from mediakit.engines.raster.source import SourceImage, apply_orientation, damage_as_invalid_input, open_image


class Decoded(NamedTuple):
    """A decoded, upright image."""

    image: Image.Image
    box: tuple[float, float, float, float]
    """Exact left, top, right and bottom of the content. A JPEG decoded at a reduced size has parts of pixels."""
    profile: bytes | None
    """ICC profile."""


def decode(source: SourceImage, scaled: Size, area: Area | None = None) -> Decoded:
    """Decode the first frame, to scale an area of it. A JPEG is decoded at 1/8, 1/4 or 1/2 if that suffices."""
    image, orientation = open_image(source.content, source.format)
    area = area or Area(0, 0, *source.size)
    needed = [-(-side * to // part) for side, to, part in zip(source.size, scaled, area.size, strict=True)]
    width, height = needed if orientation < 5 else needed[::-1]
    with damage_as_invalid_input(source.format, content=source.content):
        draft = image.draft(None, (width, height)) if isinstance(image, JpegImageFile) else None
        image.load()
    extent = draft[1][2:] if draft else image.size
    upright = apply_orientation(to_eight_bit(image), orientation)
    box = box_of(area, source.size, extent if orientation < 5 else extent[::-1])
    return Decoded(upright, box, image.info.get("icc_profile"))


def box_of(area: Area, size: Size, extent: Sequence[float]) -> tuple[float, float, float, float]:
    """Return the box of an area, in pixels of a file of a size, in a decoded image of an exact extent."""
    x, y = extent[0] / size.width, extent[1] / size.height
    left, top, width, height = area
    right, bottom = left + width, top + height
    return (
        left * x,
        top * y,
        extent[0] if right == size.width else right * x,
        extent[1] if bottom == size.height else bottom * y,
    )


def choose_offset(source: Decoded, plan: Plan, position: Position) -> tuple[Offset, Decoded]:
    """Choose where to crop, or where to place the image on its canvas.

    Returns:
        The offset, and the image to render from: the resized image if the search already produced it.
    """
    if not plan.crops:
        return letterbox_offset(plan, position), source
    if position == "entropy" or position == "attention":  # noqa: PLR1714 - mypy narrows by comparison
        size = geometry.search_size(plan, position)
        copy = to_srgb(_resize(source, size, source.box), source.profile)
        reusable = Decoded(copy, (0, 0, *size), None) if size == plan.scaled else source
        return geometry.find_crop(copy, plan, position), reusable
    return crop_offset(plan, position), source


def render(source: Decoded, plan: Plan, offset: Offset, *, background: str | None) -> Image.Image:
    """Resize, crop or letterbox a whole frame to its final size and colors.

    `offset` is the top left corner of the crop, or of the image on its canvas. Without a background, transparent and
    empty areas are transparent.
    """
    size = Size(*map(min, plan.scaled, plan.output)) if plan.crops else plan.scaled
    box = _source_box(source, plan, offset) if plan.crops else source.box
    image = to_srgb(_resize(source, size, box), source.profile)
    image.info.clear()  # Pillow would write the profile and transparency of the input, which no longer apply.
    if background:
        image = flatten(image, background)
    if image.size == plan.output:
        return image
    if background:
        image = with_bands_for(image, background)
    elif "A" not in image.getbands():
        image = image.convert(f"{image.mode}A")
    canvas = Image.new(image.mode, plan.output, background or (0,) * len(image.getbands()))
    canvas.paste(image, offset)
    return canvas


def _source_box(source: Decoded, plan: Plan, offset: Offset) -> tuple[float, float, float, float]:
    """Return the crop box in coordinates of the source, so that only its pixels are resized."""
    first_x, first_y, last_x, last_y = source.box
    x, y = (last_x - first_x) / plan.scaled.width, (last_y - first_y) / plan.scaled.height
    right, bottom = offset.left + plan.output.width, offset.top + plan.output.height
    return (
        first_x + offset.left * x,
        first_y + offset.top * y,
        min(last_x, first_x + right * x),
        min(last_y, first_y + bottom * y),
    )


def _resize(source: Decoded, size: Size, box: tuple[float, float, float, float]) -> Image.Image:
    left, top = map(round, box[:2])
    if box == (left, top, left + size.width, top + size.height):
        return source.image.crop((left, top, left + size.width, top + size.height))
    # Same as the `gap` option of libvips: reduce by averaging to at least twice the size, then resample with Lanczos.
    return source.image.resize(size, Image.Resampling.LANCZOS, box, reducing_gap=2.0)
