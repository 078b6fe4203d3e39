"""Replaces the page labels."""

from collections.abc import Mapping, Sequence

from pikepdf import Dictionary, Name, String

from mediakit.engines.pdf.source import Source
from mediakit.engines.pdf.trees import write_numbers
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_info.changes import LabelRange, LabelStyle

NAMES: Mapping[LabelStyle, str] = {"1": "/D", "i": "/r", "I": "/R", "a": "/a", "A": "/A"}
"""Names of the numbering styles in a PDF."""


def write_labels(source: Source, ranges: Sequence[LabelRange]) -> None:
    """Replace the page labels; no ranges remove them. Pages before the first range are numbered from 1.

    Raises:
        InvalidInput: A page does not exist.
    """
    count = len(source.pages)
    for index, each in enumerate(ranges):
        if each.first >= count:
            raise InvalidInput(f"labels[{index}]: the PDF has {count} page{'s' * (count != 1)}, got {each.first + 1}.")
    if Name.PageLabels in source.root:
        del source.root.PageLabels
    if not ranges:
        return
    entries = [(each.first, _entry(each)) for each in ranges]
    if not any(first == 0 for first, _ in entries):
        entries.append((0, Dictionary(S=Name.D)))
    source.root.PageLabels = write_numbers(source.pdf, entries)


def _entry(each: LabelRange) -> Dictionary:
    entry = Dictionary()
    if each.style in NAMES:
        entry.S = Name(NAMES[each.style])
    if each.prefix:
        entry.P = String(each.prefix)
    if each.start != 1:
        entry.St = each.start
    return entry
