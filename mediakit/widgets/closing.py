"""Close and open all widgets of a form."""

from collections.abc import Iterable, Iterator

import ipywidgets as w


def close(roots: Iterable[w.Widget]) -> None:
    """Close widgets and everything in them, so that kernel and browser release them."""
    for widget in _all(roots):
        widget.close()


def reopen(roots: Iterable[w.Widget]) -> None:
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
        if isinstance(part := getattr(widget, name, None), w.Widget):
            yield part
