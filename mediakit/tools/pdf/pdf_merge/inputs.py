"""The files of a merge as PDFs: each is opened, and images become pages."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePosixPath
from typing import Literal

import pikepdf
from pikepdf import Array, Dictionary, Name
from PIL import ExifTags, Image, ImageSequence
from PIL.JpegImagePlugin import JpegImageFile
from PIL.TiffImagePlugin import TiffImageFile

from mediakit.core.inputs import FileBytes
from mediakit.engines.file_types.identify import identify
from mediakit.engines.pdf import is_pdf
from mediakit.engines.pdf.document import warn_of_active_content
from mediakit.engines.pdf.flattening import remove_signatures
from mediakit.engines.pdf.images import image_format, load_image, pixel_data, upright_matrix
from mediakit.engines.pdf.opening import MAX_PAGES, Source, open_pdf, warn_of_lost_protection
from mediakit.engines.pdf.page_ranges import indices
from mediakit.engines.raster.formats import InputFormat
from mediakit.engines.raster.source import check_pixels, damage_as_invalid_input, read_header
from mediakit.errors import InvalidInput

DEFAULT_DPI = 150.0
LOWEST_DPI, HIGHEST_DPI = 5.0, 20_000.0
"""Resolutions outside are taken for mistakes."""

LONGEST_SIDE = 1000 * 72 / 25.4
"""Points; 1,000 mm."""

SHORTEST_SIDE = 3.0
"""Points; the smallest side that readers accept (PDF 1.7, annex C)."""


def image_pages(pdf: pikepdf.Pdf, content: bytes, kind: InputFormat, label: str) -> Iterator[pikepdf.Object]:
    """Yield a page for an image, or for each frame of a TIFF.

    Raises:
        InvalidInput: The image is damaged or too large.
    """
    try:
        if kind == "tiff":
            yield from _tiff_pages(pdf, content)
            return
        stored = load_image(content, kind)
        dpi = _resolution(stored.image)
        if stored.is_turned_upright and stored.swaps_sides:
            dpi = dpi[::-1]
        orientation = 1 if stored.is_turned_upright else stored.orientation
        yield _page(pdf, stored.write(pdf), stored.data.size, dpi, orientation)
    except InvalidInput as error:
        raise InvalidInput(error.message.replace("file:", f"{label}:", 1)) from error


def is_animated(content: bytes, kind: InputFormat) -> bool:
    """Return whether an image has frames of which only the first is shown."""
    return kind in ("gif", "webp", "avif") and read_header(content).animated


def _tiff_pages(pdf: pikepdf.Pdf, content: bytes) -> Iterator[pikepdf.Object]:
    with damage_as_invalid_input("tiff", content=content):
        file = TiffImageFile(BytesIO(content))
    for frame in ImageSequence.Iterator(file):
        check_pixels(frame.width * frame.height, "file")
        with damage_as_invalid_input("tiff", content=content):
            frame.load()
            data, mask = pixel_data(frame, lossy=False)
            dpi = _resolution(frame)
        yield _page(pdf, data.write(pdf, mask), data.size, dpi, 1)


def _page(
    pdf: pikepdf.Pdf, image: pikepdf.Object, size: tuple[int, int], dpi: tuple[float, float], orientation: int
) -> pikepdf.Object:
    points = size[0] * 72 / dpi[0], size[1] * 72 / dpi[1]
    scale = min(1.0, LONGEST_SIDE / max(points))
    width, height = (max(side * scale, SHORTEST_SIDE) for side in (points[::-1] if orientation >= 5 else points))
    return Dictionary(
        Type=Name.Page,
        MediaBox=Array([0, 0, round(width, 4), round(height, 4)]),
        Resources=Dictionary(XObject=Dictionary(Im0=image)),
        Contents=pdf.make_stream(f"q {upright_matrix(orientation, width, height)} cm /Im0 Do Q".encode()),
    )


def _resolution(image: Image.Image) -> tuple[float, float]:
    """Return the stored resolution in dots per inch, or the default for a missing or absurd one."""
    is_jfif = image.info.get("jfif_unit") in (1, 2)  # Pillow reports 72 dpi for photos that have no resolution
    if isinstance(image, JpegImageFile) and not is_jfif and ExifTags.Base.XResolution not in image.getexif():
        return DEFAULT_DPI, DEFAULT_DPI
    try:
        across, down = (float(number) for number in image.info["dpi"])
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return DEFAULT_DPI, DEFAULT_DPI
    sound = all(math.isfinite(dpi) and LOWEST_DPI <= dpi <= HIGHEST_DPI for dpi in (across, down))
    return (across, down) if sound else (DEFAULT_DPI, DEFAULT_DPI)


MAX_TITLE = 200
"""Characters of a title."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+")
"""Characters that have no place in a title: controls, and marks that change the direction of what follows."""


@dataclass
class Input:
    """A file of a merge."""

    label: str
    """Name of the request's field, such as `files[0]`."""
    name: str
    title: str
    count: int
    """Pages that go into the result."""
    source: Source | None = None
    indices: Sequence[int] = ()
    """Pages of a PDF, from 0."""
    image: bytes = b""
    format: InputFormat = "png"

    @property
    def kind(self) -> Literal["pdf", "image"]:
        """What the file is."""
        return "image" if self.source is None else "pdf"


def open_inputs(
    files: Sequence[FileBytes], pages: Sequence[str], titles: Sequence[str], passwords: Sequence[str] = ()
) -> list[Input]:
    """Open all files, with a page range for each (empty for all pages) and a title (empty for the default).

    Raises:
        InvalidInput: A file or a page range is not valid.
    """
    opened = [_open(file, index, pages[index], passwords) for index, file in enumerate(files)]
    for index, item in enumerate(opened):
        info = item.source.pdf.trailer.get(Name.Info) if item.source is not None else None
        own = info.get(Name.Title) if isinstance(info, Dictionary) else None
        stored = str(own) if isinstance(own, pikepdf.String) else ""
        found = (titles[index], PurePosixPath(item.name).stem, stored, f"Document {index + 1}")
        item.title = next(title for text in found if (title := clean_title(text)))
    return opened


def _open(file: FileBytes, index: int, pages: str, passwords: Sequence[str]) -> Input:
    label = f"files[{index}]"
    if is_pdf(file):
        source = open_pdf(file, label, passwords)
        selected = indices(pages, len(source.pages), f"pages[{index}]", ordered=True)
        warn_of_lost_protection(source)
        warn_of_active_content(source)
        remove_signatures(source)
        return Input(label, file.name, "", len(selected), source, selected)
    image = image_format(file)
    if image is None:
        raise InvalidInput(f"{label}: must be a PDF or an image, got {identify(file).description}.")
    wanted = pages.strip()
    if wanted not in ("", "1"):
        raise InvalidInput(f'pages[{index}]: must be empty or "1" for an image, got "{wanted[:20]}".')
    count = 1 if wanted else _frames(file, image)
    return Input(label, file.name, "", count, image=file, format=image)


def _frames(content: bytes, kind: InputFormat) -> int:
    """Count the frames of a TIFF, up to one more than a PDF may have."""
    if kind != "tiff":
        return 1
    try:
        file, count = TiffImageFile(BytesIO(content)), 1
        while count <= MAX_PAGES:
            file.seek(count)
            count += 1
    except EOFError:
        return count
    except Exception:  # noqa: BLE001  # a damaged frame is refused when it is read
        return 1
    return count


def clean_title(text: str) -> str:
    """Return a title on one line, without control characters."""
    return " ".join(_CONTROL.sub(" ", text).split())[:MAX_TITLE]
