"""The line below a picture in a notebook: an output of its own, because front ends show one form of each output."""

import html
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mediakit.results.result import Result

STYLE = "font-size:12px;opacity:.75;padding:2px 0 6px"


def display(result: "Result") -> None:
    """Show a result and the line below it."""
    import IPython.display

    show: Any = IPython.display.display
    data, metadata = result._repr_mimebundle_()  # IPython's protocol
    show(data, metadata=metadata, raw=True)
    line = f'<div style="{STYLE}">{html.escape(result.caption)}</div>'
    show({"text/plain": result.caption, "text/html": line}, raw=True)
