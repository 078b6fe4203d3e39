"""A list of pages or files as thumbnails, which are dragged to another place, repeated and removed."""

from collections.abc import Sequence
from typing import Any, Literal

import anywidget
from traitlets import Bool, Bytes, Dict, Int, List, Unicode

from mediakit.widgets.assets import asset


class PageList(anywidget.AnyWidget):
    """Cards with a thumbnail. Set `order` to show other cards; dragging, repeating and removing change it."""

    _esm = asset("pdf/page_list.js")

    cards = List(Dict()).tag(sync=True)
    """The `id` of each card, the text below its thumbnail (`label`) and its name for screen readers (`title`)."""
    images = List(Bytes()).tag(sync=True)
    """A WebP image for each card, empty where there is none."""
    order = List(Int()).tag(sync=True)
    """The ids of the cards that are shown. An id never names another card: the browser may be some changes ahead."""
    noun = Unicode("page").tag(sync=True)
    can_repeat = Bool(default_value=False).tag(sync=True)
    can_reset = Bool(default_value=False).tag(sync=True)
    """Whether a button shows all cards again."""

    def __init__(self, noun: Literal["page", "file"], *, can_repeat: bool = False, can_reset: bool = False) -> None:
        super().__init__(noun=noun, can_repeat=can_repeat, can_reset=can_reset)
        self.add_class("mediakit-pages")

    def show(
        self, cards: Sequence[dict[str, Any]], images: Sequence[bytes], order: Sequence[int] | None = None
    ) -> None:
        """Show other cards, in their order by default."""
        with self.hold_sync():
            self.cards = list(cards)
            self.images = list(images)
            self.order = [card["id"] for card in cards] if order is None else list(order)
