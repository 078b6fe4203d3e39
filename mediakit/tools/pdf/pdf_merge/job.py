"""What travels to the worker and back: plain values, without pikepdf."""

from dataclasses import dataclass, field
from typing import Literal

from mediakit.engines.paper import PaperFormat

BookmarkMode = Literal["files", "keep", "none"]
PageSize = Literal["keep", "first"] | PaperFormat


@dataclass(frozen=True)
class MergeJob:
    """Files to merge, and how."""

    files: list[bytes] = field(repr=False)
    names: list[str]
    """File names, empty where unknown."""
    pages: list[str]
    """A page range for each file, empty for all pages."""
    titles: list[str]
    """A title for each file, empty for the default."""
    bookmarks: BookmarkMode = "files"
    toc: bool = False
    toc_title: str = "Contents"
    page_size: PageSize = "keep"
    double_sided: bool = False
    passwords: list[str] = field(default_factory=list, repr=False)


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
    """The result."""

    content: bytes = field(repr=False)
    pages: int
    files: list[MergedFile]
    renamed_fields: dict[str, str]
    warnings: list[str]
