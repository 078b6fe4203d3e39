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
