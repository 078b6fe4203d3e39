"""The order in which a line is seen: the Unicode Bidirectional Algorithm (UAX #9) without its control characters."""

import re
from collections.abc import Sequence
from unicodedata import bidirectional

from mediakit.engines.direction import begins_right_to_left

BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">", "«": "»", "‹": "›", "「": "」", "（": "）"}
MIRRORED = str.maketrans({**BRACKETS, **{closing: opening for opening, closing in BRACKETS.items()}})
"""Characters whose shape is mirrored in text from right to left (rule L4)."""
PAIRED = frozenset("([{「（")
"""Opening characters that rule N0 pairs; `<` and quotation marks are plain neutrals."""

_STRONG = {"L": "L", "R": "R", "EN": "R", "AN": "R"}
"""What a class is to the neutrals beside it."""


def visual_order(clusters: Sequence[str]) -> list[tuple[int, bool]]:
    """Return the places of grapheme clusters from left to right, and whether each runs from right to left.

    The direction of the line is that of its first letter.
    """
    base = int(begins_right_to_left("".join(clusters)))
    levels = _levels(clusters, base)
    order = list(range(len(clusters)))
    for level in range(max(levels, default=0), 0, -1):  # rule L2
        start = 0
        while start < len(order):
            end = start
            while end < len(order) and levels[order[end]] >= level:
                end += 1
            order[start:end] = order[start:end][::-1]
            start = end + 1
    return [(place, levels[place] % 2 == 1) for place in order]


def _levels(clusters: Sequence[str], base: int) -> list[int]:
    """Return the embedding level of each cluster: even from left to right, odd from right to left."""
    direction = "R" if base else "L"
    classes = _numbers([bidirectional(cluster[0]) or "L" for cluster in clusters], direction)
    _resolve_brackets(clusters, classes, direction)
    _resolve_neutrals(classes, direction)
    above = {"L": (0, 1), "R": (1, 0), "EN": (2, 1), "AN": (2, 1)}  # rules I1 and I2
    return [base + above[kind][base] for kind in classes]


def _numbers(classes: list[str], direction: str) -> list[str]:
    """Return the classes after the rules W1 to W7: letters, numbers, and ON for neutrals."""
    strong, previous = direction, direction
    for place, kind in enumerate(classes):
        kind = previous if kind in ("NSM", "BN") else kind  # noqa: PLW2901  # rule W1
        strong = kind if kind in ("L", "R", "AL") else strong
        classes[place] = previous = "AN" if kind == "EN" and strong == "AL" else kind
    classes = ["R" if kind == "AL" else kind for kind in classes]
    for place in range(1, len(classes) - 1):
        before, kind, after = classes[place - 1 : place + 2]
        if before == after and kind in {"EN": ("ES", "CS"), "AN": ("CS",)}.get(before, ()):
            classes[place] = before
    letters = "".join({"ET": "t", "EN": "n"}.get(kind, ".") for kind in classes)
    for signs in re.finditer(r"t+(?=n)|(?<=n)t+", letters):  # rule W5: signs of currencies and percent
        classes[signs.start() : signs.end()] = ["EN"] * len(signs[0])
    strong = direction
    for place, kind in enumerate(classes):
        strong = kind if kind in ("L", "R") else strong
        neutral_or_number = kind if kind in ("L", "R", "EN", "AN") else "ON"
        classes[place] = "L" if kind == "EN" and strong == "L" else neutral_or_number
    return classes


def _resolve_brackets(clusters: Sequence[str], classes: list[str], direction: str) -> None:
    """Set the direction of pairs of brackets by what is in them and before them (rule N0)."""
    waiting: list[tuple[str, int]] = []
    pairs = []
    for place, cluster in enumerate(clusters):
        if classes[place] == "ON" and cluster in PAIRED:
            waiting.append((BRACKETS[cluster], place))
        elif classes[place] == "ON" and any(closing == cluster for closing, _ in waiting):
            while waiting[-1][0] != cluster:
                waiting.pop()
            pairs.append((waiting.pop()[1], place))
    for start, end in sorted(pairs):
        inside = {_STRONG[kind] for kind in classes[start + 1 : end] if kind in _STRONG}
        if not inside:
            continue
        before = next((_STRONG[kind] for kind in reversed(classes[:start]) if kind in _STRONG), direction)
        classes[start] = classes[end] = direction if direction in inside or before not in inside else before


def _resolve_neutrals(classes: list[str], direction: str) -> None:
    """Set the direction of neutrals: that of the text on both sides, or that of the line (rules N1 and N2)."""
    letters = "".join("." if kind == "ON" else "x" for kind in classes)
    for neutrals in re.finditer(r"\.+", letters):
        start, end = neutrals.span()
        before = _STRONG[classes[start - 1]] if start else direction
        after = _STRONG[classes[end]] if end < len(classes) else direction
        classes[start:end] = [before if before == after else direction] * (end - start)
