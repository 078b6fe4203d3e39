"""The contact sheet of templates: all templates in both languages, with texts of many kinds."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

from mediakit.cli.contact_sheets.contact_sheet import ContactSheet, Figure, Section
from mediakit.core.fields import Language
from mediakit.engines.paper import PaperFormat
from mediakit.engines.templates import TEMPLATES, Template, TemplateName
from mediakit.results.image import ImageResult
from mediakit.results.pdf import PdfResult
from mediakit.samples.template_texts import KINDS, sample_texts

LANGUAGES: Mapping[Language, str] = {"en": "English", "es": "Spanish"}
CAPTIONS = {"example": "Example texts", **KINDS, "minimal": "Only the essential texts", "empty": "All texts empty"}
"""Captions by kind of texts."""
ACCENTS = {"light": "#ffd166", "dark": "#14213d", "vivid": "#ff006e"}
ESSENTIAL_KEYS: Mapping[str, tuple[str, ...]] = {
    "social": ("title",),
    "og": ("title",),
    "youtube": ("title",),
    "invoice": ("title", "company", "client", "item1_name", "item1_total", "total"),
    "receipt": ("store", "item1_name", "item1_price", "total"),
    "certificate": ("title", "recipient", "course"),
}
"""The keys that have a text in the figures of the kind `minimal`; all others are empty."""
STYLE_KINDS = ("example", "long", "ar", "minimal")
"""The kinds of texts in the figures of further styles."""
OTHER_PAPER: Mapping[str, tuple[PaperFormat, ...]] = {
    "invoice": ("A5", "Letter"),
    "receipt": ("A4", "Letter"),
    "certificate": ("A5", "Letter"),
}
"""Paper formats of further PDFs."""


def texts(template: Template, kind: str, lang: Language) -> dict[str, str]:
    """Return the texts of a kind for a template, by key.

    Args:
        template: The template.
        kind: A kind of CAPTIONS.
        lang: The language of the texts, for kinds that exist in both languages.
    """
    if kind == "example":
        return {}
    if kind in ("minimal", "empty"):
        kept = ESSENTIAL_KEYS[template.name] if kind == "minimal" else ()
        return {key.name: key.example(lang) if key.name in kept else "" for key in template.keys}
    return sample_texts(template.name, kind, lang)


def _section(template: Template, lang: Language) -> Section:
    images = [Figure(caption, _capture(template, lang, kind)) for kind, caption in CAPTIONS.items()]
    accents = [
        Figure(f"{CAPTIONS[kind]}, {name} accent", _capture(template, lang, kind, accent))
        for name, accent in ACCENTS.items()
        for kind in ("example", "long")
    ]
    styles = [
        Figure(f"{CAPTIONS[kind]}, style {style}", _capture(template, lang, kind, style=style))
        for style in template.styles[1:]
        for kind in STYLE_KINDS
    ]
    pdfs = [
        Figure(f"{CAPTIONS[kind]}, PDF on {paper or template.pdf_format}", _pdf(template, lang, kind, paper))
        for paper in (None, *OTHER_PAPER.get(template.name, ()))
        for kind in (("long",) if paper else ("example", "long", "ar"))
    ]
    return Section(f"{template.name} · {LANGUAGES[lang]}", (*images, *styles, *accents, *pdfs), template.description)


def _capture(
    template: Template, lang: Language, kind: str, accent: str = "", style: str | None = None
) -> Callable[[], ImageResult]:
    from mediakit.tools.images.capture import capture

    data = texts(template, kind, lang) | ({"accent": accent} if accent else {})
    return partial(
        capture,
        template=_name(template),
        style=style,
        data=data,
        lang=lang,
        format="webp",
        full_page=template.grows,
    )


def _pdf(template: Template, lang: Language, kind: str, paper: PaperFormat | None) -> Callable[[], PdfResult]:
    from mediakit.tools.pdf.pdf import pdf

    landscape = template.landscape if paper else None
    data = texts(template, kind, lang)
    return partial(pdf, template=_name(template), data=data, lang=lang, format=paper, landscape=landscape)


def _name(template: Template) -> TemplateName:
    return cast("TemplateName", template.name)


CONTACT_SHEET = ContactSheet(
    name="templates",
    title="Templates",
    description="All templates in English and Spanish, with texts of many kinds, in other colors and as PDFs.",
    sections=tuple(_section(template, lang) for template in TEMPLATES.values() for lang in LANGUAGES),
)
