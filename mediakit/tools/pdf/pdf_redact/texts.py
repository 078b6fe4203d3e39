"""Replaces what a finder finds in the texts of a document outside its pages' content."""

from collections.abc import Sequence

from mediakit.tools.pdf.pdf_redact.searching import Finder, Hit

BLOCK = "█"
"""Stands for a text that was removed."""


class Replacer:
    """Replaces texts, and notes what was found."""

    def __init__(self, finder: Finder, label: str) -> None:
        self._finder = finder
        self._replacement = label or BLOCK * 3
        self._known: dict[str, str | None] = {}
        self._unique: dict[str, str] = {}
        self.words: set[int] = set()
        self.patterns: set[int] = set()
        self.places: dict[str, int] = {}
        """How many texts of a kind were changed: `bookmarks`, `tags` and so on."""

    def find(self, text: str) -> Sequence[Hit]:
        """Return what is found in a text."""
        hits = self._finder.find(text)
        self.words.update(hit.index for hit in hits if hit.kind == "word")
        self.patterns.update(hit.index for hit in hits if hit.kind == "pattern")
        return hits

    def replaced(self, text: str) -> str | None:
        """Return a text without what is found in it, or None if nothing is."""
        if text not in self._known:
            self._known[text] = self._replaced(text)
        return self._known[text]

    def unique(self, text: str) -> str | None:
        """Return a name that no other name has instead of one with a match, or None if there is none."""
        if self.replaced(text) is None:
            return None
        return self._unique.setdefault(text, BLOCK * (len(self._unique) + 1))

    def note(self, place: str, count: int = 1) -> None:
        """Count a text that was changed."""
        self.places[place] = self.places.get(place, 0) + count

    def _replaced(self, text: str) -> str | None:
        hits = self.find(text)
        if not hits:
            return None
        parts: list[str] = []
        at = 0
        for start, end in _merged(hits):
            parts += text[at:start], self._replacement
            at = end
        return "".join((*parts, text[at:]))


def _merged(hits: Sequence[Hit]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for hit in sorted(hits):
        if spans and hit.start <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], hit.end)
        else:
            spans.append((hit.start, hit.end))
    return spans
