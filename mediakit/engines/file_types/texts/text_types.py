"""The type of a text: by its structure, by its name, or by the habits of a language."""

from pathlib import PurePath

from mediakit.engines.file_types.registry import FILE_TYPES
from mediakit.engines.file_types.registry.texts import TEXTS
from mediakit.engines.file_types.texts.json_types import json_type
from mediakit.engines.file_types.texts.markup_types import markup_type
from mediakit.engines.file_types.texts.signed_texts import signed_text
from mediakit.engines.file_types.texts.source_code import source_type
from mediakit.engines.file_types.texts.tabular import table_type
from mediakit.engines.file_types.texts.text_sample import text_sample

_STRUCTURED = frozenset(
    {
        "html",
        "xhtml",
        "xml",
        "json",
        "geojson",
        "topojson",
        "json-ld",
        "gltf",
        "http-archive",
        "ics",
        "vcf",
        "vtt",
        "eml",
        "mbox",
        "ipynb",
        "svg",
        "kml",
        "gpx",
        "pgp",
        "pgp-signature",
        "pgp-keys",
        "mht",
    }
)
"""Types that a name cannot give: their structure would have shown."""

_BY_EXTENSION = {
    extension: name
    for name, one in reversed(TEXTS.items())
    for extension in one.extensions[:4]
    if name not in _STRUCTURED
}
_BY_NAME = {
    "dockerfile": "dockerfile",
    "containerfile": "dockerfile",
    "makefile": "makefile",
    "gnumakefile": "makefile",
}


def text_type(content: bytes, name: str | None = None) -> str | None:
    """Return the name of a text's type, `text` for a plain one; None where the file is not text."""
    sample = text_sample(content)
    if sample is None:
        return None
    start = sample.lstrip("\ufeff \t\r\n\f")
    return (
        markup_type(start)
        or json_type(content, start)
        or signed_text(start, sample)
        or _named(name)
        or table_type(sample)
        or source_type(sample)
        or "text"
    )


def _named(name: str | None) -> str | None:
    """Return the type of text that a name stands for."""
    if not name:
        return None
    path = PurePath(name.lower())
    found = _BY_NAME.get(path.name) or _BY_EXTENSION.get(path.suffix)
    return found if found in FILE_TYPES else None
