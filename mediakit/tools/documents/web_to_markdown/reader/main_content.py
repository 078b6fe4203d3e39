"""Finds the main content of a page and removes everything else.

1. The page is segmented into text blocks, and the reader view of Mozilla's Readability is computed.
2. A model estimates the probability that each block is main content. The blocks with the best expected F1 are
   selected.
3. A second model decides whether the reader view is better than the selection.
4. Headings, formulas and whole tables between kept blocks are kept. Text that the page contains twice is removed once.

`bench/train_reader.py` trains the models.
"""

from collections.abc import Sequence

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import block_ancestors
from mediakit.tools.documents.web_to_markdown.reader.block_selection import (
    comparison_features,
    select_blocks,
    word_counts,
)
from mediakit.tools.documents.web_to_markdown.reader.features.blocks import compute_features
from mediakit.tools.documents.web_to_markdown.reader.features.reader_view import view_features
from mediakit.tools.documents.web_to_markdown.reader.models.loaded import (
    block_classifier,
    view_gain_model,
)
from mediakit.tools.documents.web_to_markdown.reader.pruning import (
    keep_formulas,
    keep_headings,
    keep_whole_tables,
    prune_tree,
)
from mediakit.tools.documents.web_to_markdown.reader.reader_view.attempts import reader_view_indexes
from mediakit.tools.documents.web_to_markdown.reader.repeated_text import without_copies
from mediakit.tools.documents.web_to_markdown.reader.text_blocks import SegmentedPage, segment_page

MIN_CONTENT_CHARACTERS = 25
"""With fewer characters, no main content is found."""

MAX_CLASSIFIED_BLOCKS = 5_000
"""For pages with more blocks, the reader view is returned."""

MIN_VIEW_GAIN = -0.005
"""Predicted F1 gain above which the reader view is returned."""


def extract_main_content(body: HtmlElement, title: str | None, page_type: Sequence[float]) -> bool:
    """Reduce a page's body to the main content. The body is not changed if none is found.

    Args:
        body: The page's body, without hidden and ignored elements.
        title: The page's title.
        page_type: The features of the page type.

    Returns:
        Whether main content was found.
    """
    page = segment_page(body, block_ancestors(body))
    return _reduce_to(page, body, _main_blocks(page, body, title, page_type))


def extract_reader_view(body: HtmlElement, title: str | None) -> bool:
    """Reduce a page's body to the reader view. Returns false, and does not change the body, if the view is empty."""
    page = segment_page(body, block_ancestors(body))
    return _reduce_to(page, body, reader_view_blocks(page, body, title))


def reader_view_blocks(page: SegmentedPage, body: HtmlElement, title: str | None) -> list[bool]:
    """Return whether each block is in the reader view."""
    indexes = reader_view_indexes(body, page.indexes(), title=title)
    return [block.index in indexes for block in page.blocks]


def _reduce_to(page: SegmentedPage, body: HtmlElement, is_kept: list[bool]) -> bool:
    kept_chars = sum(len(block.text) for block, keep in zip(page.blocks, is_kept, strict=True) if keep)
    if kept_chars < MIN_CONTENT_CHARACTERS:
        return False
    prune_tree(body, page, is_kept)
    return True


def _main_blocks(page: SegmentedPage, body: HtmlElement, title: str | None, page_type: Sequence[float]) -> list[bool]:
    import numpy as np

    view = reader_view_blocks(page, body, title)
    if not 0 < len(page.blocks) <= MAX_CLASSIFIED_BLOCKS:
        return view
    features = compute_features(page, page_type, title)
    counts = word_counts(page)
    rows = np.hstack([features.blocks, view_features(page, view)])
    probabilities = block_classifier().probabilities(rows)
    selection = select_blocks(probabilities, counts)
    comparison = comparison_features(view, selection, probabilities, counts, features.page)
    is_view_better = view_gain_model().score(comparison) > MIN_VIEW_GAIN
    is_kept = keep_formulas(page, view if is_view_better else selection.is_selected)
    is_kept = keep_headings(page, is_kept, probabilities, title)
    return _without_consent_prompts(page, without_copies(page, keep_whole_tables(page, is_kept, counts)))


def _without_consent_prompts(page: SegmentedPage, is_kept: list[bool]) -> list[bool]:
    """Remove cookie consent prompts from a selection, unless it contains nothing else."""
    rest = [keep and not block.region.is_consent_prompt for keep, block in zip(is_kept, page.blocks, strict=True)]
    return rest if any(rest) else is_kept
