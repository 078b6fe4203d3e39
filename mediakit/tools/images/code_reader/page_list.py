"""Lists of pages, as people write them."""

import re

_RANGE = re.compile(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", re.ASCII)


def ranges(pages: str) -> list[tuple[int, int]]:
    """Take a list such as `1-3,5` apart: first and last page of each range.

    Raises:
        ValueError: The text is not a page list.
    """
    found = [_range(part) for part in pages.split(",")]
    for first, last in found:
        if first < 1:
            raise ValueError("must begin with page 1 or later.")
        if last < first:
            raise ValueError(f"must rise within a range: write {last}-{first}, not {first}-{last}.")
    return found


def _range(part: str) -> tuple[int, int]:
    match = _RANGE.fullmatch(part)
    if not match:
        raise ValueError(f"must list pages such as 1-3,5, got {part.strip()[:20]!r}.")
    return int(match[1]), int(match[2] or match[1])
