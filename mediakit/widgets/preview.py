"""The preview of a form: the result, its facts, and a link to download it."""

import base64
import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import ipywidgets as w

from mediakit.core.messages import readable_size
from mediakit.results.item import warning_messages
from mediakit.results.result import Result, facts, saved_file

MAX_LINK_BYTES = 5_000_000
"""Larger files are not embedded in the form; the preview shows how to save them from Python."""

_TOGGLE_ZOOM = (
    "const p=this.closest('.mediakit-preview'), z=p.classList.toggle('mediakit-zoomed'), "
    "f=p.querySelector('.mediakit-frame'); this.setAttribute('aria-pressed', z); "
    "z ? f.setAttribute('tabindex', 0) : f.removeAttribute('tabindex')"
)
ZOOM_BUTTON = f'<button type="button" aria-pressed="false" onclick="{_TOGGLE_ZOOM}">Zoom</button>'
"""Switches between the image at its full size in a scrolling frame, and the image scaled to the form."""

IMAGE_TYPES = ("image/png", "image/jpeg")


@dataclass(frozen=True)
class DisplayData:
    """A result with its MIME bundle and metadata for IPython's display protocol."""

    result: Result
    data: Mapping[str, Any]
    metadata: Mapping[str, Any]

    @classmethod
    def of(cls, result: Result) -> "DisplayData":
        """Return the display data of a result."""
        return cls(result, *result._repr_mimebundle_())  # IPython's protocol


class Preview:
    """Shows the latest result, and what is missing or failed."""

    def __init__(self, name: str) -> None:
        self.name = name
        """The name of the downloaded file, without its suffix."""
        self.shows_comparison = False
        """Whether an image is shown beside the image that it was converted from, if there is such a display."""
        self._result: Result | None = None
        self._status, self._body, self._about = w.HTML(), w.HTML(), w.HTML()
        # The button and the frame are never replaced, so that zoom and scroll position stay when the preview updates.
        zoom = w.HTML(ZOOM_BUTTON)
        line = w.Box([self._about, zoom])
        for part, role in ((self._status, "state"), (self._body, "frame"), (zoom, "zoom"), (line, "about")):
            part.add_class(f"mediakit-{role}")
        self.widget = w.VBox([self._status, self._body, line])
        for role in ("preview", "empty"):
            self.widget.add_class(f"mediakit-{role}")
        self.show_busy()

    def show(self, display_data: DisplayData) -> None:
        """Show a result."""
        self._status.value = ""
        self._body.value = _content(display_data, self.name, as_html=self.shows_comparison)
        self._about.value = _caption(display_data.result, self.name) + _warnings(display_data.result)
        self._result = display_data.result
        for state in ("stale", "empty"):
            self.widget.remove_class(f"mediakit-{state}")

    def block(self, reason: str) -> None:
        """Remove the download link of the previous result."""
        if self._result is not None:
            self._about.value = f"<div><span>{html.escape(reason)}</span></div>"

    def show_busy(self) -> None:
        """Show that the result is being rendered; the previous result stays, dimmed."""
        self._set_status("<div role='status' class='mediakit-status mediakit-busy'>Rendering…</div>")

    def show_hint(self, message: str) -> None:
        """Show what to do next; the previous result stays, dimmed."""
        self._set_status(f"<div role='status' class='mediakit-status'>{html.escape(message)}</div>")

    def show_error(self, message: str) -> None:
        """Show an error; the previous result stays, dimmed."""
        self._set_status(f"<div role='alert' class='mediakit-error'>{html.escape(message)}</div>")

    def dim(self) -> None:
        """Dim the previous result, because a field shows an error."""
        self._set_status("")

    def _set_status(self, markup: str) -> None:
        self._status.value = markup
        self.widget.add_class("mediakit-stale")


def _content(display_data: DisplayData, name: str, *, as_html: bool = False) -> str:
    for media_type in IMAGE_TYPES:
        if media_type in display_data.data and not (as_html and "text/html" in display_data.data):
            alt = html.escape(display_data.result.alt or f"Result of mediakit.{name}")
            source = f"data:{media_type};base64,{base64.b64encode(display_data.data[media_type]).decode()}"
            return f'<img alt="{alt}" src="{source}"{_width(display_data.metadata.get(media_type, {}))}>'
    content = display_data.data.get("text/html") or f"<pre>{html.escape(str(display_data.data['text/plain']))}</pre>"
    return str(content) if "<img" in content else f'<div tabindex="0" role="region" aria-label="Result">{content}</div>'


def _caption(result: Result, name: str) -> str:
    saved = saved_file(result)
    parts = (saved.extension.upper(), facts(result), readable_size(len(saved.content)), _saving(result))
    about = " · ".join(filter(None, parts))
    return f"<div><span>{about}</span> {download_link(result, saved.filename or f'{name}.{saved.extension}')}</div>"


def _saving(result: Result) -> str:
    """Return by how much a converted image is smaller or larger; empty for other results."""
    original = getattr(result, "original", None)
    if not original or len(original) == len(result.file):
        return ""
    share = len(result.file) / len(original) - 1
    size = readable_size(abs(len(original) - len(result.file)))
    return f"{size} ({abs(share):.0%}) {'smaller' if share < 0 else 'larger'}"


def _width(metadata: Mapping[str, Any]) -> str:
    """Return the width attribute of an image that has more pixels than it is displayed with."""
    return f' width="{metadata["width"]}"' if "width" in metadata else ""


def _warnings(result: Result) -> str:
    """Return the warnings of the tool, and the keys with example text, as a list."""
    messages = [html.escape(message) for message in warning_messages(result.meta, without="example_text")]
    if examples := result.meta.get("defaults_used"):
        messages.append(f"Still example text: {html.escape(', '.join(examples))}")
    return (
        f"<div role='status'><ul class='mediakit-warnings'><li>{'<li>'.join(messages)}</ul></div>" if messages else ""
    )


def download_link(result: Result, filename: str) -> str:
    """Return a link that downloads a result, or how to save a large one."""
    filename = html.escape(filename)
    if len(result.file) > MAX_LINK_BYTES:
        return f"<span>Large file: save it with <code>form.result.save(&quot;{filename}&quot;)</code></span>"
    return f'<a download="{filename}" href="{result.data_uri()}">Download {filename}</a>'
