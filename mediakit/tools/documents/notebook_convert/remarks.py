"""Collects what could not be shown as it is in the notebook, for `meta.warnings`."""

from collections import Counter
from typing import Literal

Remark = Literal["remote_image", "missing_image", "broken_image", "scripts", "widget", "formula", "svg", "not_shown"]

SENTENCES: dict[Remark, tuple[str, str]] = {
    "remote_image": (
        "1 image is on the web; it was not loaded and is a link.",
        "{} images are on the web; they were not loaded and are links.",
    ),
    "missing_image": (
        "1 image is a file beside the notebook, which was not sent; its alternative text is shown.",
        "{} images are files beside the notebook, which were not sent; their alternative texts are shown.",
    ),
    "broken_image": ("1 image is damaged and was omitted.", "{} images are damaged and were omitted."),
    "scripts": (
        "1 output needs scripts to be complete; its static form is shown.",
        "{} outputs need scripts to be complete; their static forms are shown.",
    ),
    "widget": (
        "1 widget has no saved state; its text form is shown.",
        "{} widgets have no saved state; their text forms are shown.",
    ),
    "formula": (
        "1 formula could not be converted and is shown as LaTeX.",
        "{} formulas could not be converted and are shown as LaTeX.",
    ),
    "svg": ("1 SVG image is damaged and was omitted.", "{} SVG images are damaged and were omitted."),
    "not_shown": (
        "1 output has no form that can be shown without scripts, and was omitted.",
        "{} outputs have no form that can be shown without scripts, and were omitted.",
    ),
}
"""A sentence for one case and for several."""


class Remarks:
    """Counts cases."""

    def __init__(self) -> None:
        self._counts: Counter[Remark] = Counter()

    def add(self, remark: Remark) -> None:
        """Count a case."""
        self._counts[remark] += 1

    def sentences(self) -> list[str]:
        """Return a sentence for each kind of case."""
        return [
            one if count == 1 else several.format(f"{count:,}")
            for remark, (one, several) in SENTENCES.items()
            if (count := self._counts[remark])
        ]
