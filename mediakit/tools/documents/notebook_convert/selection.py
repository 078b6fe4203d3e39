"""Which cells of a notebook are shown, and which parts of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mediakit.engines.notebooks.model import Cell, Notebook
from mediakit.engines.notebooks.reading import tag_name
from mediakit.tools.documents.notebook_convert.request import NotebookConvertRequest

HIDE_INPUT_TAGS = frozenset(("remove_input", "hide_input"))
HIDE_OUTPUT_TAGS = frozenset(("remove_output", "hide_output"))


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
        kept = None if cell.tags & removed else _select_parts(cell, request)
        is_empty = kept is None or not (kept.has_input or kept.cell.outputs)
        hidden += is_empty or _has_less(cell, kept)
        if kept is not None and not is_empty:
            shown.append(kept)
    return Selection(shown, hidden)


def _select_parts(cell: Cell, request: NotebookConvertRequest) -> ShownCell:
    hides_code = request.hide_code and cell.kind == "code"
    has_input = not hides_code and not cell.tags & HIDE_INPUT_TAGS
    has_outputs = not request.hide_outputs and not cell.tags & HIDE_OUTPUT_TAGS
    return ShownCell(cell if has_outputs else replace(cell, outputs=()), has_input)


def _has_less(cell: Cell, kept: ShownCell | None) -> bool:
    return kept is None or not kept.has_input or len(kept.cell.outputs) < len(cell.outputs)
