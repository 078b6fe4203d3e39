"""Finds the main content of a page and removes everything else.

1. The page is segmented into text blocks.
2. A model estimates the probability that each block is main content. The blocks with the best expected F1 are selected.
3. Headings, formulas and whole tables between kept blocks are kept. Text that the page contains twice is removed once.

`bench/train_reader.py` trains the model.
"""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import block_ancestors
from mediakit.tools.documents.web_to_markdown.pruning import keep_formulas, keep_headings, keep_whole_tables, prune_tree
from mediakit.tools.documents.web_to_markdown.scoring.features import BLOCK_FEATURES, block_features
from mediakit.tools.documents.web_to_markdown.scoring.trees import Trees, load_trees
from mediakit.tools.documents.web_to_markdown.text_blocks import SegmentedPage, segment_page, without_copies

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIN_CONTENT_CHARACTERS = 25
"""With fewer characters, no main content is found."""

MAX_CLASSIFIED_BLOCKS = 20_000
"""On pages with more blocks, no main content is found."""

CHARACTERS_PER_WORD = 8
"""Characters that count as one word in scripts without spaces."""


def extract_main_content(body: HtmlElement, title: str | None) -> bool:
    """Reduce a page's body to the main content. The body is not changed if none is found.

    Args:
        body: The page's body, without hidden and ignored elements.
        title: The page's title.

    Returns:
        Whether main content was found.
    """
    page = segment_page(body, block_ancestors(body))
    if not 0 < len(page.blocks) <= MAX_CLASSIFIED_BLOCKS:
        return False
    is_kept = _main_blocks(page, title)
    if sum(len(block.text) for block, keep in zip(page.blocks, is_kept, strict=True) if keep) < MIN_CONTENT_CHARACTERS:
        return False
    prune_tree(body, page, is_kept)
    return True


def _main_blocks(page: SegmentedPage, title: str | None) -> list[bool]:
    """Return whether each block is main content."""
    counts = word_counts(page)
    probabilities = block_classifier().probabilities(block_features(page, title))
    is_kept = keep_formulas(page, select_blocks(probabilities, counts).tolist())
    is_kept = keep_headings(page, is_kept, probabilities.tolist(), title)
    return without_copies(page, keep_whole_tables(page, is_kept, counts.tolist()))


def word_counts(page: SegmentedPage) -> "NDArray[Any]":
    """Return the number of words of each block."""
    import numpy as np

    return np.array([max(len(block.text.split()), len(block.text) / CHARACTERS_PER_WORD) for block in page.blocks])


def select_blocks(probabilities: "NDArray[Any]", counts: "NDArray[Any]") -> "NDArray[Any]":
    """Return whether each block is one of the n most probable ones, with n chosen for the highest expected F1 score.

    Args:
        probabilities: The probability of each block.
        counts: The number of words of each block.
    """
    import numpy as np

    order = np.argsort(-probabilities, kind="stable")
    correct, selected = (probabilities * counts)[order].cumsum(), counts[order].cumsum()
    best = int((correct / (selected + correct[-1])).argmax())
    is_selected = np.zeros(len(counts), dtype=bool)
    is_selected[order[: best + 1]] = True
    return is_selected


MODEL = Path(str(files(__package__))) / "scoring" / "block_classifier.json"


@cache
def block_classifier() -> Trees:
    """Load the model of the probability that a block is main content."""
    return load_trees(MODEL, BLOCK_FEATURES)
