"""Replaces elements that are lists, headings or tables only by their ARIA role with the HTML elements of that role."""

from collections.abc import Callable

from lxml.html import HtmlElement

_GENERIC = frozenset(("div", "span", "section", "p"))
_CELLS = {"cell": "td", "gridcell": "td", "columnheader": "th", "rowheader": "th"}
_MAX_LEVEL = 6
_MIN_ROWS = 2


def replace_aria_roles(body: HtmlElement) -> None:
    """Rename elements without a meaning of their own by their role. Lists and tables need items and cells."""
    for element in body.xpath(".//*[@role]"):
        replace = _REPLACEMENTS.get(element.get("role"))
        if replace and element.tag in _GENERIC:
            replace(element)


def _replace_list(element: HtmlElement) -> None:
    items = [child for child in element if child.get("role") == "listitem"]
    if items and len(items) == len(element) and not (element.text or "").strip():
        element.tag = "ul"
        for item in items:
            item.tag = "li"


def _replace_heading(element: HtmlElement) -> None:
    level = element.get("aria-level") or "2"
    if level.isdecimal() and 1 <= int(level) <= _MAX_LEVEL:
        element.tag = f"h{int(level)}"


def _replace_table(element: HtmlElement) -> None:
    rows = element.xpath(".//*[@role='row']")
    cells = [[cell for cell in row if cell.get("role") in _CELLS] for row in rows]
    if len(rows) < _MIN_ROWS or any(len(found) != len(row) for found, row in zip(cells, rows, strict=True)):
        return
    for row, found in zip(rows, cells, strict=True):
        row.tag = "tr"
        for cell in found:
            cell.tag = _CELLS[cell.get("role") or ""]
    for group in element.xpath(".//*[@role='rowgroup']"):
        group.tag = "tbody"
    element.tag = "table"


_REPLACEMENTS: dict[str | None, Callable[[HtmlElement], None]] = {
    "list": _replace_list,
    "heading": _replace_heading,
    "table": _replace_table,
    "grid": _replace_table,
}
