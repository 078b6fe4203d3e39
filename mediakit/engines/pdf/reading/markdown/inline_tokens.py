"""Runs of text as tokens of Markdown."""

from collections.abc import Iterator, Sequence

from mediakit.engines.markdown.inline import code_span
from mediakit.engines.markdown.tokens import Token
from mediakit.engines.pdf.reading.markdown.runs import Run

MARKS = (("bold", "strong"), ("italic", "em"), ("struck", "del"))
"""Attributes of a run and the marks that stand for them."""

Mark = tuple[str, str]
"""Name of a mark, and the address of a link."""


def tokens(runs: Sequence[Run], *, plain_bold: bool = False) -> list[Token]:
    """Return the tokens of a line.

    Args:
        runs: The runs.
        plain_bold: Leave out bold, which headings have anyway.
    """
    merged = _merged(runs, plain_bold=plain_bold)
    found: list[Token] = []
    opened: list[Mark] = []
    for index, run in enumerate(merged):
        marks = _marks(run)
        while not set(opened) <= set(marks):
            found.append(Token("close", mark=opened.pop()[0]))
        for mark in sorted(
            set(marks) - set(opened), key=lambda mark: (-_extent(mark, merged[index:]), marks.index(mark))
        ):
            found.append(Token("open", mark[1], mark[0]))
            opened.append(mark)
        found += _content(run)
    return found + [Token("close", mark=name) for name, _ in reversed(opened)]


def _marks(run: Run) -> list[Mark]:
    """Return the marks of a run, outer ones first."""
    names = [name for attribute, name in MARKS if getattr(run, attribute)] + ([run.script] if run.script else [])
    return [("link", run.url)] * bool(run.url) + [(name, "") for name in names]


def _extent(mark: Mark, runs: Sequence[Run]) -> int:
    """Return how many runs have a mark, from the first one on."""
    return next((index for index, run in enumerate(runs) if mark not in _marks(run)), len(runs))


def _content(run: Run) -> Iterator[Token]:
    content = run.text.strip()
    if not run.mono or not content:
        yield Token("text", run.text)
        return
    start, _, end = run.text.partition(content)
    yield from (Token("text", start), Token("raw", code_span(content)), Token("text", end))


def _merged(runs: Sequence[Run], *, plain_bold: bool) -> list[Run]:
    """Return runs of which no two neighbors have the same style."""
    merged: list[Run] = []
    styles: list[tuple[object, ...]] = []
    for run in runs:
        bold = run.bold and not plain_bold
        style = (bold, run.italic, run.mono, run.struck, run.script, run.url)
        if merged and (style == styles[-1] or (not run.text.strip() and run.url == merged[-1].url)):
            merged[-1] = _with_text(merged[-1], merged[-1].text + run.text)
            continue
        merged.append(Run(run.text, 0, 0, 0, run.size, bold, *style[1:]))
        styles.append(style)
    return merged


def _with_text(run: Run, text: str) -> Run:
    return Run(text, 0, 0, 0, run.size, run.bold, run.italic, run.mono, run.struck, run.script, run.url)
