"""The gallery of templates: every one in both languages, with the texts that people will send."""

import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, cast

from mediakit.cli.sheets.sheet import Figure, Section, Sheet
from mediakit.core.fields import Language
from mediakit.engines.paper import PaperFormat
from mediakit.engines.templates import TEMPLATES, Template, TemplateName
from mediakit.results.image import ImageResult
from mediakit.results.pdf import PdfResult

TEXTS = Path(__file__).parent / "texts"

LANGUAGES: Mapping[Language, str] = {"en": "English", "es": "Spanish"}
KINDS = {
    "short": "Short texts",
    "long": "Long texts",
    "emoji": "Emoji",
    "zh": "Chinese",
    "ar": "Arabic",
    "he": "Hebrew",
}
ACCENTS = {"light": "#ffd166", "dark": "#14213d", "loud": "#ff006e"}
ESSENTIAL: Mapping[str, tuple[str, ...]] = {
    "social": ("title",),
    "og": ("title",),
    "youtube": ("title",),
    "invoice": ("title", "company", "client", "item1_name", "item1_total", "total"),
    "receipt": ("store", "item1_name", "item1_price", "total"),
    "certificate": ("title", "recipient", "course"),
}
"""Keys without which a template says nothing; the sparse figures leave all others empty."""
OTHER_PAPER: Mapping[str, tuple[PaperFormat, ...]] = {
    "invoice": ("A5", "Letter"),
    "receipt": ("A4", "Letter"),
    "certificate": ("A5", "Letter"),
}


def texts(template: Template, kind: str, lang: Language) -> dict[str, str]:
    """Give a template's texts of a kind, by key.

    Args:
        template: Whose keys to fill.
        kind: One of KINDS, `example`, `sparse` or `empty`.
        lang: Of the texts, where the kind has them in both languages.
    """
    if kind == "example":
        return {}
    if kind in ("sparse", "empty"):
        kept = ESSENTIAL[template.name] if kind == "sparse" else ()
        return {key.name: key.example(lang) if key.name in kept else "" for key in template.keys}
    found = tomllib.loads((TEXTS / f"{template.name}.toml").read_text(encoding="utf-8"))
    values: dict[str, Any] = found[kind] if kind in found else found[lang][kind]
    rows = cast("list[list[str]]", values.pop("items", []))
    columns = ("name", "qty", "price", "total")
    cells = {
        f"item{row}_{column}": text
        for row, cells in enumerate(rows, 1)
        for column, text in zip(columns, cells)  # noqa: B905
    }
    return values | cells


def _section(template: Template, lang: Language) -> Section:
    kinds = {"example": "Example texts", **KINDS, "sparse": "Only what is needed", "empty": "Every text empty"}
    pictures = [Figure(label, _picture(template, lang, kind)) for kind, label in kinds.items()]
    coloured = [
        Figure(f"{label}, {accent} accent", _picture(template, lang, kind, colour))
        for accent, colour in ACCENTS.items()
        for kind, label in (("example", "Example texts"), ("long", "Long texts"))
    ]
    printed = [
        Figure(f"{kinds[kind]}, PDF on {paper or template.pdf_format}", _sheet(template, lang, kind, paper))
        for paper in (None, *OTHER_PAPER.get(template.name, ()))
        for kind in (("long",) if paper else ("example", "long", "ar"))
    ]
    return Section(f"{template.name} · {LANGUAGES[lang]}", (*pictures, *coloured, *printed), template.description)


def _picture(template: Template, lang: Language, kind: str, accent: str = "") -> Callable[[], ImageResult]:
    from mediakit.tools.images.capture import capture

    data = texts(template, kind, lang) | ({"accent": accent} if accent else {})
    return partial(capture, template=_name(template), data=data, lang=lang, format="webp", full_page=template.grows)


def _sheet(template: Template, lang: Language, kind: str, paper: PaperFormat | None) -> Callable[[], PdfResult]:
    from mediakit.tools.pdf.pdf import pdf

    landscape = template.landscape if paper else None
    data = texts(template, kind, lang)
    return partial(pdf, template=_name(template), data=data, lang=lang, format=paper, landscape=landscape)


def _name(template: Template) -> TemplateName:
    return cast("TemplateName", template.name)


SHEET = Sheet(
    "templates",
    "Templates",
    "Every template in English and Spanish, with short, long, empty and foreign texts, in other colours and on paper.",
    tuple(_section(template, lang) for template in TEMPLATES.values() for lang in LANGUAGES),
)
