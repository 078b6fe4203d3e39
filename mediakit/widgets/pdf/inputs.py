"""The inputs for pages, boxes, a position and files, each with the pages of the PDF to work on."""

import itertools
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import ipywidgets as w
from traitlets import Bunch

from mediakit.core.parameters import Parameter
from mediakit.engines.pdf.page_ranges import compact, resolve
from mediakit.engines.pdf.thumbnails import Thumbnails
from mediakit.widgets.drop_zone import DropZone
from mediakit.widgets.files_input import FilesInput, file_path
from mediakit.widgets.inputs import ChoiceInput, Input, TextInput, heading
from mediakit.widgets.pdf.page_editor import PageEditor
from mediakit.widgets.pdf.page_list import PageList

MAX_THUMBNAILS = 120
"""Pages that are shown. Pages of a longer PDF are chosen by their numbers."""


class PagesInput(TextInput):
    """Pages in the order of the result: as text, and as thumbnails to drag."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self.wide = True
        self.list = PageList("page", can_repeat=True, can_reset=True)
        self._box = w.VBox([self.control, self.list])
        self._box.add_class("mediakit-pages-input")
        self.control.observe(lambda _: self._show_order(), "value")
        self.list.observe(self._on_order, "order")

    @property
    def widget(self) -> w.DOMWidget:
        """The text and the thumbnails."""
        return self._box

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


class BoxesInput(Input):
    """Boxes that are drawn on the pages."""

    wide = True

    def __init__(self, parameter: Parameter, editor: PageEditor | None = None) -> None:
        self.editor = editor or PageEditor("boxes")
        super().__init__(parameter, w.Text())  # not shown: the value is that of the editor
        self.caption = heading(parameter.name)
        self._box = w.VBox([self.editor])
        self._box.add_class("mediakit-boxes-input")
        self.editor.observe(self._notify, "boxes")

    @property
    def widget(self) -> w.DOMWidget:
        """The page with its boxes."""
        return self._box

    def read(self) -> Any:
        """Return the boxes; None without any."""
        return [dict(box) for box in self.editor.boxes] or None

    def fill(self, value: Any) -> None:
        """Show boxes."""
        self.editor.boxes = [box if isinstance(box, dict) else vars(box) for box in value]

    def state(self) -> Any:
        """Return the boxes."""
        return [dict(box) for box in self.editor.boxes]

    def restore(self, state: Any) -> None:
        """Show earlier boxes."""
        self.editor.boxes = list(state)

    def show_pages(self, loaded: Thumbnails | None) -> None:
        """Show the current page of a PDF."""
        self.editor.show(loaded)

    def _notify(self, change: Bunch) -> None:
        """Notify observers of the control, which has no value of its own."""
        self.control.notify_change(
            Bunch(name="value", type="change", owner=self.control, old=change["old"], new=change["new"])
        )


class PositionInput(ChoiceInput):
    """One of nine positions: from a list, and on a page."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__(parameter)
        self.wide = True
        self.editor = PageEditor("position")
        self._box = w.VBox([self.control, self.editor])
        self.editor.position = self.control.value
        self.control.observe(lambda change: self.editor.set_trait("position", change["new"]), "value")
        self.editor.observe(lambda change: self.control.set_trait("value", self._choice(change["new"])), "position")

    @property
    def widget(self) -> w.DOMWidget:
        """The list and the page."""
        return self._box

    def fill(self, value: Any) -> None:
        """Show a position, whose words may stand in another order."""
        super().fill(self._choice(value))

    def show_pages(self, loaded: Thumbnails | None) -> None:
        """Show the current page of a PDF."""
        self.editor.show(loaded)

    def _choice(self, position: str) -> str:
        """Return the choice that means a position, whose words may stand in another order."""
        words = sorted(position.split())
        return next(choice for choice in self.parameter.choices if sorted(choice.split()) == words)


class PdfFilesInput(FilesInput):
    """Files with the first page of each, which are dragged to another place."""

    def __init__(self, parameter: Parameter, accept: str) -> None:
        self.list = PageList("file")
        self._cards: list[_FileCard] = []
        self._new_ids = itertools.count()
        super().__init__(parameter, accept)
        drop_zone = DropZone(self.control, "or drop PDFs and images here, or paste them")
        self._box.children = [self.list, self.control, drop_zone]
        self.list.observe(self._on_order, "order")

    def show_images(self, images: list[bytes]) -> None:
        """Show an image for each file, empty where there is none."""
        if len(images) == len(self._files):
            for card, image in zip(self._cards, images, strict=True):
                card.image = image
            self._show_cards()

    def _show_rows(self) -> None:
        known = list(self._cards)
        self._cards = [self._card(file, known) for file in self._files]
        for number, card in enumerate(self._cards, 1):
            card.name = file_path(card.file, number).name
        self._show_cards()

    def _show_cards(self) -> None:
        """Show the cards. They are sent in the order of their ids, so that a move sends no image again."""
        cards = sorted(self._cards, key=attrgetter("id"))
        self.list.show(
            [{"id": card.id, "label": card.name, "title": card.name} for card in cards],
            [card.image for card in cards],
            [card.id for card in self._cards],
        )

    def _card(self, file: Any, known: list["_FileCard"]) -> "_FileCard":
        """Return the card of a file, and take it from the known cards; a new card for a new file."""
        index = next((index for index, card in enumerate(known) if card.file is file), None)
        return _FileCard(file, next(self._new_ids)) if index is None else known.pop(index)

    def _on_order(self, change: Bunch) -> None:
        cards = {card.id: card for card in self._cards}
        ordered = [cards[id_] for id_ in change["new"] if id_ in cards]
        if ordered != self._cards:
            self._cards = ordered
            self._files = [card.file for card in ordered]
            self._notify()


@dataclass(eq=False)
class _FileCard:
    file: Any
    id: int
    name: str = ""
    image: bytes = b""
