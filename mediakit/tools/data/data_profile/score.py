"""The score of a table."""

from collections.abc import Sequence

from mediakit.tools.data.data_profile.problems import Problem
from mediakit.tools.data.data_profile.problems.problem import Kind

_NULL_POINTS, _DUPLICATE_POINTS, _PROBLEM_POINTS = 30, 20, 60
"""The most points that nulls, duplicate rows and problems cost."""

_COST: dict[Kind, int] = {
    "mixed_types": 8,
    "numbers_as_text": 6,
    "leading_zeros_lost": 8,
    "dates_ambiguous": 6,
    "dates_in_two_orders": 8,
    "impossible_dates": 8,
    "future_birth_dates": 6,
    "spaces_around": 3,
    "case_variants": 4,
    "near_duplicates": 4,
    "mojibake": 8,
    "negative_counts": 6,
    "one_value": 2,
    "nulls_in_several_ways": 4,
    "ids_repeat": 10,
    "duplicate_rows": 0,  # their share counts
    "totals_row": 6,
}


def score(problems: Sequence[Problem], null_share: float, duplicate_share: float) -> int:
    """Return the score of a table, 0 to 100.

    100 less up to 30 points for the share of cells that are null, up to 20 for that of duplicate rows, and a few
    points for each problem, 60 at most.
    """
    cost = min(_PROBLEM_POINTS, sum(_COST[problem.kind] for problem in problems))
    return max(0, round(100 - _NULL_POINTS * null_share - _DUPLICATE_POINTS * duplicate_share - cost))
