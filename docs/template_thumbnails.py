"""Write the template thumbnails of the package: `python docs/template_thumbnails.py`."""

# ruff: noqa: INP001  # a script, not part of a package

import mediakit
from mediakit.core.fields import Language
from mediakit.engines.templates import TEMPLATES, Template
from mediakit.engines.templates.preview import thumbnail_path

REDUCTION = 2
"""Pixels of the template per pixel of the thumbnail."""

LANGUAGES: tuple[Language, ...] = ("en", "es")


def render(template: Template, lang: Language) -> mediakit.ImageResult:
    """Return a template with its example texts at half its size."""
    full = mediakit.capture(template=template.name, lang=lang)
    return mediakit.images(full, width=full.width // REDUCTION, format="webp", quality=82)


if __name__ == "__main__":
    for template in TEMPLATES.values():
        for lang in LANGUAGES:
            print(render(template, lang).save(thumbnail_path(template.name, lang)))  # noqa: T201  # prints the path
