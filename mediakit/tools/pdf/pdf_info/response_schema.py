"""The JSON Schema of each field of the response."""

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]


def _text_or_null(description: str, example: str) -> Schema:
    return {"type": ["string", "null"], "description": description, "examples": [example]}


def _count(description: str, example: int) -> Schema:
    return {"type": "integer", "description": description, "examples": [example]}


def _flag(description: str, *, example: bool) -> Schema:
    return {"type": "boolean", "description": description, "examples": [example]}


def _array(description: str, items: Schema, example: Any) -> Schema:
    return {"type": "array", "description": description, "items": items, "examples": [example]}


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "required": list(properties), "properties": properties}


TEXT: Schema = {"type": "string"}
OPTIONAL_TEXT: Schema = {"type": ["string", "null"]}
NUMBER: Schema = {"type": "number"}
INTEGER: Schema = {"type": "integer"}
OPTIONAL_INTEGER: Schema = {"type": ["integer", "null"]}
BOOLEAN: Schema = {"type": "boolean"}

SCHEMA: Mapping[str, Schema] = {
    "version": {"type": "string", "description": "Version of PDF.", "examples": ["1.7"]},
    "pages": _count("Number of pages.", 3),
    "title": _text_or_null("Title.", "The year in the garden"),
    "author": _text_or_null("Author.", "Ada Lovelace"),
    "subject": _text_or_null("Subject.", "Gardening"),
    "keywords": _text_or_null("Keywords.", "garden, spring"),
    "creator": _text_or_null("Program that made the document.", "Writer"),
    "producer": _text_or_null("Program that made the PDF.", "LibreOffice"),
    "created": _text_or_null("Date of creation in ISO 8601.", "2026-11-22T09:30:00+01:00"),
    "modified": _text_or_null("Date of the last change in ISO 8601.", "2026-11-22T09:30:00+01:00"),
    "language": _text_or_null("Language tag.", "en"),
    "encrypted": _flag("Whether the file is encrypted.", example=False),
    "restrictions": _array(
        "What readers must not do without the owner password: print, copy, modify, annotate, fill, assemble.", TEXT, []
    ),
    "page_sizes": _array(
        "Sizes of the pages as they are seen, in millimeters.",
        _object(width=NUMBER, height=NUMBER, rotate=INTEGER, count=INTEGER, name=OPTIONAL_TEXT),
        [{"width": 148, "height": 210, "rotate": 0, "count": 3, "name": "A5"}],
    ),
    "page_labels": {
        "type": ["array", "null"],
        "description": "What viewers show as the number of each page; null without page labels.",
        "items": TEXT,
        "examples": [None],
    },
    "outline": _array(
        "Bookmarks; the page is null for one that leads elsewhere.",
        _object(level=INTEGER, title=TEXT, page=OPTIONAL_INTEGER),
        [{"level": 1, "title": "Spring", "page": 1}],
    ),
    "attachments": _array(
        "Attached files, with their size in bytes; size and MD5 are null for a file that cannot be read.",
        _object(
            name=TEXT, description=OPTIONAL_TEXT, mime_type=OPTIONAL_TEXT, size=OPTIONAL_INTEGER, md5=OPTIONAL_TEXT
        ),
        [],
    ),
    "fonts": _array(
        "Fonts that the pages use.",
        _object(name=TEXT, type=TEXT, embedded=BOOLEAN, subset=BOOLEAN),
        [{"name": "DejaVuSans", "type": "CIDFontType2", "embedded": True, "subset": True}],
    ),
    "images": _count("Number of images, each once.", 0),
    "links": _count("Number of links.", 2),
    "annotations": _count("Number of comments and markup.", 0),
    "form": _object(
        fields=_count("Number of form fields.", 0), xfa={"type": "string", "enum": ["none", "static", "dynamic"]}
    ),
    "signatures": _array(
        "Digital signatures. Whether they are valid and trusted is not judged.",
        _object(name=TEXT, signer=OPTIONAL_TEXT, signed_at=OPTIONAL_TEXT, covers_whole_file=BOOLEAN),
        [],
    ),
    "javascript": _array("Scripts. None is run.", _object(where=TEXT, code=TEXT), []),
    "tagged": _flag("Whether the file has tags for screen readers.", example=True),
    "linearized": _flag("Whether the file is linearized for the web.", example=False),
    "conformance": _array("Standards that the file claims to follow.", TEXT, ["PDF/A-2B"]),
    "layers": _array("Layers, and whether they show by default.", _object(name=TEXT, visible=BOOLEAN), []),
    "pages_without_text": _array("Numbers of pages that show something but have no text, such as scans.", INTEGER, []),
    "pdf": {
        "type": "string",
        "contentEncoding": "base64",
        "description": "The changed PDF, where something was written.",
        "examples": ["JVBERi0xLjcKJSBzaG9ydGVuZWQgZXhhbXBsZQo="],
        "x-optional": True,
    },
    "mime_type": {
        "type": "string",
        "enum": ["application/pdf"],
        "description": "Media type of the changed PDF.",
        "x-optional": True,
    },
}
