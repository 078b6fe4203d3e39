"""Loads the images of a comparison, upright and in sRGB."""

from dataclasses import dataclass

from PIL import Image

from mediakit.engines.raster.color import to_eight_bit, to_srgb
from mediakit.engines.raster.formats import detect_image
from mediakit.engines.raster.source import bits_of, decode_partly
from mediakit.engines.raster.structure import page_count, timing_of

_TILE = 8
_WHITE, _GRAY = 255, 191
"""Levels of the checkerboard behind transparent pixels."""


@dataclass(frozen=True)
class LoadedImage:
    """A decoded image."""

    image: Image.Image
    """RGB or RGBA; RGBA only if a pixel is not opaque."""
    warnings: list[str]


def load(content: bytes, field: str, name: str) -> LoadedImage:
    """Decode the first frame of an image.

    Raises:
        InvalidInput: The file is not an image, is damaged or too large.
    """
    kind = detect_image(content, field, name)
    decoded = decode_partly(content, kind, field)
    frames = page_count(content) if kind == "tiff" else timing_of(content, kind, decoded.source).frames
    found = [f"{field}: {decoded.warning}"] if decoded.warning else []
    if (bits := bits_of(content, kind, decoded.source)) > 8:
        found.append(f"{field}: has {bits} bits per channel; it is compared with 8.")
    if frames > 1:
        what = f"has {frames} pages; only the first page" if kind == "tiff" else "is an animation; only its first frame"
        found.append(f"{field}: {what} is compared.")
    if decoded.decoded_percent is not None:
        found.append(f"{field}: is truncated after {decoded.decoded_percent} % of its rows.")
    srgb = to_srgb(to_eight_bit(decoded.image), decoded.source.info.get("icc_profile"))
    return LoadedImage(_rgb(srgb), found)


def on_checkerboard(image: Image.Image) -> Image.Image:
    """Return an image without transparency, on a checkerboard of white and gray."""
    if image.mode != "RGBA":
        return image
    board = _checkerboard(image.size)
    board.paste(image.convert("RGB"), mask=image.getchannel("A"))
    return board


def _rgb(image: Image.Image) -> Image.Image:
    if image.mode in ("LA", "RGBA"):
        low, _ = image.getchannel("A").getextrema()
        if isinstance(low, int | float) and low < 255:
            return image.convert("RGBA")
    return image if image.mode == "RGB" else image.convert("RGB")


def _checkerboard(size: tuple[int, int]) -> Image.Image:
    tile = Image.new("L", (2, 2), _WHITE)
    tile.putpixel((1, 0), _GRAY)
    tile.putpixel((0, 1), _GRAY)
    width, height = size
    small = Image.new("L", (-(-width // _TILE), -(-height // _TILE)))
    row = Image.new("L", (small.width, 2))
    for left in range(0, small.width, 2):
        row.paste(tile, (left, 0))
    for top in range(0, small.height, 2):
        small.paste(row, (0, top))
    large = small.resize((small.width * _TILE, small.height * _TILE), Image.Resampling.NEAREST)
    return large.crop((0, 0, width, height)).convert("RGB")
