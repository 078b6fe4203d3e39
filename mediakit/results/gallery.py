"""Several results side by side: small pictures with a line below each, as HTML that every front end shows."""

import html
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

import pybase64
from PIL import Image

from mediakit.core.messages import quote, readable_size
from mediakit.errors import InvalidInput
from mediakit.results.result import Result

R = TypeVar("R", bound=Result)

THUMBNAIL = 400
"""Pixels of a picture's longer side; it is shown at half of them, for sharp screens."""

STORED_BYTES = 1_000_000
"""A notebook keeps pictures up to this many bytes together; what comes after is named only."""

CARD = "display:inline-block;vertical-align:top;width:216px;margin:0 12px 16px 0;font-size:12px;line-height:1.45"
FRAME = "max-width:200px;max-height:200px;border:1px solid rgba(128,128,128,.35);border-radius:4px"


class Gallery(Mapping[str, R], Generic[R]):
    """Results by name; the last line of a cell shows them side by side."""

    def __init__(self, results: Mapping[str, R]) -> None:
        self._results = dict(results)

    def __getitem__(self, name: str) -> R:
        return self._results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def _repr_html_(self) -> str:
        left, cards = STORED_BYTES, []
        for name, result in self.items():
            picture = _thumbnail(result) if left > 0 else b""
            left -= len(picture)
            cards.append(_card(name, result, picture if left > 0 else b""))
        return f"<div>{''.join(cards)}</div>"

    def __repr__(self) -> str:
        return f"<Gallery of {len(self)}: {', '.join(map(repr, self.values()))}>"


def gallery(results: Mapping[Any, R] | Iterable[R]) -> Gallery[R]:
    """Show several results side by side.

    Args:
        results: Results, or names with a result each; a result without a name is called by its number.

    Raises:
        InvalidInput: Something in it is no result.
    """
    pairs = results.items() if isinstance(results, Mapping) else enumerate(results, 1)
    named = {str(name): result for name, result in pairs}
    for name, result in named.items():
        if not isinstance(result, Result):
            raise InvalidInput(f"results: {quote(name)} is no result of a tool, but a {type(result).__name__}.")
    return Gallery(named)


def _thumbnail(result: Result) -> bytes:
    """Give a small WebP of what the result shows; nothing where it shows no picture."""
    shown, _ = result._repr_mimebundle_()  # IPython's protocol
    content = shown.get("image/png") or shown.get("image/jpeg")
    if not content:
        return b""
    with Image.open(io.BytesIO(content)) as opened:
        image = opened.convert("RGBA")
    image.thumbnail((THUMBNAIL, THUMBNAIL))
    target = io.BytesIO()
    image.save(target, "WEBP", quality=80)
    return target.getvalue()


def _card(name: str, result: Result, picture: bytes) -> str:
    title = html.escape(name)
    facts = " · ".join(filter(None, (result.extension.upper(), result.extent, readable_size(len(bytes(result))))))
    image = ""
    if picture:
        source = f"data:image/webp;base64,{pybase64.b64encode(picture).decode()}"
        image = f'<img alt="{html.escape(result.alt or name)}" src="{source}" style="{FRAME}"><br>'
    return f'<div style="{CARD}">{image}<b>{title}</b><br><span style="opacity:.75">{facts}</span></div>'
