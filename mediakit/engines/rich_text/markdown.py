"""Parse Markdown: CommonMark, GitHub Flavored Markdown, footnotes, definition lists, maths and front matter."""

import re
from functools import cache
from typing import TYPE_CHECKING

from mediakit.engines.rich_text.anchors import find_headings, plain_text
from mediakit.engines.rich_text.autolinks import autolinks_plugin
from mediakit.engines.rich_text.document import Document
from mediakit.engines.rich_text.front_matter import split_front_matter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

MAX_NESTING = 100
"""Levels of nested blocks. Deeper content is omitted."""

MAX_INLINE_NESTING = 20
"""Levels of nested links and images. Each level multiplies the time for text that only opens brackets."""

_REFUSED_LINK = re.compile(r"(?:javascript|vbscript|livescript|file|data|blob|filesystem|view-source):", re.IGNORECASE)
_IMAGE_DATA = re.compile(r"data:image/(?:png|jpe?g|gif|webp|avif|bmp|svg\+xml)[;,]", re.IGNORECASE)
_IGNORED_IN_SCHEME = re.compile(r"[\x00-\x20\x7f]+")

_DELIMITER_ROW = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_CONTAINERS = re.compile(r"(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*+")
_CELL_END = re.compile(r"(?<!\\)\|")
_FORMULA = re.compile(r"\$\$(?:[^$\\]|\\.)++\$\$|(?<![\\\d$])\$(?![\s$])(?:[^$\\]|\\.)++(?<!\s)\$(?![\d$])")
_HIDDEN_BAR = "\ufdd0"
"""Stands for a bar in a formula while blocks are parsed: a noncharacter of Unicode."""

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\W_]+(?:['’.,\-][^\W_]+)*")
"""A word; each character of Chinese and Japanese counts as one."""


def parse_markdown(text: str, title: str = "") -> Document:
    """Return the parsed document of a Markdown text. Its time grows linearly with the text.

    Args:
        text: Markdown, with front matter or without.
        title: Title of the document, in place of the one in the text.
    """
    front_matter, body = split_front_matter(text.replace("\r\n", "\n").replace("\r", "\n"))
    env: dict[str, object] = {}
    tokens = parser().parse(body.removeprefix("\ufeff"), env)
    title = title or front_matter.title
    headings = find_headings(tokens, title)
    return Document(
        tokens=tokens,
        title=title or (headings[0].text if headings else ""),
        front_matter=front_matter,
        headings=headings,
        words=count_words(tokens),
        warnings=list(_warnings(tokens)),
        env=env,
    )


@cache
def parser() -> "MarkdownIt":
    """Return the parser, which is shared: its rules and options must not be changed."""
    markdown = _new_parser(MAX_NESTING)
    inline = _new_parser(MAX_INLINE_NESTING)

    def parse_inline(state: "StateCore") -> None:
        for token in state.tokens:
            if token.type == "inline":
                token.children = []
                inline.inline.parse(token.content, inline, state.env, token.children)

    markdown.core.ruler.at("inline", parse_inline)
    markdown.core.ruler.before("block", "hide_bars", _hide_bars)
    markdown.core.ruler.after("block", "show_bars", _show_bars)
    return markdown


def _new_parser(max_nesting: int) -> "MarkdownIt":
    from markdown_it import MarkdownIt
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    options = {"tasklists": True, "alerts": True, "strikethrough_single_tilde": True, "maxNesting": max_nesting}
    markdown = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    markdown.validateLink = is_safe_link  # type: ignore[method-assign]
    footnote_plugin(markdown, inline=False)
    deflist_plugin(markdown)
    dollarmath_plugin(
        markdown, allow_space=False, allow_digits=False, allow_blank_lines=False, allow_labels=False, double_inline=True
    )
    autolinks_plugin(markdown)
    return markdown


def _hide_bars(state: "StateCore") -> None:
    """Hide the bars in the formulas of tables, where they would end a cell: `| $|x|$ | length |`.

    Only in rows with more cells than the table has columns: these would lose text. All others are as GFM has them.
    """
    if "$" not in state.src or _HIDDEN_BAR in state.src:
        return
    lines = state.src.split("\n")
    columns = 0
    for index, line in enumerate(lines):
        row = _row(line)
        if columns and row:
            lines[index] = _without_bars(line, columns)
        elif index and "|" in row and _DELIMITER_ROW.fullmatch(row):
            columns = _count_cells(row)
            lines[index - 1] = _without_bars(lines[index - 1], columns)
        else:
            columns = 0
    state.src = "\n".join(lines)


def _show_bars(state: "StateCore") -> None:
    for token in state.tokens:
        token.content = token.content.replace(_HIDDEN_BAR, "|")
        token.info = token.info.replace(_HIDDEN_BAR, "|")


def _without_bars(line: str, columns: int) -> str:
    if _count_cells(_row(line)) <= columns:
        return line
    return _FORMULA.sub(lambda formula: _CELL_END.sub(_HIDDEN_BAR, formula[0]), line)


def _count_cells(row: str) -> int:
    return len(_CELL_END.findall(row)) + 1 - row.startswith("|") - (row.endswith("|") and not row.endswith("\\|"))


def _row(line: str) -> str:
    """Return a line without what block quotes and lists write before it."""
    match = _CONTAINERS.match(line)
    return line[match.end() if match else 0 :].rstrip()


def is_safe_link(url: str) -> bool:
    """Return whether an address may be in a document: not a script, not a local file, and no data but images."""
    plain = _IGNORED_IN_SCHEME.sub("", url)
    return not _REFUSED_LINK.match(plain) or bool(_IMAGE_DATA.match(plain))


def count_words(tokens: "Sequence[Token]") -> int:
    """Return the number of words, without code blocks and raw HTML."""
    texts = (plain_text(token.children or ()) for token in tokens if token.type == "inline")
    return sum(len(_WORD.findall(text)) for text in texts)


def _warnings(tokens: "Sequence[Token]") -> "Sequence[str]":
    if any(token.level >= MAX_NESTING - 1 for token in tokens):
        return [f"Content that is nested deeper than {MAX_NESTING} levels may have been omitted."]
    return []
