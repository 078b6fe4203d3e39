"""A whole HTML page in one file, and its contents: it has its styles and fonts inside, and loads nothing but images."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Literal

from mediakit.engines.direction import direction_of
from mediakit.engines.fonts import Family, font_face_css
from mediakit.engines.rich_text.markdown import Heading
from mediakit.engines.rich_text.rendering import highlight_css

Theme = Literal["plain", "report", "github"]
Medium = Literal["screen", "print"]

FOLDER = Path(__file__).parent / "themes"

SECURITY_POLICY = "default-src 'none'; img-src data: http: https:; style-src 'unsafe-inline'; font-src data:"
"""A content security policy: what cleaning might let through does not run."""

_FAMILIES: dict[Theme, tuple[Family, ...]] = {"plain": ("sans",), "report": ("sans", "serif"), "github": ("sans",)}

LABELS = {
    "ar": "المحتويات", "bg": "Съдържание", "ca": "Contingut", "cs": "Obsah", "da": "Indhold", "de": "Inhalt",
    "el": "Περιεχόμενα", "en": "Contents", "es": "Contenido", "fa": "فهرست", "fi": "Sisällys", "fr": "Sommaire",
    "he": "תוכן העניינים", "hu": "Tartalom", "id": "Daftar isi", "it": "Indice", "ja": "目次", "ko": "목차",
    "nb": "Innhold", "nl": "Inhoud", "no": "Innhold", "pl": "Spis treści", "pt": "Índice", "ro": "Cuprins",
    "ru": "Содержание", "sk": "Obsah", "sv": "Innehåll", "tr": "İçindekiler", "uk": "Зміст", "vi": "Mục lục",
    "zh": "目录",
}  # fmt: skip
"""The word for contents by language."""

MAX_DEPTH = 3
"""Levels of headings in the contents."""


@dataclass(frozen=True)
class Page:
    """What a page says about itself."""

    title: str
    lang: str = "en"
    """BCP 47 tag; the direction of the text follows from it."""
    author: str = ""


def write_page(page: Page, body: str, styles: Sequence[str]) -> str:
    """Return a whole page with clean HTML, and with style sheets in their order."""
    author = f'<meta name="author" content="{escape(page.author)}">\n' if page.author else ""
    css = "\n".join(filter(None, styles)).strip()
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(page.lang)}" dir="{direction_of(page.lang)}">\n<head>\n'
        f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{SECURITY_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n{author}'
        f"<title>{escape(page.title)}</title>\n<style>\n{css}\n</style>\n</head>\n<body>\n{body.strip()}\n</body>\n</html>\n"
    )


def theme_css(theme: Theme, body: str, medium: Medium = "screen") -> list[str]:
    """Return the style sheets of a theme, with the parts of its fonts that the HTML of a text needs.

    Those for print have no dark colors, wrap code, and embed all fonts, since those of servers differ.
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

    The title is above a text without a heading of level 1.
    """
    from mediakit.engines.rich_text.rendering import render_markdown

    kept = '<div style="white-space: pre-wrap; overflow-wrap: anywhere">{}</div>'
    body = render_markdown(text) if is_markdown else kept.format(escape(text))
    if title and "<h1" not in body:
        body = f"<h1>{escape(title)}</h1>\n{body}"
    if medium == "print":
        body = open_sections(body)
    return write_page(Page(title or "Document"), f"<main>\n{body}\n</main>", theme_css("plain", body, medium))


def open_sections(html: str) -> str:
    """Return HTML whose collapsed sections are open: paper has no button to open them."""
    return re.sub(r"<details\b(?![^>]*\sopen\b)", '<details open=""', html)


def contents_label(lang: str) -> str:
    """Return the word for contents in a language, in English for languages that are not listed."""
    return LABELS.get(lang.lower().partition("-")[0], LABELS["en"])


def contents_headings(headings: Sequence[Heading]) -> list[Heading]:
    """Return the headings that stand in the contents: the upper levels, without the title."""
    listed = [heading for heading in headings if not heading.is_title]
    levels = sorted({heading.level for heading in listed})[:MAX_DEPTH]
    return [heading for heading in listed if heading.level in levels]


def contents_html(
    headings: Sequence[Heading], lang: str, *, numbered: bool = False, pages: Mapping[str, str] | None = None
) -> str:
    """Return the contents as HTML, for print with the page of each heading by its anchor; empty without headings."""
    if not (listed := contents_headings(headings)):
        return ""
    levels = sorted({heading.level for heading in listed})
    entries = ""
    for heading in listed:
        number = f'<span class="contents-number">{heading.number}</span> ' if numbered and heading.number else ""
        text = f'<span class="contents-text">{number}{escape(heading.text)}</span>'
        if pages is not None:
            page = escape(pages.get(heading.anchor, ""))
            text += f'<span class="contents-dots" aria-hidden="true"></span><span class="contents-page">{page}</span>'
        level = levels.index(heading.level) + 1
        entries += f'<li class="contents-{level}"><a href="#{escape(heading.anchor)}">{text}</a></li>\n'
    label = escape(contents_label(lang))
    title = f'<p class="contents-title">{label}</p>'
    return f'<nav class="contents" aria-label="{label}">\n{title}\n<ol>\n{entries}</ol>\n</nav>'


@cache
def _sheet(name: str) -> str:
    return (FOLDER / f"{name}.css").read_text("utf-8").strip()
