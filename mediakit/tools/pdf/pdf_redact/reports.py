"""Sentences for warnings and errors."""

from collections.abc import Collection, Mapping, Sequence
from typing import get_args

from mediakit.core.messages import quote
from mediakit.tools.pdf.pdf_redact.kinds import Kind


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


def left_in(places: Collection[str]) -> str:
    """Return the warning for places from which words are not removed."""
    return f"Not verified: what was to be removed is still in {listed(sorted(places))}."


def undecoded(places: Collection[str]) -> str:
    """Return the warning for parts of the file that cannot be searched."""
    return f"Not verified: {listed(sorted(places))} cannot be decoded, and may hold what was to be removed."


def not_found(missing: Sequence[str]) -> str:
    """Return the warning for words and patterns that are not in the PDF."""
    return f"Not found, so nothing was removed for {listed([quote(each) for each in missing])}."


def meant_kinds(patterns: Sequence[str]) -> str:
    """Return a hint for patterns that are names of kinds; empty for others."""
    names = [each.lower() for each in patterns if each.lower() in get_args(Kind)]
    return f" Did you mean kinds={names}?" if names else ""
