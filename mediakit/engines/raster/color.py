"""Colors: modes of all input formats to 8-bit gray or sRGB, ICC profiles, and OKLab.

OKLab is a perceptual color space (B. Ottosson, 2020): L 0 to 1, a and b about -0.4 to 0.4.
"""

from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageCms, ImageColor

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float32]]

SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
_PROFILE_SPACE = {
    **dict.fromkeys(("1", "L", "LA"), "GRAY"),
    **dict.fromkeys(("P", "PA", "RGB", "RGBA"), "RGB "),
    "CMYK": "CMYK",
}
"""Required color space of an ICC profile, by Pillow mode."""
_TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
"""From linear sRGB to the responses of the cones."""

_TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
"""From the cube roots of the responses to L, a and b."""

_ROOT_BITS = 709_921_077
"""Two thirds of the bits of 1.0, less what makes the largest error least."""
_THIRD = 1 / 3

_K1, _K2 = 0.206, 0.03
_K3 = (1 + _K1) / (1 + _K2)

_HIGH_BYTE = bytes(value >> 8 for value in range(1 << 16))


def to_eight_bit(image: Image.Image) -> Image.Image:
    """Convert an image to L, LA, RGB, RGBA or CMYK, the modes that can be resized without loss."""
    if image.mode.startswith("I;16"):
        return image.convert("I").point(_HIGH_BYTE, "L")
    if image.mode in ("I", "F"):
        low, high = image.getextrema()
        if not isinstance(low, int | float) or not isinstance(high, int | float):
            raise TypeError(f"expected the extrema of one band, got {low!r}")
        scale = 255 / (high - low) if high > low else 0.0  # the lowest value becomes black, the highest white
        return image.convert("F").point(lambda value: value * scale - low * scale).convert("L")
    if image.mode == "LAB":
        lab = ImageCms.createProfile("LAB")
        return apply_profile(image, ImageCms.ImageCmsProfile(lab))
    if image.has_transparency_data:
        return image if image.mode in ("LA", "RGBA") else image.convert("RGBA")
    if image.mode in ("L", "RGB", "CMYK"):
        return image
    return image.convert("L" if image.mode == "1" else "RGB")


def to_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Convert gray, RGB or CMYK to sRGB, with the embedded ICC profile if it applies."""
    colors = image.convert(image.mode.removesuffix("A")) if image.mode in ("LA", "RGBA") else image
    if (source := source_profile(profile, colors.mode)) is None:
        return image.convert("RGB") if image.mode == "CMYK" else image
    converted = apply_profile(colors, source)
    if colors.mode == "L":
        converted = converted.convert("L")
    if colors is not image:
        converted.putalpha(image.getchannel("A"))
    return converted


def opened_profile(profile: bytes | None, mode: str) -> ImageCms.ImageCmsProfile | None:
    """Return an opened ICC profile; None if it is missing, invalid, or for another color space."""
    try:
        opened = ImageCms.ImageCmsProfile(BytesIO(profile)) if profile else None
    except (ImageCms.PyCMSError, OSError):
        return None
    return opened if opened and opened.profile.xcolor_space == _PROFILE_SPACE.get(mode) else None


def source_profile(profile: bytes | None, mode: str) -> ImageCms.ImageCmsProfile | None:
    """Return an opened ICC profile; None if it is missing, invalid, for another color space, or sRGB."""
    opened = opened_profile(profile, mode)
    is_srgb = opened is not None and (opened.profile.profile_description or "").startswith("sRGB")
    return None if is_srgb else opened


def flatten(image: Image.Image, background: str = "white") -> Image.Image:
    """Composite an image with alpha onto a background color."""
    if image.mode not in ("LA", "RGBA"):
        return image
    foreground = with_bands_for(image, background)
    mode = foreground.mode.removesuffix("A")
    canvas = Image.new(mode, foreground.size, background)
    canvas.paste(foreground.convert(mode), mask=foreground.getchannel("A"))
    return canvas


def with_bands_for(image: Image.Image, color: str) -> Image.Image:
    """Convert a gray image to RGB if the color is not a shade of gray."""
    red, green, blue = ImageColor.getrgb(color)[:3]
    if red == green == blue or image.mode not in ("L", "LA"):
        return image
    return image.convert("RGB" if image.mode == "L" else "RGBA")


def without_opaque_alpha(image: Image.Image) -> Image.Image:
    """Return an RGBA image as RGB if all pixels are opaque."""
    return image.convert("RGB") if image.getchannel("A").getextrema() == (255, 255) else image


def apply_profile(
    image: Image.Image, source: ImageCms.ImageCmsProfile, target: ImageCms.ImageCmsProfile = SRGB
) -> Image.Image:
    """Convert an image from one color profile to another one, as RGB."""
    try:
        converted = ImageCms.profileToProfile(image, source, target, outputMode="RGB")
    except ImageCms.PyCMSError:
        return image.convert("RGB")
    if converted is None:
        raise TypeError("expected a new image, got a conversion in place")
    return converted


def oklab_of_bytes(red: Any, green: Any, blue: Any) -> "tuple[Array, Array, Array]":
    """Return L, a and b of colors in sRGB, each an array of integers from 0 to 255."""
    table = _linear_table()
    return _from_linear(table.take(red), table.take(green), table.take(blue))


def oklab_of_levels(red: Any, green: Any, blue: Any) -> "tuple[Array, Array, Array]":
    """Return L, a and b of colors in sRGB, each an array of numbers from 0 to 255, not only integers."""
    import numpy as np

    levels = (np.asarray(level, np.float64) / 255 for level in (red, green, blue))
    return _from_linear(*(linearize(level).astype(np.float32) for level in levels))


def reference_lightness(lightness: "Array") -> "Array":
    """Return L corrected for a reference white (Ottosson's Lr), which is less steep near black."""
    import numpy as np

    toe = _K3 * lightness - _K1
    corrected: Array = (0.5 * (toe + np.sqrt(toe * toe + 4 * _K2 * _K3 * lightness))).astype(np.float32)
    return corrected


def _from_linear(red: "Array", green: "Array", blue: "Array") -> "tuple[Array, Array, Array]":
    long, medium, short = (_cube_root(_weighted(weights, red, green, blue)) for weights in _TO_CONES)
    lightness, a, b = (_weighted(weights, long, medium, short) for weights in _TO_LAB)
    return lightness, a, b


def _weighted(weights: tuple[float, ...], first: "Array", second: "Array", third: "Array") -> "Array":
    import numpy as np

    first_weight, second_weight, third_weight = map(np.float32, weights)
    summed: Array = first_weight * first + second_weight * second + third_weight * third
    return summed


def _cube_root(values: "Array") -> "Array":
    """Return the cube roots of values from 0 to 1, to 1e-6, four times as fast as `numpy.cbrt`.

    A third of the bits of a float is nearly the cube root; two steps of Newton's method follow.
    """
    import numpy as np

    root = (values.view(np.int32) // 3 + _ROOT_BITS).view(np.float32)
    for _ in range(2):
        root = (root + root + values / (root * root)) * np.float32(_THIRD)
    return root


@cache
def _linear_table() -> "Array":
    import numpy as np

    table: Array = linearize(np.arange(256) / 255).astype(np.float32)
    return table


def linearize(levels: Any) -> Any:
    """Return the linear light of sRGB levels from 0 to 1 (IEC 61966-2-1)."""
    import numpy as np

    return np.where(levels <= 0.04045, levels / 12.92, ((levels + 0.055) / 1.055) ** 2.4)
