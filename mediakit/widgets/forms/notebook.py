"""What a form does to its notebook: the running cell, inserted cells, and widgets that close and open again."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import anywidget
import IPython
import ipywidgets as w
from traitlets import Unicode

from mediakit.widgets.inputs.base import asset, is_shared, script


def cell_id() -> str:
    """Return the id of the cell that runs; empty outside a notebook, and in front ends that do not send it."""
    return str(_parent().get("metadata", {}).get("cellId") or "")


def _parent() -> dict[str, Any]:
    shell: Any = IPython.get_ipython()
    return dict(getattr(shell, "get_parent", dict)() or {})


class CellForms:
    """The displayed forms by cell.

    The forms of a cell are closed when the cell runs again, because each has hundreds of widgets, which would stay in
    the kernel and in the browser.
    """

    def __init__(self) -> None:
        self._displayed: dict[str, list[Any]] = {}
        self._previous: list[Any] = []
        self._run = ""
        self._counts: Counter[str] = Counter()
        self._is_registered = False

    def number(self, name: str) -> int:
        """Return how many forms with this name the running cell has created before; 0 outside a notebook."""
        run = str(_parent().get("header", {}).get("msg_id", ""))
        if run != self._run or not run:
            self._run, self._counts = run, Counter()
        self._counts[name] += 1
        return self._counts[name] - 1

    def add(self, form: Any) -> None:
        """Note that the running cell displays a form."""
        if not (cell := cell_id()):
            return
        if not self._is_registered:
            events: Any = IPython.get_ipython().events
            events.register("pre_run_cell", self._before)
            events.register("post_run_cell", self._after)
            self._is_registered = True
        forms = self._displayed.setdefault(cell, [])
        if form not in forms:
            forms.append(form)

    def _before(self, _info: Any) -> None:
        self._previous = self._displayed.pop(cell_id(), [])

    def _after(self, _result: Any) -> None:
        displayed = [form for forms in self._displayed.values() for form in forms]
        for form in self._previous:
            if form not in displayed:
                form.close()
        self._previous = []


cell_forms = CellForms()


class FrontEnd(anywidget.AnyWidget):
    """A status line in the form, whose script has access to the notebook.

    In JupyterLab and Notebook 7 it inserts cells, removes the form from the saved file, keeps the values of a form in
    the metadata of its cell, and shows that the kernel is busy. Other front ends do not expose their notebook to
    widgets; the form works there without these features.
    """

    _esm = script("front_end.js")

    form = Unicode().tag(sync=True)
    """The model id of the form's box."""
    key = Unicode().tag(sync=True)
    """Identifies the form within its cell."""
    values = Unicode().tag(sync=True)
    """The values of the form as text, after a change. The script keeps them in the metadata of the cell."""
    previous = Unicode().tag(sync=True)
    """The values that the script found in the metadata of the cell, from an earlier run of it."""


def close_all(roots: Iterable[w.Widget]) -> None:
    """Close widgets and everything in them, so that kernel and browser release them."""
    for widget in _all(roots):
        widget.close()


def reopen_all(roots: Iterable[w.Widget]) -> None:
    """Open closed widgets again, with the same model ids."""
    for widget in reversed(_all(roots)):
        if widget.comm is None:
            widget.__dict__.pop("_repr_mimebundle_", None)  # `close` hides the method
            widget.open()


def _all(roots: Iterable[w.Widget]) -> list[w.Widget]:
    """Return widgets with everything in them; a widget is before its parts."""
    return list(dict.fromkeys(part for root in roots for part in _parts(root)))


def _parts(widget: w.Widget) -> Iterator[w.Widget]:
    yield widget
    for child in getattr(widget, "children", ()):
        yield from _parts(child)
    for name in ("layout", "style"):
        if isinstance(part := getattr(widget, name, None), w.Widget) and not is_shared(part):
            yield part


class DocsLink(anywidget.AnyWidget):
    """A widget without a view: its script handles clicks on links to one URL.

    Outputs are saved and shared, so the link in the output of `mediakit.serve()` has no key. A click on it requests the
    key from the kernel, and the browser adds it to the address as a fragment, which is never sent to a server. The key
    is not part of the state of the widget. Front ends without widgets open the page without the key.
    """

    _esm = asset("docs_link.js")

    url = Unicode().tag(sync=True)
    """The URL of the documentation page, or its path on the server of the notebook."""

    def __init__(self) -> None:
        super().__init__()
        self.read_key: Callable[[], str | None] = lambda: None
        self.on_msg(lambda *_: self.send(self.read_key()))


_docs_link = cache(DocsLink)
"""Returns the widget of this process, which has at most one server."""


def open_with_key(url: str, read_key: Callable[[], str | None]) -> None:
    """Make links to the documentation page of a server open it with its current key, if this process is a kernel."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if getattr(shell, "kernel", None) is None:
        return
    link = _docs_link()
    link.read_key = read_key
    link.url = url
