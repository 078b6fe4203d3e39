"""Running text: segments of paragraphs, which belong to no table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mediakit.engines.pdf.tables.lines import Line, Segment, is_value
from mediakit.engines.pdf.tables.rulings import Ruling
from mediakit.engines.pdf.tables.words import Box, Word

FEWEST_LINES = 3
FEWEST_WORDS = 4
"""Words a line of running text has on average."""

FEWEST_WRAPPED = 2
"""Rows of a column whose cells wrap."""

MOST_WORDS_BESIDE = 3
"""Words of a cell beside such a column on average, where it has no values: a column of a page has more."""

FULL_SHARE = 0.8
"""Share of the paragraph's width that its lines fill, but for the last one."""


def without_prose(lines: Sequence[Line], horizontal: Sequence[Ruling] = ()) -> list[Line]:
    """Return the lines without paragraphs. A paragraph inside cuts a line in two.

    Args:
        lines: Lines of a page, from top to bottom.
        horizontal: Rulings along the text, which separate paragraphs.
    """
    prose = {id(segment) for chain in _chains(lines) if _is_paragraph(chain, horizontal) for _, segment in chain}
    if not prose:
        return list(lines)
    return [part for line in lines for part in _parts(line, prose)]


def _parts(line: Line, prose: set[int]) -> Iterator[Line]:
    held: list[Segment] = []
    for segment in line.segments:
        if id(segment) not in prose:
            held.append(segment)
        elif held:
            yield Line(held, line.y0, line.y1, line.size)
            held = []
    if held:
        yield Line(held, line.y0, line.y1, line.size)


def _chains(lines: Sequence[Line]) -> Iterator[list[tuple[Line, Segment]]]:
    """Yield segments one under another that begin at the same place."""
    open_chains: list[list[tuple[Line, Segment]]] = []
    for line in lines:
        still: list[list[tuple[Line, Segment]]] = []
        for chain in open_chains:
            if line.y1 - chain[-1][0].y1 > 2.1 * line.size:
                yield chain
            else:
                still.append(chain)
        open_chains = still
        for segment in line.segments:
            for chain in open_chains:
                last, above = chain[-1]
                is_under = abs(above.x0 - segment.x0) < 0.6 * line.size or (
                    len(chain) == 1
                    and 0 < above.x0 - segment.x0 < 4 * line.size
                    and above.x1 > segment.x1 - 5 * line.size
                )
                if last is not line and is_under and abs(last.size - line.size) < 0.15 * line.size:
                    chain.append((line, segment))
                    break
            else:
                open_chains.append([(line, segment)])
    yield from open_chains


def _labels_values(chain: Sequence[tuple[Line, Segment]]) -> bool:
    """Return whether most lines have a value on the same baseline: they are the labels of rows."""
    labels = sum(
        any(other is not segment and other.is_value and _is_level(other, segment) for other in line.segments)
        for line, segment in chain
    )
    return labels > 0.6 * len(chain) or _is_wrapped_column(chain)


def _is_wrapped_column(chain: Sequence[tuple[Line, Segment]]) -> bool:
    """Return whether lines are the wrapped cells of a column: some have other cells beside them, the others nothing."""
    beside = [[other for other in line.segments if other is not segment] for line, segment in chain]
    cells = [other for others in beside for other in others]
    is_beside_short = sum(len(cell.words) for cell in cells) <= MOST_WORDS_BESIDE * len(cells)
    is_beside_short = is_beside_short and not any(len(cell.text) < 2 for cell in cells)
    rows = [others for others in beside if any(other.is_value for other in others) or (others and is_beside_short)]
    alone = sum(not others for others in beside)
    if len(rows) < FEWEST_WRAPPED or len(rows) + alone < len(chain) - 1:
        return False
    first = {len(others) for others in rows}
    return len(first) == 1 and all(
        min(abs(one.x0 - other.x0), abs(one.x1 - other.x1)) < one.words[0].size
        for others in rows[1:]
        for one, other in zip(rows[0], others, strict=True)
    )


def _is_level(one: Segment, other: Segment) -> bool:
    return abs(one.words[0].y1 - other.words[-1].y1) < 0.1 * other.words[-1].size


def _is_paragraph(chain: Sequence[tuple[Line, Segment]], horizontal: Sequence[Ruling]) -> bool:
    if len(chain) < FEWEST_LINES or _is_ruled(chain, horizontal):
        return False
    segments = [segment for _, segment in chain]
    words = sum(len(segment.words) for segment in segments)
    if words < FEWEST_WORDS * len(segments) or _labels_values(chain):
        return False
    width = max(segment.x1 for segment in segments) - min(segment.x0 for segment in segments)
    full = sum(segment.x1 - segment.x0 >= FULL_SHARE * width for segment in segments[:-1])
    values = sum(is_value(word.text) for segment in segments for word in segment.words)
    return full >= 0.65 * (len(segments) - 1) and values < 0.5 * words


def _is_ruled(chain: Sequence[tuple[Line, Segment]], horizontal: Sequence[Ruling]) -> bool:
    """Return whether a ruling is between its lines, as between the rows of a table."""
    left, right = min(segment.x0 for _, segment in chain), max(segment.x1 for _, segment in chain)
    top, bottom = chain[0][0].middle, chain[-1][0].middle
    return any(top < ruling.at < bottom and ruling.start <= left and right <= ruling.end for ruling in horizontal)


def cuts_text(box: Box, inside: Sequence[Word], words: Sequence[Word]) -> bool:
    """Return whether lines of text go on outside of a box, as with marked words; a table has a border there."""
    if not inside:
        return False
    cut = 0
    for word in words:
        y = word.middle[1]
        if not box[1] < y < box[3]:
            continue
        left, right = box[0] - word.x1, word.x0 - box[2]
        if 0 <= max(left, right) < 0.6 * word.size or word.x0 < box[0] < word.x1 or word.x0 < box[2] < word.x1:
            cut += any(
                other.y0 < y < other.y1 and 0 <= max(other.x0 - word.x1, word.x0 - other.x1) < 0.6 * word.size
                for other in inside
            )
    return cut >= max(1, 0.25 * len({round(word.y1) for word in inside}))
