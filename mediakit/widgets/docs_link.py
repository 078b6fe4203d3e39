"""The link to the documentation page in the output of `mediakit.serve()`, which opens the page with the API key.

Outputs are saved and shared, so the link in the output has no key. A click on it requests the key from the kernel, and
the browser adds it to the address as a fragment, which is never sent to a server. The key is not part of the state of
the widget. Front ends without widgets open the page without the key.
"""

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import anywidget
from traitlets import Unicode

from mediakit.widgets.assets import asset


class DocsLink(anywidget.AnyWidget):
    """A widget without a view: its script handles clicks on links to one URL."""

    _esm = asset("docs_link.js")

    url = Unicode().tag(sync=True)
    """The URL of the documentation page, or its path on the server of the notebook."""

    def __init__(self) -> None:
        super().__init__()
        self.read_key: Callable[[], str | None] = lambda: None
        self.on_msg(self._send_key)

    def _send_key(self, _widget: object, _content: object, _buffers: object) -> None:
        self.send(self.read_key())


@cache
def _docs_link() -> DocsLink:
    """Return the widget of this process, which has at most one server."""
    return DocsLink()


def open_with_key(url: str, read_key: Callable[[], str | None]) -> None:
    """Make links to the documentation page of a server open it with the key, if this process is a kernel.

    Args:
        url: The URL of the page, or its path on the server of the notebook.
        read_key: Returns the key at the time of a click; None if the server has stopped.
    """
    if not _is_kernel():
        return
    link = _docs_link()
    link.read_key = read_key
    link.url = url


def _is_kernel() -> bool:
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None
