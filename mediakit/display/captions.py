"""The caption below an image: an output of its own, because front ends show one representation of each output."""

import html
from collections.abc import Mapping
from typing import Any

STYLE = "font-size:12px;opacity:.75;padding:2px 0 6px"


def display(data: Mapping[str, Any], metadata: Mapping[str, Any], caption: str) -> None:
    """Display a MIME bundle and the caption below it."""
    import IPython.display

    show: Any = IPython.display.display
    show(dict(data), metadata=dict(metadata), raw=True)
    line = f'<div style="{STYLE}">{html.escape(caption)}</div>'
    show({"text/plain": caption, "text/html": line}, raw=True)
