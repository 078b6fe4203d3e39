"""Lines of tables in GitHub's syntax, written without a tree: sheets may have a million cells."""

import re
from collections.abc import Sequence

from mediakit.engines.markdown import inline
from mediakit.engines.markdown.tokens import Token

_MARKUP = re.compile(r"[\\`*_~\[\]<&!|\n\r\t]|  ")
_NEWLINE = re.compile(r"\r\n?|\n")


def cell_text(text: str) -> str:
    """Return a text as a cell: Markdown syntax is escaped, and lines are separated by `<br>`."""
    if not _MARKUP.search(text):
        return text.strip()
    tokens: list[Token] = []
    for index, line in enumerate(_NEWLINE.split(text.strip())):
        if index:
            tokens.append(Token("break"))
        tokens.append(Token("text", line))
    return inline.write_cell(tokens)


def row_line(cells: Sequence[str]) -> str:
    """Return the line of a row of cells that `cell_text` has written."""
    return f"| {' | '.join(cells)} |"


def delimiter_line(width: int) -> str:
    """Return the line below the header of a table with this number of columns."""
    return f"|{' --- |' * width}"
