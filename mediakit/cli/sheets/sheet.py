"""What a sheet is, and how it becomes a page with its files."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from mediakit.cli.sheets.page import Card, page, section, shown
from mediakit.core.messages import readable_size
from mediakit.results.result import Result

AT_ONCE = 2
"""Figures made side by side; a browser has as many render slots by default."""


@dataclass(frozen=True)
class Figure:
    """One thing to look at: a caption, and a call that makes a picture or a PDF."""

    caption: str
    make: Callable[[], Result]


@dataclass(frozen=True)
class Section:
    """Figures that belong together, under a heading."""

    title: str
    figures: tuple[Figure, ...]
    about: str = ""


@dataclass(frozen=True)
class Sheet:
    """A page of the demo."""

    name: str
    """Of its page and its folder of files."""
    title: str
    about: str
    sections: tuple[Section, ...]

    @property
    def figures(self) -> list[Figure]:
        """The figures of all sections, in order."""
        return [figure for part in self.sections for figure in part.figures]


def write(sheet: Sheet, folder: Path, *, done: Callable[[], object]) -> Path:
    """Make a sheet's figures into `folder/NAME/` and its page beside that, and give the page's path.

    Args:
        sheet: What to make.
        folder: Where the demo stands.
        done: Called after each figure.
    """
    made = _cards(sheet, folder, done)
    parts = [section(part.title, part.about, [next(made) for _ in part.figures]) for part in sheet.sections]
    path = folder / f"{sheet.name}.html"
    path.write_text(page(sheet.title, sheet.about, parts, home=True), encoding="utf-8")
    return path


def _cards(sheet: Sheet, folder: Path, done: Callable[[], object]) -> Iterator[Card]:
    def make(number: int, figure: Figure) -> Card:
        began = time.perf_counter()
        result = figure.make()
        took = f"{(time.perf_counter() - began) * 1000:.0f} ms"
        saved = result.save(folder / sheet.name / f"{number:03}")
        facts = filter(None, (result.extent, readable_size(len(result.content)), took))
        card = Card(figure.caption, saved, shown(result, saved), tuple(facts), result.alt)
        done()
        return card.beside(folder)

    with ThreadPoolExecutor(AT_ONCE) as threads:
        yield from threads.map(make, range(1, len(sheet.figures) + 1), sheet.figures)
