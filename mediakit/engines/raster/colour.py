"""Colours: any mode that a file can have becomes 8-bit grey or sRGB, with or without alpha."""

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
"""Color space that an ICC profile must have to apply to a Pillow mode."""
_HIGH_BYTE = bytes(value >> 8 for value in range(1 << 16))


def eight_bit(image: Image.Image) -> Image.Image:
    """Give the picture as L, LA, RGB, RGBA or CMYK: the modes that can be scaled without loss."""
    if image.mode.startswith("I;16"):
        return image.convert("I").point(_HIGH_BYTE, "L")
    if image.mode in ("I", "F"):
        return _stretched(image)
    if image.mode == "LAB":
        lab = ImageCms.createProfile("LAB")
        return _transformed(image, ImageCms.ImageCmsProfile(lab))
    if image.has_transparency_data:
        return image if image.mode in ("LA", "RGBA") else image.convert("RGBA")
    if image.mode in ("L", "RGB", "CMYK"):
        return image
    return image.convert("L" if image.mode == "1" else "RGB")


def to_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Convert grey, RGB or CMYK to what a screen expects, by the embedded ICC profile where it fits."""
    colours = image.convert(image.mode.removesuffix("A")) if image.mode in ("LA", "RGBA") else image
    if (source := source_profile(profile, colours.mode)) is None:
        return image.convert("RGB") if image.mode == "CMYK" else image
    converted = _transformed(colours, source)
    if colours.mode == "L":
        converted = converted.convert("L")
    if colours is not image:
        converted.putalpha(image.getchannel("A"))
    return converted


def source_profile(profile: bytes | None, mode: str) -> ImageCms.ImageCmsProfile | None:
    """Open an ICC profile; None if it does not apply: missing, broken, for another color space, or sRGB already."""
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


def flattened(image: Image.Image, background: str = "white") -> Image.Image:
    """Put a picture with alpha on a colour."""
    if image.mode not in ("LA", "RGBA"):
        return image
    picture = coloured(image, background)
    colours = picture.mode.removesuffix("A")
    ground = Image.new(colours, picture.size, background)
    ground.paste(picture.convert(colours), mask=picture.getchannel("A"))
    return ground


def coloured(image: Image.Image, colour: str) -> Image.Image:
    """Give a grey picture the bands that a colour needs."""
    red, green, blue = ImageColor.getrgb(colour)[:3]
    if red == green == blue or image.mode not in ("L", "LA"):
        return image
    return image.convert("RGB" if image.mode == "L" else "RGBA")


def with_alpha(image: Image.Image) -> Image.Image:
    """Give an opaque picture an alpha channel."""
    return image if image.mode in ("LA", "RGBA") else image.convert(f"{image.mode}A")


def _stretched(image: Image.Image) -> Image.Image:
    """Spread measured values (32-bit integers, floats) over black to white, as a viewer does."""
    low, high = image.getextrema()
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        raise TypeError(f"extrema of a picture with one band, not {low!r}")
    scale = 255 / (high - low) if high > low else 0.0
    return image.convert("F").point(lambda value: value * scale - low * scale).convert("L")


def _transformed(image: Image.Image, source: ImageCms.ImageCmsProfile) -> Image.Image:
    try:
        converted = ImageCms.profileToProfile(image, source, _SRGB, outputMode="RGB")
    except ImageCms.PyCMSError:
        return image.convert("RGB")
    if converted is None:
        raise TypeError("a picture that is not converted in place")
    return converted
