"""Lines of MuPDF's XML, which has the structure of tagged PDFs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from lxml import etree

from mediakit.engines.pdf.letters.bidi import RIGHT_TO_LEFT
from mediakit.engines.pdf.letters.directions import in_reading_direction
from mediakit.engines.pdf.letters.lines import Letter, LetterLine, box_of
from mediakit.engines.pdf.letters.spaces import LETTER_SPACED, inner_spaces
from mediakit.engines.pdf.reading.links import PageLink
from mediakit.engines.pdf.reading.markdown.runs import Run, StyledLine, mark_scripts, style_of_name, url_at
from mediakit.engines.pdf.reading.textpage import LIGATURES


def read_line(
    element: etree._Element, links: Sequence[PageLink], index: int, *, page_runs_left: bool | None = None
) -> StyledLine | None:
    """Return a line, or None for one without text.

    Args:
        element: MuPDF's line.
        links: Links of the page.
        index: Number of the line.
        page_runs_left: Whether most letters of a page with Hebrew or Arabic run to the left; None for other pages.
    """
    x0, y0, x1, y1 = map(float, element.get("bbox", "0 0 0 0").split())
    near = [link for link in links if link.y0 < y1 and link.y1 > y0 and link.x0 < x1 and link.x1 > x0]
    runs = [run for font in element.iter("font") for run in _runs(font, near, page_runs_left=page_runs_left)]
    text = "".join(run.text for run in runs)
    if not text.strip():
        return None
    if LETTER_SPACED.search(text) and _remove_letter_spacing(element):
        return read_line(element, links, index, page_runs_left=page_runs_left)
    main = max(runs, key=lambda run: len(run.text.strip()))
    mark_scripts(runs, main)
    return StyledLine(x0, y0, x1, y1, text, main.size, index, runs, main.y)


def _remove_letter_spacing(line: etree._Element) -> bool:
    """Remove the spaces between letters of words that are set apart, and return whether there were some."""
    found = [(char, float(font.get("size", 0))) for font in line.iter("font") for char in font.iter("char")]
    letters = []
    for char, size in found:
        quad = [float(number) for number in char.get("quad", "0 0 0 0").split()]
        box = (min(quad[::2]), min(quad[1::2]), max(quad[::2]), max(quad[1::2]))
        letters.append(Letter(char.get("c", ""), *box, (box[0], box[3]), {"size": size}))
    inner = inner_spaces(letters)
    for place in inner:
        parent = found[place][0].getparent()
        if parent is not None:
            parent.remove(found[place][0])
    return bool(inner)


def has_letters(lines: Sequence[StyledLine]) -> bool:
    """Return whether lines are of a page with Hebrew or Arabic."""
    return any(run.letters is not None for line in lines for run in line.runs)


def as_read(lines: Sequence[StyledLine]) -> list[StyledLine]:
    """Return the pieces of one line, if it has Hebrew or Arabic, as one piece in reading order.

    They stay as they are where a run has lost letters, such as the number of a list item.
    """
    runs = [run for line in lines for run in line.runs]
    kept = [(run, letter) for run in runs for letter in run.letters or ()]
    text = "".join(run.text for run in runs)
    if not RIGHT_TO_LEFT.search(text) or text != "".join(letter.text for _, letter in kept):
        return list(lines)
    letters = [replace(letter, span={"size": run.size, "run": run}) for run, letter in kept]
    page_runs_left = bool(kept[0][1].span["page_runs_left"])
    (found,) = in_reading_direction([LetterLine(0, (1.0, 0.0), letters, 0)], page_runs_left=page_runs_left)
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    return [replace(lines[0], x0=x0, x1=x1, text=found.text, runs=list(_runs_of(found.letters)))]


def _runs_of(letters: Sequence[Letter]) -> Iterator[Run]:
    for _, group in groupby(letters, lambda letter: id(letter.span["run"])):
        members = list(group)
        x0, _, x1, _ = box_of(members)
        text = "".join(letter.text for letter in members)
        yield replace(members[0].span["run"], text=text, x0=x0, x1=x1, letters=None)


def _runs(font: etree._Element, links: Sequence[PageLink], *, page_runs_left: bool | None) -> Iterator[Run]:
    bold, italic, mono = style_of_name(font.get("name", ""))
    size = float(font.get("size", 0))
    run: Run | None = None
    for character in font.iter("char"):
        quad = [float(number) for number in character.get("quad", "").split()]
        content = character.get("c", "").translate(LIGATURES).replace("\u00a0", " ")
        x0, x1 = min(quad[::2], default=0.0), max(quad[::2], default=0.0)
        url = url_at((x0, min(quad[1::2], default=0.0), x1, max(quad[1::2], default=0.0)), links)
        y0, y1, y = min(quad[1::2], default=0.0), max(quad[1::2], default=0.0), float(character.get("y", 0))
        letters = (
            [Letter(content, x0, y0, x1, y1, (x0, y), {"page_runs_left": page_runs_left})]
            if page_runs_left is not None
            else None
        )
        if run is not None and (url == run.url or not content.strip()):
            run.text += content
            if run.letters is not None and letters:
                run.letters += letters
            run.x1 = x1
            continue
        if run is not None:
            yield run
        run = Run(content, x0, x1, float(character.get("y", 0)), size, bold, italic, mono, url=url, letters=letters)
    if run is not None:
        yield run
