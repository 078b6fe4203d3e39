"""Finds the main content of a page and removes everything else.

1. The page is segmented into text blocks, and the reader view of Mozilla's Readability is computed.
2. A model estimates the probability that each block is main content. The blocks with the best expected F1 are
   selected.
3. A second model decides whether the reader view is better than the selection.
4. Headings, formulas and whole tables between kept blocks are kept. Text that the page contains twice is removed once.

`bench/train_reader.py` trains the models.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import block_ancestors
from mediakit.tools.documents.web_to_markdown.pruning import keep_formulas, keep_headings, keep_whole_tables, prune_tree
from mediakit.tools.documents.web_to_markdown.reader_view.attempts import reader_view_indexes
from mediakit.tools.documents.web_to_markdown.scoring.features import (
    BLOCK_FEATURES,
    VIEW_FEATURES,
    WHOLE_PAGE_FEATURES,
    compute_features,
    view_features,
)
from mediakit.tools.documents.web_to_markdown.scoring.text_features import NOT_PRESENT
from mediakit.tools.documents.web_to_markdown.scoring.trees import Trees, load_trees
from mediakit.tools.documents.web_to_markdown.text_blocks import SegmentedPage, segment_page, without_copies

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIN_CONTENT_CHARACTERS = 25
"""With fewer characters, no main content is found."""

MAX_CLASSIFIED_BLOCKS = 5_000
"""For pages with more blocks, the reader view is returned."""

MIN_VIEW_GAIN = -0.005
"""Predicted F1 gain above which the reader view is returned."""


def extract_main_content(body: HtmlElement, title: str | None, page_type: Sequence[float]) -> bool:
    """Reduce a body without hidden and ignored elements to the main content, and return whether there is any.

    The body is not changed if none is found.
    """
    page = segment_page(body, block_ancestors(body))
    is_kept = _main_blocks(page, body, title, page_type)
    if sum(len(block.text) for block, keep in zip(page.blocks, is_kept, strict=True) if keep) < MIN_CONTENT_CHARACTERS:
        return False
    prune_tree(body, page, is_kept)
    return True


def reader_view_blocks(page: SegmentedPage, body: HtmlElement, title: str | None) -> list[bool]:
    """Return whether each block is in the reader view."""
    indexes = reader_view_indexes(body, page.indexes(), title=title)
    return [block.index in indexes for block in page.blocks]


def _main_blocks(page: SegmentedPage, body: HtmlElement, title: str | None, page_type: Sequence[float]) -> list[bool]:
    import numpy as np

    view = reader_view_blocks(page, body, title)
    if not 0 < len(page.blocks) <= MAX_CLASSIFIED_BLOCKS:
        return view
    features = compute_features(page, page_type, title)
    counts = word_counts(page)
    rows = np.hstack([features.blocks, view_features(page, view)])
    probabilities = load_model("block_classifier").probabilities(rows)
    selection = select_blocks(probabilities, counts)
    comparison = comparison_features(view, selection, probabilities, counts, features.page)
    is_view_better = load_model("view_gain").scores(np.array([comparison]))[0] > MIN_VIEW_GAIN
    is_kept = keep_formulas(page, view if is_view_better else selection.is_selected)
    is_kept = keep_headings(page, is_kept, probabilities, title)
    is_kept = without_copies(page, keep_whole_tables(page, is_kept, counts))
    rest = [keep and not block.region.is_consent_prompt for keep, block in zip(is_kept, page.blocks, strict=True)]
    return rest if any(rest) else is_kept


CHARACTERS_PER_WORD = 8
"""Characters that count as one word in scripts without spaces."""

COMPARISON_FEATURES = (
    "view_expected_f1",
    "selection_expected_f1",
    "agreement_f1",
    "view_share",
    "selection_share",
    "only_view_share",
    "only_selection_share",
    "only_view_blocks",
    "only_selection_blocks",
    "only_view_probability",
    "only_selection_probability",
    "view_probability",
    "view_words",
    *WHOLE_PAGE_FEATURES,
)
"""Features of a selection and the reader view, from which the gain of the reader view is predicted."""


class Selection(NamedTuple):
    """A selection of blocks."""

    is_selected: list[bool]
    expected_f1: float


def word_counts(page: SegmentedPage) -> list[float]:
    """Return the number of words of each block."""
    return [max(len(block.text.split()), len(block.text) / CHARACTERS_PER_WORD) for block in page.blocks]


def select_blocks(probabilities: Sequence[float], counts: Sequence[float]) -> Selection:
    """Return the n most probable blocks, with n chosen for the highest expected F1 score."""
    total = sum(probability * count for probability, count in zip(probabilities, counts, strict=True))
    order = sorted(range(len(counts)), key=lambda index: -probabilities[index])
    selected = correct = best_f1 = 0.0
    best_number = 0
    for number, index in enumerate(order, start=1):
        selected += counts[index]
        correct += probabilities[index] * counts[index]
        f1 = 2 * correct / (selected + total)
        if f1 > best_f1:
            best_f1, best_number = f1, number
    chosen = set(order[:best_number])
    return Selection([index in chosen for index in range(len(counts))], best_f1)


def expected_f1(is_selected: Sequence[bool], probabilities: Sequence[float], counts: Sequence[float]) -> float:
    """Return the expected F1 score of a selection."""
    rows = list(zip(is_selected, probabilities, counts, strict=True))
    total = sum(probability * count for _, probability, count in rows)
    selected = sum(count for is_included, _, count in rows if is_included)
    correct = sum(probability * count for is_included, probability, count in rows if is_included)
    return 2 * correct / (selected + total) if selected + total else 0.0


def comparison_features(
    view: Sequence[bool],
    selection: Selection,
    probabilities: Sequence[float],
    counts: Sequence[float],
    page_features: Sequence[float],
) -> list[float]:
    """Return the features that compare a selection with the reader view, in the order of `COMPARISON_FEATURES`.

    `view` is whether each block is in the reader view, and `counts` the number of its words.
    """
    import numpy as np

    in_view, is_selected = np.array(view, dtype=bool), np.array(selection.is_selected, dtype=bool)
    words, chances = np.array(counts, dtype=float), np.array(probabilities, dtype=float)
    only_view, only_selection = in_view & ~is_selected, is_selected & ~in_view
    total, view_words, selection_words = words.sum() or 1.0, words @ in_view, words @ is_selected

    def mean_probability(blocks: "NDArray[Any]") -> float:
        return float(chances[blocks].mean()) if blocks.any() else NOT_PRESENT

    return [
        expected_f1(view, probabilities, counts),
        selection.expected_f1,
        2 * (words @ (in_view & is_selected)) / ((view_words + selection_words) or 1),
        view_words / total,
        selection_words / total,
        words @ only_view / total,
        words @ only_selection / total,
        float(only_view.sum()),
        float(only_selection.sum()),
        mean_probability(only_view),
        mean_probability(only_selection),
        mean_probability(in_view),
        view_words,
        *page_features,
    ]


FOLDER = Path(str(files(__package__))) / "scoring"

FEATURES: dict[str, tuple[str, ...]] = {
    "block_classifier": (*BLOCK_FEATURES, *VIEW_FEATURES),
    "view_gain": COMPARISON_FEATURES,
}
"""Features by model: the probability that a block is main content, and the F1 that the reader view gains."""


@cache
def load_model(name: str) -> Trees:
    """Load a model of `FEATURES`."""
    return load_trees(FOLDER / f"{name}.json", FEATURES[name])
