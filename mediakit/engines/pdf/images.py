"""Turns image files into image objects of a PDF; the data of a JPEG stays as it is."""

import zlib
from dataclasses import dataclass
from io import BytesIO

import pikepdf
from pikepdf import Array, Dictionary, Name
from PIL import Image
from PIL.ImageFile import ImageFile

from mediakit.engines.raster.formats import InputFormat, detect_format
from mediakit.engines.raster.source import apply_orientation, damage_as_invalid_input, open_image, read_header
from mediakit.errors import InvalidInput

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
        if self.mode == "P":
            entries = len(self.palette) // 3
            image.ColorSpace = Array([Name.Indexed, Name.DeviceRGB, entries - 1, pikepdf.String(self.palette)])
        elif self.profile[16:20] == _PROFILE_SPACES[self.mode]:
            profile = pdf.make_stream(self.profile)
            profile.N = {"L": 1, "1": 1, "RGB": 3, "CMYK": 4}[self.mode]
            image.ColorSpace = Array([Name.ICCBased, profile])
        else:
            image.ColorSpace = COLOR_SPACES[self.mode]
        image.Filter = self.filter
        if self.parameters is not None:
            image.DecodeParms = self.parameters
        if self.inverted:
            image.Decode = Array([1, 0] * 4)
        if mask is not None:
            image.SMask = mask.write(pdf)
        return image


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
    """Return the pixels as PNG has them: PDF stores compressed rows the same way."""
    if image.mode == "CMYK":
        return ImageData(zlib.compress(image.tobytes(), 6), "CMYK", image.size, Name.FlateDecode, profile=profile)
    palette = bytes(image.getpalette("RGB") or b"")[: 256 * 3] if image.mode == "P" else b""
    target = BytesIO()
    image.save(target, "PNG", **({"bits": 8} if image.mode == "P" else {}))
    png, at, rows = target.getvalue(), 8, []
    while at < len(png):
        length, kind = int.from_bytes(png[at : at + 4]), png[at + 4 : at + 8]
        if kind == b"IDAT":
            rows.append(png[at + 8 : at + 8 + length])
        at += length + 12
    bits, colors = png[24], 3 if image.mode == "RGB" else 1
    parameters = Dictionary(Predictor=15, Colors=colors, BitsPerComponent=bits, Columns=image.width)
    return ImageData(
        b"".join(rows), image.mode, image.size, Name.FlateDecode, parameters, bits, palette, profile=profile
    )


_MATRICES = {
    1: "{w} 0 0 {h} 0 0",
    2: "-{w} 0 0 {h} {w} 0",
    3: "-{w} 0 0 -{h} {w} {h}",
    4: "{w} 0 0 -{h} 0 {h}",
    5: "0 -{h} -{w} 0 {w} {h}",
    6: "0 -{h} {w} 0 0 {h}",
    7: "0 {h} {w} 0 0 0",
    8: "0 {h} -{w} 0 {w} 0",
}
"""What turns a stored image upright, by EXIF orientation (CIPA DC-008, 4.6.5.1)."""


@dataclass(frozen=True)
class LoadedImage:
    """An image file that was read."""

    image: ImageFile
    data: ImageData
    mask: ImageData | None
    orientation: int
    """EXIF orientation of the file, from 1 to 8."""
    is_turned_upright: bool
    """Whether the data are upright; otherwise `upright_matrix` has to turn them."""

    @property
    def swaps_sides(self) -> bool:
        """Whether the orientation swaps width and height."""
        return self.orientation >= 5

    @property
    def seen_size(self) -> tuple[int, int]:
        """Width and height in pixels, upright."""
        width, height = self.data.size
        return (height, width) if self.swaps_sides and not self.is_turned_upright else (width, height)

    def matrix(self, width: float, height: float) -> str:
        """Return the operands of `cm` that draw the image upright with this width and height."""
        return upright_matrix(1 if self.is_turned_upright else self.orientation, width, height)

    def write(self, pdf: pikepdf.Pdf) -> pikepdf.Object:
        """Return the image object."""
        return self.data.write(pdf, self.mask)


def image_format(content: bytes) -> InputFormat | None:
    """Return the format of an image by its first bytes, or None for any other file."""
    try:
        return detect_format(content)
    except InvalidInput:
        return None


def load_image(content: bytes, kind: InputFormat) -> LoadedImage:
    """Read an image; the data of a JPEG stay as they are.

    Raises:
        InvalidInput: The image is damaged or too large.
    """
    read_header(content)  # checks the structure and the size
    image, orientation = open_image(content, kind)
    if kind == "jpeg" and image.mode in ("L", "RGB", "CMYK"):  # a PDF cannot hold other JPEGs
        profile = image.info.get("icc_profile") or b""
        inverted = image.mode == "CMYK" and "adobe" in image.info
        data = ImageData(content, image.mode, image.size, Name.DCTDecode, inverted=inverted, profile=profile)
        return LoadedImage(image, data, None, orientation, is_turned_upright=False)
    is_lossy = kind in ("jpeg", "avif") or (kind == "webp" and b"VP8 " in content[:4096])
    with damage_as_invalid_input(kind, content=content):
        image.load()
        data, mask = pixel_data(apply_orientation(image, orientation), lossy=is_lossy)
    return LoadedImage(image, data, mask, orientation, is_turned_upright=True)


def upright_matrix(orientation: int, width: float, height: float) -> str:
    """Return the operands of `cm` that draw an image of an EXIF orientation upright; width and height are in points."""
    return _MATRICES[orientation].format(w=f"{width:.4f}", h=f"{height:.4f}")
