"""Parts of styles: fonts, sizes, borders and spacing, and the element of a style."""

from collections.abc import Iterable

from mediakit.engines.docx_writer.looks import Look
from mediakit.engines.docx_writer.wordml import properties, w
from mediakit.engines.docx_writer.xml_tree import Element

QUOTE_INDENT = 320
"""Indentation of a block quote, in twips."""


_DEFAULTS = frozenset({"Normal", "DefaultParagraphFont", "TableNormal", "NoList"})
_OWN = ("Source Code", "Verbatim Char", "Definition", "Horizontal Line", "Alert")
"""Names of styles that Word does not have by itself begin so."""


def fonts(ascii_font: str, asia: str | None = None) -> Element:
    """Return the fonts of a run. East Asian and complex scripts use their own."""
    extra = {"eastAsia": asia} if asia else {}
    return w("rFonts", ascii=ascii_font, hAnsi=ascii_font, **extra, cs=ascii_font)


def size(points: float) -> tuple[Element, Element]:
    """Return the font size of a run, for Latin and for complex scripts."""
    half_points = round(points * 2)
    return w("sz", val=half_points), w("szCs", val=half_points)


def bold() -> tuple[Element, Element]:
    """Return bold type, for Latin and for complex scripts."""
    return w("b"), w("bCs")


def italic() -> tuple[Element, Element]:
    """Return italic type, for Latin and for complex scripts."""
    return w("i"), w("iCs")


def shading(color: str) -> Element:
    """Return a background color."""
    return w("shd", val="clear", color="auto", fill=color)


def side_border(color: str, *, rtl: bool, width: int = 24, space: int = 10) -> Element:
    """Return the bar at the start of a quote. Paragraph borders have physical sides."""
    return w("pBdr", w("right" if rtl else "left", val="single", sz=width, space=space, color=color))


def spacing(before: float, after: float, look: Look | None = None) -> Element:
    """Return the space before and after a paragraph in points, and the line height of a look."""
    line: dict[str, str | int] = {"line": round(240 * look.line_spacing), "lineRule": "auto"} if look else {}
    return w("spacing", before=round(before * 20), after=round(after * 20), **line)


def style_element(
    kind: str,
    identifier: str,
    name: str,
    *,
    based_on: str | None = None,
    following: str | None = None,
    priority: int = 99,
    quick: bool = True,
    paragraph: Iterable[Element] = (),
    run: Iterable[Element] = (),
) -> Element:
    """Return a style.

    Args:
        kind: `paragraph`, `character`, `table` or `numbering`.
        identifier: ID that paragraphs and runs refer to.
        name: Name that Word shows. Built-in styles have their names of Word.
        based_on: ID of the style that it is based on.
        following: ID of the style of the next paragraph.
        priority: Position in Word's list of styles.
        quick: Whether it is in the gallery of styles.
        paragraph: Properties of paragraphs, in any order.
        run: Properties of runs, in any order.
    """
    children = [w("name", val=name), w("uiPriority", val=priority)]
    children += [w("basedOn", val=based_on)] if based_on else []
    children += [w("next", val=following)] if following else []
    children += [w("qFormat")] if quick else []
    for container, content in (("w:pPr", list(paragraph)), ("w:rPr", list(run))):
        children += [properties(container, content)] if content else []
    style = properties("w:style", children)
    style.attributes["w:type"] = kind
    style.attributes["w:styleId"] = identifier
    if identifier in _DEFAULTS:
        style.attributes["w:default"] = "1"
    if name.startswith(_OWN):
        style.attributes["w:customStyle"] = "1"
    return style
