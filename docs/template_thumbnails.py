"""Write the template thumbnails of the package: `python docs/template_thumbnails.py [NAME ...]`."""

# ruff: noqa: INP001  # a script, not part of a package

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import mediakit
from mediakit.core.fields import Language
from mediakit.engines.templates import TEMPLATES, Template, TemplateName
from mediakit.engines.templates.template import thumbnail_path
from mediakit.samples import LANDSCAPE

REDUCTION = 2
"""Pixels of the template per pixel of the thumbnail."""
STYLE_REDUCTION = 3
"""The same for the smaller thumbnails of further styles."""

PHOTO_STYLE = "photo"
"""The name of styles that are designed for a photo; their thumbnails show one."""

LANGUAGES: tuple[Language, ...] = ("en", "es")


def render(template: Template, style: str, lang: Language) -> mediakit.ImageResult:
    """Return a style of a template with its example texts, reduced in size."""
    name = cast("TemplateName", template.name)
    data = {"background": _photo()} if style == PHOTO_STYLE else {}
    full = mediakit.capture(template=name, style=style, lang=lang, data=data)
    reduction = REDUCTION if style == template.styles[0] else STYLE_REDUCTION
    return mediakit.images(full, width=full.width // reduction, format="webp", quality=82)


def _photo() -> str:
    return mediakit.images(LANDSCAPE, width=1280, quality=80).data_uri()


def thumbnails(template: Template) -> Iterator[tuple[str, Language, Path]]:
    """Yield the style, language and path of every thumbnail of a template."""
    first, *others = template.styles
    for lang in LANGUAGES:
        yield first, lang, thumbnail_path(template.name, lang)
    for style in others:
        yield style, "en", thumbnail_path(template.name, "en", style)


if __name__ == "__main__":
    names = sys.argv[1:] or list(TEMPLATES)
    for template in (TEMPLATES[name] for name in names):
        for style, lang, path in thumbnails(template):
            print(render(template, style, lang).save(path))  # noqa: T201  # prints the path
