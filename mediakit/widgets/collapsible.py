"""A collapsible group of fields.

The browser opens and closes the group without the kernel, so that it also works while the kernel is busy.
"""

import html
from collections.abc import Sequence

import ipywidgets as w


class Collapsible:
    """Widgets below a heading that shows and hides them."""

    def __init__(self, title: str, children: Sequence[w.Widget], *, is_open: bool = False) -> None:
        self._title = title
        self._is_open = is_open
        self._heading = w.HTML()
        self._box = w.Box(list(children))
        self._box.add_class("mediakit-fields")
        self.widget = w.VBox([self._heading, self._box])
        for name in ("mediakit-fold", "mediakit-wide"):
            self.widget.add_class(name)
        self._update()

    def open(self) -> None:
        """Show the widgets."""
        if not self._is_open:
            self._is_open = True
            self._update()

    def _update(self) -> None:
        attribute = " open" if self._is_open else ""
        self._heading.value = f"<details{attribute}><summary>{html.escape(self._title)}</summary></details>"
