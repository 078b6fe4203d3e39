"""The tags of the operations, in the order of the documentation."""

from collections.abc import Mapping

from mediakit.core.tool import Tag

TAGS: Mapping[Tag, str] = {
    "Images": "Render, resize, compare and describe images, draw codes, charts and tables, and read codes.",
    "PDF": "Render, combine, split, change, protect and read PDFs.",
    "Documents": "Convert web pages, documents and notebooks, and fill Word templates.",
    "Files": "Pack, unpack, identify, encode and repair files, and download results by their temporary links.",
    "Validation": "Check values such as account numbers and email addresses: one, several, or a column of a table.",
    "Data": "Convert, profile, compare and query tables and structured data.",
    "Account": "Plan, credits and usage, and the health of the server.",
}
"""What the operations of each tag do."""
