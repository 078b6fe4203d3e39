"""Draw the templates' thumbnails, which the package carries: `python docs/thumbnails.py`."""

# ruff: noqa: INP001  # a script beside the documents, not a package

import mediakit
from mediakit.core.fields import Language
from mediakit.engines.templates import TEMPLATES, Template
from mediakit.engines.templates.gallery import thumbnail

SCALE = 2
LANGUAGES: tuple[Language, ...] = ("en", "es")


def draw(template: Template, lang: Language) -> mediakit.ImageResult:
    """Draw a template with its examples, at half its size."""
    full = mediakit.capture(template=template.name, lang=lang)
    return mediakit.images(full, width=full.width // SCALE, format="webp", quality=82)


if __name__ == "__main__":
    for template in TEMPLATES.values():
        for lang in LANGUAGES:
            print(draw(template, lang).save(thumbnail(template, lang)))  # noqa: T201  # says what it wrote
