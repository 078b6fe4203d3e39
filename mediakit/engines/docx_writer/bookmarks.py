"""Bookmarks: valid, unique names for the anchors of a document."""

import re
from dataclasses import dataclass, field

from mediakit.engines.docx_writer.wordml import w
from mediakit.engines.docx_writer.xml_tree import Element

_MAX_CHARACTERS = 40
_INVALID = re.compile(r"[^\w]+")


@dataclass
class Bookmarks:
    """Names and IDs of bookmarks. A name has letters, digits and underscores, and at most 40 characters."""

    names: dict[str, str] = field(default_factory=dict)
    """Names by the anchor of the HTML."""
    placed: set[str] = field(default_factory=set)
    _taken: set[str] = field(default_factory=set)
    _count: int = 0

    def name_of(self, anchor: str) -> str:
        """Return the name of an anchor's bookmark."""
        if anchor not in self.names:
            self.names[anchor] = self._unique(_INVALID.sub("_", anchor).strip("_") or "section")
        return self.names[anchor]

    def place(self, anchor: str) -> tuple[Element, Element] | None:
        """Return the start and the end of an anchor's bookmark, or None if it has its place already."""
        if anchor in self.placed:
            return None
        self.placed.add(anchor)
        return self.mark(self.name_of(anchor))

    def mark(self, name: str) -> tuple[Element, Element]:
        """Return the start and the end of a bookmark."""
        self._count += 1
        return w("bookmarkStart", id=self._count, name=name), w("bookmarkEnd", id=self._count)

    def _unique(self, base: str) -> str:
        if not base[0].isalpha():
            base = f"a_{base}"
        name, number = base[:_MAX_CHARACTERS], 1
        while name.lower() in self._taken:  # Word does not distinguish case
            number += 1
            ending = f"_{number}"
            name = base[: _MAX_CHARACTERS - len(ending)] + ending
        self._taken.add(name.lower())
        return name
