"""An opened PDF, with what the user should know about it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import pikepdf
from pikepdf import Name

from mediakit.engines.pdf.objects import read_names

T = TypeVar("T")

PageKey = tuple[int, int]
"""Object number and generation of a page, unique in one PDF."""


@dataclass
class Source:
    """A PDF that was opened for reading or as a part of another PDF."""

    pdf: pikepdf.Pdf
    label: str = "file"
    """Name of the request's field, as errors and warnings begin."""
    repaired: str = ""
    """What was damaged; empty for a sound file."""
    warnings: list[str] = field(default_factory=list)
    _read: dict[Callable[..., Any], Any] = field(default_factory=dict, repr=False)
    lost_encryption: bool = False
    """Whether the file is encrypted, but had to be rebuilt without encryption."""

    @property
    def is_encrypted(self) -> bool:
        """Whether the file is encrypted."""
        return self.pdf.is_encrypted or self.lost_encryption

    @cached_property
    def pages(self) -> list[pikepdf.Object]:
        """The page dictionaries, in order."""
        return [page.obj for page in self.pdf.pages]

    @cached_property
    def page_numbers(self) -> dict[PageKey, int]:
        """Index of each page, from 0."""
        return {page.objgen: index for index, page in enumerate(self.pages)}

    @cached_property
    def named_destinations(self) -> dict[bytes, pikepdf.Object]:
        """Named destinations, those of the name tree before those of the catalog's dictionary."""
        older = self.root.get(Name.Dests)
        named = (
            {key[1:].encode("latin-1", "replace"): value for key, value in older.items()}
            if isinstance(older, pikepdf.Dictionary)
            else {}
        )
        return named | dict(read_names(self.names("/Dests")))

    @cached_property
    def root(self) -> pikepdf.Object:
        """The document catalog."""
        return self.pdf.Root

    @cached_property
    def name_trees(self) -> dict[str, pikepdf.Object]:
        """The name trees of the catalog."""
        names = self.root.get(Name.Names)
        return dict(names.items()) if isinstance(names, pikepdf.Dictionary) else {}

    def names(self, category: str) -> pikepdf.Object | None:
        """Return a name tree of the catalog, such as `/EmbeddedFiles`."""
        return self.name_trees.get(category)

    def read_once(self, read: Callable[["Source"], T]) -> T:
        """Return what a function reads in this PDF; it is called once."""
        if read not in self._read:
            self._read[read] = read(self)
        found: T = self._read[read]
        return found

    def warn(self, sentence: str) -> None:
        """Add a warning, once."""
        if sentence not in self.warnings:
            self.warnings.append(sentence)
