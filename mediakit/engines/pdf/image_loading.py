"""Loads an image file as a PDF image object, upright by its EXIF orientation."""

from dataclasses import dataclass

import pikepdf
from PIL.ImageFile import ImageFile

from mediakit.engines.pdf.image_data import ImageData, jpeg_data, pixel_data
from mediakit.engines.raster.formats import InputFormat
from mediakit.engines.raster.source import apply_orientation, damage_as_invalid_input, open_image, read_header

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


def load_image(content: bytes, kind: InputFormat) -> LoadedImage:
    """Read an image; the data of a JPEG stay as they are.

    Raises:
        InvalidInput: The image is damaged or too large.
    """
    read_header(content)  # checks the structure and the size
    image, orientation = open_image(content, kind)
    if kind == "jpeg" and (data := jpeg_data(content, image)) is not None:
        return LoadedImage(image, data, None, orientation, is_turned_upright=False)
    with damage_as_invalid_input(kind):
        image.load()
        data, mask = pixel_data(apply_orientation(image, orientation), lossy=_is_lossy(content, kind))
    return LoadedImage(image, data, mask, orientation, is_turned_upright=True)


def upright_matrix(orientation: int, width: float, height: float) -> str:
    """Return the operands of `cm` that draw an image object upright.

    Args:
        orientation: EXIF orientation of the stored image.
        width: Width in points of the upright image.
        height: Height in points.
    """
    return _MATRICES[orientation].format(w=f"{width:.4f}", h=f"{height:.4f}")


def _is_lossy(content: bytes, kind: InputFormat) -> bool:
    return kind in ("jpeg", "avif") or (kind == "webp" and b"VP8 " in content[:4096])
