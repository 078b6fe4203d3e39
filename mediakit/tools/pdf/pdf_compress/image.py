"""The images of a PDF: what their dictionaries say, and their color spaces."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from mediakit.engines.pdf.geometry import read_numbers
from mediakit.engines.pdf.objects import dictionary, is_true, items
from mediakit.engines.pdf.opening import PageKey
from mediakit.tools.pdf.pdf_compress.usage import Usage

Family = Literal["gray", "rgb", "cmyk", "indexed", "ink", "other"]
"""`ink` is a single colorant of its own (Separation); `other` is Lab and several colorants."""

COMPONENTS: dict[Family, int] = {"gray": 1, "rgb": 3, "cmyk": 4, "indexed": 1, "ink": 1, "other": 0}
MODES: dict[Family, str] = {"gray": "L", "rgb": "RGB", "cmyk": "CMYK", "indexed": "L", "ink": "L"}
"""Pillow modes that hold the components as they are stored."""

_NAMED: dict[str, Family] = {
    "/DeviceGray": "gray",
    "/CalGray": "gray",
    "/G": "gray",
    "/DeviceRGB": "rgb",
    "/CalRGB": "rgb",
    "/RGB": "rgb",
    "/DeviceCMYK": "cmyk",
    "/CalCMYK": "cmyk",
    "/CMYK": "cmyk",
    "/Separation": "ink",
}
_OF_PROFILE: dict[object, Family] = {1: "gray", 3: "rgb", 4: "cmyk"}


@dataclass(frozen=True)
class ColorSpace:
    """A color space, with its palette if it is indexed."""

    family: Family
    base: Family = "other"
    """Family of the colors of the palette."""
    palette: bytes = b""

    @property
    def components(self) -> int:
        """Number of values of a pixel; 0 for spaces that are not read."""
        return COMPONENTS[self.family]


def read_color_space(value: object) -> ColorSpace:
    """Return a color space; `other` for all that are unknown or damaged."""
    if isinstance(value, Name):
        return ColorSpace(_NAMED.get(str(value), "other"))
    if not isinstance(value, Array) or not len(value):
        return ColorSpace("other")
    kind = str(value[0])
    if kind == "/ICCBased" and len(value) > 1:
        colors = value[1].get(Name.N) if isinstance(value[1], Stream) else None
        return ColorSpace(_OF_PROFILE.get(colors, "other"))
    if kind in ("/Indexed", "/I") and len(value) == 4:
        base, palette = read_color_space(value[1]).family, value[3]
        if isinstance(palette, Stream):
            return ColorSpace("indexed", base, palette.read_bytes())
        return ColorSpace("indexed", base, bytes(palette) if isinstance(palette, String) else b"")
    return ColorSpace(_NAMED.get(kind, "other"))


GENERAL_FILTERS = frozenset(
    (
        "/FlateDecode",
        "/Fl",
        "/LZWDecode",
        "/LZW",
        "/ASCII85Decode",
        "/A85",
        "/ASCIIHexDecode",
        "/AHx",
        "/RunLengthDecode",
        "/RL",
    )
)
"""Filters for any data, in contrast to those for images."""

MAX_PIXELS = 50_000_000
"""Larger images are not decoded."""

Kind = Literal["jpeg", "jpeg2000", "jbig2", "ccitt", "lossless"]

_KINDS: dict[str, Kind] = {
    "/DCTDecode": "jpeg",
    "/DCT": "jpeg",
    "/JPXDecode": "jpeg2000",
    "/JBIG2Decode": "jbig2",
    "/CCITTFaxDecode": "ccitt",
    "/CCF": "ccitt",
}


@dataclass
class PdfImage:
    """An image XObject."""

    stream: pikepdf.Object
    size: tuple[float, float] | None
    """Largest width and height in points at which it is drawn; None if unknown."""
    original_kind: Kind | None = None
    """How the pixels were encoded before the image became gray; None if it is as it was."""
    is_soft_mask: bool = False
    is_blended: bool = False
    """Whether its colors are multiplied by the opacity of a soft mask (`/Matte`), or it is such a mask."""

    @property
    def key(self) -> PageKey:
        """Number of the object."""
        key: PageKey = self.stream.objgen
        return key

    @cached_property
    def filters(self) -> list[str]:
        """Names of the filters, in the order in which they are decoded."""
        filters = self.stream.get(Name.Filter)
        names = items(filters) if isinstance(filters, Array) else [filters]
        return [str(name) for name in names if name is not None]

    @cached_property
    def kind(self) -> Kind | None:
        """How the pixels are encoded; None for a filter that is unknown."""
        last = self.filters[-1] if self.filters else ""
        if any(name not in GENERAL_FILTERS for name in self.filters[:-1]):
            return None
        return "lossless" if not last or last in GENERAL_FILTERS else _KINDS.get(last)

    @cached_property
    def parameters(self) -> pikepdf.Object:
        """Parameters of the last filter."""
        parameters = self.stream.get(Name.DecodeParms)
        last = items(parameters)[-1] if isinstance(parameters, Array) and len(parameters) else parameters
        return dictionary(last)

    @cached_property
    def width(self) -> int:
        """Columns; 0 if the dictionary does not say."""
        return _integer(self.stream, Name.Width)

    @cached_property
    def height(self) -> int:
        """Rows; 0 if the dictionary does not say."""
        return _integer(self.stream, Name.Height)

    @cached_property
    def is_stencil(self) -> bool:
        """Whether it is a mask that is painted with the current color."""
        return is_true(self.stream, Name.ImageMask)

    @cached_property
    def bits(self) -> int:
        """Bits of a component."""
        return 1 if self.is_stencil else _integer(self.stream, Name.BitsPerComponent)

    @cached_property
    def space(self) -> ColorSpace:
        """The color space."""
        return ColorSpace("gray") if self.is_stencil else read_color_space(self.stream.get(Name.ColorSpace))

    @cached_property
    def decode(self) -> list[float]:
        """The array `/Decode`; empty for the default."""
        numbers = read_numbers(self.stream.get(Name.Decode))
        top = 2**self.bits - 1 if self.space.family == "indexed" else 1
        return [] if numbers == [0, top] * (len(numbers) // 2) else numbers

    @cached_property
    def is_exact(self) -> bool:
        """Whether the values of pixels must not change: the dictionary names transparent ones, or blends them."""
        return isinstance(self.stream.get(Name.Mask), Array) or self.is_blended

    @property
    def is_readable(self) -> bool:
        """Whether the pixels may be decoded."""
        return 0 < self.width * self.height <= MAX_PIXELS and self.kind is not None and Name.F not in self.stream


@dataclass(frozen=True)
class Encoded:
    """New data of an image, with what changes in its dictionary."""

    data: bytes
    changes: dict[str, object]
    """Values by key; None removes the key."""

    def apply(self, stream: pikepdf.Object) -> None:
        """Write the data and the changes to an image."""
        changes = dict(self.changes)
        image_filter, parameters = changes.pop("/Filter"), changes.pop("/DecodeParms", None)
        decode_parms = Dictionary(parameters) if isinstance(parameters, dict) else None
        stream.write(self.data, filter=Name(str(image_filter)), decode_parms=decode_parms)
        for key, value in changes.items():
            if value is None:
                if key in stream:
                    del stream[key]
            else:
                stream[key] = Name(value) if isinstance(value, str) else value

    @property
    def cost(self) -> int:
        """Bytes of the data, and of what the dictionary needs in addition."""
        return len(self.data) + (40 if self.changes.get("/DecodeParms") else 0)


def _integer(holder: pikepdf.Object, key: Name) -> int:
    value: object = holder.get(key)
    return value if isinstance(value, int) and value > 0 else 0


def is_image(item: pikepdf.Object) -> bool:
    """Return whether an object is an image."""
    return isinstance(item, Stream) and item.get(Name.Subtype) == Name.Image


def images_of(objects: Sequence[pikepdf.Object], usage: Usage) -> list[PdfImage]:
    """Return the images among objects; a soft mask is as large as the largest of its images."""
    images = {item.objgen: PdfImage(item, usage.size(item.objgen)) for item in objects if is_image(item)}
    masked: dict[PageKey, list[PdfImage]] = {}
    for image in images.values():
        mask = image.stream.get(Name.SMask)
        if isinstance(mask, Stream) and mask.objgen in images:
            masked.setdefault(mask.objgen, []).append(image)
            image.is_blended = Name.Matte in mask
    for key, owners in masked.items():
        mask_image = images[key]
        mask_image.is_soft_mask = True
        mask_image.is_blended = any(owner.is_blended for owner in owners)
        sizes = [owner.size for owner in owners if owner.size is not None]
        complete = len(sizes) == len(owners) and key not in usage.unsized
        mask_image.size = (max(size[0] for size in sizes), max(size[1] for size in sizes)) if complete else None
    return list(images.values())


def count_images(images: Sequence[PdfImage], recompressed: set[PageKey]) -> list[dict[str, object]]:
    """Return how many images of each kind there are, and how many were recompressed."""
    kinds = Counter(image.original_kind or image.kind or "other" for image in images)
    again = Counter(image.original_kind or image.kind or "other" for image in images if image.key in recompressed)
    return [{"kind": kind, "count": kinds[kind], "recompressed": again[kind]} for kind in sorted(kinds)]
