"""Highlight code with Pygments: spans with the short classes of Pygments, and style sheets for light and dark."""

from collections.abc import Mapping
from functools import cache
from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
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
    """Return code as HTML: spans with classes if the language is known, else escaped text.

    Args:
        code: The code.
        language: A name or alias such as `python`, `js`, `c++`, in any case.
    """
    lexer = _lexer(language.lower())
    if lexer is None or len(code) > MAX_CHARACTERS:
        return escape(code)
    from pygments import highlight as format_code

    return format_code(code, lexer, _formatter()).removesuffix("" if code.endswith("\n") else "\n")


def highlight_css(scope: str = "", *, dark: bool = False) -> str:
    """Return the style sheet of highlighted code, with the colors of light or dark pages.

    Args:
        scope: Selector of the elements that hold code, such as `pre`.
        dark: Colors for a dark background.
    """
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
