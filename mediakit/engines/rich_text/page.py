"""A whole HTML page in one file: it has its styles and fonts inside, runs no scripts and loads nothing but images."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Literal

from mediakit.engines.direction import direction_of
from mediakit.engines.fonts import Family, font_face_css
from mediakit.engines.rich_text.highlighting import highlight_css

Theme = Literal["plain", "report", "github"]
Medium = Literal["screen", "print"]

FOLDER = Path(__file__).parent / "themes"

SECURITY_POLICY = "default-src 'none'; img-src data: http: https:; style-src 'unsafe-inline'; font-src data:"
"""A content security policy: what cleaning might let through does not run."""

_FAMILIES: dict[Theme, tuple[Family, ...]] = {
    "plain": ("sans",),
    "report": ("sans", "serif"),
    "github": ("sans",),
}


@dataclass(frozen=True)
class Page:
    """What a page says about itself."""

    title: str
    lang: str = "en"
    """BCP 47 tag; the direction of the text follows from it."""
    author: str = ""


def write_page(page: Page, body: str, styles: Sequence[str]) -> str:
    """Return a whole page.

    Args:
        page: Title and language.
        body: Clean HTML.
        styles: Style sheets, in their order.
    """
    author = f'<meta name="author" content="{escape(page.author)}">\n' if page.author else ""
    css = "\n".join(filter(None, styles)).strip()
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(page.lang)}" dir="{direction_of(page.lang)}">\n<head>\n'
        f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{SECURITY_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n{author}'
        f"<title>{escape(page.title)}</title>\n<style>\n{css}\n</style>\n</head>\n<body>\n{body.strip()}\n</body>\n</html>\n"
    )


def theme_css(theme: Theme, body: str, medium: Medium = "screen") -> list[str]:
    """Return the style sheets of a theme, with the parts of its fonts that a text needs.

    Args:
        theme: The theme.
        body: HTML of the text.
        medium: `print` has no dark colors, wraps code, and embeds all fonts, since those of servers differ.
    """
    families = _FAMILIES[theme] if medium == "print" or theme != "github" else ()
    if families and "<code" in body:
        families = (*families, "mono")
    fonts = font_face_css(body, families) if families else ""
    parts = [fonts, _sheet("base"), _sheet(theme), highlight_css("pre")]
    if medium == "print":
        return [*parts, _sheet("print")]
    dark = f"{_sheet(f'{theme}_dark')}\n{highlight_css('pre', dark=True)}"
    return [*parts, f"@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}", _sheet("screen")]


def text_page(text: str, title: str, medium: Medium, is_markdown: bool) -> str:  # noqa: FBT001  # called in a worker
    """Return a whole page of Markdown, or of plain text, which keeps its line breaks and spaces.

    Args:
        text: The text.
        title: The title, which is above a text without a heading of level 1; empty for none.
        medium: What the page is for.
        is_markdown: Whether the text is Markdown.
    """
    from mediakit.engines.rich_text.rendering import render_markdown

    kept = '<div style="white-space: pre-wrap; overflow-wrap: anywhere">{}</div>'
    body = render_markdown(text) if is_markdown else kept.format(escape(text))
    if title and "<h1" not in body:
        body = f"<h1>{escape(title)}</h1>\n{body}"
    return write_page(Page(title or "Document"), f"<main>\n{body}\n</main>", theme_css("plain", body, medium))


@cache
def _sheet(name: str) -> str:
    return (FOLDER / f"{name}.css").read_text("utf-8").strip()
