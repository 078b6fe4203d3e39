"""JSON Schema of the response fields."""

from typing import Any, get_args

from mediakit.engines.pdf.reading.options import Format, What

EXAMPLE_CONTENT = "Annual report\n\nSales rose by 4 percent."

_PAGE = {"type": "integer", "description": "Number of the page, from 1.", "examples": [1]}
_TEXT = {"type": "string"}
_BOX = {
    name: {"type": "number", "description": f"{edge} edge in points of the page as it is seen.", "examples": [example]}
    for name, edge, example in (("x0", "Left", 72), ("y0", "Top", 90.5), ("x1", "Right", 523), ("y1", "Bottom", 104))
}


def _items(description: str, *optional: str, **properties: Any) -> dict[str, Any]:
    item = {
        "type": "object",
        "required": [name for name in properties if name not in optional],
        "properties": properties,
    }
    return {"type": "array", "items": item, "description": description, "examples": [[]], "x-optional": True}


SCHEMA: dict[str, Any] = {
    "what": {"type": "string", "enum": list(get_args(What))},
    "format": {"type": "string", "enum": list(get_args(Format))},
    "pages": {"type": "integer", "description": "Number of pages of the PDF.", "examples": [3]},
    "title": {"type": ["string", "null"], "examples": ["Annual report"]},
    "content": {
        "type": "string",
        "description": "Text or Markdown; omitted for everything else.",
        "examples": [EXAMPLE_CONTENT],
        "x-optional": True,
    },
    "length": {
        "type": "integer",
        "description": "Number of characters of the content, or of words, links, tables or images.",
        "examples": [len(EXAMPLE_CONTENT)],
    },
    "truncated": {"type": "boolean", "examples": [False]},
    "tables": _items(
        "The tables, with what=tables and format=json.",
        page=_PAGE,
        index={"type": "integer", "description": "Number of the table on its page, from 1."},
        **_BOX,
        rows={
            "type": "array",
            "description": "Text of the cells; null is covered by the cell to its left or above.",
            "items": {"type": "array", "items": {"type": ["string", "null"]}},
        },
        header_rows={"type": "integer", "description": "Rows at the top that name the columns."},
        confidence={"type": "number", "minimum": 0, "maximum": 1},
        continues={"type": "boolean", "description": "Whether the table goes on on the next page."},
    ),
    "words": _items("The words in reading order, with what=words.", text=_TEXT, page=_PAGE, **_BOX),
    "links": _items(
        "The links, with what=links; each has either url or target_page.",
        "url",
        "target_page",
        page=_PAGE,
        **_BOX,
        url=_TEXT,
        target_page={"type": "integer", "description": "Number of the page that the link leads to, from 1."},
        text={"type": "string", "description": "The text on the link."},
    ),
    "file": {
        "type": "string",
        "contentEncoding": "base64",
        "description": "The file, where one is made: csv, xlsx, images.",
        "examples": ["Y2l0eSxvcmRlcnMKTGlzYm9uLDEyCg=="],
        "x-optional": True,
    },
    "filename": {"type": "string", "examples": ["report.csv"], "x-optional": True},
    "mime_type": {"type": "string", "examples": ["text/csv"], "x-optional": True},
}
