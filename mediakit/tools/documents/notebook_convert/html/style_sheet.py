"""The style sheet of notebooks: light, dark and for print."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from mediakit.tools.documents.notebook_convert.request import Theme

LIGHT: Mapping[str, str] = {
    "page": "#ffffff",
    "text": "#1f2430",
    "muted": "#626b7a",
    "line": "#dfe3ea",
    "code": "#f5f6f9",
    "stripe": "#f8f9fb",
    "link": "#0b5cad",
    "accent": "#3867c8",
    "warn": "#fdf6e7",
    "warn-line": "#e2b455",
    "error": "#fdf1f1",
    "error-line": "#d3565b",
    "image": "transparent",
}
DARK: Mapping[str, str] = {
    "page": "#14171d",
    "text": "#e3e6ec",
    "muted": "#9aa4b3",
    "line": "#323945",
    "code": "#1c2028",
    "stripe": "#191d24",
    "link": "#7db7ff",
    "accent": "#7aa2f7",
    "warn": "#2a2417",
    "warn-line": "#a5812f",
    "error": "#2c1b1e",
    "error-line": "#c2575d",
    "image": "#ffffff",
}
LIGHT_ANSI = {
    "black": ("#3b4252", "#626b7a"),
    "red": ("#b4232a", "#c4393f"),
    "green": ("#1a7431", "#257a3b"),
    "yellow": ("#8a5a00", "#8f6400"),
    "blue": ("#1456b8", "#2a63c0"),
    "magenta": ("#8a35a8", "#9a45b5"),
    "cyan": ("#0b7180", "#147482"),
    "white": ("#626b7a", "#3b4252"),
}
DARK_ANSI = {
    "black": ("#8b95a5", "#a3adbb"),
    "red": ("#ff8a8a", "#ffa3a3"),
    "green": ("#7ddc94", "#9be8ad"),
    "yellow": ("#e8c268", "#f2d58d"),
    "blue": ("#86b4ff", "#a5c8ff"),
    "magenta": ("#dc9cf0", "#e8b8f7"),
    "cyan": ("#6fd3e0", "#94e1eb"),
    "white": ("#d5dae3", "#ffffff"),
}
"""Normal and bright color of text, with a contrast of at least 4.5 on the page and on code."""


@cache
def _sheet() -> str:
    return (Path(__file__).parent / "notebook.css").read_text("utf-8").strip()


def style_sheet(theme: Theme) -> str:
    """Return the style sheet of a page."""
    from mediakit.engines.rich_text.highlighting import highlight_css

    is_dark = theme == "dark"
    variables = "".join(f"--{name}:{color};" for name, color in (DARK if is_dark else LIGHT).items())
    ansi = DARK_ANSI if is_dark else LIGHT_ANSI
    rules = [f":root{{--scheme:{theme};{variables}}}", _sheet(), *_ansi_rules(ansi)]
    return "\n".join((*rules, highlight_css("pre"), *([highlight_css("pre", dark=True)] if is_dark else ())))


def _ansi_rules(colors: Mapping[str, tuple[str, str]]) -> list[str]:
    rules = []
    for name, (normal, bright) in colors.items():
        rules += [f".ansi-{name}{{color:{normal}}}", f".ansi-bright-{name}{{color:{bright}}}"]
        rules += [f".ansi-bg-{name}{{background:{normal};color:var(--page)}}"]
        rules += [f".ansi-bg-bright-{name}{{background:{bright};color:var(--page)}}"]
    return rules
