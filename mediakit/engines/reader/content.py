"""The main content of a page: what is left once all that stands around it is taken away."""

from lxml.html import HtmlElement

from mediakit.engines.markdown.elements import containers
from mediakit.engines.reader import readerview
from mediakit.engines.reader.prune import prune
from mediakit.engines.reader.units import units_of

MARK = "data-unit"
LEAST = 25
"""Characters below which nothing was found."""


def main_content(body: HtmlElement, title: str | None) -> bool:
    """Leave the main content in a page's body; where none is found the body stays whole.

    Returns:
        Whether any was found.
    """
    page = units_of(body, containers(body))
    for unit in page.units:
        unit.region.element.set(MARK, str(unit.order))
    marks = readerview.marks_of(body, MARK, title=title, byline=False)
    kept = [str(unit.order) in marks for unit in page.units]
    for unit in page.units:
        unit.region.element.attrib.pop(MARK, None)
    if sum(len(unit.text) for unit, keep in zip(page.units, kept, strict=True) if keep) < LEAST:
        return False
    prune(body, page, kept)
    return True
