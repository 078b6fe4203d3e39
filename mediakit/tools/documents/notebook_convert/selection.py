"""What of a notebook is shown: the cells and their parts that a request selects, and counts of what cannot be shown."""

import re
from dataclasses import dataclass, replace

from mediakit.engines.notebooks import Cell, Notebook, tag_name
from mediakit.tools.documents.notebook_convert.tool import NotebookConvertRequest

HIDE_INPUT_TAGS = frozenset(("remove_input", "hide_input"))
HIDE_OUTPUT_TAGS = frozenset(("remove_output", "hide_output"))

SENTENCES = {
    "remote_image": "{1 image is|# images are} on the web; {it was|they were} not loaded and {is a link|are links}.",
    "missing_image": "{1 image is a file|# images are files} beside the notebook, which {was|were} not sent; "
    "{its alternative text is|their alternative texts are} shown.",
    "broken_image": "{1 image is|# images are} damaged and {was|were} omitted.",
    "scripts": "{1 output needs|# outputs need} scripts to be complete; "
    "{its static form is|their static forms are} shown.",
    "widget": "{1 widget has|# widgets have} no saved state; {its text form is|their text forms are} shown.",
    "formula": "{1 formula|# formulas} could not be converted and {is|are} shown as LaTeX.",
    "command": "{1 formula has an unknown command|# formulas have unknown commands}, which {is|are} shown as LaTeX.",
    "reference": "{1 reference is to an equation|# references are to equations} that the notebook does not have, and "
    "{is|are} shown as ???.",
    "svg": "{1 SVG image is|# SVG images are} damaged and {was|were} omitted.",
    "not_shown": "{1 output has|# outputs have} no form that can be shown without scripts, and {was|were} omitted.",
}
"""What is said of cases by their kind: in braces for one case, and for several with their number in place of `#`."""


class Remarks:
    """Counts what could not be shown as it is in the notebook, for `meta.warnings`."""

    def __init__(self) -> None:
        self._counts = dict.fromkeys(SENTENCES, 0)

    def add(self, kind: str) -> None:
        """Count a case of a kind."""
        self._counts[kind] += 1

    def sentences(self) -> list[str]:
        """Return a sentence for each kind of case."""
        return [
            re.sub(r"\{(.*?)\|(.*?)\}", r"\1" if count == 1 else r"\2", SENTENCES[kind]).replace("#", f"{count:,}")
            for kind, count in self._counts.items()
            if count
        ]


@dataclass(frozen=True)
class ShownCell:
    """A cell with the outputs that are shown."""

    cell: Cell
    has_input: bool
    """Whether its source is shown."""


def select_cells(notebook: Notebook, request: NotebookConvertRequest) -> tuple[list[ShownCell], int]:
    """Return the cells of a notebook that a request shows, and how many it does not, or not with all their parts."""
    removed = frozenset(map(tag_name, request.removed_tags))
    shown, hidden = [], 0
    for cell in notebook.cells:
        has_input = not (request.hide_code and cell.kind == "code") and not cell.tags & HIDE_INPUT_TAGS
        has_outputs = not request.hide_outputs and not cell.tags & HIDE_OUTPUT_TAGS
        has_any = not cell.tags & removed and bool(has_input or (has_outputs and cell.outputs))
        hidden += not (has_any and has_input and (has_outputs or not cell.outputs))
        if has_any:
            shown.append(ShownCell(cell if has_outputs else replace(cell, outputs=()), has_input))
    return shown, hidden
