"""What a form shows: the debounced preview, the call, and plain outputs for the saved notebook."""

import asyncio
import html
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import IPython.display
import ipywidgets as w

from mediakit.core import snippets
from mediakit.core.messages import readable_size
from mediakit.core.runtime import runtime
from mediakit.core.tool import Tool
from mediakit.results.item import warning_messages
from mediakit.results.result import Result
from mediakit.widgets.forms.notebook import FrontEnd
from mediakit.widgets.inputs.base import group, mark, markup, status, styled, vbox

T = TypeVar("T")

DELAY_SECONDS = 0.25
"""Time without a change before an update starts."""


class DebouncedUpdate(Generic[T]):
    """Compute and show a value on the background event loop after changes; can be used from any thread.

    A value is not shown if another change happened while it was computed.
    """

    def __init__(self, compute: Callable[[], Awaitable[T]], show: Callable[[T], None]) -> None:
        self._compute = compute
        self._show = show
        self._changes = 0
        self._task: asyncio.Task[None] | None = None

    def schedule(self, *, delay: float = DELAY_SECONDS) -> None:
        """Schedule an update after `delay` seconds without another change."""
        if runtime.inside:  # a value that an update shows can change another one
            self._start(delay)
        else:
            runtime.run(self._schedule(delay))

    def wait(self) -> None:
        """Wait until the last change has been shown."""
        runtime.run(self._wait())

    async def _schedule(self, delay: float) -> None:
        self._start(delay)

    def _start(self, delay: float) -> None:
        self._changes += 1
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._update(delay))

    async def _wait(self) -> None:
        if self._task and not self._task.done():
            await asyncio.wait({self._task})  # unlike `await self._task`, does not cancel the task on an interrupt

    async def _update(self, delay: float) -> None:
        seen = None
        while seen != self._changes:
            seen = self._changes
            await asyncio.sleep(delay)
            if seen == self._changes:
                value = await self._compute()
                if seen == self._changes:
                    self._show(value)


MAX_LINK_BYTES = 5_000_000
"""Larger files are not embedded in the form; the preview shows how to save them from Python."""

_TOGGLE_ZOOM = (
    "const p=this.closest('.mediakit-preview'), z=p.classList.toggle('mediakit-zoomed'), "
    "f=p.querySelector('.mediakit-frame'); this.setAttribute('aria-pressed', z); "
    "z ? f.setAttribute('tabindex', 0) : f.removeAttribute('tabindex')"
)
ZOOM_BUTTON = f'<button type="button" aria-pressed="false" onclick="{_TOGGLE_ZOOM}">Zoom</button>'
"""Switches between the image at its full size in a scrolling frame, and the image scaled to the form."""

RENDERING = status("Rendering…", "status", "busy")


@dataclass(frozen=True)
class Rendered:
    """The result of a request, ready to display."""

    tool: Tool[..., Any]
    request: Any
    values: Mapping[str, Any]
    """The values of the request for code snippets."""
    python: str
    """The call as Python."""
    unsaved: Sequence[str]
    """The names of the files that exist in memory only, until the call is inserted or copied."""
    result: Any
    data: Mapping[str, Any]
    """The MIME bundle of the result, and its metadata, as IPython's display protocol has them."""
    metadata: Mapping[str, Any]


class Preview:
    """Shows the latest result, and what is missing or failed."""

    def __init__(self, name: str) -> None:
        self.name = name
        """The name of the downloaded file, without its suffix."""
        self._result: Result | None = None
        self._status, self._body, self._about = markup("", "state"), markup("", "frame"), markup()
        # The button and the frame are never replaced, so that zoom and scroll position stay when the preview updates.
        line = group([self._about, markup(ZOOM_BUTTON, "zoom")], "about")
        self.widget = vbox([self._status, self._body, line], "preview", "empty")
        self.show_status(RENDERING)

    def show(self, rendered: Rendered) -> None:
        """Show a result."""
        self._status.value = ""
        self._body.value = _content(rendered.data)
        self._result = result = rendered.result
        saved = result._saved()
        parts = (saved.extension.upper(), result._facts(), readable_size(len(saved.content)), _saving(result))
        link = download_link(result, saved.filename or f"{self.name}.{saved.extension}")
        self._about.value = f"<div><span>{' · '.join(filter(None, parts))}</span> {link}</div>{_warnings(result)}"
        for role in ("stale", "empty"):
            mark(self.widget, role, marked=False)

    def block(self, reason: str) -> None:
        """Remove the download link of the previous result."""
        if self._result is not None:
            self._about.value = f"<div><span>{html.escape(reason)}</span></div>"

    def show_status(self, markup: str) -> None:
        """Show an error or what to do next, as HTML; the previous result stays, dimmed."""
        self._status.value = markup
        styled(self.widget, "stale")

    def dim(self, names: str) -> None:
        """Dim the previous result, because fields show an error; say so if there is none."""
        if self._result is None:
            text = f"The preview follows when {names} {'are' if ' and ' in names else 'is'} valid."
            self.show_status(status(text, "status"))
        else:
            self.show_status("")


def _content(data: Mapping[str, Any]) -> str:
    content = data.get("text/html") or f"<pre>{html.escape(str(data['text/plain']))}</pre>"
    return str(content) if "<img" in content else f'<div tabindex="0" role="region" aria-label="Result">{content}</div>'


def _saving(result: Result) -> str:
    """Return by how much a converted image is smaller or larger; empty for other results."""
    original = getattr(result, "original", None)
    if not original or len(original) == len(result.file):
        return ""
    share = len(result.file) / len(original) - 1
    size = readable_size(abs(len(original) - len(result.file)))
    return f"{size} ({abs(share):.0%}) {'smaller' if share < 0 else 'larger'}"


def _warnings(result: Result) -> str:
    """Return the warnings of the tool, and the keys with example text, as a list."""
    messages = [html.escape(message) for message in warning_messages(result.meta, without="example_text")]
    if examples := result.meta.get("defaults_used"):
        messages.append(f"Still example text: {html.escape(', '.join(examples))}")
    return (
        f"<div role='status'><ul class='mediakit-warnings'><li>{'<li>'.join(messages)}</ul></div>" if messages else ""
    )


def download_link(result: Result, filename: str, name: str = "result", most: int | None = None) -> str:
    """Return a link that downloads a result, or how to save a large one, an attribute of the form with this name."""
    filename = html.escape(filename)
    if len(result.file) > (most or MAX_LINK_BYTES):
        return f"<span>Large file: save it with <code>form.{name}.save(&quot;{filename}&quot;)</code></span>"
    return f'<a download="{filename}" href="{result.data_uri()}">Download {filename}</a>'


# The Clipboard API is not available on pages without HTTPS, such as some JupyterHubs.
_CODE = "const code = this.closest('.mediakit-code').querySelector('pre'); "
_COPY = (
    "this.dispatchEvent(new CustomEvent('mediakit-save', {bubbles: true})); "
    "getSelection().selectAllChildren(code); if (document.execCommand('copy')) this.textContent = "
)
COPY_SCRIPT = f"{_CODE}{_COPY}'Copied'"
INSERT_SCRIPT = (
    f"{_CODE}const options = {{bubbles: true, cancelable: true, detail: code.textContent}}; "
    "if (!this.dispatchEvent(new CustomEvent('mediakit-insert', options))) this.textContent = 'Inserted below'; "
    f"else {{ {_COPY}'Copied: paste it into a cell' }}"
)
"""Sends the code to the script of the form. If the front end cannot insert a cell, copies the code instead."""


class CallTabs:
    """Tabs with the same call in several languages."""

    def __init__(self) -> None:
        titles = ("Python", *LANGUAGES)
        self._pages = [markup() for _ in titles]
        self.widget = styled(w.Tab(self._pages, titles=titles), "calls")
        mark(self.widget, "gone", marked=True)  # until there is a call to show
        self.python = ""
        """The latest call as Python."""
        self._texts: Mapping[str, str] = {}

    def show(self, rendered: Rendered) -> None:
        """Show the call of a result."""
        others = {language: write(rendered.tool, rendered.values) for language, write in LANGUAGES.items()}
        needs_import = "pathlib.Path(" in rendered.python
        self.python = f"import pathlib\n\n{rendered.python}" if needs_import else rendered.python
        self._texts = {"Python": self.python, **others}
        names = " and ".join(rendered.unsaved)
        self._write("", f"Insert and Copy save {names} beside the notebook." if names else "")
        mark(self.widget, "gone", marked=False)

    def block(self, reason: str) -> None:
        """Disable the buttons, because the form has other values than the call that is shown."""
        if self._texts:
            self._write(reason)

    def _write(self, reason: str, about: str = "") -> None:
        text = reason or about
        note = f'<div class="mediakit-help">{html.escape(text)}</div>' if text else ""
        for page, (language, text) in zip(self._pages, self._texts.items(), strict=True):
            buttons = _button("Insert as cell", INSERT_SCRIPT, disabled=bool(reason)) if language == "Python" else ""
            buttons += _button("Copy", COPY_SCRIPT, disabled=bool(reason))
            page.value = f'<div class="mediakit-code"><pre tabindex="0">{html.escape(text)}</pre>{note}{buttons}</div>'


def _button(text: str, script: str, *, disabled: bool) -> str:
    return f'<button type="button"{" disabled" if disabled else ""} onclick="{script}">{text}</button>'


LANGUAGES = {"curl": snippets.curl, "JavaScript": snippets.javascript, "Shell": snippets.shell}

display: Any = IPython.display.display

MAX_CODE_LENGTH = 20_000
"""Longer calls are not stored in the notebook."""

INSTEAD = (
    "<p>This form runs in JupyterLab and Notebook 7, and in VS Code if it may load the scripts of widgets. In Colab, "
    "first run <code>from google.colab import output; output.enable_custom_widget_manager()</code>, then this cell. "
    "It does not run in marimo and in exported pages. Call the tool instead:</p>"
)


class OutputArea:
    """The latest result with its call, beside the fields of a form."""

    def __init__(self, name: str) -> None:
        self.preview = Preview(name)
        self.rendered: Rendered | None = None
        """What the area shows."""
        self._calls = CallTabs()
        self.front_end = styled(FrontEnd(), "front-end")
        self._placeholder = f"mediakit.{name}: no result yet"
        self._id: str | None = None
        self.widget = vbox([self.front_end, self.preview.widget, self._calls.widget], "output")

    def insert(self, widget: w.Widget, *, above: bool = False) -> None:
        """Show a widget between the preview and the call, or above both."""
        front_end, *others, calls = self.widget.children
        self.widget.children = [front_end, *([widget, *others] if above else [*others, widget]), calls]

    def show(self, rendered: Rendered) -> None:
        """Show a result."""
        self.rendered = rendered
        self.preview.show(rendered)
        self._calls.show(rendered)
        if self._id:
            self._display(update=True)

    def block(self, reason: str) -> None:
        """Disable the call and the download, because the form has other values than the result that is shown."""
        self._calls.block(reason)
        self.preview.block(reason)

    def without_widgets(self, tool: Tool[..., Any], *, with_result: bool = False) -> str:
        """Return HTML for front ends that cannot run the form: what to do instead, and the call."""
        call = self._calls.python or f"mediakit.{tool.name}(...)"
        shown = _content(self.rendered.data) if with_result and self.rendered else ""
        return (
            f"<div>{INSTEAD}<pre>{html.escape(call)}</pre><code>help(mediakit.{tool.name})</code> shows all fields."
            f"</div>{shown}"
        )

    def place_static(self) -> None:
        """Add two plain outputs to the running cell, the latest result and its call.

        Saved, exported and shared notebooks show them, because they do not store widgets. While the form is displayed,
        its style sheet hides these outputs.
        """
        self._id = self._id or uuid.uuid4().hex
        self._display()

    def _display(self, **options: bool) -> None:
        shown, code = self.rendered, self._calls.python
        data, metadata = (shown.data, shown.metadata) if shown else ({"text/plain": self._placeholder}, {})
        display(data, metadata=metadata, raw=True, display_id=self._id, **options)
        text = {"text/plain": code if len(code) <= MAX_CODE_LENGTH else ""}
        display(text, raw=True, display_id=f"{self._id}-call", **options)
