"""The tags of the operations, in the order of the documentation."""

from collections.abc import Mapping

from mediakit.core.tool import Tag

TAGS: Mapping[Tag, str] = {
    "Images": "Render, draw, resize and convert images, draw codes and charts, and read codes.",
    "PDF": "Render and combine PDFs.",
    "Documents": "Convert web pages and documents to clean text.",
    "Files": "Download results by their temporary links.",
    "Validation": "Check values such as account numbers and email addresses: one, several, or a column of a table.",
    "Data": "Convert tables and structured data.",
    "Account": "Plan, credits and usage, and the health of the server.",
}
"""What the operations of each tag do."""
