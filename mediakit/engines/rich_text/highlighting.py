"""Highlight code with Pygments: spans with the short classes of Pygments, and style sheets for light and dark."""

from collections.abc import Mapping
from functools import cache
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.formatters.html import HtmlFormatter
    from pygments.lexer import Lexer

MAX_CHARACTERS = 200_000
"""Longer code is not highlighted."""

_ROLES = {
    "comment": "c ch cm c1 cs cpf",
    "keyword": "k kc kd kn kr kt ow",
    "string": "s sa sb sc dl sd s2 sh si sx sr s1 ss",
    "number": "m mb mf mh mi mo il kc",
    "name": "nf fm nc nn nd ne",
    "tag": "nt nl nb bp",
    "attribute": "na nv vc vg vi vm py no",
    "preprocessor": "cp se gh gu",
    "inserted": "gi",
    "deleted": "gd gr",
    "prompt": "gp go lineno",
}
"""Token classes of Pygments by what they stand for."""

LIGHT: Mapping[str, str] = {
    "comment": "#59636e",
    "keyword": "#b4233c",
    "string": "#0a5c8f",
    "number": "#0550ae",
    "name": "#6f3cc3",
    "tag": "#116329",
    "attribute": "#8a4600",
    "preprocessor": "#8a4600",
    "inserted": "#116329",
    "deleted": "#b4233c",
    "prompt": "#59636e",
}
DARK: Mapping[str, str] = {
    "comment": "#9aa4af",
    "keyword": "#ff8a84",
    "string": "#a5d6ff",
    "number": "#79c0ff",
    "name": "#d2a8ff",
    "tag": "#7ee787",
    "attribute": "#ffb871",
    "preprocessor": "#ffb871",
    "inserted": "#7ee787",
    "deleted": "#ff8a84",
    "prompt": "#9aa4af",
}
"""Colors with a contrast of at least 4.5 on the backgrounds of code."""


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


def is_known_language(language: str) -> bool:
    """Return whether code of a language can be highlighted."""
    return language.lower() in _aliases()


def highlight_css(scope: str = "", *, dark: bool = False) -> str:
    """Return the style sheet of highlighted code, with the colors of light or dark pages.

    Args:
        scope: Selector of the elements that hold code, such as `pre`.
        dark: Colors for a dark background.
    """
    colors = DARK if dark else LIGHT
    rules = [f"{_selectors(scope, role)}{{color:{color}}}" for role, color in colors.items()]
    if not dark:
        rules += [f"{_selectors(scope, 'comment')}{{font-style:italic}}", f"{scope} .ge{{font-style:italic}}"]
        rules += [f"{scope} .gs{{font-weight:600}}"]
    return "\n".join(rules)


def token_styles() -> Mapping[str, str]:
    """Return the color of each short class of Pygments on a light page, for outputs that are not HTML."""
    return {name: LIGHT[role] for role, names in _ROLES.items() for name in names.split()}


def _selectors(scope: str, role: str) -> str:
    return ",".join(f"{scope} .{name}".strip() for name in _ROLES[role].split())


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
