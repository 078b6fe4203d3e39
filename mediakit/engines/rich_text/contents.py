"""The contents of a document as HTML: a list of links to its headings."""

from collections.abc import Mapping, Sequence
from html import escape

from mediakit.engines.rich_text.document import Heading

LABELS = {
    "ar": "المحتويات",
    "bg": "Съдържание",
    "ca": "Contingut",
    "cs": "Obsah",
    "da": "Indhold",
    "de": "Inhalt",
    "el": "Περιεχόμενα",
    "en": "Contents",
    "es": "Contenido",
    "fa": "فهرست",
    "fi": "Sisällys",
    "fr": "Sommaire",
    "he": "תוכן העניינים",
    "hu": "Tartalom",
    "id": "Daftar isi",
    "it": "Indice",
    "ja": "目次",
    "ko": "목차",
    "nb": "Innhold",
    "nl": "Inhoud",
    "no": "Innhold",
    "pl": "Spis treści",
    "pt": "Índice",
    "ro": "Cuprins",
    "ru": "Содержание",
    "sk": "Obsah",
    "sv": "Innehåll",
    "tr": "İçindekiler",
    "uk": "Зміст",
    "vi": "Mục lục",
    "zh": "目录",
}

MAX_DEPTH = 3
"""Levels of headings in the contents."""


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
    """Return the contents as HTML; empty for a document without headings.

    Args:
        headings: The headings of the document.
        lang: Language of the label.
        numbered: Whether to write the numbers of the headings.
        pages: The page of each heading by its anchor, for print.
    """
    listed = contents_headings(headings)
    if not listed:
        return ""
    levels = sorted({heading.level for heading in listed})
    items = [
        f'<li class="contents-{levels.index(heading.level) + 1}">'
        f'<a href="#{escape(heading.anchor)}">{_entry(heading, numbered, pages)}</a></li>'
        for heading in listed
    ]
    label = escape(contents_label(lang))
    entries = "\n".join(items)
    title = f'<p class="contents-title">{label}</p>'
    return f'<nav class="contents" aria-label="{label}">\n{title}\n<ol>\n{entries}\n</ol>\n</nav>'


def _entry(heading: Heading, numbered: bool, pages: Mapping[str, str] | None) -> str:  # noqa: FBT001
    number = f'<span class="contents-number">{heading.number}</span> ' if numbered and heading.number else ""
    text = f'<span class="contents-text">{number}{escape(heading.text)}</span>'
    if pages is None:
        return text
    page = escape(pages.get(heading.anchor, ""))
    return f'{text}<span class="contents-dots" aria-hidden="true"></span><span class="contents-page">{page}</span>'
