"""Sentences for warnings and errors."""

from collections.abc import Mapping, Sequence


def page_list(indexes: Sequence[int]) -> str:
    """Return pages in words, such as `pages 2-5 and 9`; indexes count from 0."""
    spans: list[list[int]] = []
    for index in sorted(indexes):
        if spans and index == spans[-1][1] + 1:
            spans[-1][1] = index
        else:
            spans.append([index, index])
    parts = [f"{first + 1}-{last + 1}" if last > first else str(first + 1) for first, last in spans]
    return ("page " if len(indexes) == 1 else "pages ") + listed(parts)


def listed(words: Sequence[str]) -> str:
    """Return words as an enumeration: `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def also_removed(places: Mapping[str, int]) -> str:
    """Return the warning that names the texts outside pages that were changed."""
    return f"Matches were also removed from {listed(sorted(places))}."


def unmapped(indexes: Sequence[int]) -> str:
    """Return the warning for pages whose text cannot be searched."""
    return f"Words cannot be found on {page_list(indexes)}: the fonts do not name the characters of their letters."
