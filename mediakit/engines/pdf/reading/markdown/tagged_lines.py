"""Lines of MuPDF's XML, which has the structure of tagged PDFs."""

from collections.abc import Iterator, Sequence

from lxml import etree

from mediakit.engines.pdf.reading.links import PageLink
from mediakit.engines.pdf.reading.markdown.runs import Run, StyledLine, mark_scripts, style_of_name, url_at
from mediakit.engines.pdf.reading.textpage import LIGATURES


def read_line(element: etree._Element, links: Sequence[PageLink], index: int) -> StyledLine | None:
    """Return a line, or None for one without text."""
    x0, y0, x1, y1 = map(float, element.get("bbox", "0 0 0 0").split())
    near = [link for link in links if link.y0 < y1 and link.y1 > y0 and link.x0 < x1 and link.x1 > x0]
    runs = [run for font in element.iter("font") for run in _runs(font, near)]
    text = "".join(run.text for run in runs)
    if not text.strip():
        return None
    main = max(runs, key=lambda run: len(run.text.strip()))
    mark_scripts(runs, main)
    return StyledLine(x0, y0, x1, y1, text, main.size, index, runs, main.y)


def _runs(font: etree._Element, links: Sequence[PageLink]) -> Iterator[Run]:
    bold, italic, mono = style_of_name(font.get("name", ""))
    size = float(font.get("size", 0))
    run: Run | None = None
    for character in font.iter("char"):
        quad = [float(number) for number in character.get("quad", "").split()]
        content = character.get("c", "").translate(LIGATURES).replace("\u00a0", " ")
        x0, x1 = min(quad[::2], default=0.0), max(quad[::2], default=0.0)
        url = url_at((x0, min(quad[1::2], default=0.0), x1, max(quad[1::2], default=0.0)), links)
        if run is not None and (url == run.url or not content.strip()):
            run.text += content
            run.x1 = x1
            continue
        if run is not None:
            yield run
        run = Run(content, x0, x1, float(character.get("y", 0)), size, bold, italic, mono, url=url)
    if run is not None:
        yield run
