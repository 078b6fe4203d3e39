"""Images as PDF image objects: JPEG data unchanged, everything else without loss."""

import zlib
from dataclasses import dataclass
from io import BytesIO

import pikepdf
from pikepdf import Array, Dictionary, Name
from PIL import Image

JPEG_QUALITY = 92
"""Quality for the color of images that were lossy already but have a format that PDF does not know."""

COLOR_SPACES = {"1": Name.DeviceGray, "L": Name.DeviceGray, "RGB": Name.DeviceRGB, "CMYK": Name.DeviceCMYK}

_PROFILE_SPACES = {"L": b"GRAY", "1": b"GRAY", "RGB": b"RGB ", "CMYK": b"CMYK"}


@dataclass(frozen=True)
class ImageData:
    """Bytes of an image object with what its dictionary says of them."""

    content: bytes
    mode: str
    """Pillow's mode: 1, L, RGB, CMYK or P."""
    size: tuple[int, int]
    filter: Name
    parameters: Dictionary | None = None
    bits: int = 8
    palette: bytes = b""
    inverted: bool = False
    """Whether the values count ink the other way round, as Adobe's CMYK JPEGs do."""
    profile: bytes = b""

    def write(self, pdf: pikepdf.Pdf, mask: "ImageData | None" = None) -> pikepdf.Object:
        """Return the image object."""
        image = pdf.make_stream(self.content)
        image.Type, image.Subtype = Name.XObject, Name.Image
        image.Width, image.Height = self.size
        image.BitsPerComponent = self.bits
        image.ColorSpace = self._color_space(pdf)
        image.Filter = self.filter
        if self.parameters is not None:
            image.DecodeParms = self.parameters
        if self.inverted:
            image.Decode = Array([1, 0] * 4)
        if mask is not None:
            image.SMask = mask.write(pdf)
        return image

    def _color_space(self, pdf: pikepdf.Pdf) -> pikepdf.Object:
        if self.mode == "P":
            entries = len(self.palette) // 3
            return Array([Name.Indexed, Name.DeviceRGB, entries - 1, pikepdf.String(self.palette)])
        if self.profile[16:20] != _PROFILE_SPACES[self.mode]:
            return COLOR_SPACES[self.mode]
        profile = pdf.make_stream(self.profile)
        profile.N = {"L": 1, "1": 1, "RGB": 3, "CMYK": 4}[self.mode]
        return Array([Name.ICCBased, profile])


def jpeg_data(content: bytes, image: Image.Image) -> ImageData | None:
    """Return a JPEG's data as they are, or None where a PDF cannot hold them."""
    if image.mode not in ("L", "RGB", "CMYK"):
        return None
    profile = image.info.get("icc_profile") or b""
    inverted = image.mode == "CMYK" and "adobe" in image.info
    return ImageData(content, image.mode, image.size, Name.DCTDecode, inverted=inverted, profile=profile)


def pixel_data(image: Image.Image, *, lossy: bool) -> tuple[ImageData, ImageData | None]:
    """Return the data of a decoded image and of its opacity, if it has any."""
    profile = image.info.get("icc_profile") or b""
    plain, opacity = _separated(image)
    mask = None if opacity is None else _lossless(opacity, b"")
    if lossy and plain.mode in ("L", "RGB"):
        target = BytesIO()
        plain.save(target, "JPEG", quality=JPEG_QUALITY, subsampling=0, optimize=True)
        return ImageData(target.getvalue(), plain.mode, plain.size, Name.DCTDecode, profile=profile), mask
    return _lossless(plain, profile), mask


def _separated(image: Image.Image) -> tuple[Image.Image, Image.Image | None]:
    """Return an image in a mode that PDF has, and its opacity."""
    if image.has_transparency_data:
        full = image.convert("RGBA")
        opacity = full.getchannel("A")
        return full.convert("RGB"), None if opacity.getextrema() == (255, 255) else opacity
    if image.mode.startswith("I;16") or image.mode == "I":
        return image.point(lambda value: value / 256).convert("L"), None
    if image.mode == "P":
        return (image, None) if image.getpalette("RGB") else (image.convert("RGB"), None)
    return (image, None) if image.mode in COLOR_SPACES else (image.convert("RGB"), None)


def _lossless(image: Image.Image, profile: bytes) -> ImageData:
    colors = {"CMYK": 4, "RGB": 3}.get(image.mode, 1)
    if image.mode == "CMYK":
        return ImageData(zlib.compress(image.tobytes(), 6), "CMYK", image.size, Name.FlateDecode, profile=profile)
    palette = bytes(image.getpalette("RGB") or b"")[: 256 * 3] if image.mode == "P" else b""
    target = BytesIO()
    image.save(target, "PNG", bits=1 if image.mode == "1" else 8) if image.mode == "P" else image.save(target, "PNG")
    bits, content = _png_data(target.getvalue())
    parameters = Dictionary(Predictor=15, Colors=colors, BitsPerComponent=bits, Columns=image.width)
    return ImageData(content, image.mode, image.size, Name.FlateDecode, parameters, bits, palette, profile=profile)


def _png_data(png: bytes) -> tuple[int, bytes]:
    """Return the bit depth and the compressed rows of a PNG, which PDF stores the same way."""
    at, parts = 8, []
    while at < len(png):
        length, kind = int.from_bytes(png[at : at + 4]), png[at + 4 : at + 8]
        if kind == b"IDAT":
            parts.append(png[at + 8 : at + 8 + length])
        at += length + 12
    return png[24], b"".join(parts)
