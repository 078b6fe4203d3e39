"""Converts the color modes of all input formats to 8-bit gray or sRGB, with or without alpha."""

from io import BytesIO

from PIL import Image, ImageCms, ImageColor

_SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
_PROFILE_SPACE = {
    "1": "GRAY",
    "L": "GRAY",
    "LA": "GRAY",
    "P": "RGB ",
    "PA": "RGB ",
    "RGB": "RGB ",
    "RGBA": "RGB ",
    "CMYK": "CMYK",
}
"""Required color space of an ICC profile, by Pillow mode."""
_HIGH_BYTE = bytes(value >> 8 for value in range(1 << 16))


def to_eight_bit(image: Image.Image) -> Image.Image:
    """Convert an image to L, LA, RGB, RGBA or CMYK, the modes that can be resized without loss."""
    if image.mode.startswith("I;16"):
        return image.convert("I").point(_HIGH_BYTE, "L")
    if image.mode in ("I", "F"):
        return _normalize(image)
    if image.mode == "LAB":
        lab = ImageCms.createProfile("LAB")
        return _apply_profile(image, ImageCms.ImageCmsProfile(lab))
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
    converted = _apply_profile(colors, source)
    if colors.mode == "L":
        converted = converted.convert("L")
    if colors is not image:
        converted.putalpha(image.getchannel("A"))
    return converted


def source_profile(profile: bytes | None, mode: str) -> ImageCms.ImageCmsProfile | None:
    """Return an opened ICC profile; None if it is missing, invalid, for another color space, or sRGB."""
    if not profile:
        return None
    try:
        opened = ImageCms.ImageCmsProfile(BytesIO(profile))
    except (ImageCms.PyCMSError, OSError):
        return None
    if opened.profile.xcolor_space != _PROFILE_SPACE.get(mode):
        return None
    description = opened.profile.profile_description or ""
    return None if description.startswith("sRGB") else opened


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


def with_alpha(image: Image.Image) -> Image.Image:
    """Add an alpha channel to an opaque image."""
    return image if image.mode in ("LA", "RGBA") else image.convert(f"{image.mode}A")


def _normalize(image: Image.Image) -> Image.Image:
    """Return an image whose lowest value (32-bit integer or float) is black and whose highest is white."""
    low, high = image.getextrema()
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        raise TypeError(f"expected the extrema of one band, got {low!r}")
    scale = 255 / (high - low) if high > low else 0.0
    return image.convert("F").point(lambda value: value * scale - low * scale).convert("L")


def _apply_profile(image: Image.Image, source: ImageCms.ImageCmsProfile) -> Image.Image:
    try:
        converted = ImageCms.profileToProfile(image, source, _SRGB, outputMode="RGB")
    except ImageCms.PyCMSError:
        return image.convert("RGB")
    if converted is None:
        raise TypeError("expected a new image, got a conversion in place")
    return converted
