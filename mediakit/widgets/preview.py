"""The result beside the form: the picture, what it is, and a link that saves it."""

import base64
import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import ipywidgets as w

from mediakit.core.results import Result, readable_size

LINKED_BYTES = 5_000_000
"""A file up to this size travels with the form; a larger one is saved from Python."""

ZOOM = (
    '<button type="button" aria-pressed="false" onclick="this.setAttribute('
    "'aria-pressed', this.closest('figure').classList.toggle('mediakit-zoomed'))\">Zoom</button>"
)
"""Shows the picture in its own size, in a frame that scrolls."""

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
        self._body = w.HTML()
        self._status = w.HTML()
        self.widget = w.VBox([self._status, self._body])
        self.widget.add_class("mediakit-preview")
        self.wait("Drawing…")

    def show(self, shown: Shown) -> None:
        """Show a result."""
        self._status.value = ""
        about = _caption(shown.result, self.name) + _warnings(shown.result)
        self._body.value = f"<figure>{_content(shown, self.name)}{about}</figure>"
        self.widget.remove_class("mediakit-stale")

    def wait(self, message: str) -> None:
        """Say what is going on or what is missing; an older picture stays, dimmed."""
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
            return f'<div class="mediakit-frame"><img alt="{alt}" src="{source}"></div>'
    if "text/html" in shown.data:
        return str(shown.data["text/html"])
    return f"<pre>{html.escape(str(shown.data['text/plain']))}</pre>"


def _caption(result: Result, name: str) -> str:
    facts = (result.extension.upper(), result.extent, readable_size(len(result.content)))
    about = " · ".join(filter(None, facts))
    return f"<figcaption><span>{about}</span> {ZOOM} {_link(result, f'{name}.{result.extension}')}</figcaption>"


def _warnings(result: Result) -> str:
    """Say what the tool found to be risky."""
    said = [html.escape(warning["message"]) for warning in result.meta.get("warnings", ())]
    return f"<ul role='status' class='mediakit-warnings'><li>{'<li>'.join(said)}</ul>" if said else ""


def _link(result: Result, filename: str) -> str:
    if len(result.content) > LINKED_BYTES:
        return f"<span>Large: save it with <code>form.result.save(&quot;{filename}&quot;)</code></span>"
    return f'<a download="{filename}" href="{result.data_uri()}">Download {filename}</a>'
