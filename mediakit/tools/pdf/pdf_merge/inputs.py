"""The files of a merge: opened, counted and named."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePosixPath
from typing import Literal

import pikepdf
from pikepdf import Name
from PIL.TiffImagePlugin import TiffImageFile

from mediakit.core.inputs import FileBytes
from mediakit.engines.pdf import kinds
from mediakit.engines.pdf.active_content import warn_of_active_content
from mediakit.engines.pdf.opening import MAX_PAGES, open_pdf, warn_of_lost_protection
from mediakit.engines.pdf.page_ranges import indices
from mediakit.engines.pdf.signatures import remove_signatures
from mediakit.engines.pdf.source import Source
from mediakit.engines.raster.formats import InputFormat
from mediakit.errors import InvalidInput

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
    """Open all files.

    Args:
        files: PDFs and images.
        pages: A page range for each file; empty for all pages.
        titles: A title for each file; empty for the default.
        passwords: Passwords to try.

    Raises:
        InvalidInput: A file or a page range is not valid.
    """
    opened = [_open(file, index, pages[index], passwords) for index, file in enumerate(files)]
    for index, item in enumerate(opened):
        own = _own_title(item.source) if item.source is not None else ""
        found = (titles[index], PurePosixPath(item.name).stem, own, f"Document {index + 1}")
        item.title = next(title for text in found if (title := clean_title(text)))
    return opened


def _open(file: FileBytes, index: int, pages: str, passwords: Sequence[str]) -> Input:
    label = f"files[{index}]"
    if kinds.is_pdf(file):
        source = open_pdf(file, label, passwords)
        selected = indices(pages, len(source.pages), f"pages[{index}]", ordered=True)
        warn_of_lost_protection(source)
        warn_of_active_content(source)
        remove_signatures(source)
        return Input(label, file.name, "", len(selected), source, selected)
    image = kinds.image_format(file)
    if image is None:
        raise InvalidInput(f"{label}: must be a PDF or an image, got {kinds.describe(file)}.")
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


def _own_title(source: Source) -> str:
    info = source.pdf.trailer.get(Name.Info)
    title = info.get(Name.Title) if isinstance(info, pikepdf.Dictionary) else None
    return str(title) if isinstance(title, pikepdf.String) else ""
