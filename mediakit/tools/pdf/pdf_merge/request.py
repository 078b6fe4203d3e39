"""The request of `pdf_merge`."""

from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from mediakit.core.inputs import ImagesOrPdfs, files_of
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.engines.pdf.passwords import Passwords
from mediakit.engines.pdf.request_fields import OrderedPageRangeOrAll


def _check_title(title: str) -> str:
    if any(ord(character) < 32 for character in title):
        raise ValueError("must be one line of text without control characters.")
    return title


Title = Annotated[str, Field(max_length=200), AfterValidator(_check_title)]

BookmarkMode = Literal["files", "keep", "none"]
PageSize = Literal["keep", "first", "A4", "A3", "A5", "Letter", "Legal", "Tabloid"]


@request
class PdfMergeRequest:
    """Files and how to merge them."""

    files: ImagesOrPdfs
    """PDFs and images (PNG, JPEG, WebP, AVIF, GIF, and TIFF with all its frames), in the order of the result."""
    _: KW_ONLY
    pages: Annotated[list[OrderedPageRangeOrAll] | None, Synonyms("page_ranges, ranges")] = None
    """A page range for each file, such as `1-3,5`, `7-` (to the last page) or `5-1` (backwards); empty for all pages.
    The order counts, and a page can be repeated."""
    bookmarks: Annotated[BookmarkMode, Synonyms("outline, outlines")] = "files"
    """`files` adds a bookmark for each file, with the bookmarks of the file below it; `keep` keeps only the bookmarks
    of the files; `none` leaves all bookmarks out."""
    titles: list[Title] | None = None
    """A title for each file, for bookmarks and the contents page; empty for the default: the file name without its
    extension, else the title of the PDF, else `Document 2`."""
    toc: Annotated[bool, Synonyms("contents, table_of_contents, index")] = False
    """Add a contents page in front: titles and first-level bookmarks, with page numbers and links."""
    toc_title: Annotated[Title, Field(min_length=1, max_length=100)] = "Contents"
    """Heading of the contents page."""
    page_size: Annotated[PageSize, Synonyms("size, format, paper, paper_size")] = "keep"
    """Paper size of all pages: `keep` their own, that of the `first` page, or a named size. Pages are scaled in
    proportion and centered, and each keeps its orientation. With `keep`, an image has the size of its stored
    resolution (150 dpi if it has none), at most 1,000 mm a side."""
    double_sided: bool = False
    """Add a blank page after each file with an odd number of pages, so that each begins on a right-hand page."""
    password: Passwords | None = None
    """A password, or several, to try on encrypted files."""

    @model_validator(mode="after")
    def _check_lengths(self) -> Self:
        count = len(files_of(self.files))
        for name, noun, values in (("pages", "page range", self.pages), ("titles", "title", self.titles)):
            if values is not None and len(values) != count:
                files = "the file" if count == 1 else f"each of the {count} files"
                raise ValueError(f"{name}: needs one {noun} for {files}, got {len(values)}.")
        return self


@dataclass(frozen=True)
class MergedFile:
    """Where a file is in the result."""

    name: str
    kind: Literal["pdf", "image"]
    pages: int
    first_page: int
    """Number of its first page, from 1."""
    title: str


@dataclass(frozen=True)
class Merged:
    """What a worker returns."""

    content: bytes = field(repr=False)
    pages: int
    files: list[MergedFile]
    renamed_fields: dict[str, str]
    warnings: list[str]
