"""From likelihoods to a choice of units: the one whose expected F1 is the best, or the reader view as it is."""

from collections.abc import Sequence
from typing import NamedTuple

from mediakit.tools.documents.web_to_markdown.reader.features import NAMES_OF
from mediakit.tools.documents.web_to_markdown.reader.units import Page


class Choice(NamedTuple):
    """A choice of units."""

    kept: list[bool]
    expected: float
    """The F1 that the likelihoods promise."""


def weights(page: Page) -> list[float]:
    """Give what each unit counts: its words, or for scripts without spaces a word for eight characters."""
    return [max(len(unit.text.split()), len(unit.text) / 8) for unit in page.units]


def best(likelihoods: Sequence[float], counts: Sequence[float]) -> Choice:
    """Take units, the likeliest first, for as long as the expected F1 grows."""
    total = sum(likelihood * count for likelihood, count in zip(likelihoods, counts, strict=True))
    order = sorted(range(len(counts)), key=lambda index: -likelihoods[index])
    taken = right = top = 0.0
    most = 0
    for number, index in enumerate(order, start=1):
        taken += counts[index]
        right += likelihoods[index] * counts[index]
        expected = 2 * right / (taken + total)
        if expected > top:
            top, most = expected, number
    chosen = set(order[:most])
    return Choice([index in chosen for index in range(len(counts))], top)


def expected(kept: Sequence[bool], likelihoods: Sequence[float], counts: Sequence[float]) -> float:
    """Give the F1 that the likelihoods promise a choice."""
    total = sum(likelihood * count for likelihood, count in zip(likelihoods, counts, strict=True))
    taken = sum(count for keep, count in zip(kept, counts, strict=True) if keep)
    right = sum(likelihood * count for keep, likelihood, count in zip(kept, likelihoods, counts, strict=True) if keep)
    return 2 * right / (taken + total) if taken + total else 0.0


def comparison(
    view: Sequence[bool], choice: Choice, likelihoods: Sequence[float], counts: Sequence[float], row: Sequence[float]
) -> list[float]:
    """Give what tells whether the reader view is better than a choice; `row` is any unit's features and evidence."""
    total = sum(counts) or 1.0
    kept = choice.kept
    only_view = [a and not b for a, b in zip(view, kept, strict=True)]
    only_kept = [b and not a for a, b in zip(view, kept, strict=True)]

    def amount(members: Sequence[bool]) -> float:
        return sum(count for member, count in zip(members, counts, strict=True) if member)

    def mean(members: Sequence[bool]) -> float:
        some = [likelihood for member, likelihood in zip(members, likelihoods, strict=True) if member]
        return sum(some) / len(some) if some else -1.0

    both = amount([a and b for a, b in zip(view, kept, strict=True)])
    start = len(NAMES_OF()) - PAGE_NUMBERS
    return [
        expected(view, likelihoods, counts),
        choice.expected,
        2 * both / ((amount(view) + amount(kept)) or 1),
        amount(view) / total,
        amount(kept) / total,
        amount(only_view) / total,
        amount(only_kept) / total,
        float(sum(only_view)),
        float(sum(only_kept)),
        mean(only_view),
        mean(only_kept),
        mean(view),
        amount(view),
        *row[start:],
    ]


PAGE_NUMBERS = 21
"""How many of the features are the page's and not the unit's, kind aside."""
