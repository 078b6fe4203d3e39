"""The definition of a contact sheet, and how it is rendered and saved."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from mediakit.cli.contact_sheets.html_page import Card, page_html, save_preview, section_html
from mediakit.core.messages import readable_size
from mediakit.results.result import Result

RENDER_THREADS = 2
"""Figures that are rendered at the same time: the default number of render slots of the browser."""


@dataclass(frozen=True)
class Figure:
    """One result of a contact sheet: a caption, and the call that returns an image or a PDF."""

    caption: str
    render: Callable[[], Result]


@dataclass(frozen=True)
class Section:
    """A group of figures with a heading."""

    title: str
    figures: tuple[Figure, ...]
    description: str = ""


@dataclass(frozen=True)
class ContactSheet:
    """A demo page of figures."""

    name: str
    """Name of the HTML file and of the folder of the results."""
    title: str
    description: str
    sections: tuple[Section, ...]

    @property
    def figures(self) -> list[Figure]:
        """The figures of all sections, in order."""
        return [figure for section in self.sections for figure in section.figures]


def save_contact_sheet(sheet: ContactSheet, folder: Path, *, on_figure: Callable[[], object]) -> Path:
    """Render a contact sheet and return the path of its page.

    The page is saved as `folder/NAME.html`, the results are saved in `folder/NAME/`.

    Args:
        sheet: The contact sheet.
        folder: The folder of the demo.
        on_figure: Called after each figure.
    """
    cards = _render_cards(sheet, folder, on_figure)
    sections = [
        section_html(section.title, section.description, [next(cards) for _ in section.figures])
        for section in sheet.sections
    ]
    path = folder / f"{sheet.name}.html"
    path.write_text(page_html(sheet.title, sheet.description, sections, index_link=True), encoding="utf-8")
    return path


def _render_cards(sheet: ContactSheet, folder: Path, on_figure: Callable[[], object]) -> Iterator[Card]:
    def render(number: int, figure: Figure) -> Card:
        start = time.perf_counter()
        result = figure.render()
        duration = f"{(time.perf_counter() - start) * 1000:.0f} ms"
        file = result.save(folder / sheet.name / f"{number:03}")
        facts = filter(None, (result.extent, readable_size(len(result.content)), duration))
        card = Card(figure.caption, file, save_preview(result, file), tuple(facts), result.alt)
        on_figure()
        return card.relative_to(folder)

    with ThreadPoolExecutor(RENDER_THREADS) as threads:
        yield from threads.map(render, range(1, len(sheet.figures) + 1), sheet.figures)
