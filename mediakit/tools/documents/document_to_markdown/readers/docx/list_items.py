"""Which paragraphs of Word are items of lists, and their levels and numbers."""

from dataclasses import dataclass

from mediakit.tools.documents.document_to_markdown.readers.docx.context import WordContext
from mediakit.tools.documents.document_to_markdown.readers.docx.names import child_value, integer
from mediakit.tools.documents.document_to_markdown.readers.docx.numbering import MAX_LEVEL
from mediakit.tools.documents.document_to_markdown.readers.docx.styles import ParagraphStyle, left_indent
from mediakit.tools.documents.document_to_markdown.readers.office.vocabulary import Element, W

NO_LIST = "0"
"""The list that removes a paragraph from the list of its style (ISO/IEC 29500-1, 17.9.18)."""


@dataclass(slots=True)
class ListItem:
    """An item of a list."""

    level: int
    key: str
    """The list."""
    number: int | None
    """None for a bullet."""
    indent: int
    has_label: bool = True
    """Whether the item has a bullet or a number. Without it, it continues the item before."""


def list_item(
    context: WordContext, properties: Element, style: ParagraphStyle, style_name: str | None
) -> ListItem | None:
    """Return the item that a paragraph is; None for other paragraphs. It is counted."""
    direct = properties.find(f"{W}numPr")
    identifier = child_value(direct, f"{W}numId") or style.numbering
    if identifier == NO_LIST:
        return None
    numbering = context.numbering
    if identifier is None or numbering.level(identifier, 0) is None:
        return _by_name(style) if identifier is None else None
    stated = child_value(direct, f"{W}ilvl")
    if stated is not None:
        level = integer(stated)
    elif style.level is not None:
        level = style.level
    else:
        level = numbering.level_of_style(identifier, style_name)
    level = max(0, min(MAX_LEVEL, level))
    found = numbering.level(identifier, level)
    if found is None:
        return None
    indent = left_indent(properties)
    if indent is None:
        indent = found.indent if found.indent is not None else style.indent
    number = numbering.advance(identifier, level) if found.is_ordered else None
    return ListItem(level, numbering.key(identifier), number, indent, found.has_label)


def _by_name(style: ParagraphStyle) -> ListItem | None:
    """Return the item of a style such as List Bullet whose list is not defined."""
    return ListItem(0, "bullet", None, style.indent) if style.role == "bullet" else None
