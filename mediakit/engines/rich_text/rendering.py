"""Render a parsed document as clean HTML, with code highlighted by Pygments."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from mediakit.engines.direction import is_mostly_right_to_left
from mediakit.engines.rich_text.cleaning import clean_html
from mediakit.engines.rich_text.markdown import Document, parse_markdown, parser, plain_text
from mediakit.engines.rich_text.maths import Formulas

if TYPE_CHECKING:
    from markdown_it.token import Token
    from pygments.formatters.html import HtmlFormatter
    from pygments.lexer import Lexer


MAX_CHARACTERS = 200_000
"""Longer code is not highlighted."""


class _Role(NamedTuple):
    classes: str
    """Short classes of Pygments."""
    light: str
    dark: str
    """Colors with a contrast of at least 4.5 on the backgrounds of code."""


_COMMENT = "c ch cm c1 cs cpf"
_ROLES = (
    _Role(_COMMENT, "#59636e", "#9aa4af"),
    _Role("k kc kd kn kr kt ow", "#b4233c", "#ff8a84"),
    _Role("s sa sb sc dl sd s2 sh si sx sr s1 ss", "#0a5c8f", "#a5d6ff"),
    _Role("m mb mf mh mi mo il kc", "#0550ae", "#79c0ff"),
    _Role("nf fm nc nn nd ne", "#6f3cc3", "#d2a8ff"),
    _Role("nt nl nb bp", "#116329", "#7ee787"),
    _Role("na nv vc vg vi vm py no", "#8a4600", "#ffb871"),
    _Role("cp se gh gu", "#8a4600", "#ffb871"),
    _Role("gi", "#116329", "#7ee787"),
    _Role("gd gr", "#b4233c", "#ff8a84"),
    _Role("gp go lineno", "#59636e", "#9aa4af"),
)
"""What tokens stand for: comments, keywords, strings, numbers, names, tags, attributes, preprocessors, insertions,
deletions and prompts."""


def highlight(code: str, language: str) -> str:
    """Return code as HTML: spans with classes if the language is known, such as `python`, `js` or `C++`."""
    lexer = _lexer(language.lower())
    if lexer is None or len(code) > MAX_CHARACTERS:
        return escape(code)
    from pygments import highlight as format_code

    return format_code(code, lexer, _formatter()).removesuffix("" if code.endswith("\n") else "\n")


def highlight_css(scope: str = "", *, dark: bool = False) -> str:
    """Return the style sheet of highlighted code, below the elements of a selector, for light or dark pages."""
    rules = [f"{_selectors(scope, role.classes)}{{color:{role.dark if dark else role.light}}}" for role in _ROLES]
    if not dark:
        rules += [f"{_selectors(scope, _COMMENT)}{{font-style:italic}}", f"{scope} .ge{{font-style:italic}}"]
        rules += [f"{scope} .gs{{font-weight:600}}"]
    return "\n".join(rules)


def token_styles() -> Mapping[str, str]:
    """Return the color of each short class of Pygments on a light page, for outputs that are not HTML."""
    return {name: role.light for role in _ROLES for name in role.classes.split()}


def _selectors(scope: str, classes: str) -> str:
    return ",".join(f"{scope} .{name}".strip() for name in classes.split())


@cache
def _formatter() -> "HtmlFormatter[str]":
    from pygments.formatters.html import HtmlFormatter

    return HtmlFormatter(nowrap=True)


@cache
def _aliases() -> frozenset[str]:
    """Return the names of all lexers of Pygments, without those of other installed packages."""
    from pygments.lexers import get_all_lexers

    return frozenset(alias.lower() for _, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases)


@cache
def _lexer(language: str) -> "Lexer | None":
    from pygments.lexers import get_lexer_by_name

    if language in ("", "text", "plain", "txt") or language not in _aliases():
        return None
    return get_lexer_by_name(language, stripnl=False, ensurenl=True)


MAX_HIGHLIGHTED_CHARACTERS = 500_000
"""Characters of code that are highlighted in a document; the rest is plain."""

MAX_WORD = 24
"""Characters of a word that a table cell does not break."""

WIDE_COLUMNS = 8
VERY_WIDE_COLUMNS = 14
"""Tables of at least so many columns have the class `wide` or `very-wide`, for smaller text."""

_DIRECTED = frozenset(
    f"{name}_open" for name in ("paragraph", "heading", "bullet_list", "ordered_list", "table", "blockquote", "dl")
)
"""Blocks that can have a direction of their own."""
_LANGUAGE = re.compile(r"[^\s{},]+")
_FORM_FIELD = re.compile(r"<(?=/?input\b)", re.IGNORECASE)


@dataclass(frozen=True)
class RenderOptions:
    """How a document is rendered."""

    highlighted: bool = True
    """Color code. The style sheet is `highlight_css`."""
    scrolling_tables: bool = False
    """Put each table into a box of the class `table-box`, in which a wide table scrolls."""
    numbered: bool = False
    """Write the numbers of headings in front of them."""
    styles: bool = False
    """Keep the `style` attributes of raw HTML, with properties that neither load nor cover anything."""
    rtl: bool = False
    """Whether the page runs from right to left. If not, blocks of such text have the attribute `dir`."""


@dataclass(frozen=True)
class Rendered:
    """HTML of a document, and what could not be rendered."""

    html: str
    warnings: Sequence[str]


def render(document: Document, options: RenderOptions) -> Rendered:
    """Return a document as HTML without scripts and forms of its author."""
    rendering = _Rendering(document, options)
    return Rendered(clean_html(rendering.html(), styles=options.styles), rendering.warnings())


def render_markdown(text: str, *, styles: bool = False) -> str:
    """Return Markdown as clean HTML with highlighted code, such as a cell of a notebook."""
    return render(parse_markdown(text), RenderOptions(styles=styles)).html


class _Rendering:
    """One rendering: what it needs to know, and what it finds."""

    def __init__(self, document: Document, options: RenderOptions) -> None:
        self._document = document
        self._options = options
        self._numbers = {heading.index: heading.number for heading in document.headings}
        self._highlighted = 0
        self._formulas = Formulas()
        self.warnings = self._formulas.warnings

    def html(self) -> str:
        from markdown_it.renderer import RendererHTML

        if not self._options.rtl:
            _set_directions(self._document.tokens)
        renderer = RendererHTML()
        renderer.rules = {**parser().renderer.rules, **self._rules()}  # type: ignore[attr-defined]
        return renderer.render(list(self._document.tokens), parser().options, dict(self._document.env))

    def _rules(self) -> dict[str, Any]:
        """Return how tokens are rendered, by type. Tables in whole pages have classes for their styles."""
        tables = {"table_open": self._table_open, "table_close": lambda *_: "</table>\n</div>\n"}
        return {
            "fence": self._fence,
            "heading_open": self._heading_open,
            "s_open": lambda *_: "<del>",
            "s_close": lambda *_: "</del>",
            **(tables if self._options.scrolling_tables else {}),
            "td_open": self._cell_open,
            "th_open": self._cell_open,
            "html_block": self._raw_html,
            "html_inline": self._raw_html,
            "math_inline": self._inline_maths,
            "math_inline_double": self._inline_maths,
            "math_block": lambda tokens, index, *_: (
                f"<p>{self._formulas.write(tokens[index].content, block=True)}</p>\n"
            ),
        }

    def _fence(self, tokens: Sequence["Token"], index: int, _options: Any, _env: Any) -> str:
        """Return a block of code, whose language is the first word of its info string, also in `{.python}`."""
        from markdown_it.common.utils import unescapeAll

        content, match = tokens[index].content, _LANGUAGE.search(unescapeAll(tokens[index].info).strip())
        language = match[0].removeprefix(".") if match else ""
        if language == "math":
            return f"<p>{self._formulas.write(content, block=True)}</p>\n"
        self._highlighted += len(content)
        is_colored = language and self._options.highlighted and self._highlighted <= MAX_HIGHLIGHTED_CHARACTERS
        attribute = f' class="language-{escape(language)}"' if language else ""
        return f"<pre><code{attribute}>{highlight(content, language) if is_colored else escape(content)}</code></pre>\n"

    def _inline_maths(self, tokens: Sequence["Token"], index: int, _options: Any, _env: Any) -> str:
        content, block = tokens[index].content, tokens[index].type == "math_inline_double"
        return self._formulas.write(content.removeprefix("`").removesuffix("`"), block=block)

    def _heading_open(self, tokens: Sequence["Token"], index: int, _options: Any, _env: Any) -> str:
        token = tokens[index]
        number = self._numbers.get(index, "") if self._options.numbered else ""
        prefix = f'<span class="heading-number">{number}</span> ' if number else ""
        return f'<{token.tag} id="{escape(str(token.attrGet("id") or ""))}"{_direction(token)}>{prefix}'

    def _cell_open(self, tokens: Sequence["Token"], index: int, _options: Any, _env: Any) -> str:
        """Return the start of a cell with the attribute `align`: cleaning removes styles."""
        token = tokens[index]
        align = str(token.attrGet("style") or "").rpartition(":")[2]
        attributes = f' align="{align}"' if align in ("left", "center", "right") else ""
        if self._options.scrolling_tables and max(map(len, tokens[index + 1].content.split()), default=0) > MAX_WORD:
            attributes += ' class="long"'
        return f"<{token.tag}{attributes}>"

    def _table_open(self, tokens: Sequence["Token"], index: int, _options: Any, _env: Any) -> str:
        end = next(at for at in range(index, len(tokens)) if tokens[at].type == "thead_close")
        columns = sum(token.type == "th_open" for token in tokens[index:end])
        kind = "very-wide" if columns >= VERY_WIDE_COLUMNS else "wide" if columns >= WIDE_COLUMNS else ""
        attribute = f' class="{kind}"' if kind else ""
        return f'<div class="table-box"{_direction(tokens[index])}>\n<table{attribute}>\n'

    def _raw_html(self, tokens: Sequence["Token"], index: int, _options: Any, _env: Any) -> str:
        """Return raw HTML, in which form fields are unknown elements, so that cleaning removes them."""
        return _FORM_FIELD.sub("<x-", tokens[index].content)


def _set_directions(tokens: Sequence["Token"]) -> None:
    """Set the attribute `dir` of blocks with more letters of right-to-left scripts than of others."""
    opened: list[tuple[Token, list[str]]] = []
    for token in tokens:
        if token.type == "inline":
            text = plain_text(token.children or ())
            for _, texts in opened:
                texts.append(text)
        elif token.type in _DIRECTED:
            opened.append((token, []))
        elif token.nesting < 0 and token.type.replace("_close", "_open") in _DIRECTED:
            opening, texts = opened.pop()
            if is_mostly_right_to_left("".join(texts)):
                opening.attrSet("dir", "rtl")


def _direction(token: "Token") -> str:
    return ' dir="rtl"' if token.attrGet("dir") else ""
