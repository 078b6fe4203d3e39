"""The result beside the form: the picture, what it is, and a link that saves it."""

import base64
import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import ipywidgets as w

from mediakit.core.messages import readable_size
from mediakit.results.result import Result

LINKED_BYTES = 5_000_000
"""A file up to this size travels with the form; a larger one is saved from Python."""

_ZOOM = (
    "const p=this.closest('.mediakit-preview'), z=p.classList.toggle('mediakit-zoomed'), "
    "f=p.querySelector('.mediakit-frame'); this.setAttribute('aria-pressed', z); "
    "z ? f.setAttribute('tabindex', 0) : f.removeAttribute('tabindex')"
)
ZOOM = f'<button type="button" aria-pressed="false" onclick="{_ZOOM}">Zoom</button>'
"""Shows the picture in its own size, in a frame that scrolls, until it is pressed again."""

PICTURES = ("image/png", "image/jpeg")


@dataclass(frozen=True)
class Shown:
    """A result as IPython's display protocol has it: its MIME bundle and the bundle's metadata."""

    result: Result
    data: Mapping[str, Any]
    metadata: Mapping[str, Any]

    @classmethod
    def of(cls, result: Result) -> "Shown":
        """Ask a result how it shows itself."""
        return cls(result, *result._repr_mimebundle_())  # IPython's protocol


class Preview:
    """Shows the newest result, and says what it waits for or what went wrong."""

    def __init__(self, name: str) -> None:
        self.name = name
        """What the file is called when it is downloaded."""
        self._status, self._body, self._about = w.HTML(), w.HTML(), w.HTML()
        # Neither the button nor the frame is ever written anew: zoom and place outlast the next drawing.
        zoom = w.HTML(ZOOM)
        line = w.Box([self._about, zoom])
        for part, role in ((self._status, "says"), (self._body, "frame"), (zoom, "zoom"), (line, "about")):
            part.add_class(f"mediakit-{role}")
        self.widget = w.VBox([self._status, self._body, line])
        for role in ("preview", "empty"):
            self.widget.add_class(f"mediakit-{role}")
        self.draw()

    def show(self, shown: Shown) -> None:
        """Show a result."""
        self._status.value = ""
        self._body.value = _content(shown, self.name)
        self._about.value = _caption(shown.result, self.name) + _warnings(shown.result)
        for state in ("stale", "empty"):
            self.widget.remove_class(f"mediakit-{state}")

    def draw(self) -> None:
        """Say that a drawing takes its time; an older picture stays, dimmed."""
        self._say("<div role='status' class='mediakit-status mediakit-busy'>Drawing…</div>")

    def wait(self, message: str) -> None:
        """Say what is missing; an older picture stays, dimmed."""
        self._say(f"<div role='status' class='mediakit-status'>{html.escape(message)}</div>")

    def fail(self, message: str) -> None:
        """Say what went wrong; an older picture stays, dimmed."""
        self._say(f"<div role='alert' class='mediakit-error'>{html.escape(message)}</div>")

    def dim(self) -> None:
        """Mark the picture as an older one; the fields say why."""
        self._say("")

    def _say(self, markup: str) -> None:
        self._status.value = markup
        self.widget.add_class("mediakit-stale")


def _content(shown: Shown, name: str) -> str:
    for media in PICTURES:
        if media in shown.data:
            alt = html.escape(shown.result.alt or f"What mediakit.{name} made")
            source = f"data:{media};base64,{base64.b64encode(shown.data[media]).decode()}"
            return f'<img alt="{alt}" src="{source}"{_shown_size(shown.metadata.get(media, {}))}>'
    if "text/html" in shown.data:
        return str(shown.data["text/html"])
    return f"<pre>{html.escape(str(shown.data['text/plain']))}</pre>"


def _caption(result: Result, name: str) -> str:
    facts = (result.extension.upper(), result.extent, readable_size(len(result.content)))
    about = " · ".join(filter(None, facts))
    return f"<div><span>{about}</span> {_link(result, f'{name}.{result.extension}')}</div>"


def _shown_size(about: Mapping[str, Any]) -> str:
    """Give the width of a picture that is finer than it is shown."""
    return f' width="{about["width"]}"' if "width" in about else ""


def _warnings(result: Result) -> str:
    """Say what the tool found to be risky."""
    said = [html.escape(warning["message"]) for warning in result.meta.get("warnings", ())]
    return f"<ul role='status' class='mediakit-warnings'><li>{'<li>'.join(said)}</ul>" if said else ""


def _link(result: Result, filename: str) -> str:
    if len(result.content) > LINKED_BYTES:
        return f"<span>Large: save it with <code>form.result.save(&quot;{filename}&quot;)</code></span>"
    return f'<a download="{filename}" href="{result.data_uri()}">Download {filename}</a>'
