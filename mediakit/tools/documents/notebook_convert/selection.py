"""What of a notebook is shown: the cells and their parts that a request selects, and counts of what cannot be shown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mediakit.engines.notebooks import Cell, Notebook, tag_name
from mediakit.tools.documents.notebook_convert.tool import NotebookConvertRequest

HIDE_INPUT_TAGS = frozenset(("remove_input", "hide_input"))
HIDE_OUTPUT_TAGS = frozenset(("remove_output", "hide_output"))

Remark = Literal[
    "remote_image",
    "missing_image",
    "broken_image",
    "scripts",
    "widget",
    "formula",
    "command",
    "reference",
    "svg",
    "not_shown",
]
SENTENCES: Mapping[Remark, tuple[str, str]] = {
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
    "command": (
        "1 formula has an unknown command, which is shown as LaTeX.",
        "{} formulas have unknown commands, which are shown as LaTeX.",
    ),
    "reference": (
        "1 reference is to an equation that the notebook does not have, and is shown as ???.",
        "{} references are to equations that the notebook does not have, and are shown as ???.",
    ),
    "svg": ("1 SVG image is damaged and was omitted.", "{} SVG images are damaged and were omitted."),
    "not_shown": (
        "1 output has no form that can be shown without scripts, and was omitted.",
        "{} outputs have no form that can be shown without scripts, and were omitted.",
    ),
}
"""A sentence for one case and for several."""


class Remarks:
    """Counts what could not be shown as it is in the notebook, for `meta.warnings`."""

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


@dataclass(frozen=True)
class ShownCell:
    """A cell with the outputs that are shown."""

    cell: Cell
    has_input: bool
    """Whether its source is shown."""


@dataclass(frozen=True)
class Selection:
    """The cells that are shown, and how many are not, or not with all their parts."""

    cells: Sequence[ShownCell]
    hidden: int


def select_cells(notebook: Notebook, request: NotebookConvertRequest) -> Selection:
    """Return the cells of a notebook that a request shows."""
    removed = frozenset(map(tag_name, request.removed_tags))
    shown, hidden = [], 0
    for cell in notebook.cells:
        has_input = not (request.hide_code and cell.kind == "code") and not cell.tags & HIDE_INPUT_TAGS
        has_outputs = not request.hide_outputs and not cell.tags & HIDE_OUTPUT_TAGS
        has_any = not cell.tags & removed and bool(has_input or (has_outputs and cell.outputs))
        hidden += not (has_any and has_input and (has_outputs or not cell.outputs))
        if has_any:
            shown.append(ShownCell(cell if has_outputs else replace(cell, outputs=()), has_input))
    return Selection(shown, hidden)
