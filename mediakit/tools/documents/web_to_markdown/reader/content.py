"""The main content of a page: what is left once all that stands around it is taken away.

Three opinions are judged: the reader view of `readerview`, and where the page leaves doubt, readability-lxml and
trafilatura. A model weighs them with what is known of each stretch of text, and a second one says whether the reader
view as it is would be better. Both were taught by `bench/train_reader.py`.
"""

from collections.abc import Sequence

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown.elements import containers
from mediakit.tools.documents.web_to_markdown.reader import decide, model, opinions, readerview
from mediakit.tools.documents.web_to_markdown.reader.evidence import evidence
from mediakit.tools.documents.web_to_markdown.reader.features import features
from mediakit.tools.documents.web_to_markdown.reader.prune import prune, whole_tables
from mediakit.tools.documents.web_to_markdown.reader.units import Page, units_of

MARK = "data-mediakit-unit"

LEAST = 25
"""Characters below which nothing was found."""

MOST_UNITS = 5_000
"""Units of a page that the models look at; of a longer one the reader view is taken."""

DOUBT = 0.95
"""Expected F1 below which more opinions are asked for."""

LONGEST, MOST_ASKED = 800_000, 2_000
"""Characters and units of a page on which more opinions are asked for; the libraries take too long for others."""

VIEW_IS_BETTER = -0.01
"""How much better than the choice the reader view must promise to be."""


def main_content(body: HtmlElement, html: str, title: str | None, kind: Sequence[float]) -> bool:
    """Leave the main content in a page's body; where none is found the body stays whole.

    Args:
        body: The page's body, cleaned.
        html: The page as it came.
        title: The page's title.
        kind: What `kind.kind_of` says of the page.

    Returns:
        Whether any was found.
    """
    page = marked(body)
    return _left(page, body, _chosen(page, body, html, title, kind))


def reader_view(body: HtmlElement, title: str | None) -> bool:
    """Leave the reader view in a page's body, without judging it; where there is none the body stays whole."""
    page = marked(body)
    return _left(page, body, view_of(page, body, title))


def marked(body: HtmlElement) -> Page:
    """Part a page into units whose elements carry their number."""
    page = units_of(body, containers(body))
    for unit in page.units:
        unit.region.element.set(MARK, str(unit.order))
    return page


def _left(page: Page, body: HtmlElement, kept: list[bool]) -> bool:
    for unit in page.units:
        unit.region.element.attrib.pop(MARK, None)
    if sum(len(unit.text) for unit, keep in zip(page.units, kept, strict=True) if keep) < LEAST:
        return False
    prune(body, page, kept)
    return True


def _chosen(page: Page, body: HtmlElement, html: str, title: str | None, kind: Sequence[float]) -> list[bool]:
    view = view_of(page, body, title)
    if not 0 < len(page.units) <= MOST_UNITS:
        return view
    rows = features(page, kind, title)
    counts = decide.weights(page)
    likelihoods = _likelihoods(rows, evidence(page, view))
    choice = decide.best(likelihoods, counts)
    if choice.expected < DOUBT and len(html) <= LONGEST and len(page.units) <= MOST_ASKED:
        others = opinions.readability_lxml(body, MARK, page), opinions.trafilatura(html, page)
        likelihoods = _likelihoods(rows, evidence(page, view, others))
        choice = decide.best(likelihoods, counts)
    numbers = decide.comparison(view, choice, likelihoods, counts, rows[0])
    kept = view if model.score(model.trees("judge"), numbers) > VIEW_IS_BETTER else choice.kept
    return _without_consent(page, whole_tables(page, kept, counts))


def _without_consent(page: Page, kept: list[bool]) -> list[bool]:
    """Leave out what asks to accept cookies, whatever else was decided, unless that is all there is."""
    asks = [unit.region.asks_consent for unit in page.units]
    rest = [keep and not ask for keep, ask in zip(kept, asks, strict=True)]
    return rest if any(rest) else kept


def view_of(page: Page, body: HtmlElement, title: str | None) -> list[bool]:
    """Say which units the reader view has."""
    marks = readerview.marks_of(body, MARK, title=title, byline=False)
    return [str(unit.order) in marks for unit in page.units]


def _likelihoods(rows: Sequence[Sequence[float]], evidences: Sequence[Sequence[float]]) -> list[float]:
    return model.likelihoods("units", [[*row, *more] for row, more in zip(rows, evidences, strict=True)])
