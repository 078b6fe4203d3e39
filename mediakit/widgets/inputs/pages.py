"""Pages and files as thumbnails that are dragged, repeated and removed."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import anywidget
import ipywidgets as w
from traitlets import Bool, Bunch, Bytes, Dict, Int, List, Unicode

from mediakit.core.parameters import Parameter
from mediakit.engines.pdf import Thumbnails
from mediakit.engines.pdf.page_ranges import compact, resolve
from mediakit.widgets.inputs.base import Controls, Input, TextInput, heading, labeled, mark, script, styled, vbox
from mediakit.widgets.inputs.files import DropZone, FilesInput, file_path


class PageList(anywidget.AnyWidget):
    """Cards with a thumbnail. Set `order` to show other cards; dragging, repeating and removing change it."""

    _esm = script("page_list.js")

    cards = List(Dict()).tag(sync=True)
    """The `id` of each card, the text below its thumbnail (`label`) and its name for screen readers (`title`)."""
    images = List(Bytes()).tag(sync=True)
    """A WebP image for each card, empty where there is none."""
    order = List(Int()).tag(sync=True)
    """The ids of the cards that are shown. An id never names another card: the browser may be some changes ahead."""
    noun = Unicode("page").tag(sync=True)
    """What the cards are: `page` or `file`."""
    can_repeat = Bool(default_value=False).tag(sync=True)
    can_reset = Bool(default_value=False).tag(sync=True)
    """Whether a button shows all cards again."""

    def show(
        self, cards: Sequence[dict[str, Any]], images: Sequence[bytes], order: Sequence[int] | None = None
    ) -> None:
        """Show other cards, in their order by default."""
        with self.hold_sync():
            self.cards = list(cards)
            self.images = list(images)
            self.order = [card["id"] for card in cards] if order is None else list(order)


MAX_THUMBNAILS = 120
"""Pages that are shown. Pages of a longer PDF are chosen by their numbers."""


class PagesInput(TextInput):
    """Pages in the order of the result: as text, and as thumbnails to drag."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self.wide = True
        self.list = styled(PageList(can_repeat=True, can_reset=True), "pages")
        self.widget = vbox([self.control, self.list], "pages-input")
        self.control.observe(lambda _: self._show_order(), "value")
        self.list.observe(self._on_order, "order")

    def show_pages(self, loaded: Thumbnails | None) -> None:
        """Show the pages of a PDF; none for a PDF with too many pages."""
        pages = loaded.pages if loaded and loaded.count == len(loaded.pages) else []
        cards = [
            {"id": number - 1, "label": str(number), "title": f"Page {number}"} for number in range(1, len(pages) + 1)
        ]
        self.list.show(cards, [page.content for page in pages], self._order(len(cards)))

    def _order(self, count: int) -> list[int]:
        """Return the pages in the text, from 0; all for an empty or invalid text."""
        text = self.control.value.strip()
        try:
            return [page - 1 for page in resolve(text, count, ordered=True)] if text else list(range(count))
        except ValueError:
            return list(range(count))

    def _show_order(self) -> None:
        self.list.order = self._order(len(self.list.cards))

    def _on_order(self, change: Bunch) -> None:
        count = len(self.list.cards)
        if not count or change["new"] == self._order(count):
            return
        if change["new"]:
            self.control.value = "" if change["new"] == list(range(count)) else compact([i + 1 for i in change["new"]])
        else:  # a result has at least one page
            self._show_order()


class PerFileInput(Input):
    """A text for each file: rows with the names of the files, which follow the files when they move."""

    wide = True
    is_kept = False

    def __init__(self, parameter: Parameter, files: "PdfFilesInput", placeholder: str) -> None:
        super().__init__(parameter, styled(Controls(), "form-values"))
        self.caption = heading(parameter.name)
        self._files, self._placeholder = files, placeholder
        self._rows: dict[int, w.Text] = {}
        files.control.observe(lambda _: self._show_rows(), "value")
        self._show_rows()

    def read(self) -> Any:
        """Return a text for each file; None if all are empty."""
        texts = self.state()
        return texts if any(texts) else None

    def fill(self, value: Any) -> None:
        """Show texts in the order of the files."""
        self.restore(value)

    def state(self) -> list[str]:
        """Return the texts in the order of the files."""
        return [row.value.strip() for row in self._rows.values()]

    def restore(self, state: Any) -> None:
        """Show earlier texts."""
        self._show_rows()
        for row, text in zip(self._rows.values(), state, strict=False):
            row.value = text

    def _show_rows(self) -> None:
        known, self._rows = self._rows, {}
        for card in self._files.cards:
            row = known.pop(card.id, None) or w.Text(placeholder=self._placeholder, **labeled(""))
            row.observe(self._on_row, "value")  # a known function is registered once
            row.description = f"{self.parameter.name} of {card.name}"
            self._rows[card.id] = row
        for row in known.values():
            row.close()
        self.control.children = list(self._rows.values())
        mark(self.control, "gone", marked=not self._rows)

    def _on_row(self, _change: Bunch) -> None:
        self.notify()


class PdfFilesInput(FilesInput):
    """Files with the first page of each, which are dragged to another place."""

    def __init__(self, parameter: Parameter, accept: str) -> None:
        self.list = styled(PageList(noun="file"), "pages")
        self.cards: list[_FileCard] = []
        """The files in their order."""
        self._new_ids = itertools.count()
        super().__init__(parameter, accept)
        drop_zone = DropZone(self.control, "or drop PDFs and images here, or paste them")
        self.widget.children = [self.list, self.widget.children[1], drop_zone]
        self.list.observe(self._on_order, "order")

    def show_images(self, images: list[bytes]) -> None:
        """Show an image for each file, empty where there is none."""
        if len(images) == len(self._files):
            for card, image in zip(self.cards, images, strict=True):
                card.image = image
            self._show_cards()

    def _show_rows(self) -> None:
        known, self.cards = self.cards, []
        for number, file in enumerate(self._files, 1):
            card = next((card for card in known if card.file is file and card not in self.cards), None)
            self.cards.append(card := card or _FileCard(file, next(self._new_ids)))
            card.name = file_path(file, number).name
        self._show_cards()

    def _show_cards(self) -> None:
        """Show the cards. They are sent in the order of their ids, so that a move sends no image again."""
        cards = sorted(self.cards, key=attrgetter("id"))
        self.list.show(
            [{"id": card.id, "label": card.name, "title": card.name} for card in cards],
            [card.image for card in cards],
            [card.id for card in self.cards],
        )

    def _on_order(self, change: Bunch) -> None:
        cards = {card.id: card for card in self.cards}
        ordered = [cards[id_] for id_ in change["new"] if id_ in cards]
        if ordered != self.cards:
            self.cards = ordered
            self.restore([card.file for card in ordered])


@dataclass(eq=False)
class _FileCard:
    file: Any
    id: int
    name: str = ""
    image: bytes = b""
