"""Space between blocks that Word would join: tables, and blocks of code."""

from collections.abc import Iterable

from mediakit.engines.docx_writer.paragraphs import is_paragraph, is_table, set_property, style_of
from mediakit.engines.docx_writer.wordml import w
from mediakit.engines.docx_writer.xml_tree import Element

_AFTER_TABLE = 200
"""Space between a table and the paragraph that follows it, in twips."""

_BETWEEN_CODE = 20
"""Height of the paragraph between two blocks of code, in twips."""


def spaced(elements: Iterable[Element]) -> list[Element]:
    """Return blocks with a paragraph between tables and between blocks of code, and with space after each table."""
    found: list[Element] = []
    for element in elements:
        if found and is_table(found[-1]):
            if is_table(element):
                found.append(_gap(_AFTER_TABLE))
            elif is_paragraph(element) and not (style_of(element) or "").startswith("Heading"):
                set_spacing(element, "before", _AFTER_TABLE)
        elif found and _is_code(found[-1]) and _is_code(element):
            found.append(_gap(_BETWEEN_CODE))
        found.append(element)
    if found and is_table(found[-1]):
        found.append(_gap(_AFTER_TABLE))
    return found


def set_spacing(element: Element, side: str, twips: int) -> None:
    """Set the space `before` or `after` a paragraph."""
    spacing = element.get("w:pPr", "w:spacing")
    if spacing is None:
        set_property(element, w("spacing", **{side: twips}))
    else:
        spacing.attributes[f"w:{side}"] = str(twips)


def _gap(height: int) -> Element:
    return w("p", w("pPr", w("spacing", before=0, after=0, line=height, lineRule="exact")))


def _is_code(element: Element) -> bool:
    return is_paragraph(element) and style_of(element) == "SourceCode"
