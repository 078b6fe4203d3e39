"""Selects text blocks for the highest expected F1 score, computed from the probability of each block."""

from collections.abc import Sequence
from typing import NamedTuple

from mediakit.tools.documents.web_to_markdown.reader.features.blocks import WHOLE_PAGE_FEATURES
from mediakit.tools.documents.web_to_markdown.reader.features.missing import NOT_PRESENT
from mediakit.tools.documents.web_to_markdown.reader.text_blocks import SegmentedPage

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

    Args:
        view: Whether each block is in the reader view.
        selection: The selection to compare with the reader view.
        probabilities: The probability of each block.
        counts: The number of words of each block.
        page_features: The features of the whole page.
    """
    total = sum(counts) or 1.0
    pairs = list(zip(view, selection.is_selected, strict=True))
    in_both = [a and b for a, b in pairs]
    only_view = [a and not b for a, b in pairs]
    only_selection = [b and not a for a, b in pairs]
    view_words, selection_words = _sum_where(view, counts), _sum_where(selection.is_selected, counts)
    return [
        expected_f1(view, probabilities, counts),
        selection.expected_f1,
        2 * _sum_where(in_both, counts) / ((view_words + selection_words) or 1),
        view_words / total,
        selection_words / total,
        _sum_where(only_view, counts) / total,
        _sum_where(only_selection, counts) / total,
        float(sum(only_view)),
        float(sum(only_selection)),
        _mean_where(only_view, probabilities),
        _mean_where(only_selection, probabilities),
        _mean_where(view, probabilities),
        view_words,
        *page_features,
    ]


def _sum_where(conditions: Sequence[bool], numbers: Sequence[float]) -> float:
    return sum(number for condition, number in zip(conditions, numbers, strict=True) if condition)


def _mean_where(conditions: Sequence[bool], numbers: Sequence[float]) -> float:
    selected = [number for condition, number in zip(conditions, numbers, strict=True) if condition]
    return sum(selected) / len(selected) if selected else NOT_PRESENT
