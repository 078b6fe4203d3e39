"""Fields that stand out of the way until somebody opens them.

The browser folds them by itself, so that a busy kernel keeps nothing shut.
"""

import html
from collections.abc import Sequence

import ipywidgets as w


class Fold:
    """Widgets under a heading that opens and closes them."""

    def __init__(self, title: str, children: Sequence[w.Widget], *, is_open: bool = False) -> None:
        self._title = title
        self._is_open = is_open
        self._head = w.HTML()
        self._box = w.Box(list(children))
        self._box.add_class("mediakit-fields")
        self.widget = w.VBox([self._head, self._box])
        for name in ("mediakit-fold", "mediakit-wide"):
            self.widget.add_class(name)
        self._write()

    def open(self) -> None:
        """Open it, because something in it wants to be seen."""
        if not self._is_open:
            self._is_open = True
            self._write()

    def _write(self) -> None:
        opened = " open" if self._is_open else ""
        self._head.value = f"<details{opened}><summary>{html.escape(self._title)}</summary></details>"
